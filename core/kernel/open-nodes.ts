import { performance } from "node:perf_hooks"
import { ChangeLog, type ChangeLogOptions } from "../change-log/change-log.ts"
import { Floors } from "../change-log/floors.ts"
import type { Database } from "../data/database.ts"
import type { Server } from "../data/servers.ts"
import { type Node, Nodes, type Standing } from "../request/nodes/nodes.ts"

/** The open nodes. */
export interface OpenNodes {
  readonly nodes: Nodes
  /** Ends their background work. */
  close(): Promise<void>
}

/**
 * Opens the servers of a database as nodes to read from: the one that there is, or all that are configured.
 * `staleness` is how many seconds replicas may be behind; undefined if they are not to be read from.
 *
 * @throws as the database does, if there is only one. Others may be away, and come back.
 */
export async function openNodes(
  database: Database,
  options: ChangeLogOptions,
  staleness: number | undefined,
): Promise<OpenNodes> {
  const { servers } = database
  const floors = staleness === undefined ? undefined : new Floors(staleness)
  const latestBeat = () => Math.max(...all.map(({ changes: { beat = 0 } }) => beat))
  const own = { ...options, foldedIn: database, floors, latestBeat }
  const open = (server: Server) =>
    nodeOf(server, database.at(server), own, () => servers?.primary === server)
  const [first, ...others] = servers?.all ?? []
  const all: readonly [Node, ...Node[]] = first
    ? [open(first), ...others.map(open)]
    : [await openOnly(database, options)]
  return {
    nodes: new Nodes(all, { staleness }),
    close: async () => {
      await Promise.all(all.map(({ changes }) => changes.close()))
    },
  }
}

/** The only node is always there: nobody knows better than the attempt whether it answers. */
async function openOnly(database: Database, options: ChangeLogOptions): Promise<Node> {
  return {
    name: "",
    database,
    changes: await ChangeLog.open(database, options),
    isPrimary: true,
    isReachable: true,
    standing: "primary",
  }
}

function nodeOf(
  server: Server,
  database: Database,
  options: ChangeLogOptions,
  isPrimary: () => boolean,
): Node {
  const { name } = server
  return {
    name,
    database,
    changes: ChangeLog.follow(database, {
      ...options,
      isPrimary,
      isThere: () => server.state !== undefined,
    }),
    get isPrimary() {
      return isPrimary()
    },
    get isReachable() {
      return server.state !== undefined
    },
    get standing() {
      return standingOf(server, isPrimary())
    },
  }
}

/** Milliseconds for which it counts what a server has said about itself. */
const memory = 3000

function standingOf({ state, seenAt }: Server, isPrimary: boolean): Standing {
  if (!state || performance.now() - seenAt > memory) return "unknown"
  const { isWritable, group } = state
  if (isPrimary && isWritable) return "primary"
  const isStranded = group?.state === "ONLINE" && group.hasMajority && !group.hasPrimary
  return isStranded ? "stranded" : "unknown"
}
