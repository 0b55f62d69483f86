import { setTimeout } from "node:timers/promises"
import { readHeartbeat, ServerBehind } from "../change-log/heartbeat.ts"
import { findWatermark } from "../change-log/watermark.ts"
import type { Config } from "../config/read.ts"
import type { Database } from "../data/database.ts"
import { readTargets } from "../data/mysql/connection-options.ts"
import { findReplicationFaults } from "../data/mysql/replication-faults.ts"
import type { ServerState } from "../data/mysql/server-state.ts"
import type { Server } from "../data/servers.ts"
import { translateError, Unavailable } from "../data/unavailable.ts"
import { findUnloggedViews, tables } from "../records/tables.ts"
import type { Warning } from "./warnings/warning.ts"

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
  if (!servers && !state) {
    return replicas
      ? [
        "database.replicas is for MySQL, and the embedded database has none: take it out of the configuration",
      ]
      : []
  }
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
  if (views.length > 0) {
    return [
      `changes of the views ${
        views.join(", ")
      } are not logged, so a server cannot say which of them it has: with ` +
      `several servers, let triggers on your tables log them, and set database.own_triggers`,
    ]
  }
  const faults = findReplicationFaults(observed, {
    needed: { database: target.options.database ?? "", tables: Object.keys(tables) },
    hasSeveral: servers !== undefined || replicas !== undefined,
    primary: servers ? servers.primary?.name : name,
  })
  if (faults.length > 0) return faults
  const late = await compareHeartbeats(database)
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

/** Finds servers that nothing is read from now, although they are set up. Finds none if there is one server. */
export async function findReplicationWarnings(
  database: Database,
  { database: { replicas } }: Configured,
): Promise<Warning[]> {
  const { servers } = database
  if (!servers) return []
  const warn = ({ name }: Server, message: string) => ({ about: `server ${name}`, message })
  const late = await compareHeartbeats(database)
  return servers.all.flatMap((server) => {
    const { state } = server
    if (!state) {
      return [
        warn(
          server,
          "it does not answer, or refuses the user: nothing is read from it until it does",
        ),
      ]
    }
    const delay = Math.max(0, ...state.sources.map((source) => source.delay))
    if (replicas && delay > replicas.staleness) {
      return [warn(
        server,
        `it is meant to stay ${delay} s behind, and database.replicas.staleness is ${replicas.staleness}: it is never ` +
          `asked. Take it out of database, or set its source_delay to 0`,
      )]
    }
    return late.some((each) => each.server === server)
      ? [warn(
        server,
        "its heartbeat does not follow the primary's: its replication has stopped or is far behind, and nothing is read " +
          "from it until it has caught up. See its performance_schema.replication_applier_status_by_worker",
      )]
      : []
  })
}

/** A server that does not show the primary's heartbeat. */
interface Late {
  readonly server: Server
  readonly state: ServerState
  /** Why it has none at all; undefined if it has an older one. */
  readonly reason: string | undefined
}

/** Milliseconds for a heartbeat to arrive on the other servers. */
const patience = 3000

/** Lets the heart of the primary beat, and returns the servers on which that does not arrive. */
async function compareHeartbeats(database: Database): Promise<Late[]> {
  if (!database.servers?.primary) return []
  await findWatermark(database)
  const { at: wanted } = await lastHeartbeat(database)
  const until = performance.now() + patience
  const late = await Promise.all(
    reachable(database).map(async ({ server, state }) => {
      for (;;) {
        const { at, reason } = await lastHeartbeat(database.at(server))
        if (at >= wanted) return []
        if (performance.now() > until) return [{ server, state, reason }]
        await setTimeout(100)
      }
    }),
  )
  return late.flat()
}

/** Returns when the heartbeat of a server was written: never, if there is none, and always, if the server is away. */
async function lastHeartbeat(database: Database): Promise<{ at: number; reason?: string }> {
  try {
    return { at: (await readHeartbeat(database)).at }
  } catch (thrown) {
    const error = translateError(thrown)
    if (error instanceof Unavailable && !(error instanceof ServerBehind)) return { at: Infinity }
    return { at: -Infinity, reason: (error as Error).message }
  }
}

/** Returns true if it gets what the primary commits at once, as far as it can. */
function isFollowing({ group, sources }: ServerState): boolean {
  return group?.state === "ONLINE" ||
    sources.some(({ isRunning, delay }) => isRunning && delay === 0)
}

/** Returns the servers that have answered last. */
function reachable(
  { servers }: Database,
): { readonly server: Server; readonly state: ServerState }[] {
  return (servers?.all ?? []).flatMap((server) =>
    server.state ? [{ server, state: server.state }] : []
  )
}
