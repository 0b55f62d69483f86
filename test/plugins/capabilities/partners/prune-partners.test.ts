import t from "tap"
import { prunePartners } from "../../../../plugins/capabilities/partners/prune-partners.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { withinOneSecond } from "../../../support/one-second.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const aDay = 86_400

await onEveryEngine(t, async (t, engine) => {
  await t.test("prunePartners forgets lists and hours of more than 90 days ago, and no others", async (t) => {
    const database = await freshDatabase(t, engine)
    const { writer, dialect } = database
    const { now } = await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
    const account_id = crypto.randomUUID()
    const list = (name: string, own: { readonly last_poll?: number; readonly error_at?: number }) =>
      emptyRow({ account_id, event_id: "", list: name, ...own })
    await writer.insertInto("sync_state").values([
      list("old", { last_poll: now - 91 * aDay }),
      list("old error", { error_at: now - 91 * aDay }),
      list("young", { last_poll: now - 89 * aDay }),
      list("failing", { last_poll: now - 91 * aDay, error_at: now }),
    ]).execute()
    const counts = { account_id, polls: 1, walks: 1, records: 1, errors: 1 }
    await writer.insertInto("partner_hour").values([
      { ...counts, hour: now - 91 * aDay },
      { ...counts, hour: now - 89 * aDay },
    ]).execute()
    t.equal(await prunePartners(database), 3)
    t.equal(await prunePartners(database), 0)
    const left = await writer.selectFrom("sync_state").select("list").orderBy("list").execute()
    t.strictSame(left.map(({ list }) => list), ["failing", "young"])
    t.equal((await writer.selectFrom("partner_hour").selectAll().execute()).length, 1)
  })

  await t.test("prunePartners deletes what is older than 90 days to the second, and no other list of its account, event and family", async (t) => {
    const database = await freshDatabase(t, engine)
    const { writer } = database
    const old = { account_id: "a", event_id: "e", prefix: "/p", list: "old" }
    const counted = await withinOneSecond(database, async (now) => {
      const limit = now - 90 * aDay
      await writer.deleteFrom("sync_state").execute()
      await writer.deleteFrom("partner_hour").execute()
      await writer.deleteFrom("last_request").execute()
      await writer.insertInto("last_request").values([
        { account_id: "a", at: limit - 1, address: "192.0.2.1" },
        { account_id: "b", at: limit, address: "192.0.2.1" },
      ]).execute()
      const kept = { ...old, last_poll: limit }
      await writer.insertInto("sync_state").values([
        emptyRow({ ...old, last_poll: limit - 1, error_at: limit - 1 }),
        emptyRow({ ...kept, account_id: "b" }),
        emptyRow({ ...kept, event_id: "f" }),
        emptyRow({ ...kept, prefix: "/q" }),
        emptyRow({ ...kept, list: "new" }),
        emptyRow({ ...old, list: "failing", error_at: limit }),
      ]).execute()
      const counts = { polls: 1, walks: 1, records: 1, errors: 1 }
      await writer.insertInto("partner_hour").values([
        { ...counts, account_id: "a", hour: limit - 1 },
        { ...counts, account_id: "a", hour: limit },
        { ...counts, account_id: "b", hour: limit },
      ]).execute()
      t.equal(await prunePartners(database, AbortSignal.abort()), 0)
      return [
        await prunePartners(database),
        (await writer.selectFrom("sync_state").selectAll().execute()).length,
        (await writer.selectFrom("partner_hour").selectAll().execute()).length,
        (await writer.selectFrom("last_request").selectAll().execute()).length,
      ]
    })
    t.strictSame(counted, [3, 5, 2, 1])
  })
})
