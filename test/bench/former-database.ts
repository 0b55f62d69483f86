import { resolve } from "node:path"
import mysql from "mysql2/promise"
import { trackedTables } from "../../core/data/triggers.ts"

/** The tables with what a measurement reads. Columns that only one checkout has are left out. */
const copied = ["organization", "event", ...trackedTables, "account", "access_grant", "session"]

/**
 * Creates a database beside a filled one, with the schema of another checkout and the same records, accounts
 * and sessions. Returns its URL.
 */
export async function copyForFormer(url: string, folder: string): Promise<string> {
  const former = new URL(url)
  former.pathname = `${former.pathname}_former`
  const [from, to] = [new URL(url).pathname.slice(1), former.pathname.slice(1)]
  const server = await mysql.createConnection({ uri: url })
  try {
    await server.query(`create database ${to} character set utf8mb4`)
    await migrateBy(resolve(folder), former.href)
    // Else a copied consent or address would change its guest.
    const [touching] = await server.query<mysql.RowDataPacket[]>(
      `select trigger_name as name from information_schema.triggers
       where trigger_schema = ? and event_object_table in ('consent', 'address')`,
      [to],
    )
    for (const { name } of touching) await server.query(`drop trigger ${to}.${name}`)
    // Else a trigger would bring the times of changes up to date.
    await server.query("set @event_export_history = 1")
    for (const table of copied) {
      const [shared] = await server.query<mysql.RowDataPacket[]>(
        `select column_name as name from information_schema.columns
         where table_name = ? and table_schema in (?, ?) group by column_name having count(*) = 2`,
        [table, from, to],
      )
      const columns = shared.map(({ name }) => `\`${name}\``).join(", ")
      await server.query(
        `insert into ${to}.${table} (${columns}) select ${columns} from ${from}.${table}`,
      )
    }
    // Restores the triggers: a service that lacks some has no versions, and caches no page.
    await migrateBy(resolve(folder), former.href)
    await server.query(`analyze table ${copied.map((table) => `${to}.${table}`).join(", ")}`)
    return former.href
  } finally {
    await server.end()
  }
}

/** Creates the tables as the checkout in a folder does. */
export async function migrateBy(folder: string, url: string): Promise<void> {
  const { openDatabase }: typeof import("../../core/data/open.ts") = await import(
    `${folder}/core/data/open.ts`
  )
  const { migrate }: typeof import("../../core/data/migrate.ts") = await import(
    `${folder}/core/data/migrate.ts`
  )
  const { allStorages }: typeof import("../support/storages.ts") = await import(
    `${folder}/test/support/storages.ts`
  )
  const database = await openDatabase(url, {
    connections: 4,
    timeLimit: 60,
    storages: allStorages,
  })
  await migrate(database)
  await database.close()
}
