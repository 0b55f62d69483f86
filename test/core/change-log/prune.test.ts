import { randomUUID } from "node:crypto"
import t from "tap"
import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import { findHorizon } from "../../../core/records/deletions.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

const retention = 1000

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const insert = async (times: readonly number[]) => {
    const event_id = randomUUID()
    const same = { event_id, category: "guests", operation: "insert", updated: 1 } as const
    const rows = times.map((at) => ({ ...same, record_id: randomUUID(), at }))
    await database.writer.insertInto("change_log").values(rows).execute()
  }
  const left = async () => {
    const rows = await database.writer.selectFrom("change_log").select("at").orderBy("at").execute()
    return rows.map(({ at }) => at)
  }

  await t.test("pruneChangeLog keeps the rows of the horizon's own second", async (t) => {
    const cutoff = Math.floor(Date.now() / 1000) - retention
    const times = Array.from({ length: 120 }, (_, index) => cutoff - 60 + index)
    await insert(times)
    t.ok(await pruneChangeLog(database, retention) > 0)
    const horizon = await database.snapshot((snapshot) => findHorizon(snapshot))
    t.strictSame(await left(), times.filter((at) => at >= horizon))
    t.equal((await left())[0], horizon)
  })

  await t.test("pruneChangeLog stops after its current statement when its signal aborts", async (t) => {
    await database.writer.deleteFrom("change_log").execute()
    await insert(Array(1500).fill(1))
    const stop = new AbortController()
    const pruning = pruneChangeLog(database, retention, stop.signal)
    // Each yield to the event loop lets the pruning go on for a while.
    while ((await left()).length === 1500) await new Promise(setImmediate)
    stop.abort()
    const deleted = await pruning
    t.ok(deleted > 0 && deleted < 1500, `${deleted}`)
    t.equal((await left()).length, 1500 - deleted)
    t.equal(await pruneChangeLog(database, retention, AbortSignal.abort()), 0)
    t.equal(await pruneChangeLog(database, retention), 1500 - deleted)
  })
})
