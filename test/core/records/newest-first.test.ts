import type { Compilable } from "kysely"
import t from "tap"
import { guest } from "../../../core/records/kinds/guest.ts"
import { queryPage } from "../../../core/records/newest-first.ts"
import { pick, type Projection, rewritten } from "../../../core/records/projection.ts"
import { RecordCache } from "../../../core/records/record-cache.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

const projection: Projection<"Guest"> = {
  ...pick(guest, ["id", "firstName"]),
  searched: ["record.email"],
}
const unknown = new RecordCache(1000).of("an event", "an epoch")
const cached = new RecordCache(1000).of("an event", "an epoch")
cached(projection).count({ known: 1, read: 0 })
const page = { since: 0, offset: 5, limit: 2, terms: [] }
const listing = { category: "guests", eventId: "an event", page } as const

await onEveryEngine(t, async (t, engine) => {
  const statements: string[] = []
  const onStatement = (sql: string) => void statements.push(sql)
  const database = await freshDatabase(t, engine, { onStatement })
  /** Returns the first statement of a page. */
  const statementOf = (changes: object, offset: number, shown = projection) =>
    database.snapshot(async (snapshot) => {
      const changed = { ...listing, projection: shown, page: { ...page, ...changes } }
      const query = queryPage(snapshot, changed, offset)
      return (query?.query as Compilable | undefined)?.compile().sql
    })

  for (
    const [name, changes, offset] of [
      ["at the beginning", {}, 0],
      ["after a position", { after: { guests: [7, "an id"] } }, 0],
      ["from an offset on", {}, 5],
    ] as const
  ) {
    await t.test(`queryPage sorts its rows ${name}`, async (t) => {
      const order =
        /order by .record.\..updated. desc, .record.\..id. desc( limit [?\w]+)?( offset [?\w]+)?$/
      t.match(await statementOf(changes, offset), order)
      t.match(await statementOf({ ...changes, cached }, offset), order)
    })

    await t.test(`queryPage reads only keys ${name} where most records are known`, async (t) => {
      const keys = await statementOf({ ...changes, cached }, offset)
      t.match(keys, "export_version")
      t.notMatch(keys, "first_name")
      const unkept = await statementOf(changes, offset) ?? ""
      t.notMatch(unkept, "export_version")
      const cold = await statementOf({ ...changes, cached: unknown }, offset) ?? ""
      t.match(cold, "export_version")
      // The wide rows of skipped records are never read.
      for (const sql of [unkept, cold]) t.equal(sql.includes("first_name"), offset === 0)
    })
  }

  await t.test("queryPage reads only keys and what is searched for a search", async (t) => {
    statements.length = 0
    await database.snapshot(async (snapshot) => {
      const searching = { ...listing, projection, page: { ...page, cached, terms: ["ada"] } }
      const query = queryPage(snapshot, searching, 0)
      if (query) await snapshot.run(query.query)
    })
    const [search, ...others] = statements.filter((sql) => /from [`"]guest[`"]/.test(sql))
    t.match(search, "email")
    t.notMatch(search, "first_name")
    t.strictSame(others, [])
  })

  await t.test("queryPage reads whole records for a rewritten projection", async (t) => {
    const rewriting = rewritten(projection, projection.schema, (record) => record)
    cached(rewriting).count({ known: 1, read: 0 })
    t.match(await statementOf({ cached }, 0, rewriting), "first_name")
  })

  await t.test("queryPage returns nothing for a list whose walk has ended", async (t) => {
    t.equal(await statementOf({ after: { tickets: [7, "an id"] } }, 0), undefined)
  })
})
