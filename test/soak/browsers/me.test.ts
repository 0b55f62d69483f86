import type { Browser } from "playwright-core"
import t, { type Test } from "tap"
import { processApp } from "../support/service-process.ts"
import { startBrowser } from "../support/browser/chromium.ts"
import { findFlaws } from "../support/browser/flaws.ts"
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
  return app
}

type Stage = Awaited<ReturnType<typeof stage>>

async function suite(browser: Browser, { url }: Stage) {
  /** Opens the page of the account. */
  const openPage = async (t: Test, options: VisitOptions = {}) => {
    const page = await visit(t, { browser, url, path: "/docs/me" }, options)
    await page.getByLabel("User name").fill("acme-export")
    await page.getByLabel("Password").fill(password)
    await page.keyboard.press("Enter")
    await page.waitForURL(`${url}/docs/me`)
    return page
  }

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
    t.strictSame(await findFlaws(await openPage(t), `${url}/docs/me`), [])
  })
}
