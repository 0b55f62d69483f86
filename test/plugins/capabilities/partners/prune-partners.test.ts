import t from "tap"
import { writeAddresses } from "../../../../plugins/capabilities/partners/last-request.ts"
import { prunePartners } from "../../../../plugins/capabilities/partners/prune-partners.ts"
import { onEmbedded } from "../../../support/database.ts"
import { withinOneSecond } from "../../../support/one-second.ts"
import { setPartnerStage } from "../../../support/partner-stage.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const retention = 90 * 86_400

await onEmbedded(t, async (t, engine) => {
  const { database, writer, addPartner } = await setPartnerStage(t, engine)
  const account_id = await addPartner("ann")
  const clear = async () => {
    await writer.deleteFrom("sync_state").execute()
    await writer.deleteFrom("account_activity").execute()
  }
  const count = async () => {
    const lists = await writer.selectFrom("sync_state").select("account_id").execute()
    const known = await writer.selectFrom("account_activity").select("account_id")
      .where("listed", "is not", null).execute()
    return [lists.length, known.length]
  }

  await t.test("prunePartners deletes what is older than 90 days to the second, and no other list of its account, event and family", async (t) => {
    const old = { account_id, event_id: "e", prefix: "/p", list: "old" }
    const found = await withinOneSecond(database, async (now) => {
      const limit = now - retention
      await clear()
      await writeAddresses(database, [
        { account_id, at: limit - 1, address: "192.0.2.1" },
        { account_id: "b", at: limit, address: "192.0.2.1" },
      ], new AbortController().signal)
      const young = { ...old, last_poll: limit }
      await writer.insertInto("sync_state").values([
        emptyRow({ ...old, last_poll: limit - 1, error_at: limit - 1 }),
        emptyRow({ ...young, account_id: "b" }),
        emptyRow({ ...young, event_id: "f" }),
        emptyRow({ ...young, prefix: "/q" }),
        emptyRow({ ...young, list: "new" }),
        emptyRow({ ...old, list: "failing", last_poll: limit - 1, error_at: limit }),
        emptyRow({ ...old, list: "completed by another", walk_completed: limit }),
        emptyRow({ ...old, list: "completed long ago", walk_completed: limit - 1 }),
      ]).execute()
      const atEnd = await prunePartners(database, AbortSignal.abort())
      const kept = await count()
      return { atEnd, kept, pruned: await prunePartners(database), left: await count() }
    })
    t.strictSame(found, {
      ...{ atEnd: 0, kept: [8, 1], pruned: 2, left: [6, 1] },
    })
  })
})
