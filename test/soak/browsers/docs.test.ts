import { readFileSync } from "node:fs"
import type { Browser, Page } from "playwright-core"
import t, { type Test } from "tap"
import { groups } from "../../../plugins/documents/docs/pages.ts"
import { type App } from "../../support/app.ts"
import { processApp } from "../support/service-process.ts"
import { startBrowser } from "../support/browser/chromium.ts"
import { findFlaws } from "../support/browser/flaws.ts"
import { findViolations } from "../support/browser/violations.ts"
import { visit, type VisitOptions } from "../support/browser/visit.ts"
import { password } from "../../support/builder.ts"

/** The first fields of an event, in the order of the contract. */
const eventFields = ["id", "name", "status", "currency", "timezone", "starts", "ends", "created"]

const texts = groups.flatMap(({ entries }) => entries).filter(({ file }) => file !== undefined)

const browser = await startBrowser(t)
if (browser) await suite(browser, await serviceWithAccounts(t))

async function suite(browser: Browser, { url, request }: App & { url: string }): Promise<void> {
  const open = (t: Test, path: string, options: VisitOptions = {}) =>
    visit(t, { browser, url, path }, options)
  /** Opens a page with a session. */
  const openAs = async (t: Test, username: string, path: string, options: VisitOptions = {}) => {
    const page = await open(t, "/docs", options)
    await page.request.post(`${url}/session`, { data: { username, password } })
    await page.goto(url + path)
    if (path === "/docs/reference") await drawn(page)
    return page
  }

  await t.test("GET /docs/sync shows the programs of one language, remembers it, and copies them", async (t) => {
    const page = await open(t, "/docs/sync", { permissions: ["clipboard-read", "clipboard-write"] })
    for (const [name, language] of Object.entries({ Shell: "shell", Python: "python" })) {
      await page.getByRole("radio", { name }).check()
      t.strictSame(await shownLanguages(page), [language])
    }
    await page.reload()
    t.strictSame(await shownLanguages(page), ["python"])
    const example = page.locator("figure[data-language=python]").first()
    await example.getByRole("button").focus()
    await page.keyboard.press("Enter")
    await example.getByText("Copied").waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    t.equal(copied, await example.locator("code").textContent())
  })

  await t.test("the pages are readable without scripts", async (t) => {
    const page = await open(t, "/docs", { javaScriptEnabled: false })
    const text = readFileSync("plugins/documents/docs/pages/start.md", "utf8")
    const titles = await page.locator("h2:visible").allTextContents()
    t.strictSame(
      titles.map((title) => title.replace(/ #$/, "")),
      [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title),
    )
    await page.getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: "Sync", exact: true }).click()
    await page.getByRole("radio", { name: "Python" }).check()
    t.strictSame(await shownLanguages(page), ["python"])
    t.equal(await page.locator(".copy:visible").count(), 0, "there is no button without a function")
    await page.locator("#search").fill("resync_required")
    await page.keyboard.press("Enter")
    await page.getByRole("link", { name: "resync_required" }).first().click()
    t.match(page.url(), /\/docs\/errors#error-resync_required$/)
  })

  await t.test("the search shows hits while somebody types", async (t) => {
    const page = await open(t, "/docs/tools")
    await page.keyboard.press("/")
    await page.keyboard.type("giftAid")
    const hit = page.locator(".found").getByRole("link").first()
    await hit.getByText("giftAidAddress").waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/docs\/records#Guest\.giftAidAddress$/)
  })

  await t.test("the search groups hits by page, and marks the words", async (t) => {
    const page = await open(t, "/docs/tools")
    await page.keyboard.press("/")
    await page.keyboard.type("consent")
    await page.locator(".found .group-name", { hasText: "Records" }).waitFor()
    t.equal(await page.locator(".found mark").first().textContent(), "Consent")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Records" }).waitFor()
    t.ok(await page.locator(".hits mark").count() > 2)
  })

  await t.test("a reader puts a token into the examples, which are then requests to paste", async (t) => {
    const page = await openAs(t, "acme-export", "/docs")
    for (const _ of ["the first", "in the place of that"]) {
      await page.goto(`${url}/docs`)
      await page.getByRole("button", { name: "Put a token into the examples" }).click()
      await page.getByText("have your token for an hour").waitFor()
    }
    const code = await page.locator(".example code").first().textContent()
    const [, token = ""] = /-H 'Authorization: Bearer (\S+)'/.exec(code ?? "") ?? []
    const [, event = ""] = /^EVENT=(.*)$/m.exec(code ?? "") ?? []
    t.notMatch(code, "cookies.txt")
    const headers = { authorization: `Bearer ${token}` }
    t.equal((await fetch(`${event}/guests?limit=1`, { headers })).status, 200)
    const tokens = await (await page.request.get(`${url}/session/tokens`)).json()
    t.match(tokens, [{ name: "guide" }])
    t.equal(tokens.length, 1, "the former one is revoked")
    t.strictSame(await storedInBrowser(page), [], "no token is stored")
  })

  await t.test("the fields of a record within a record unfold below its field", async (t) => {
    const page = await openAs(t, "acme-export", "/docs/records")
    const button = page.getByRole("button", { name: "Fields of AddressDetail" }).first()
    const unfolded = page.locator(".unfolded").getByText("recipient_name")
    await button.click()
    t.equal(await unfolded.isVisible(), true)
    t.equal(await button.getAttribute("aria-expanded"), "true")
    t.strictSame(await findViolations(page), [])
    await button.click()
    t.equal(await unfolded.count(), 0)
  })

  await t.test("on a wide screen, code stands beside the text", async (t) => {
    const page = await open(t, "/docs/log-in-and-tokens", {
      viewport: { width: 1440, height: 900 },
    })
    const text = await page.locator(".text > ul").first().boundingBox()
    const code = await page.locator(".text > .pair").first().boundingBox()
    if (!text || !code) throw new Error("the page has neither text nor code")
    t.ok(text.x + text.width < code.x)
    t.strictSame(await findViolations(page), [])
  })

  await t.test("places of the guide of before lead to the pages that have them now", async (t) => {
    const page = await open(t, "/docs#error-not_found")
    await page.waitForURL(`${url}/docs/errors#error-not_found`)
  })

  await t.test("one button changes the theme of all pages, the reference included", async (t) => {
    const page = await openAs(t, "acme-export", "/docs", { colorScheme: "light" })
    const schemeOf = () =>
      page.locator("html").evaluate((html) => getComputedStyle(html).colorScheme)
    const button = page.locator("#theme")
    await button.click()
    t.equal(await schemeOf(), "light")
    await button.click()
    t.equal(await schemeOf(), "dark")
    await page.goto(`${url}/docs/reference`)
    await page.locator("body.dark-mode").waitFor()
    await page.getByRole("button", { name: "Menu" }).click()
    await button.click()
    t.equal(await button.textContent(), "Theme: auto")
    await page.locator("body.light-mode").waitFor()
  })

  await t.test("all pages fit a phone and a wide screen, and have no violation", async (t) => {
    const page = await openAs(t, "partner", "/docs/tools")
    for (const path of [...texts.map(({ path }) => path), "/docs/log-in"]) {
      t.strictSame(await findFlaws(page, url + path), [], path)
    }
  })

  await t.test("GET /docs/reference leads to the log-in page, and back", async (t) => {
    const page = await open(t, "/docs/reference")
    t.equal(page.url(), `${url}/docs/log-in?next=%2Fdocs%2Freference`)
    await page.getByLabel("User name").fill("borealis-export")
    await page.getByLabel("Password").fill(password)
    await page.keyboard.press("Enter")
    await drawn(page)
    t.equal(new URL(page.url()).pathname, "/docs/reference")
    const [cookie] = await page.context().cookies()
    const headers = { cookie: `${cookie?.name}=${cookie?.value}` }
    t.equal((await request("/session", { headers })).status, 200)
    await page.getByRole("button", { name: "Menu", exact: true }).click()
    t.equal(await page.locator(".account").getByText("borealis-export").isVisible(), true)
    await page.getByRole("button", { name: "Log out" }).click()
    await page.waitForURL(`${url}/docs`)
    t.equal((await request("/session", { headers })).status, 401)
  })

  await t.test("GET /docs/reference shows what the account may call, and nothing that is not there", async (t) => {
    for (const username of ["borealis-export", "partner"]) {
      const page = await openAs(t, username, "/docs/reference")
      const { paths } = await (await page.request.get(`${url}/openapi.json`)).json()
      t.equal("/connector-a/v1/events/{eventId}/items" in paths, username === "partner")
      const operations = await shownOperations(page)
      t.strictSame(operations, callable(paths))
      t.ok(operations.includes("POST /session"))
      t.equal(
        operations.includes("GET /borealis/v1/events/{eventId}/guests"),
        username === "borealis-export",
      )
      const text = await page.locator("#viewer").innerText()
      if (username === "borealis-export") t.notMatch(text, /acme|connector-a/)
    }
  })

  await t.test("GET /docs/reference shows fields in the order of the contract, and sends requests", async (t) => {
    const page = await openAs(t, "borealis-export", "/docs/reference")
    await page.locator('#viewer a[href$="GET/borealis/v1/events"]').press("Enter")
    const operation = page.locator('#viewer section[id$="GET/borealis/v1/events"]')
    await operation.and(page.locator(":focus")).waitFor()
    t.match(await operation.innerText(), `curl -b cookies.txt '${url}/borealis/v1/events'`)
    await operation.getByRole("button", { name: /^200/ }).first().click()
    const fields = operation.locator(".property-name")
    await fields.filter({ hasText: "timezone" }).waitFor()
    const names = (await fields.allTextContents()).map((name) => name.trim())
    t.strictSame(names.filter((name) => eventFields.includes(name)), eventFields)
    await page.getByRole("button", { name: "Test Request (get /borealis/v1/events)" }).click()
    const [response] = await Promise.all([
      page.waitForResponse(`${url}/borealis/v1/events?**`),
      page.getByRole("button", { name: "Send" }).first().click(),
    ])
    t.equal(response.status(), 200)
    t.match((await response.request().allHeaders())["cookie"], /event_export_session=/)
    const [event] = await response.json() as { name: string }[]
    await page.getByRole("dialog").getByText(`"${event?.name}"`).first().waitFor()
    t.strictSame(await storedInBrowser(page), [], "no response is stored")
  })

  await t.test("GET /docs/reference fits a phone, and has no violation around the viewer", async (t) => {
    const viewport = { width: 360, height: 740 }
    const page = await openAs(t, "borealis-export", "/docs/reference", { viewport })
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360)
    await page.locator("#viewer").evaluate((part) => part.remove())
    t.strictSame(await findViolations(page), [])
  })
}

