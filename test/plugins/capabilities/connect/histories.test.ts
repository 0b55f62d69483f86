import { DatabaseSync } from "node:sqlite"
import fc from "fast-check"
import t from "tap"
import { idOf } from "../../../../plugins/capabilities/connect/ids.ts"
import { planOf, watchedTables } from "../../../../plugins/capabilities/connect/keys.ts"
import { openSource } from "../../../../plugins/capabilities/connect/sources/open.ts"
import { takeOver, takeUpTold } from "../../../../plugins/capabilities/connect/take-over.ts"
import {
  connectedDatabase,
  fillStatements,
  freshPlatform,
  mappingOf,
  selects,
} from "../../../support/connect/platform.ts"

/** Something that happens on the platform or in the service. */
const happening = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("rename" as const), id: fc.nat(11) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), id: fc.nat(11) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("insert" as const), id: fc.nat(11) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("move" as const), id: fc.nat(11) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("spoil" as const), id: fc.nat(11) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("archive" as const), id: fc.nat(1) }) },
  // The process ends at this statement.
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom("whole" as const, "told" as const),
      id: fc.nat(40),
    }),
  },
)

await t.test("after any history and any kills, partners are served what the SELECT returns", async (t) => {
  let changes = 0
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 14 }), async (happenings) => {
      const platform = await freshPlatform(t, "sqlite")
      await platform.run(...fillStatements(8))
      let left = Infinity
      const database = await connectedDatabase(t, "sqlite", {
        onStatement: (sql) => {
          if (left-- <= 0 && !/^(begin|commit|rollback)/i.test(sql)) throw new Error("killed")
        },
      })
      const source = await openSource(platform.url)
      const mapping = mappingOf(platform.url)
      const options = { database, source, mapping, owner: "a" }
      await takeOver(options)
      for (const { apply } of planOf(source.name, watchedTables(mapping))) {
        await source.change(apply)
      }
      for (const { kind, id } of happenings) {
        changes++
        if (kind === "rename") {
          await platform.run(`update person set surname = 'N${changes}' where id = ${id}`)
        }
        if (kind === "delete") await platform.run(`delete from attendee where id = ${id}`)
        if (kind === "insert") {
          await platform.run(
            `insert or ignore into attendee values (${id}, 1, ${1 + id % 8}, 0, null, null)`,
          )
        }
        if (kind === "move") {
          await platform.run(`update attendee set gala_id = 3 - gala_id where id = ${id}`)
        }
        if (kind === "spoil") {
          await platform.run(
            `update person set mail = case mail when 'x' then '' else 'x' end where id = ${id}`,
          )
        }
        if (kind === "archive") {
          await platform.run(`update gala set archived = 1 - archived where id = 2`)
        }
        if (kind !== "whole" && kind !== "told") continue
        left = id
        await (kind === "whole" ? takeOver(options) : takeUpTold(options)).catch(() => {})
        left = Infinity
      }
      await platform.run("update person set mail = '' where mail = 'x'")
      const isServed = async () => {
        const expected = rowsOf(platform.url, selects.guest ?? "", selects.event ?? "")
        const served = await database.writer.selectFrom("guest").select([
          "id",
          "event_id",
          "last_name",
        ]).orderBy("id").execute()
        const rows = served.map(({ id, event_id, last_name }) => [id, event_id, last_name])
        if (JSON.stringify(rows) === JSON.stringify(expected)) return
        throw new Error(`served ${JSON.stringify(rows)}, expected ${JSON.stringify(expected)}`)
      }
      while ((await takeUpTold(options)).hasMore);
      // The keys of an event's records are not told when it comes or goes.
      if (happenings.every(({ kind }) => kind !== "archive")) await isServed()
      await takeOver(options)
      await isServed()
      await database.close()
    }),
    { numRuns: 25, seed: 7 },
  )
  t.pass()
})

/** Returns what the SELECT returns, by the ids that partners see: the truth. */
function rowsOf(url: string, guests: string, events: string): unknown[] {
  const database = new DatabaseSync(url.slice("sqlite:".length))
  const rows = database.prepare(
    `select g.id, g.event, g.lastName from (${guests}) g join (${events}) e on e.id = g.event`,
  ).all()
  database.close()
  return rows.map((
    { id, event, lastName },
  ) => [idOf("guest", `${id}`), idOf("event", `${event}`), lastName])
    .sort(([a], [b]) => String(a) < String(b) ? -1 : 1)
}
