import type { Test } from "tap"
import type { Database, DatabaseOptions } from "../../core/data/database.ts"
import { access } from "../../plugins/capabilities/servers/access.ts"
import type { ServersDatabase } from "../../plugins/capabilities/servers/servers-database.ts"
import { allStorages } from "./storages.ts"

/** How a database is opened for a test. */
interface OpenOptions extends Partial<DatabaseOptions> {
  /** The hosts of servers that never become the primary. */
  readonly replicas?: readonly string[]
}

/** Opens a database on one server or several, as the service does. */
export async function openAny(
  url: string,
  { replicas, ...options }: OpenOptions = {},
): Promise<Database> {
  const place = { url, ...replicas && { replicas: { staleness: 10, hosts: [...replicas] } } }
  const usual = { connections: 4, timeLimit: 10, storages: allStorages }
  return await access.open(place, { ...usual, ...options })
}

/** Opens a database on several servers. */
export async function openServers(url: string, options?: OpenOptions): Promise<ServersDatabase> {
  return await openAny(url, options) as ServersDatabase
}

/** Does the same for a test, and closes it afterwards. */
export async function openServersFor(
  t: Test,
  url: string,
  options?: OpenOptions,
): Promise<ServersDatabase> {
  const database = await openServers(url, options)
  t.teardown(() => database.close())
  return database
}
