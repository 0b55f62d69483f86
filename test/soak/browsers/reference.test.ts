import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import t, { type Test } from "tap"
import { type App } from "../../support/app.ts"
import { processApp } from "../support/service-process.ts"
import { startBrowser } from "../support/browser/chromium.ts"
import { keepPicture, pictureOf } from "../support/browser/picture.ts"
import { findViolations } from "../support/browser/violations.ts"
import { password } from "../../support/builder.ts"

/** The first fields of an event, in the order of the contract. */
const eventFields = ["id", "name", "status", "currency", "timezone", "starts", "ends", "created"]

/** Upper limit of each step in milliseconds, so that a failing test ends. */
const patience = 300_000

const browser = await startBrowser(t)
if (browser) await suite(browser, await serviceWithAccounts(t))

async function suite(browser: Browser, { url, request }: App & { url: string }): Promise<void> {
  /** Opens a page as a new visitor. Fails the test at its end if there were browser errors or foreign requests. */
  const visit = async (
    t: Test,
    path: string,
    { username, ...context }: BrowserContextOptions & { readonly username?: string } = {},
  ): Promise<Page> => {
    const visitor = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...context })
    visitor.setDefaultTimeout(patience)
    const page = await visitor.newPage()
    const complaints: string[] = []
    page.on("console", (message) => {
      if (message.type() !== "info") complaints.push(message.text())
    })
    page.on("pageerror", (error) => complaints.push(error.message))
    visitor.on("request", (request) => {
      const address = request.url()
      if (!address.startsWith(`${url}/`) && !address.startsWith("data:")) complaints.push(address)
    })
    t.teardown(async () => {
      await visitor.close()
      if (complaints.length > 0) throw new Error(`the browser complains: ${complaints.join("; ")}`)
    })
    if (username !== undefined) {
      await page.request.post(`${url}/session`, { data: { username, password } })
    }
    await page.goto(url + path)
    if (path === "/docs/reference" && username !== undefined) await drawn(page)
    return page
  }

  await t.test("GET /docs/reference leads to the log-in page, and back", async (t) => {
    const page = await visit(t, "/docs/reference")
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
      const page = await visit(t, "/docs/reference", { username })
      const { paths } = await (await page.request.get(`${url}/openapi.json`)).json()
      t.equal("/connector-a/v1/events/{eventId}/items" in paths, username === "partner")
      const operations = await shownOperations(page)
      t.strictSame(operations, callable(paths))
      t.ok(operations.includes("POST /session"))
      t.equal(await page.locator(".account .who").textContent(), username)
      t.equal(
        operations.includes("GET /borealis/v1/events/{eventId}/guests"),
        username === "borealis-export",
      )
      const text = await page.locator("#viewer").innerText()
      t.notMatch(text, /Announced|Client Libraries|Authentication|Models|MIT/)
      if (username === "borealis-export") {
        t.notMatch(text, /acme|connector-a/)
        t.ok((await pictureOf(page, "reference")).drawn > 0.05)
      }
      const contact = page.locator("#viewer").getByRole("link", { name: "Questions" })
      t.equal(await contact.getAttribute("href"), "mailto:partners@example.org")
    }
  })

  await t.test("GET /docs/reference shows fields in the order of the contract, and sends requests", async (t) => {
    const page = await visit(t, "/docs/reference", { username: "borealis-export" })
    await page.locator('#viewer a[href$="GET/borealis/v1/events"]').press("Enter")
    const operation = page.locator('#viewer section[id$="GET/borealis/v1/events"]')
    await operation.and(page.locator(":focus")).waitFor()
    t.equal(
      await operation.evaluate((section) => getComputedStyle(section).outlineStyle),
      "none",
      "no frame around the whole operation",
    )
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
    await keepPicture(page, "try-it")
    t.strictSame(await storedInBrowser(page), [], "no response is stored")
  })

  await t.test("GET /docs/reference has the design's theme, side by side with the viewer's own pages", async (t) => {
    for (const [colorScheme, width] of [["light", 1280], ["dark", 1280], ["dark", 390]] as const) {
      const page = await visit(t, "/docs/reference", {
        ...{ username: "borealis-export", colorScheme },
        viewport: { width, height: 844 },
      })
      const { meanLuminance, drawn } = await pictureOf(page, `reference-${colorScheme}-${width}`)
      t.ok(colorScheme === "dark" ? meanLuminance < 60 : meanLuminance > 200, `${meanLuminance}`)
      t.ok(drawn > 0.03, `${drawn}`)
      const side = page.locator('#viewer a[href$="GET/borealis/v1/events"]')
      t.equal(await side.first().isVisible(), width === 1280, "the viewer's side bar")
      t.equal(await page.evaluate(() => document.documentElement.scrollWidth), width)
      t.equal(
        await page.locator("#viewer").getByRole("button", { name: /^(dark|light)/i }).count(),
        0,
      )
      if (colorScheme === "light") {
        await page.getByRole("button", { name: "Menu", exact: true }).click()
        await page.locator("#theme").click()
        await page.locator("#theme").click()
        t.equal(await page.locator("#theme").textContent(), "Theme: dark")
        t.ok((await pictureOf(page, "reference-switched")).meanLuminance < 60, "it follows at once")
      }
      t.strictSame(await seriousViolations(page, "#viewer"), [])
    }
  })

  await t.test("GET /docs/kit fits its screen, and has no serious accessibility violation", async (t) => {
    for (const [colorScheme, width] of [["light", 1280], ["dark", 390]] as const) {
      const viewport = { width, height: 844 }
      const page = await visit(t, "/docs/kit", { username: "partner", colorScheme, viewport })
      t.equal(await page.evaluate(() => document.documentElement.scrollWidth), width)
      t.strictSame(await seriousViolations(page), [])
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "postman.json" }).click(),
      ])
      t.equal(file.suggestedFilename(), "postman.json")
      await keepPicture(page, `kit-${colorScheme}-${width}`)
    }
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

/** Returns the serious and critical violations that axe finds, outside of what matches `foreign`. */
async function seriousViolations(page: Page, foreign?: string): Promise<string[]> {
  if (foreign !== undefined) await page.locator(foreign).evaluate((part) => part.remove())
  return (await findViolations(page))
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`)
}
