import { DatabaseSync } from "node:sqlite"
import { sql } from "kysely"
import mysql from "mysql2/promise"
import type { Database } from "../../core/data/database.ts"

/** Before each statement of a dump stands a line that begins with this and says what it is. */
const mark = "-- "

/** What a dump is made of: a statement per table and trigger, and one per table with rows. Generated columns have none. */
interface Source {
  /** In an order in which they can be created, by name. */
  readonly tables: ReadonlyMap<string, string>
  readonly triggers: ReadonlyMap<string, string>
  rows(table: string): Promise<{ readonly columns: readonly string[]; readonly values: string[][] }>
}

/** Returns a database as SQL, to be read by people and by `loadDump`. Leaves out the rows of some tables. */
export async function dump(url: string, without: readonly string[]): Promise<string> {
  return url.startsWith("sqlite:") ? await dumpSqlite(url, without) : await dumpMysql(url, without)
}

/** Fills an empty database with a dump. Its tables count as those that have had their triggers. */
export async function loadDump(database: Database, text: string): Promise<void> {
  await database.migrator.connection().execute(async (db) => {
    if (database.dialect.name !== "sqlite") await sql`set foreign_key_checks = 0`.execute(db)
    for (const statement of text.split(/^-- .*\n/m)) {
      if (statement.trim() !== "") await sql.raw(statement.trim().replace(/;$/, "")).execute(db)
    }
    const { rows } = await sql<{ name: string }>`select name from watched_table`.execute(db)
    const made = await database.dialect.inspection.findMade(db, rows.map(({ name }) => name))
    for (const [name, time] of made) {
      await db.updateTable("watched_table").set({ made: time }).where("name", "=", name).execute()
    }
  })
}

async function dumpSqlite(url: string, without: readonly string[]): Promise<string> {
  const db = new DatabaseSync(url.slice("sqlite:".length), { readOnly: true })
  try {
    const all = db.prepare("select type, name, sql from sqlite_schema where sql is not null")
      .all() as { type: string; name: string; sql: string }[]
    const schema = all.filter(({ name }) => !name.startsWith("sqlite_"))
    const named = (...types: string[]) =>
      new Map(schema.filter(({ type }) => types.includes(type)).map(({ name, sql }) => [name, sql]))
    return await write({
      tables: named("table", "index"),
      triggers: named("trigger"),
      rows(table) {
        if (!named("table").has(table)) return Promise.resolve({ columns: [], values: [] })
        const columns = db.prepare("select name from pragma_table_info(?)").all(table)
        const names = columns.map(({ name }) => `"${name}"`).join()
        const found = db.prepare(`select ${names} from "${table}"`).all()
        const values = found.map((row) =>
          Object.values(row).map((value) =>
            typeof value === "string" ? quoted(value) : String(value)
          )
        )
        return Promise.resolve({ columns: Object.keys(found[0] ?? {}), values })
      },
    }, without)
  } finally {
    db.close()
  }
}

const numeric = new Set(["TINY", "SHORT", "LONG", "INT24", "LONGLONG", "NEWDECIMAL", "DOUBLE"])

async function dumpMysql(url: string, without: readonly string[]): Promise<string> {
  const connection = await mysql.createConnection(url)
  const query = async (text: string) => {
    const [rows] = await connection.query<mysql.RowDataPacket[]>(text)
    return rows
  }
  try {
    const names = (await query("show tables")).map((row) => String(Object.values(row)[0]))
    const tables = new Map<string, string>()
    for (const name of names) {
      const [row] = await query(`show create table \`${name}\``)
      tables.set(name, String(row?.["Create Table"]).replace(/ AUTO_INCREMENT=\d+/, ""))
    }
    const triggers = await query(`
      select trigger_name as name, concat('create trigger ', trigger_name, ' ', action_timing, ' ',
        event_manipulation, ' on ', event_object_table, ' for each row ', action_statement) as text
      from information_schema.triggers where trigger_schema = database() order by 1`)
    return await write({
      tables,
      triggers: new Map(triggers.map(({ name, text }) => [name, text])),
      async rows(table) {
        const columns = await query(
          `show columns from \`${table}\` where extra not like '% GENERATED'`,
        )
        const names = columns.map(({ Field }) => `\`${Field}\``).join()
        const [rows, fields] = await connection.query<mysql.RowDataPacket[][]>({
          sql: `select ${names} from \`${table}\``,
          rowsAsArray: true,
          typeCast: (field) => {
            const value = field.string("utf8")
            if (value === null) return "null"
            return numeric.has(field.type) ? value : quoted(value.replaceAll("\\", "\\\\"))
          },
        })
        return { columns: fields.map(({ name }) => name), values: rows as unknown as string[][] }
      },
    }, without)
  } finally {
    await connection.end()
  }
}

async function write(source: Source, without: readonly string[]): Promise<string> {
  const parts: string[] = []
  const add = (title: string, statement: string) => parts.push(`${mark}${title}\n${statement};\n`)
  for (const [name, statement] of source.tables) add(name, tidy(statement))
  for (const name of source.tables.keys()) {
    const { columns, values } = without.includes(name)
      ? { columns: [], values: [] }
      : await source.rows(name)
    const lines = values.map((row) => `  (${row.join(", ")})`).sort()
    if (lines.length > 0) {
      add(
        `rows of ${name}`,
        `insert into ${name} (${columns.map((column) => `\`${column}\``).join(", ")}) values\n${
          lines.join(",\n")
        }`,
      )
    }
  }
  // Last, so that rows are inserted as they were.
  for (const [name, statement] of source.triggers) add(`trigger ${name}`, tidy(statement))
  return parts.join("\n")
}

/** Writes a statement on one line. None has a comment. */
function tidy(statement: string): string {
  return statement.split("\n").map((line) => line.trim()).filter(Boolean).join(" ")
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
