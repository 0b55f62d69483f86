import { allStorages } from "./storages.ts"
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import mysql, { type Connection, type RowDataPacket } from "mysql2/promise"
import { migrate } from "../../core/data/migrate.ts"
import { openDatabase } from "../../core/data/open.ts"
import { atExit } from "./at-exit.ts"

/**
 * Gives an empty database the tables, triggers and rows that `migrate` makes, and an epoch of its own. Copies them from
 * a template, in a third of the time. Call `migrate` afterwards: it notes when the tables were made, and does nothing
 * else. The first call makes the template: of all test files, if TEST_TEMPLATES names a folder, else of this process.
 */
export async function copyTemplate(url: string): Promise<void> {
  const folder = process.env["TEST_TEMPLATES"] || ownFolder()
  const [engine, copy, note] = url.startsWith("sqlite:")
    ? ["sqlite", copySqlite, noteSqlite] as const
    : ["mysql", copyMysql, noteMysql] as const
  const template = join(folder, engine)
  if (existsSync(template)) return await copy(url, template)
  const database = await openDatabase(url, {
    connections: 1,
    timeLimit: 30,
    storages: allStorages,
  })
  await migrate(database)
  await database.close()
  // Another process may be making it, too.
  const fresh = `${template}-${process.pid}`
  await note(url, fresh)
  renameSync(fresh, template)
}

let own: string | undefined

function ownFolder(): string {
  if (own !== undefined) return own
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  atExit(() => rmSync(folder, { recursive: true, force: true }))
  return own = folder
}

function noteSqlite(url: string, template: string): void {
  copyFileSync(url.slice("sqlite:".length), template)
}

function copySqlite(url: string, template: string): void {
  const file = url.slice("sqlite:".length)
  copyFileSync(template, file)
  const database = new DatabaseSync(file)
  const epoch = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
  database.prepare("update change_state set epoch = ?").run(epoch)
  database.close()
}

async function copyMysql(url: string, template: string): Promise<void> {
  await withConnection(url, async (connection) => {
    await connection.query(readFileSync(template, "utf8"))
  })
}

/** Writes down the statements that make the same database. */
async function noteMysql(url: string, template: string): Promise<void> {
  const text = await withConnection(url, async (connection) => {
    const rows = async (statement: string) =>
      (await connection.query<RowDataPacket[]>(statement))[0]
    const statements = ["set foreign_key_checks = 0"]
    for (const row of await rows("show tables")) {
      const name = String(Object.values(row)[0])
      const [made] = await rows(`show create table ${name}`)
      statements.push(String(made?.["Create Table"]).replace(/ AUTO_INCREMENT=\d+/, ""))
      if (name === "watched_table") continue
      for (const values of await rows(`select * from ${name}`)) {
        statements.push(mysql.format(`insert into ${name} set ?`, [values]))
      }
    }
    for (const { Trigger } of await rows("show triggers")) {
      const [made] = await rows(`show create trigger ${Trigger}`)
      statements.push(
        mysql.format("set sql_mode = ?", [made?.["sql_mode"]]),
        `set names ${made?.["character_set_client"]} collate ${made?.["collation_connection"]}`,
        String(made?.["SQL Original Statement"]).replace(/ definer=\S+/i, ""),
      )
    }
    statements.push("update change_state set epoch = floor(rand() * 4503599627370495)")
    return statements.join(";\n")
  })
  writeFileSync(template, text)
}

async function withConnection<Result>(
  uri: string,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await mysql.createConnection({ uri, multipleStatements: true })
  try {
    return await work(connection)
  } finally {
    await connection.end()
  }
}
