import { setTimeout } from "node:timers/promises"
import t from "tap"
import {
  recordAddresses,
  writeAddresses,
} from "../../../../plugins/capabilities/partners/last-request.ts"
import { freshApp } from "../../../support/app.ts"
import { freshDatabase, onEmbedded, onEveryEngine } from "../../../support/database.ts"
import { exchangeOf } from "../../../support/exchange.ts"
import { recorded } from "../../../support/recorded.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

// MySQL sets one column after the other.
await onEveryEngine(t, async (t, engine) => {
  await t.test("writeAddresses keeps a later request that another process has written, if it is not of the future", async (t) => {
    const database = await freshDatabase(t, engine)
    const { signal } = new AbortController()
    const steps = [
      { at: 1000, address: "192.0.2.1" },
      { at: 900, address: "192.0.2.2", isLost: true },
      { at: 1000, address: "192.0.2.3" },
      { at: 2_000_000_000, address: "192.0.2.4" },
      { at: 1100, address: "192.0.2.5" },
    ]
    let expected: object = {}
    for (const { isLost, ...request } of steps) {
      await writeAddresses(database, [{ account_id: "a", ...request }], signal)
      const row = await database.writer.selectFrom("account_activity")
        .select(["listed as at", "listed_address as address"]).executeTakeFirstOrThrow()
      if (!isLost) expected = request
      t.strictSame({ ...row }, expected)
    }
  })
})

await onEmbedded(t, async (t, engine) => {
  const { build, database, logIn } = await freshApp(t, engine)
  const addresses = async () => {
    const rows = await database.writer.selectFrom("account_activity")
      .select(["account_id", "listed as at", "listed_address as address"])
      .where("listed", "is not", null).orderBy("account_id").execute()
    return rows.map((row) => ({ ...row }))
  }

  await t.test("recordAddresses writes from where an account has requested a list last, once a minute for each address", async (t) => {
    const trail = recorded({ log: scannedLog(t, []) }, (recorders) => ({
      record: recordAddresses(database, recorders),
    }))
    const request = (account: string, address: string, at: number, action = "list") =>
      trail.record(exchangeOf({
        ...{ action: action as "list", address },
        admission: { session: { account: { id: account }, now: at } },
      }))
    request("b", "192.0.2.1", 1)
    request("a", "192.0.2.1", 2)
    request("a", "2001:db8::1", 3)
    request("a", "2001:db8::1", 4)
    request("a", "192.0.2.3", 5, "log-in")
    trail.record(exchangeOf({ action: "list", address: "192.0.2.9" }))
    await trail.close()
    t.strictSame(await addresses(), [
      { account_id: "a", at: 3, address: "2001:db8::1" },
      { account_id: "b", at: 1, address: "192.0.2.1" },
    ])
  })

  await t.test("GET of a list is recorded, answered or refused, and GET of a document is not", async (t) => {
    await database.writer.deleteFrom("account_activity").execute()
    const event = await build.event(await build.organization("acme"))
    const account_id = await build.account("ann")
    const get = await logIn("ann")
    t.equal((await get("/docs")).status, 200)
    t.equal((await get(`/connector-b/v1/events/${event}/guests`)).status, 404)
    while ((await addresses()).length === 0) await setTimeout(10)
    t.match(await addresses(), [{ account_id, address: "unknown" }])
  })
})
