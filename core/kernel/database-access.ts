import { ChangeLog, type ChangeLogOptions } from "../change-log/change-log.ts"
import type { Config } from "../config/read.ts"
import type { Database, DatabaseOptions } from "../data/database.ts"
import { describeLocation, openDatabase } from "../data/open.ts"
import { Unavailable } from "../data/unavailable.ts"
import { UserError } from "../errors.ts"
import { type Nodes, oneNode } from "../request/nodes.ts"

/** The settings of a database that say where it is. */
export type DatabasePlace = Pick<Config["database"], "url" | "replicas">

/** How the service reaches its database: opens it, checks its servers, and reads from them. */
export interface DatabaseAccess {
  /** Opens a database. @throws as `openDatabase` does. */
  open(place: DatabasePlace, options: DatabaseOptions): Promise<Database>
  /**
   * Describes why a database must not be served because of its replication: with its servers as they are set up,
   * partners would miss records.
   *
   * @throws {Unavailable} if the only server is read-only. Waiting may help: it may become the primary.
   */
  findObstacles(database: Database, config: Pick<Config, "database">): Promise<readonly string[]>
  /** Opens what requests are read from. @throws as the database does, if there is only one server. */
  openNodes(database: Database, place: DatabasePlace, options: ChangeLogOptions): Promise<OpenNodes>
  /** The tables of `performance_schema` that the service reads. */
  tablesOfServers(place: DatabasePlace): readonly string[]
}

/** The open nodes. */
export interface OpenNodes {
  readonly nodes: Nodes
  /** Ends their background work. */
  close(): Promise<void>
}

/** The database is on one server, which knows of no other. */
export const oneServer: DatabaseAccess = {
  async open({ url, replicas }, options) {
    if (replicas) {
      throw new UserError(
        'database.replicas is for several servers: add "servers" to the list of capabilities, or leave it out',
      )
    }
    return await openDatabase(url, options)
  },
  async findObstacles(database, { database: place }) {
    const role = await database.dialect.inspection.readRole(database.writer)
    if (role === "read-only") throw await readOnlyServer(place)
    if (role !== "one of several") return []
    const location = await describeLocation(place.url)
    return [
      `the database at ${location} is one of several servers, which may be set up so that partners ` +
      'would miss records: add "servers", which checks that, to the list of capabilities',
    ]
  },
  async openNodes(database, _place, options) {
    const changes = await ChangeLog.open(database, options)
    return { nodes: oneNode(database, changes), close: () => changes.close() }
  },
  tablesOfServers: () => [],
}

/** Returns the error that the only server of a database is read-only. */
export async function readOnlyServer({ url }: DatabasePlace): Promise<Unavailable> {
  const [server] = (await describeLocation(url)).split("/")
  return new Unavailable(
    `The database at ${server} is read-only: it is a replica or a former primary, and the service writes to its ` +
      `database. Nothing is served from it. Let database.url lead to the primary, or name all servers in it`,
  )
}
