import { setTimeout } from "node:timers/promises"
import t from "tap"
import {
  recordAddresses,
  writeAddresses,
} from "../../../../plugins/capabilities/partners/last-request.ts"
import type { Facts } from "../../../../core/request/facts.ts"
import { freshApp } from "../../../support/app.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { factsOf } from "../../../support/facts.ts"
import { recorded } from "../../../support/recorded.ts"

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

await onEveryEngine(t, async (t, engine) => {
  await t.test("recordAddresses writes from where an account has requested a list last, once a minute for each address", async (t) => {
    const database = await freshDatabase(t, engine)
    const trail = recorded({ log }, (recorders) => ({
      record: recordAddresses(database, recorders),
    }))
    const request = (account: string, address: string, at: number, action = "list") =>
      trail.record({
        ...factsOf({ action: action as "list", address }),
        admission: { session: { account: { id: account }, now: at } } as Facts["admission"],
      })
    request("b", "192.0.2.1", 1)
    request("a", "192.0.2.1", 2)
    request("a", "2001:db8::1", 3)
    request("a", "2001:db8::1", 4)
    request("a", "192.0.2.3", 5, "log-in")
    trail.record(factsOf({ action: "list", address: "192.0.2.9" }))
    await trail.close()
    const rows = await database.writer.selectFrom("last_request").selectAll()
      .orderBy("account_id").execute()
    t.strictSame(rows.map((row) => ({ ...row })), [
      { account_id: "a", at: 3, address: "2001:db8::1" },
      { account_id: "b", at: 1, address: "192.0.2.1" },
    ])
    const { signal } = new AbortController()
    await writeAddresses(database, [{ account_id: "b", at: 9, address: "192.0.2.5" }], signal)
    const { at, address } = await database.writer.selectFrom("last_request").selectAll()
      .where("account_id", "=", "b").executeTakeFirstOrThrow()
    t.strictSame({ at, address }, { at: 9, address: "192.0.2.5" })
  })

  await t.test("writeAddresses keeps a later request that another process has written, if it is not of the future", async (t) => {
    const database = await freshDatabase(t, engine)
    const { signal } = new AbortController()
    const write = async (at: number, address: string) => {
      await writeAddresses(database, [{ account_id: "a", at, address }], signal)
      const row = await database.writer.selectFrom("last_request").select(["at", "address"])
        .executeTakeFirstOrThrow()
      return { ...row }
    }
    const late = { at: 2_000_000_000, address: "192.0.2.3" }
    t.strictSame(await write(1000, "192.0.2.1"), { at: 1000, address: "192.0.2.1" })
    t.strictSame(await write(900, "192.0.2.2"), { at: 1000, address: "192.0.2.1" })
    t.strictSame(await write(1000, "192.0.2.2"), { at: 1000, address: "192.0.2.2" })
    t.strictSame(await write(late.at, late.address), late)
    t.strictSame(await write(1100, "192.0.2.4"), { at: 1100, address: "192.0.2.4" })
  })

  await t.test("GET of a list is recorded, answered or refused, and GET of a document is not", async (t) => {
    const { build, database, logIn } = await freshApp(t, engine)
    const event = await build.event(await build.organization("acme"))
    const id = await build.account("ann")
    const get = await logIn("ann")
    const written = () =>
      database.writer.selectFrom("last_request").select("address").where("account_id", "=", id)
        .executeTakeFirst()
    t.equal((await get("/docs")).status, 200)
    t.equal((await get(`/connector-b/v1/events/${event}/guests`)).status, 404)
    while (!await written()) await setTimeout(20)
    t.match(await written(), { address: "unknown" })
  })
})
