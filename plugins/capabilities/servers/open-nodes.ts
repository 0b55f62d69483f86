import type { Config } from "../../../core/capability.ts"
import { ChangeLog, type ChangeLogOptions, type CompareLook } from "../../../core/nodes.ts"
import { CommittedFloors } from "./floors.ts"
import { formerLooks, noteSplit, reportLosses } from "./former-looks.ts"
import { canAnotherTry, type ServerNode, ServerNodes } from "./nodes.ts"
import type { Server } from "./server.ts"
import type { ServersDatabase } from "./servers-database.ts"

/** Opens all servers of a database as nodes to read from. Servers may go away and come back. */
export function openNodes(
  database: ServersDatabase,
  { replicas }: Pick<Config["database"], "replicas">,
  options: ChangeLogOptions,
): { readonly nodes: ServerNodes; close(): Promise<void> } {
  const { servers } = database
  const staleness = replicas?.staleness
  const floors = staleness === undefined ? undefined : new CommittedFloors(staleness)
  const comparisonAt = (server: Server) => (): CompareLook => {
    const others = all.filter(({ name }) => name !== server.name)
    const former = formerLooks(others.map(({ changes }) => changes))
    return async (look, db) => {
      const compared = { ...look, former, staleness: staleness ?? 0 }
      const split = await noteSplit(db, database.dialect, compared)
      reportLosses(look, split, { log: options.log, logs: all.map(({ changes }) => changes) })
      return split
    }
  }
  const open = (server: Server) => {
    const isPrimary = () => server === servers.primary
    const isThere = () => server.state !== undefined
    const comparison = comparisonAt(server)
    const part = { isPrimary, isThere, floors, foldedIn: database, comparison }
    return nodeOf(server, database, ChangeLog.follow(database.at(server), options, part))
  }
  const [first, ...others] = servers.all
  const all: [ServerNode, ...ServerNode[]] = [open(first), ...others.map(open)]
  return {
    nodes: new ServerNodes(all, { staleness }),
    close: async () => {
      await Promise.all(all.map(({ changes }) => changes.close()))
    },
  }
}

function nodeOf(server: Server, whole: ServersDatabase, changes: ChangeLog): ServerNode {
  const { servers } = whole
  return {
    name: server.name,
    database: whole.at(server),
    changes,
    get isPrimary() {
      return server === servers.primary
    },
    get isReachable() {
      return server.state !== undefined
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
    canAnotherTry(error) {
      return canAnotherTry(error, this)
    },
  }
}