/** Waits until the viewer has drawn the reference. */
async function drawn(page: Page): Promise<void> {
  await page.locator("#viewer").getByRole("heading", { name: "event-export" }).waitFor()
}

async function serviceWithAccounts(t: Test): Promise<App & { url: string }> {
  const app = await processApp(t, "node")
  for (const slug of ["acme", "borealis"]) {
    const organization = await app.build.organization(slug)
    await app.build.guests(await app.build.event(organization), 3)
    await app.build.account(`${slug}-export`, "service")
    await app.build.grant(`${slug}-export`, { organization: slug })
  }
  await app.build.account("partner", "partner")
  await app.build.grant("partner", { organization: "acme" })
  return app
}

/** Returns the operations that the reference lists, such as `GET /session`. */
async function shownOperations(page: Page): Promise<string[]> {
  const links = await page.locator('#viewer a[href^="#tag/"]').all()
  const targets = await Promise.all(links.map((link) => link.getAttribute("href")))
  return targets.flatMap((target) => {
    const [, method, path] = /^#tag\/[^/]+\/([A-Z]+)(\/.*)$/.exec(target ?? "") ?? []
    return method ? [`${method} ${path}`] : []
  }).sort()
}

/** Returns the operations of an OpenAPI document that may succeed. */
function callable(paths: Readonly<Record<string, Readonly<Record<string, object>>>>): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).filter(([, operation]) =>
      Object.keys((operation as { responses: object }).responses).some((status) => status < "400")
    ).map(([method]) => `${method.toUpperCase()} ${path}`)
  ).sort()
}

/** Returns the data that a page stores in the browser, besides the cookie. */
function storedInBrowser(page: Page): Promise<unknown[]> {
  return page.evaluate(async () => [
    ...Object.entries(localStorage),
    ...Object.entries(sessionStorage),
    ...await indexedDB.databases(),
    ...await caches.keys(),
  ])
}

async function shownLanguages(page: Page): Promise<string[]> {
  const shown = await page.locator(".example[data-language]:visible").all()
  const languages = await Promise.all(shown.map((each) => each.getAttribute("data-language")))
  return [...new Set(languages.map(String))]
}
