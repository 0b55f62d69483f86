import t from "tap"
import { loadTraffic } from "../../../../plugins/capabilities/audit/traffic.ts"
import { freshDatabase, onEmbedded } from "../../../support/database.ts"
import { withinOneSecond } from "../../../support/one-second.ts"

const entry = { action: "list", address: "", request_id: "r", milliseconds: 1 } as const
/** Seconds before now. */
const times = [0, 1, 59, 60, 61, 170, 180, 240, 241, 300, 359, 360]

await onEmbedded(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer } = database

  await t.test("loadTraffic counts requests, errors and changes by minute, up to the one that runs", async (t) => {
    const { found, expected } = await withinOneSecond(database, async (now) => {
      for (const table of ["audit_log", "event_change"] as const) {
        await writer.deleteFrom(table).execute()
      }
      const statuses = [200, 204, 303, 304, 404, 500]
      const requests = times.flatMap((ago, n) => [
        { ...entry, at: now - ago, status: statuses[n % statuses.length]! },
        { ...entry, at: now - ago - 7, status: 304 },
      ])
      await writer.insertInto("audit_log").values([
        ...requests,
        { ...entry, action: "grant", at: now, status: 0 },
      ]).execute()
      const changes = times.map((ago, mark) => ({ event_id: "event", at: now - ago, mark }))
      await writer.insertInto("event_change").values(changes).execute()
      const found = await loadTraffic(database, 5)
      const expected = [4, 3, 2, 1, 0].map((ago) => {
        const minute = now - now % 60 - ago * 60
        const countOf = (rows: readonly { readonly at: number }[]) =>
          rows.filter(({ at }) => minute <= at && at < minute + 60).length
        const errors = requests.filter(({ status }) => status >= 400)
        const counts = { requests: countOf(requests), errors: countOf(errors) }
        return { minute, ...counts, changes: countOf(changes) }
      })
      return { found, expected }
    })
    t.strictSame(found, expected)
  })

  await t.test("loadTraffic counts the latest 20,000 changes, and none from before", async (t) => {
    const minute = (await loadTraffic(database, 1))[0]?.minute ?? 0
    const rows = Array.from({ length: 500 }, () => ({ event_id: "event", at: minute, mark: 1 }))
    for (let n = 0; n < 41; n++) await writer.insertInto("event_change").values(rows).execute()
    const counts = (await loadTraffic(database, 10)).filter(({ changes }) => changes > 0)
    t.match(counts, [{ minute, changes: 20_000 }])
    t.equal(counts.length, 1)
  })
})
