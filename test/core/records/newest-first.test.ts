import t from "tap"
import { pageOfRecords } from "../../../core/records/newest-first.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const page = { since: 0, offset: 5, limit: 2, terms: [] }
  const listing = { category: "guests", eventId: "an event", page, searched: [] } as const
  const position = [7, "an id"] as const

  for (
    const [name, place] of [
      ["at the beginning", { offset: 0, position: undefined }],
      ["after a position", { offset: 0, position }],
      // The rows are joined to the keys of the page. SQL promises no order of such a join, even though
      // both engines happen to keep that of the keys.
      ["from an offset on", { offset: 5, position: undefined }],
    ] as const
  ) {
    await t.test(`pageOfRecords sorts the rows themselves ${name}`, async (t) => {
      const sql = await database.snapshot(async (snapshot) =>
        pageOfRecords(snapshot, listing, { ...place, columns: [] }).compile().sql
      )
      const order = /order by .record.\..updated. desc, .record.\..id. desc( limit [?\w]+)?$/
      t.match(sql, order)
    })
  }
})
