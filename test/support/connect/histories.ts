import fc from "fast-check"
import type { Test } from "tap"
import { idOf } from "../../../plugins/capabilities/connect/ids.ts"
import { openSource } from "../../../plugins/capabilities/connect/sources/open.ts"
import { allRows, type Source } from "../../../plugins/capabilities/connect/sources/source.ts"
import { takeOver, takeUpTold } from "../../../plugins/capabilities/connect/take-over.ts"
import { planOf, watchedTables } from "../../../plugins/capabilities/connect/triggers.ts"
import { plainText } from "../../../plugins/capabilities/connect/values.ts"
import { connectedDatabase, fillStatements, mappingOf, type Platform, selects } from "./platform.ts"

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

/**
 * Plays random histories on platforms, with the service's database on the embedded engine, and kills at any of its
 * statements: afterwards, partners are served what the SELECT returns.
 */
export async function playHistories(
  t: Test,
  { runs, open }: { readonly runs: number; readonly open: () => Promise<Platform> },
): Promise<void> {
  let changes = 0
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 14 }), async (happenings) => {
      const platform = await open()
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
            `insert into attendee (id, gala_id, person_id, texts) select ${id}, 1, ${1 + id % 8}, 0
              where not exists (select id from attendee where id = ${id})`,
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
        const expected = await truthOf(source)
        const served = await database.writer.selectFrom("guest").select([
          "id",
          "event_id",
          "last_name",
        ]).orderBy("id").execute()
        const rows = served.map(({ id, event_id, last_name }) => [id, event_id, last_name])
        if (JSON.stringify(rows) === JSON.stringify(expected)) return
        throw new Error(`served ${JSON.stringify(rows)}, expected ${JSON.stringify(expected)}`)
      }
      if (await takeUpTold(options)) await takeOver(options)
      await isServed()
      await takeOver(options)
      await isServed()
      await source.close()
      await database.close()
    }),
    { numRuns: runs, seed: 7 },
  )
  t.pass()
}

/** Returns what the SELECTs return, by the ids that partners see. */
async function truthOf(source: Source): Promise<readonly (readonly string[])[]> {
  const rows = await source.snapshot((reader) =>
    allRows(
      reader,
      `select g.id, g.event, g.lastName from (${selects.guest}) g join (${selects.event}) e on e.id = g.event`,
    )
  )
  return rows.map((row) => row.map(plainText))
    .map(([id = "", event = "", name = ""]) => [idOf("guest", id), idOf("event", event), name])
    .toSorted(([a = ""], [b = ""]) => a < b ? -1 : 1)
}
