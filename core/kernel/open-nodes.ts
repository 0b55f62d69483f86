import { ChangeLog, type ChangeLogOptions } from "../change-log/change-log.ts"
import { Floors } from "../change-log/floors.ts"
import type { Database } from "../data/database.ts"
import type { Server, Servers } from "../data/servers.ts"
import { type Node, Nodes, onlyNode } from "../request/nodes/nodes.ts"

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
  const all = servers
    ? openServers(database, servers, {
      ...options,
      floors: staleness === undefined ? undefined : new Floors(staleness),
    })
    : [onlyNode(database, await ChangeLog.open(database, options))] as const
  return {
    nodes: new Nodes(all, { staleness }),
    close: async () => {
      await Promise.all(all.map(({ changes }) => changes.close()))
    },
  }
}

function openServers(
  database: Database,
  servers: Servers,
  options: ChangeLogOptions,
): [Node, ...Node[]] {
  const open = (server: Server) =>
    nodeOf(server, servers, {
      database: database.at(server),
      options: {
        ...options,
        foldedIn: database,
        others: () => all.flatMap(({ name, changes }) => name === server.name ? [] : [changes]),
      },
    })
  const [first, ...others] = servers.all
  const all: [Node, ...Node[]] = [open(first), ...others.map(open)]
  return all
}

function nodeOf(
  server: Server,
  servers: Servers,
  { database, options }: { readonly database: Database; readonly options: ChangeLogOptions },
): Node {
  const isPrimary = () => server === servers.primary
  const isThere = () => server.state !== undefined
  return {
    name: server.name,
    database,
    changes: ChangeLog.follow(database, { ...options, isPrimary, isThere }),
    get isPrimary() {
      return isPrimary()
    },
    get isReachable() {
      return isThere()
    },
    get isStranded() {
      return servers.isStranded(server)
    },
    confirm: () => servers.confirm(server),
  }
}
