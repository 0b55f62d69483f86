// slow: tests only MySQL
import fc from "fast-check"
import { sql } from "kysely"
import t from "tap"
import { RawRow, type ResultRow, valueOf } from "../../../../core/data/mysql/raw-row.ts"
import { freshDatabase, withoutMysql } from "../../../support/database.ts"

/** All column types that the schema may have, with values for them. */
const columns: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  "tinyint": fc.integer({ min: -128, max: 127 }),
  "tinyint unsigned": fc.integer({ min: 0, max: 255 }),
  "smallint": fc.integer({ min: -32768, max: 32767 }),
  "smallint unsigned": fc.integer({ min: 0, max: 65535 }),
  "mediumint": fc.integer({ min: -8388608, max: 8388607 }),
  "int": fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  "int unsigned": fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  "bigint": fc.maxSafeInteger(),
  "bigint unsigned": fc.maxSafeNat(),
  "decimal(20,4)": fc.integer({ min: -(10 ** 9), max: 10 ** 9 }).map((value) => value / 10_000),
  "double": fc.double({ noNaN: true, noDefaultInfinity: true }),
  "float": fc.integer({ min: -(2 ** 20), max: 2 ** 20 }).map((value) => value / 8),
  "char(36) character set ascii": fc.uuid(),
  "varchar(300) character set utf8mb4": fc.string({ unit: "grapheme", maxLength: 100 }),
  "longtext character set utf8mb4": fc.constantFrom(0, 250, 251, 65_535, 65_536, 70_000)
    .map((size) => "x".repeat(size)),
  "enum('main','other')": fc.constantFrom("main", "other"),
  "json": fc.array(fc.string()).map((value) => JSON.stringify(value)),
}

t.test("valueOf returns the same value for a raw row as a decoded row has", {
  skip: withoutMysql,
}, async (t) => {
  const database = await freshDatabase(t, "mysql")
  const types = Object.keys(columns)
  const names = types.map((_, index) => `c${index}`)
  const definitions = types.map((type, index) => `${names[index]} ${type} null`).join(", ")
  await sql.raw(`create table every_kind (id integer primary key, ${definitions})`)
    .execute(database.writer)
  const rows = fc.array(
    fc.record(
      Object.fromEntries(
        Object.values(columns).map((values, index) => [
          names[index] as string,
          fc.option(values, { nil: null }),
        ]),
      ),
    ),
    { minLength: 1, maxLength: 5 },
  )
  // The place of the bits that say which values are null depends on the number of columns.
  const selected = fc.subarray(names, { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(rows, selected, async (rows, names) => {
      const db = database.writer.withTables<{ every_kind: Record<string, unknown> }>()
      await db.deleteFrom("every_kind").execute()
      await db.insertInto("every_kind").values(rows.map((row, id) => ({ ...row, id }))).execute()
      await database.snapshot(async (snapshot) => {
        const reader = snapshot.db.withTables<{ every_kind: Record<string, unknown> }>()
        const query = reader.selectFrom("every_kind").select(names).where("id", ">=", 0).orderBy(
          "id",
        )
        const read = await snapshot.run(query)
        const raw: ResultRow[] = await snapshot.runRaw(query)
        t.equal(raw.length, read.length)
        for (const [index, row] of raw.entries()) {
          t.ok(row instanceof RawRow)
          for (const name of names) t.strictSame(valueOf(row, name), read[index]?.[name], name)
        }
      })
    }),
    { numRuns: 60 },
  )
})

t.test(
  "runRaw rejects a BIT column, and takes it for no number",
  { skip: withoutMysql },
  async (t) => {
    const database = await freshDatabase(t, "mysql", { connections: 1 })
    await sql`create table switches (id integer primary key, bits bit(8))`.execute(database.writer)
    await sql`insert into switches values (1, 5)`.execute(database.writer)
    const read = database.snapshot(async ({ db, runRaw }) => {
      const reader = db.withTables<{ switches: { id: number; bits: number } }>()
      const [row] = await runRaw(reader.selectFrom("switches").select("bits").where("id", "=", 1))
      return row && valueOf(row, "bits")
    })
    await t.rejects(read, new TypeError("Cannot read bits: no column may have its type"))
  },
)

t.test("runRaw rejects an unsupported column type, and the connection stays usable", {
  skip: withoutMysql,
}, async (t) => {
  const database = await freshDatabase(t, "mysql", { connections: 1 })
  const read = database.snapshot(async ({ db, runRaw }) => {
    const query = db.selectFrom("change_state").where("id", "=", 1)
      .select([sql<string>`now()`.as("moment"), "id"])
    const [row] = await runRaw(query)
    return row && valueOf(row, "id")
  })
  await t.rejects(read, new TypeError("Cannot read moment: no column may have its type"))
  await database.ping()
  t.pass("the connection responds")
})
