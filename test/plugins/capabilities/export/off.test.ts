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

for (const on of [[], ["waiting"], ["export"], ["waiting", "export"], ["export", "waiting"]]) {
  const [exports, waits] = [on.includes("export"), on.includes("waiting")]
  await t.test(`with [${on}], lists, exports, digests, guide and document have what is on`, async (t) => {
    const { get, list } = await serveWith(t, on)
    const json = await (await get(list)).text()
    for (const accept of ["application/x-ndjson", "text/csv", "text/csv; bom=true"]) {
      const response = await get(list, { accept })
      t.equal(response.status, 200)
      t.equal(await response.text() === json, !exports, accept)
    }
    const whole = await get(`${list}/export`)
    t.equal(whole.status, exports ? 200 : 404)
    if (exports) t.equal(readExport(await whole.text()).rows.length, 3)
    t.equal((await get(`${list}/digest?of=`)).status, 200)
    const digest = await get(`${list}/digest?of=content`)
    t.equal(digest.status, exports ? 200 : 400)
    if (!exports) t.match((await digest.json()).errors, [{ parameter: "of", value: "content" }])
    const document = await (await get("/openapi.json")).text()
    for (const name of ["/guests/export", "ndjson", "text/csv", "Content-Disposition"]) {
      t.equal(document.includes(name), exports, name)
    }
    t.equal(document.includes("wait=50"), waits)
    t.equal((await (await get("/docs/tools.md")).text()).includes("power-query.m"), exports)
    if (!exports || !waits) return
    const future = Math.floor(Date.now() / 1000) + 50
    const headers = { accept: "application/x-ndjson", prefer: "wait=1" }
    const later = await get(`${list}/export?since=${future}`, headers)
    t.equal(later.headers.get("preference-applied"), null, "an export does not wait")
    const page = await get(`${list}?since=${future}`, headers)
    t.equal(page.headers.get("preference-applied"), "wait=1")
    t.equal(await page.text(), "")
  })
}

t.test("a plan without the capability has no exports, whatever the group has", async (t) => {
  for (const capabilities of [undefined, ["audit"]]) {
    const plan = await testConfig("sqlite::memory:", {}, capabilities)
    const has = summarizeRoutes(plan.routes).some(({ path }) => path.endsWith("/export"))
    const { records } = numbersOf(plan).export
    t.strictSame([has, records], capabilities ? [false, 0] : [true, 1_000_000])
  }
})
