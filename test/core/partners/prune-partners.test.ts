import t from "tap"
import { prunePartners } from "../../../core/partners/prune-partners.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"
import { emptyRow } from "../../support/sync-rows.ts"

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
})
