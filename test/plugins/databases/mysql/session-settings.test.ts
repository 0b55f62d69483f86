import { sql } from "kysely"
import t from "tap"
import { freshDatabase, withoutMysql } from "../../../support/database.ts"

t.test(
  "every connection has the mode and the time zone that statements rely on, whatever the server's are",
  {
    skip: withoutMysql,
  },
  async (t) => {
    const database = await freshDatabase(t, "mysql")
    const { writer, background, migrator } = database
    const settings = sql<Record<string, string>>`
    select @@sql_mode as mode, @@time_zone as zone, @@autocommit as autocommit,
      '\\\\' as backslash, ${"o\\'brien"} as name`
    const found = await Promise.all([
      database.snapshot(({ db }) => settings.execute(db as never)),
      ...[writer, background, migrator].map((db) => settings.execute(db as never)),
    ])
    for (const { rows: [row] } of found) {
      t.match(row, { zone: "+00:00", autocommit: 1, backslash: "\\", name: "o\\'brien" })
      t.notMatch(row?.["mode"], /ONLY_FULL_GROUP_BY|NO_BACKSLASH_ESCAPES|ANSI/)
    }
  },
)

t.test("no value becomes a part of a statement, whatever the mode is", {
  skip: withoutMysql,
}, async (t) => {
  const { writer, background, migrator } = await freshDatabase(t, "mysql")
  const name = "x\\' or 1 = 1 -- "
  for (const handle of [writer, background, migrator]) {
    await handle.connection().execute(async (db) => {
      await sql`set session sql_mode = 'NO_BACKSLASH_ESCAPES'`.execute(db)
      const { rows } = await sql<{ name: string }>`select ${name} as name`.execute(db)
      t.strictSame(rows.map(({ name }) => name), [name])
    })
  }
})
