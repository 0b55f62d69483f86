import type { Browser, Page } from "playwright-core"
import t, { type Test } from "tap"
import { type App } from "../../support/app.ts"
import { processApp } from "../support/service-process.ts"
import { startBrowser } from "../support/browser/chromium.ts"
import { findFlaws } from "../support/browser/flaws.ts"
import { findViolations } from "../support/browser/violations.ts"
import { visit, type VisitOptions } from "../support/browser/visit.ts"
import { password } from "../../support/builder.ts"

/** Has 64 letters, and nothing where a line may end. */
const longName = "a".repeat(64)

const browser = await startBrowser(t)
if (browser) await suite(browser, await serviceWithPartners(t))

async function suite(
  browser: Browser,
  { url, build, database, event, guest, logIn }: Stage,
) {
  /** The pages by name, each with a text that it must show. */
  const pages = {
    overview: ["/console", "1 of 3 need attention"],
    listed: ["/console?sort=name", "3 partners"],
    search: ["/console/search?q=e", "Found by"],
    nothing: ["/console/search?q=xyz", "Nothing was found"],
    partner: [`/console/partners/acme-export?event=${event}`, "What would it get?"],
    lists: ["/console/partners/acme-export?lists=all", "What it reads"],
    events: ["/console/events", "Autumn Gala"],
    event: [`/console/events/${event}`, "Who reads it"],
    configuration: ["/console/configuration", "In force"],
    source: ["/console/source", "Rows that could not be taken over"],
    accounts: ["/console/accounts", "Add an account"],
    account: ["/console/accounts/acme-export", "Grant access"],
    confirm: ["/console/accounts/acme-export?confirm=disable", "all its sessions end"],
    audit: ["/console/audit?account=acme-export", "Download as CSV"],
    disclosures: [`/console/disclosures?guest=${guest}`, "Recipients"],
    handbook: ["/console/handbook", "At 3 a.m."],
    incidents: ["/console/handbook/incidents", "On this page"],
    evidence: ["/console/handbook/evidence", "Not promised"],
  } as const

  /** Opens a page as an operator. */
  const openPage = async (t: Test, path: string, options: VisitOptions = {}): Promise<Page> => {
    const page = await visit(t, { browser, url, path }, options)
    await page.locator("#username").fill("operator")
    await page.locator("#password").fill(password)
    await page.keyboard.press("Enter")
    await page.waitForURL(url + path)
    return page
  }

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? "with scripts" : "without scripts"
    await t.test(`all pages of the console can be read ${how}`, async (t) => {
      const page = await openPage(t, "/console", { javaScriptEnabled })
      for (const [name, [path, text]] of Object.entries(pages)) {
        await page.goto(url + path)
        t.equal(await page.locator("h1").count(), 1, name)
        await page.getByText(text).first().waitFor()
      }
    })
  }

  await t.test("no page has an accessibility violation, is too wide or too large", async (t) => {
    const page = await openPage(t, "/console")
    for (const [path] of [...Object.values(pages), ["/console/log-in"]] as const) {
      t.strictSame(await findFlaws(page, url + path), [], path)
    }
  })

  await t.test("all pages of the console are looked at", async (t) => {
    const send = await logIn("operator")
    const { routes } = await (await send("/status")).json() as { routes: { path: string }[] }
    const seen = [...Object.values(pages).map(([path]) => path), "/console/log-in"]
      .map((path) => path.split("?")[0] ?? "")
    const isLookedAt = (path: string) => {
      const pattern = new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`)
      return seen.some((each) => pattern.test(each))
    }
    const paths = new Set(
      routes.map(({ path }) => path).filter((path) => path.startsWith("/console")),
    )
    const others = [...paths].filter((path) => !isLookedAt(path))
    t.strictSame(others.toSorted(), [
      "/console/accounts/:name/pings",
      "/console/accounts/:name/pings/change",
      "/console/accounts/:name/remove",
      "/console/accounts/:name/rename",
      "/console/accounts/:name/session",
      "/console/accounts/:name/token",
      "/console/audit.csv",
      "/console/files/:file",
      "/console/log-out",
    ], "besides what only forms and scripts ask for")
  })

  await t.test("an id that is cut and a time are copied whole", async (t) => {
    const page = await openPage(t, "/console/partners/acme-export", {
      permissions: ["clipboard-read", "clipboard-write"],
    })
    const cell = page.locator("#errors tbody tr").first()
    const shown = await cell.innerText()
    await cell.evaluate((row) => getSelection()?.selectAllChildren(row))
    await page.keyboard.press("Control+C")
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    t.match(copied, /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/)
    t.match(copied, /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/)
    t.match(shown, / ago/)
    const id = cell.locator("code.short")
    t.ok((await id.boundingBox())!.width < 80, "only its beginning is shown")
  })

  await t.test("a page is updated while it is seen, but not what is in use", async (t) => {
    const page = await openPage(t, "/console")
    await page.clock.install()
    await page.goto(`${url}/console?sort=name`, { waitUntil: "networkidle" })
    await build.account("latecomer")
    t.equal(await page.getByRole("link", { name: "latecomer" }).count(), 0)
    await page.clock.fastForward(11_000)
    await page.getByRole("link", { name: "latecomer" }).waitFor()
    await page.getByText(/^Updated \d\d:\d\d:\d\d UTC/).waitFor()

    await page.getByRole("link", { name: "latecomer" }).focus()
    await build.account("newest")
    const [answer] = await Promise.all([
      page.waitForResponse(`${url}/console?sort=name`),
      page.clock.fastForward(11_000),
    ])
    t.match(await answer.text(), /^<!doctype html>\n<section id="partners"[^]*newest/)
    await page.clock.fastForward(1)
    t.equal(await page.getByRole("link", { name: "newest" }).count(), 0)
    t.equal(await page.evaluate(() => document.activeElement?.textContent), "latecomer")
  })

  await t.test("a page that is hidden is not updated until it is seen again", async (t) => {
    const page = await openPage(t, "/console")
    await page.clock.install()
    await page.goto(`${url}/console`, { waitUntil: "networkidle" })
    const fetched: string[] = []
    page.on("request", (request) => fetched.push(request.url()))
    const show = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { value, configurable: true })
        document.dispatchEvent(new Event("visibilitychange"))
      }, hidden)
    await show(true)
    await page.clock.fastForward(60_000)
    t.strictSame(fetched, [])
    await Promise.all([page.waitForRequest(`${url}/console`), show(false)])
    await page.getByText(/^Updated/).waitFor()
  })

  await t.test("a page that is stale says so on top, in grey, until it is fresh again", async (t) => {
    const page = await openPage(t, "/console", { expected: [/ERR_FAILED/] })
    await page.clock.install()
    await page.goto(`${url}/console`, { waitUntil: "networkidle" })
    const note = page.locator("#live")
    const isGrey = () =>
      page.locator("main").evaluate((main) => getComputedStyle(main).filter !== "none")
    t.equal(await isGrey(), false)
    await page.route(`${url}/console`, (route) => route.abort())
    await page.clock.fastForward(11_000)
    await note.getByText(/^The service is not responding.* This is from \d\d:\d\d:\d\d UTC/)
      .waitFor()
    t.equal(await isGrey(), true)
    t.strictSame(await findViolations(page), [])
    await page.unroute(`${url}/console`)
    await page.clock.fastForward(11_000)
    await page.getByText(/^Updated/).waitFor()
    t.equal(await isGrey(), false)
    t.equal(await note.textContent(), "")

    await page.context().clearCookies()
    await page.clock.fastForward(11_000)
    await note.getByText("Your session has ended.").waitFor()
    await note.getByRole("link", { name: "Log in again" }).click()
    await page.getByRole("heading", { name: "Log in" }).waitFor()
  })

  await t.test("an operator adds an account, grants it access and disables it, without scripts", async (t) => {
    const page = await openPage(t, "/console/accounts", { javaScriptEnabled: false })
    await page.getByLabel("User name").fill("by-hand")
    await page.getByLabel("Password").fill("a long enough secret")
    await page.getByRole("button", { name: "Add" }).click()
    await page.getByText("The account is added.").waitFor()
    await page.getByLabel("Organization").fill("acme")
    await page.getByRole("button", { name: "Grant" }).click()
    await page.getByText("The grant counts from the next request on.").waitFor()
    await page.getByRole("link", { name: "Disable…" }).click()
    await page.getByRole("button", { name: "Disable" }).click()
    await page.getByText("The account is disabled.").waitFor()
    const changes = await database.writer.selectFrom("audit_log").select(["action", "actor"])
      .where("account", "=", "by-hand").orderBy("seq").execute()
    t.strictSame(changes.map(({ action }) => action), [
      "account-add",
      "grant",
      "account-disable",
    ])
    t.ok(changes.every(({ actor }) => actor === "operator"))
  })
}

interface Stage extends App {
  readonly url: string
  readonly event: string
  readonly guest: string
}

async function serviceWithPartners(t: Test): Promise<Stage> {
  const app = await processApp(t, "node")
  const { build, logIn } = app
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  const [guest = ""] = await build.guests(event, 3)
  await build.account("operator", "operator")
  for (const name of ["acme-export", "idle", longName]) {
    await build.account(name, "service")
    await build.grant(name, { organization: "acme" })
  }
  const send = await logIn("acme-export")
  for (const path of ["guests?limit=0", "guests", "nothing"]) {
    await (await send(`/acme/v1/events/${event}/${path}`)).text()
  }
  const wrong = JSON.stringify({ username: longName, password: "wrong" })
  await app.request("/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: wrong,
  })
  const isWritten = async () => {
    const tables = ["disclosure", "sync_state", "audit_log", "account_activity"] as const
    const counts = await Promise.all(
      tables.map(async (table) =>
        await app.database.writer.selectFrom(table).selectAll().limit(1).execute()
      ),
    )
    return counts.every(({ length }) => length > 0)
  }
  while (!await isWritten()) await new Promise((resolve) => setTimeout(resolve, 50))
  return { ...app, event, guest }
}
