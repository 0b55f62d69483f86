import t from "tap"
import { migrate } from "../../../../core/data/migrate.ts"
import { startInstance } from "../../../../core/kernel/instance.ts"
import { numbersOf } from "../../../../core/kernel/numbers.ts"
import { generous, testConfig } from "../../../support/app.ts"
import { Builder, password } from "../../../support/builder.ts"
import { copiedUrl, onEveryEngine, openFor } from "../../../support/database.ts"
import { measure } from "../../../support/metrics.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("without the capability, Prefer is ignored: the answer is at once", async (t) => {
    const url = await copiedUrl(t, engine)
    const database = await openFor(t, url)
    await migrate(database)
    const build = new Builder(database)
    const event = await build.event(await build.organization("acme"))
    await build.guests(event, 3)
    await build.account("partner")
    await build.grant("partner", { event })
    const plan = { ...await testConfig(url, {}, []), limits: generous }
    const instance = await startInstance(plan, { log: scannedLog(t, []) })
    t.teardown(() => instance.close())
    const send = (path: string, init: RequestInit) =>
      instance.fetch(new Request(`http://localhost${path}`, init))
    const logIn = await send("/session", {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "return=representation" },
      body: JSON.stringify({ username: "partner", password }),
    })
    const authorization = `Bearer ${(await logIn.json()).token}`
    const get = (headers: Record<string, string>) =>
      send(`/connector-b/v1/events/${event}/guests`, { headers: { authorization, ...headers } })
    const etag = (await get({})).headers.get("etag") ?? ""
    const response = await get({ "if-none-match": etag, prefer: "wait=50" })
    t.equal(response.status, 304)
    t.equal(response.headers.get("preference-applied"), null)
    t.equal(await measure(instance, "requests_held"), undefined)
    t.equal(await measure(instance, "wakes_total"), undefined)
  })
})

t.test("the numbers say whether requests may wait", async (t) => {
  const url = "sqlite::memory:"
  const { limits, polling } = numbersOf(await testConfig(url))
  t.match({ limits, polling }, { limits: { waiting: 100 }, polling: { wait: 50 } })
  const without = numbersOf({
    ...await testConfig(url, {}, ["audit"]),
    accounts: { busy: { waiting: 7 } },
  }, "busy")
  t.match(without, { limits: { waiting: 0 }, polling: { wait: 0 } })
})
