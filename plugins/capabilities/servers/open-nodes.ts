import {
  ChangeLog,
  type ChangeLogOptions,
  type DatabasePlace,
  type OpenNodes,
} from "../../../core/capability.ts"
import { CommittedFloors } from "./floors.ts"
import { canAnotherTry, type ServerNode, ServerNodes } from "./nodes.ts"
import type { Server } from "./server.ts"
import type { ServersDatabase } from "./servers-database.ts"

/** Opens all servers of a database as nodes to read from. Some may be away, and come back. */
export function openNodes(
  database: ServersDatabase,
  { replicas }: Pick<DatabasePlace, "replicas">,
  options: ChangeLogOptions,
): OpenNodes & { readonly nodes: ServerNodes } {
  const { servers } = database
  const staleness = replicas?.staleness
  const floors = staleness === undefined ? undefined : new CommittedFloors(staleness)
  const open = (server: Server) =>
    nodeOf(server, database, {
      ...options,
      floors,
      foldedIn: database,
      others: () => all.flatMap(({ name, changes }) => name === server.name ? [] : [changes]),
    })
  const [first, ...others] = servers.all
  const all: [ServerNode, ...ServerNode[]] = [open(first), ...others.map(open)]
  return {
    nodes: new ServerNodes(all, { staleness }),
    close: async () => {
      await Promise.all(all.map(({ changes }) => changes.close()))
    },
  }
}

function nodeOf(server: Server, whole: ServersDatabase, options: ChangeLogOptions): ServerNode {
  const { servers } = whole
  const database = whole.at(server)
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
    get member() {
      return server.state?.group?.state || null
    },
    get problem() {
      return server.problem ?? null
    },
    confirm: () => servers.confirm(server),
    canAnotherTry: (error) =>
      canAnotherTry(error, { isPrimary: isPrimary(), isReachable: isThere() }),
  }
}
