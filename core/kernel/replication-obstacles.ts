import type { Config } from "../config/read.ts"
import type { Database } from "../data/database.ts"
import { readTargets } from "../data/mysql/connection-options.ts"
import { findReplicationFaults } from "../data/mysql/replication-faults.ts"
import type { ServerState } from "../data/mysql/server-state.ts"
import { Unavailable } from "../data/unavailable.ts"
import { tablesOf } from "../data/storage.ts"
import { findUnloggedViews } from "../records/tables.ts"
import { findLateServers, reachable } from "./late-servers.ts"

type Configured = Pick<Config, "database">

/**
 * Describes why a database must not be served because of its replication: with its servers as they are set up, partners
 * would miss records.
 *
 * @throws {Unavailable} if the only server is read-only. Waiting may help: it may become the primary.
 */
export async function findReplicationObstacles(
  database: Database,
  config: Configured,
): Promise<string[]> {
  const { servers, dialect } = database
  const { url, replicas } = config.database
  const state = servers ? undefined : await dialect.inspection.readServer(database.writer)
  if (!servers && !state) return []
  const [target] = readTargets(url)
  const { name } = target
  if (state?.isReadOnly) {
    throw new Unavailable(
      `The database at ${name} is read-only: it is a replica or a former primary, and the service writes to its ` +
        `database. Nothing is served from it. Let database.url lead to the primary, or name all servers in it`,
    )
  }
  const observed = state
    ? [{ name, state }]
    : reachable(database).map(({ server, state }) => ({ name: server.name, state }))
  const views = servers ? await findUnloggedViews(database, config) : []
  const faults = findReplicationFaults(observed, {
    needed: {
      database: target.options.database ?? "",
      tables: Object.keys(tablesOf(database.storages)),
    },
    hasSeveral: servers !== undefined || replicas !== undefined,
    primary: servers ? servers.primary?.name : name,
  })
  if (views.length > 0) faults.push(describeViews(views))
  return faults.length > 0 ? faults : await findServersWithoutHeartbeat(database)
}

/** The log has the changes that the heartbeat is about. */
function describeViews(views: readonly string[]): string {
  return `changes of the views ${
    views.join(", ")
  } are not logged, so a server cannot say which of them it has: with ` +
    `several servers, let triggers on your tables log them, and set database.own_triggers`
}

async function findServersWithoutHeartbeat(database: Database): Promise<string[]> {
  const late = await findLateServers(database, "any")
  return late.flatMap(({ server, state, reason }) =>
    reason !== undefined && isFollowing(state)
      ? [
        `${server.name} lacks the heartbeat that the primary writes, so nobody could know which changes it lacks ` +
        `(${reason.replace(/\.$/, "")}): see ` +
        `whether its replication leaves out the table change_state, and copy the data of the primary to it anew`,
      ]
      : []
  )
}

/** Returns true if it gets what the primary commits at once, as far as it can. */
function isFollowing({ group, sources }: ServerState): boolean {
  return group?.state === "ONLINE" ||
    sources.some(({ isRunning, delay }) => isRunning && delay === 0)
}
