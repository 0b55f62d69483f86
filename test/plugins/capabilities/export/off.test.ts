import t, { type Test } from "tap"
import { numbersOf } from "../../../../core/kernel/numbers.ts"
import { summarizeRoutes } from "../../../../core/kernel/status.ts"
import { freshApp, testConfig } from "../../../support/app.ts"
import { readExport } from "../../../support/export-reader.ts"

/** Starts a service with these capabilities. Returns a list of three guests, and what requests a path as the partner. */
async function serveWith(t: Test, capabilities: readonly string[]) {
  const { build, logIn } = await freshApp(t, "sqlite", { capabilities })
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 3)
  await build.account("partner")
  await build.grant("partner", { event })
  const request = await logIn("partner")
  const get = (path: string, headers: Record<string, string> = {}) => request(path, { headers })
  return { get, list: `/connector-b/v1/events/${event}/guests` }
}

for (const capabilities of [[], ["waiting"]]) {
  await t.test(`with [${capabilities}], exports are 404 and lists are JSON`, async (t) => {
    const { get, list } = await serveWith(t, capabilities)
    const json = await (await get(list)).text()
    for (const accept of ["application/x-ndjson", "text/csv", "text/csv; bom=true"]) {
      const response = await get(list, { accept })
      t.equal(response.status, 200)
      t.match(response.headers.get("content-type"), /json/)
      t.equal(await response.text(), json)
      const whole = await get(`${list}/export`, { accept })
      t.match([whole.status, await whole.json()], [404, { code: "not_found" }])
    }
    const document = await (await get("/openapi.json")).text()
    t.match(document, /connector-b/)
    for (const gone of ["/guests/export", "ndjson", "text/csv", "Content-Disposition"]) {
      t.notOk(document.includes(gone), gone)
    }
    t.equal(document.includes("wait=50"), capabilities.includes("waiting"))
    t.equal((await get("/docs/kit/power-query.m")).status, 404)
  })
}

await t.test("without waiting, exports and rows are served", async (t) => {
  const { get, list } = await serveWith(t, ["export"])
  t.equal(readExport(await (await get(`${list}/export`)).text()).rows.length, 3)
  const response = await get(list, { accept: "text/csv", prefer: "wait=9" })
  t.match(response.headers.get("content-type"), /csv/)
  t.equal(response.headers.get("preference-applied"), null)
  const document = await (await get("/openapi.json")).text()
  t.notOk(document.includes("wait=50"))
  t.ok(document.includes("/guests/export"))
})

for (const capabilities of [["waiting", "export"], ["export", "waiting"]]) {
  await t.test(`the order of layers does not matter: ${capabilities}`, async (t) => {
    const { get, list } = await serveWith(t, capabilities)
    const future = Math.floor(Date.now() / 1000) + 50
    const headers = { accept: "application/x-ndjson", prefer: "wait=1" }
    const whole = await get(`${list}/export?since=${future}`, headers)
    t.equal(whole.headers.get("preference-applied"), null, "an export does not wait")
    t.equal(readExport(await whole.text()).rows.length, 0)
    const page = await get(`${list}?since=${future}`, headers)
    t.equal(page.headers.get("preference-applied"), "wait=1")
    t.match(page.headers.get("content-type"), /ndjson/)
    t.equal(await page.text(), "")
  })
}

t.test("a plan without the capability has no exports, whatever the group has", async (t) => {
  const url = "sqlite::memory:"
  const exportsOf = ({ routes }: Awaited<ReturnType<typeof testConfig>>) =>
    summarizeRoutes(routes).filter(({ path }) => path.endsWith("/export"))
  const usual = await testConfig(url)
  t.ok(exportsOf(usual).length > 0)
  t.strictSame(numbersOf(usual).export, { records: 1_000_000, seconds: 120 })
  const without = await testConfig(url, {}, ["audit"])
  t.strictSame(exportsOf(without), [])
  t.strictSame(numbersOf(without).export, { records: 0, seconds: 0 })
})
