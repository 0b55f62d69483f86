import { readFileSync } from "node:fs"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import t, { type Test } from "tap"
import { groups } from "../../../plugins/documents/docs/pages.ts"
import { type App } from "../../support/app.ts"
import { processApp } from "../support/service-process.ts"
import { startBrowser } from "../support/browser/chromium.ts"
import { keepPicture, pictureOf } from "../support/browser/picture.ts"
import { findViolations } from "../support/browser/violations.ts"
import { password } from "../../support/builder.ts"

/** The titles of the sections of a page's text. */
function sectionsOf(file: string): string[] {
  const text = readFileSync(`plugins/documents/docs/pages/${file}`, "utf8")
  return [...text.matchAll(/^## (.*)$/gm)].map(([, title = ""]) => title)
}

const entries = groups.flatMap(({ entries }) => entries)
const texts = entries.filter(({ file }) => file !== undefined).map(({ path }) => path)

/** Upper limit of each step in milliseconds, so that a failing test ends. */
const patience = 300_000

const browser = await startBrowser(t)
if (browser) await suite(browser, await serviceWithAccounts(t))

async function suite(browser: Browser, { url, request }: App & { url: string }): Promise<void> {
  /** Opens a page as a new visitor. Fails the test at its end if there were browser errors or foreign requests. */
  const visit = async (t: Test, path: string, options: Visit = {}): Promise<Page> => {
    const { expected = [], ...context } = options
    const visitor = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...context })
    visitor.setDefaultTimeout(patience)
    const page = await visitor.newPage()
    const complaints: string[] = []
    const foreign: string[] = []
    page.on("console", (message) => {
      const text = `${message.text()} ${message.location().url.replace(url, "")}`
      if (message.type() !== "info") complaints.push(text)
    })
    page.on("pageerror", (error) => complaints.push(error.message))
    visitor.on("request", (request) => {
      const address = request.url()
      if (!address.startsWith(`${url}/`) && !address.startsWith("data:")) foreign.push(address)
    })
    t.teardown(async () => {
      await visitor.close()
      const unexpected = complaints.filter((text) => !expected.some((each) => each.test(text)))
      if (unexpected.length > 0) throw new Error(`the browser complains: ${unexpected.join("; ")}`)
      if (foreign.length > 0) throw new Error(`requests to other hosts: ${foreign.join(", ")}`)
    })
    await page.goto(url + path)
    return page
  }

  await t.test("GET /docs shows a guest and an item first, each response beside its request", async (t) => {
    const page = await visit(t, "/docs", { viewport: { width: 1280, height: 800 } })
    t.strictSame(await page.locator("h1").allTextContents(), ["Start"])
    t.strictSame(await titles(page), sectionsOf("start.md"))
    const figures = await page.locator(".pair").first().locator("figure").all()
    const [request, ...responses] = await Promise.all(figures.map((each) => each.boundingBox()))
    const [, guest, item] = await Promise.all(figures.map((each) => each.textContent()))
    t.match([guest, item], [/"firstName": "Ada"/, /"buyNows": \[/])
    for (const response of responses) {
      t.ok((response?.x ?? 0) > (request?.x ?? 0) + (request?.width ?? 0), "side by side")
      t.ok((response?.y ?? 800) < 700, "on the first screen")
    }
    t.equal(await page.locator(".account").getByRole("link", { name: "Log in" }).isVisible(), true)
    t.ok((await pictureOf(page, "docs")).drawn > 0.03)
  })

  await t.test("GET /docs/sync shows the programs of one language, and remembers it", async (t) => {
    const page = await visit(t, "/docs/sync")
    t.strictSame(await titles(page), sectionsOf("sync.md"))
    for (const [name, language] of Object.entries({ Shell: "shell", Python: "python" })) {
      await page.getByRole("radio", { name }).check()
      t.strictSame(await shownLanguages(page), [language])
    }
    await page.reload()
    t.strictSame(await shownLanguages(page), ["python"])
  })

  await t.test("the pages are readable without scripts", async (t) => {
    const page = await visit(t, "/docs", { javaScriptEnabled: false })
    t.strictSame(await titles(page), sectionsOf("start.md"))
    await entry(page, "Sync").click()
    await page.getByRole("radio", { name: "Python" }).check()
    t.equal(await page.locator("figure[data-language=python]").first().isVisible(), true)
    t.equal(await page.locator("figure[data-language=shell]").first().isVisible(), false)
    t.equal(await page.locator(".copy:visible").count(), 0, "there is no button without a function")
    await page.locator("#search").fill("resync_required")
    await page.keyboard.press("Enter")
    await page.getByRole("link", { name: "resync_required" }).first().click()
    t.match(page.url(), /\/docs\/errors#error-resync_required$/)
  })

  await t.test("the pages can be used by keyboard, in their order", async (t) => {
    const page = await visit(t, "/docs")
    const expected = [
      "Skip to the content",
      "↗ event-export",
      "Search the documents",
      ...entries.map(({ name }) => name),
      "Log in",
      "Theme: auto",
    ]
    const stops = []
    for (const _ of expected) {
      await page.keyboard.press("Tab")
      stops.push((await focusName(page))?.trim().replaceAll(/\s+/g, " "))
    }
    t.strictSame(stops, expected)
    t.match(await outline(page), /^[23](\.\d+)?px solid/, "the focus is visible")

    await page.goto(`${url}/docs`)
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    t.equal(await page.locator("main :focus").count(), 1, "skips the navigation")
  })

  await t.test("the search shows hits while somebody types", async (t) => {
    const page = await visit(t, "/docs/tools")
    await page.keyboard.press("/")
    await page.keyboard.type("giftAid")
    const hit = page.locator(".found").getByRole("link").first()
    await hit.getByText("giftAidAddress").waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/docs\/records#Guest\.giftAidAddress$/)
  })

  await t.test("places of the guide of before lead to the pages that have them now", async (t) => {
    for (
      const [before, now] of [
        ["/docs#error-not_found", "/docs/errors#error-not_found"],
        ["/docs#consent", "/docs/records#consent"],
        ["/docs#the-client-pull", "/docs/pull#the-client-pull"],
        ["/docs#try-errors", "/docs/errors#try-errors"],
      ] as const
    ) {
      const page = await visit(t, before)
      await page.waitForURL(url + now)
    }
  })

  await t.test("the copy buttons copy their examples", async (t) => {
    const page = await visit(t, "/docs/sync", {
      permissions: ["clipboard-read", "clipboard-write"],
    })
    await page.getByRole("radio", { name: "Python" }).check()
    const example = page.locator("figure[data-language=python]").first()
    await example.getByRole("button").focus()
    await page.keyboard.press("Enter")
    await example.getByText("Copied").waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    t.equal(copied, await example.locator("code").textContent())
    t.match(copied, /^# EXPORT_TOKEN=.*\nimport json, os, requests\n/)
  })

  await t.test("GET /docs/log-in shows the error of a failed log-in", async (t) => {
    const page = await visit(t, "/docs/reference", { expected: [/status of 401.* \/docs\/log-in/] })
    t.match(page.url(), "/docs/log-in")
    await page.locator("#username").fill("northern-export")
    await page.locator("#password").fill("wrong")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").getByText("The user name or the password is wrong.").waitFor()
    t.strictSame(await violations(page), [])
    await keepPicture(page, "log-in")
  })

  await t.test("all pages name the reader's account after a log-in, and take the event that is chosen", async (t) => {
    const page = await visit(t, "/docs/log-in")
    await fillIn(page, "acme-export")
    await page.waitForURL(`${url}/docs`)
    const example = page.locator("main figure code").first()
    t.match(await example.textContent(), /EVENT=\S*\/acme\/v1\/events\/[\w-]{36}$/m)
    const choice = page.getByRole("combobox")
    const options = await choice.locator("option").allTextContents()
    t.ok(options.length > 1 && options[0]?.startsWith("/acme/v1 – "), options.join())
    await choice.selectOption({ index: options.length - 1 })
    await page.getByRole("button", { name: "Change" }).click()
    await page.waitForURL(/\?event=/)
    t.match(await example.textContent(), /EVENT=\S*\/connector-a\/v1\//)
    await entry(page, "Digests").click()
    await page.waitForURL(`${url}/docs/digests`)
    t.match(await example.textContent(), /EVENT=\S*\/connector-a\/v1\//, "on other pages as well")
    await page.getByRole("button", { name: "Log out" }).click()
    await page.waitForURL(`${url}/docs`)
    t.match(await example.textContent(), /EVENT=\S*\/your-family\/v1\//)
  })

  await t.test("one button changes the theme of all pages, the reference included", async (t) => {
    const page = await visit(t, "/docs", { colorScheme: "light" })
    const luminance = async (name: string) => (await pictureOf(page, name)).meanLuminance
    const button = page.locator("#theme")
    await button.click()
    t.equal(await button.textContent(), "Theme: light")
    await button.click()
    t.ok(await luminance("theme-guide") < 60)
    await page.goto(`${url}/docs/reference`)
    await logIn(page, "acme-export")
    t.equal(await page.locator("#viewer").getByRole("button", { name: /dark|light/i }).count(), 0)
    t.ok(await luminance("theme-reference") < 60)
    await page.getByRole("button", { name: "Menu" }).click()
    await button.click()
    t.equal(await button.textContent(), "Theme: auto")
    t.ok(await luminance("theme-reference-auto") > 200, "the reference follows at once")
  })

  await t.test("no page breaks a short name, such as a header's, into two lines", async (t) => {
    const page = await visit(t, "/docs", { viewport: { width: 375, height: 740 } })
    for (const path of texts) {
      await page.goto(url + path)
      const broken = await page.locator("main :is(p, li, td) code:not(.long)").evaluateAll((all) =>
        all.filter((code) => code.getClientRects().length > 1).map((code) => code.textContent)
      )
      t.strictSame(broken, [], path)
    }
  })

  await t.test("a log-out in GET /docs/reference ends the session and leaves the reference", async (t) => {
    const page = await visit(t, "/docs/reference")
    await logIn(page, "acme-export")
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`)
    const headers = { cookie: cookie.join("; ") }
    t.equal((await request("/session", { headers })).status, 200)
    await page.getByRole("button", { name: "Menu" }).click()
    await page.getByRole("button", { name: "Log out" }).click()
    await page.waitForURL(`${url}/docs`)
    t.equal((await request("/session", { headers })).status, 401)
  })

  await t.test("GET /docs and /docs/reference follow the reader's colour scheme", async (t) => {
    for (const scheme of ["light", "dark"] as const) {
      const testColours = async (page: Page, name: string) => {
        const { meanLuminance } = await pictureOf(page, `${name}-${scheme}`)
        t.ok(scheme === "dark" ? meanLuminance < 60 : meanLuminance > 200, `${name} is ${scheme}`)
      }
      const page = await visit(t, "/docs", { colorScheme: scheme })
      await testColours(page, "guide")
      t.ok(await leastContrast(page) >= 4.5, `${scheme}: all text of the guide is readable`)
      await page.goto(`${url}/docs/reference`)
      await logIn(page, "acme-export")
      await testColours(page, "reference")
    }
  })

  await t.test("all pages fit a phone without horizontal scrolling, and have no violation", async (t) => {
    const page = await visit(t, "/docs")
    const looks = [[360, "light"], [1280, "dark"], [360, "dark"], [1280, "light"]] as const
    for (const path of texts) {
      await page.goto(url + path)
      // All pages are made of the same parts, so the others are looked at once at each width.
      for (const [width, colorScheme] of path === "/docs" ? looks : looks.slice(0, 2)) {
        await page.setViewportSize({ width, height: 740 })
        await page.emulateMedia({ colorScheme })
        const shown = await page.evaluate(() => document.documentElement.scrollWidth)
        t.equal(shown, width, path)
        t.strictSame(await violations(page), [], `${path} ${width} ${colorScheme}`)
      }
    }
  })

  await t.test("GET /docs/reference fits a phone", async (t) => {
    const page = await visit(t, "/docs/reference", { viewport: { width: 360, height: 740 } })
    await logIn(page, "acme-export")
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360)
    await keepPicture(page, "reference-phone")
  })

  function entry(page: Page, name: string) {
    return page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true })
  }

  async function fillIn(page: Page, username: string): Promise<void> {
    await page.locator("#username").fill(username)
    await page.locator("#password").fill(password)
    await page.locator("main").getByRole("button", { name: "Log in" }).click()
  }

  async function logIn(page: Page, username: string): Promise<void> {
    await fillIn(page, username)
    await page.locator("#viewer").getByRole("heading", { name: "event-export" }).waitFor()
  }
}

interface Visit extends BrowserContextOptions {
  /** The browser errors that the test permits. */
  readonly expected?: readonly RegExp[]
}

async function serviceWithAccounts(t: Test): Promise<App & { url: string }> {
  const app = await processApp(t, "node")
  for (const slug of ["acme", "borealis"]) {
    const organization = await app.build.organization(slug)
    await app.build.guests(await app.build.event(organization), 3)
    await app.build.account(`${slug}-export`, "service")
    await app.build.grant(`${slug}-export`, { organization: slug })
  }
  return app
}

/** Returns the titles of the visible sections, without their links. */
async function titles(page: Page): Promise<string[]> {
  const found = await page.locator("h2:visible").allTextContents()
  return found.map((title) => title.replace(/ #$/, ""))
}

async function shownLanguages(page: Page): Promise<string[]> {
  const shown = await page.locator(".example[data-language]:visible").all()
  const languages = await Promise.all(shown.map((each) => each.getAttribute("data-language")))
  return [...new Set(languages.map(String))]
}

/** Returns the name of the element with the focus. */
function focusName(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement & { labels?: NodeListOf<HTMLElement> }
    return element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ??
      element.textContent
  })
}

function outline(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { outlineWidth, outlineStyle } = getComputedStyle(document.activeElement as Element)
    return `${outlineWidth} ${outlineStyle}`
  })
}

/** Returns the lowest contrast of a visible text with its background, by WCAG. */
function leastContrast(page: Page): Promise<number> {
  return page.evaluate(() => {
    const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number)
    const luminance = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
        const part = channel / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const behind = (element: Element | null): string => {
      if (!element) return "rgb(255, 255, 255)"
      const { backgroundColor } = getComputedStyle(element)
      return channels(backgroundColor)[3] === 0 ? behind(element.parentElement) : backgroundColor
    }
    const texts = [...document.querySelectorAll("body *")].filter((element) =>
      element.checkVisibility() &&
      [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
    )
    return Math.min(...texts.map((element) => {
      const pair = [luminance(getComputedStyle(element).color), luminance(behind(element))]
      return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05)
    }))
  })
}

/** Returns the violations that axe finds. */
async function violations(page: Page): Promise<string[]> {
  return (await findViolations(page))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`)
}
