import { type Config, UserError } from "../../../core/capability.ts"
import { type DatabaseAccess, oneServer } from "../../../core/nodes.ts"
import { readTargets, type Target } from "../../databases/mysql/parts.ts"
import { openNodes } from "./open-nodes.ts"
import { findReplicationObstacles } from "./replication-obstacles.ts"
import { stateTables } from "./server-state.ts"
import { ServersDatabase } from "./servers-database.ts"

/** Opens a database on one or several servers. */
export const access: DatabaseAccess = {
  async open(place, options) {
    const [first, ...others] = targetsOf(place)
    if (first && others.length > 0) return await ServersDatabase.open([first, ...others], options)
    return await oneServer.open({ url: place.url }, options)
  },
  findObstacles: findReplicationObstacles,
  async openNodes(database, place, options) {
    return database instanceof ServersDatabase
      ? openNodes(database, place, options)
      : await oneServer.openNodes(database, place, options)
  },
  tablesOfServers: (place) => targetsOf(place).length > 1 ? Object.values(stateTables).flat() : [],
}

/** Returns the servers of a database; none if it is embedded. @throws {UserError} if that has replicas. */
function targetsOf(
  { url, replicas }: Pick<Config["database"], "url" | "replicas">,
): readonly Target[] {
  if (url.startsWith("mysql:")) return readTargets(url, replicas?.hosts)
  if (!replicas) return []
  throw new UserError(
    "The embedded database has no replicas: leave out database.replicas, or use MySQL in database.url.",
  )
}
