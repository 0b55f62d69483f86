import { Buffer } from "node:buffer"
import type { Browser, Page } from "playwright-core"
import t, { type Test } from "tap"
import { processApp } from "../support/service-process.ts"
import { startBrowser } from "../support/browser/chromium.ts"
import { findViolations } from "../support/browser/violations.ts"
import { visit, type VisitOptions } from "../support/browser/visit.ts"
import { password } from "../../support/builder.ts"

const browser = await startBrowser(t)
if (browser) await suite(browser, await stage(t))

/** A service with an account that reads all lists of an event, and has errors. */
async function stage(t: Test) {
  const app = await processApp(t, "node")
  const { build, logIn } = app
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 30)
  for (const category of ["tickets", "pledges"] as const) await build.items(category, event, 5)
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  const get = await logIn("acme-export")
  const of = `/acme/v1/events/${event}`
  for (const path of ["guests", "items", "guests/deletions"]) {
    await (await get(`${of}/${path}?since=-1`)).text()
  }
  await get(`${of}/guests?limit=0`)
  await get(`${of}/nothing`)
  await get("/session/pings", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: `https://hooks.invalid/${"long".repeat(100)}` }),
  })
  await app.database.writer.updateTable("ping_receiver")
    .set({ state: "off", reason: "failing", last_error: "no_connection" }).execute()
  const page = async () =>
    await (await get("/docs/me", { headers: { accept: "text/html" } })).text()
  while (!/in sync[^]*Correct the parameter limit[^]*log-in/.test(await page())) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { ...app, get, event, of }
}

type Stage = Awaited<ReturnType<typeof stage>>

async function suite(browser: Browser, { url, get, of }: Stage) {
  /** Opens the page of the account. Fails the test at its end if a file was sent. */
  const openPage = async (t: Test, options: VisitOptions = {}) => {
    const page = await visit(t, { browser, url, path: "/docs/me" }, options)
    page.on("request", (request) => {
      if (request.method() !== "GET" && !request.url().includes("/docs/")) t.fail(request.url())
    })
    await page.getByLabel("User name").fill("acme-export")
    await page.getByLabel("Password").fill(password)
    await page.keyboard.press("Enter")
    await page.waitForURL(`${url}/docs/me`)
    return page
  }

  /** Chooses a file and compares it, and returns what the page says. */
  const compare = async (
    page: Page,
    text: string,
    { name = "copy.txt", list = "/acme/v1 guests" } = {},
  ) => {
    await page.getByLabel("List", { exact: true }).selectOption({ label: list })
    await page.getByLabel("Files").setInputFiles({
      name,
      mimeType: "text/plain",
      buffer: Buffer.from(text),
    })
    await page.getByRole("button", { name: "Compare" }).click()
    const result = page.locator("#copy-result")
    await result.locator(".message:not(:text('Comparing'))").waitFor()
    return await result.innerText()
  }
  const read = async (path: string, accept: string) =>
    await (await get(`${of}/${path}`, { headers: { accept } })).text()

  await t.test("a whole copy is complete, and acknowledged if the partner wants that", async (t) => {
    const page = await openPage(t)
    const array = await read("guests?since=-1", "application/json")
    const complete =
      "Complete: your 30 records have the ids and times that the service has.\n\nAcknowledged with the fields "
    t.notMatch(await compare(page, array), /Acknowledged/, "not of its own accord")
    await page.getByText("tell the operator").click()
    t.equal((await compare(page, array)).slice(0, complete.length), complete)
    const csv = await read("items?since=-1", "text/csv")
    t.match(
      await compare(page, csv, { name: "items.csv", list: "/acme/v1 items" }),
      /^Complete: your 10 records.*\s+Acknowledged with/,
    )
  })

  await t.test("a copy that differs is told what is missing, otherwise, too many and later, by bucket", async (t) => {
    const page = await openPage(t, { expected: [/404/] })
    const records: { id: string; updated: number }[] = JSON.parse(
      await read("guests?since=-1", "application/json"),
    )
    const lines = (some: typeof records) =>
      some.map(({ id, updated }) => `${id} ${updated}\n`).join("")
    const [newest, second, third, ...others] = records
    if (!newest || !second || !third) throw new Error("there are no records")
    const surplus = { id: "0d9c4f2e-1111-4111-8111-111111111111", updated: 5 }
    const wrong = await compare(
      page,
      lines([newest, { ...second, updated: 5 }, surplus, ...others]),
    )
    t.match(
      wrong,
      "Not complete: 1 missing, 1 older than here, or otherwise not as they are here, 1 too many.",
    )
    t.match(wrong, `${of}/guests?since=-1&bucket=`)
    const sums = await page.locator("#copy-result tbody tr").evaluateAll((rows) =>
      [3, 4, 5, 6].map((at) =>
        rows.reduce((sum, { children }) => sum + Number(children[at]?.textContent), 0)
      )
    )
    t.strictSame(sums, [1, 1, 1, 0])
    t.match(
      await compare(page, lines([third, ...others])),
      /^Not up to date, but nothing else is wrong: 2 changed after/,
    )
    t.match(await compare(page, ""), /^Not complete: 30 missing\./)
    t.match(await compare(page, "<html>"), /^copy\.txt has a record without id and updated\./)
    await page.getByLabel("Event id").fill("0d9c4f2e-1111-4111-8111-111111111111")
    t.match(
      await compare(page, lines(records)),
      /^404 event_not_found: .* \(request id [\w-]{36}\)/,
    )
  })

  await t.test("a token is made, shown once and revoked", async (t) => {
    const page = await openPage(t)
    await page.getByLabel("Name of the program").fill("n8n")
    await page.getByRole("button", { name: "Make a token" }).click()
    await page.getByText("This page is shown once").waitFor()
    const token = /ee_[\w-]{43}/.exec(await page.locator("main").innerText())?.[0]
    t.ok(token)
    t.strictSame(await findViolations(page), [])
    await page.getByRole("link", { name: "Back to your account" }).click()
    t.notOk((await page.content()).includes(token ?? ""))
    await page.getByText("Revoke n8n…").click()
    await page.getByRole("button", { name: "Revoke the token" }).click()
    await page.getByText("The token is revoked.").waitFor()
  })

  await t.test("the page has no accessibility violation and is not too wide", async (t) => {
    for (const [colorScheme, width] of [["light", 1280], ["dark", 390]] as const) {
      const page = await openPage(t, { colorScheme, viewport: { width, height: 844 } })
      await compare(page, "0d9c4f2e-1111-4111-8111-111111111111 5\n")
      await page.locator("details:not([open]) > summary").evaluateAll((all) =>
        all.forEach((each) => (each.parentElement as HTMLDetailsElement).open = true)
      )
      t.strictSame(await findViolations(page), [], colorScheme)
      t.equal(await page.evaluate(() => document.documentElement.scrollWidth), width)
    }
  })
}
