import { randomUUID } from "node:crypto"
import type { Database } from "../../../core/data/database.ts"
import { migrate as applyMigrations } from "../../../core/data/migrate.ts"
import { stateTables } from "../../../plugins/capabilities/servers/server-state.ts"
import { grantStatements } from "../../../plugins/databases/mysql/privileges.ts"
import { openDatabase } from "../../../core/data/open.ts"
import type { Category } from "../../../core/records/kinds/categories.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { tablesOf } from "../../../core/data/storage.ts"
import { allStorages } from "../../support/storages.ts"
import { Builder } from "../../support/builder.ts"
import type { RecordPlatform } from "../../support/record-platform.ts"
import { platformOf } from "./changes.ts"
import type { PrivateMysql } from "./private-mysql.ts"

const tables = tablesOf(allStorages)

/** What is in the database at the beginning. */
export interface ChaosData {
  /** The database as root. */
  readonly url: string
  /** A large event and a small one. */
  readonly eventIds: readonly [string, string]
  readonly platform: RecordPlatform
  /** Ids of accounts by name. */
  readonly accountIds: Readonly<Record<string, string>>
}

/** A MySQL user. */
export interface User {
  readonly name: string
  readonly password: string
}

/** The user that serves. No log may contain its password. */
export const servingUser: User = { name: "service", password: "Vx7/dk@3:qz" }

/** A user that may only connect. */
export const idleUser: User = { name: "idle", password: "idle" }

/** How to make the tables, and what the user that serves may do with them. */
interface DataOptions {
  readonly migrate?: (database: Database) => Promise<unknown>
  readonly rights?: readonly string[]
}

/** Creates the database `chaos`, its users, and two events with records. */
export async function createData(
  server: Pick<PrivateMysql, "url" | "run">,
  { migrate = applyMigrations, rights = leastRights }: DataOptions = {},
): Promise<ChaosData> {
  const url = `${server.url}/chaos`
  await server.run("create database chaos")
  const database = await openDatabase(url, { connections: 2, timeLimit: 60, storages: allStorages })
  try {
    await migrate(database)
    await server.run(...userStatements(rights))
    const build = new Builder(database)
    const organization = await build.organization("acme")
    const eventIds = [await build.event(organization), await build.event(organization)] as const
    const accountIds: Record<string, string> = {}
    for (const name of ["acme-export", "partner", "visitor", "hoarder"]) {
      const id = await build.account(name, name === "acme-export" ? "service" : "partner")
      accountIds[name] = id
      // The kernel's own function reads columns that the tables of an older version do not have.
      await database.writer.insertInto("access_grant").values({
        id: randomUUID(),
        account_id: id,
        organization_id: organization,
        event_id: null,
        ends: null,
        networks: null,
      }).execute()
    }
    const platform = platformOf(eventIds)
    await database.writer.transaction().execute(async (db) => {
      for (const [event, category, count] of countsFor(eventIds)) {
        for (let left = count; left > 0; left--) {
          await platform.insertOne(db, { event, category }, randomUUID())
        }
      }
    })
    return { url, eventIds, platform, accountIds }
  } finally {
    await database.close()
  }
}

export const host = "%"

const serving = { name: servingUser.name, host, database: "chaos" }

/** What serving needs. */
const leastRights = grantStatements(serving, tables)

/** What serving from several servers needs. */
export const clusterRights = grantStatements(
  { ...serving, tablesOfServers: Object.values(stateTables).flat() },
  tables,
)

function userStatements(rights: readonly string[]): string[] {
  const creating = [servingUser, idleUser].map(({ name, password }) =>
    `create user ${name}@'${host}' identified by '${password}'`
  )
  return [...creating, ...rights]
}

function countsFor(
  [large, small]: readonly [string, string],
): (readonly [eventId: string, category: Category, count: number])[] {
  return [
    [large, "guests", 300],
    [small, "guests", 60],
    ...itemCategories.flatMap((category) => [
      [large, category, 40] as const,
      [small, category, 10] as const,
    ]),
  ]
}
