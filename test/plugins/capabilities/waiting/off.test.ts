import t from "tap"
import { numbersOf } from "../../../../core/kernel/numbers.ts"
import { freshApp, testConfig } from "../../../support/app.ts"

t.test("without the capability, Prefer is ignored: the answer is at once", async (t) => {
  const { build, logIn } = await freshApp(t, "sqlite", { capabilities: [] })
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 3)
  await build.account("partner")
  await build.grant("partner", { event })
  const get = await logIn("partner")
  const path = `/connector-b/v1/events/${event}/guests`
  const etag = (await get(path)).headers.get("etag") ?? ""
  const response = await get(path, { headers: { "if-none-match": etag, prefer: "wait=50" } })
  t.equal(response.status, 304)
  t.equal(response.headers.get("preference-applied"), null)
})

t.test("the numbers say whether requests may wait", async (t) => {
  const url = "sqlite::memory:"
  const { limits, polling } = numbersOf(await testConfig(url))
  t.match({ limits, polling }, { limits: { waiting: 100 }, polling: { wait: 50 } })
  const without = numbersOf(await testConfig(url, {}, ["audit"]))
  t.match(without, { limits: { waiting: 0 }, polling: { wait: 0 } })
})
