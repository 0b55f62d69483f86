import { setTimeout } from "node:timers/promises"
import { type Database, translateError, Unavailable } from "../../../core/capability.ts"
import { findWatermark, noHeartbeat, readHeartbeatTime } from "../../../core/nodes.ts"
import type { ObservedServer } from "./replication-faults.ts"
import type { ServersDatabase } from "./servers-database.ts"
import type { Server } from "./server.ts"

/** A server that answers. */
interface Reachable extends ObservedServer {
  readonly server: Server
}

/** Returns the servers that answered when last asked. */
export function reachable({ servers }: ServersDatabase): Reachable[] {
  return servers.all.flatMap((server) => {
    const { name, state } = server
    return state ? [{ name, server, state }] : []
  })
}

/** A server without the primary's heartbeat. */
interface Late extends Reachable {
  /** Why it has no heartbeat at all; undefined if it has an older one. */
  readonly reason: string | undefined
}

/** Milliseconds that a heartbeat may take to reach the other servers. */
const patience = 3000

/**
 * Writes heartbeats on the primary. Returns the servers that the first heartbeat does not reach within seconds; with
 * `any`, the servers that none reaches.
 */
export async function findLateServers(
  database: ServersDatabase,
  wanted: "any" | "first",
): Promise<Late[]> {
  if (!database.servers.primary) return []
  await findWatermark(database)
  const { at: least } = wanted === "first" ? await lastHeartbeat(database) : { at: 0 }
  if (least === Infinity) return []
  for (const until = performance.now() + patience;;) {
    const late = await findBefore(database, least)
    if (late.length === 0 || performance.now() > until) return late
    await setTimeout(100)
    await findWatermark(database)
  }
}

/** Returns the servers whose heartbeat is older than `least`. */
async function findBefore(database: ServersDatabase, least: number): Promise<Late[]> {
  const found = await Promise.all(
    reachable(database).map(async (each) => {
      const { at, reason } = await lastHeartbeat(database.at(each.server))
      return at >= least ? [] : [{ ...each, reason }]
    }),
  )
  return found.flat()
}

/** Returns when a server's heartbeat was written: -Infinity if there is none, Infinity if the server is away. */
async function lastHeartbeat(database: Database): Promise<{ at: number; reason?: string }> {
  try {
    const at = await readHeartbeatTime(database)
    return at === undefined ? { at: -Infinity, reason: noHeartbeat } : { at }
  } catch (thrown) {
    const error = translateError(thrown)
    if (error instanceof Unavailable) return { at: Infinity }
    return { at: -Infinity, reason: (error as Error).message }
  }
}
