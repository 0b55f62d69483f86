import { Database, translateError } from "../../../core/capability.ts"
import type { DatabaseOptions } from "../../../core/nodes.ts"
import {
  connectionsBy,
  describeDenial,
  dialectFor,
  poolsOf,
  type Target,
} from "../../databases/mysql/parts.ts"
import { followingPools } from "./following-pools.ts"
import type { Server } from "./server.ts"
import { Servers } from "./servers.ts"

/** A database on several servers. Its handles use the current primary. */
export class ServersDatabase extends Database {
  readonly servers: Servers
  readonly #options: DatabaseOptions
  readonly #parts = new Map<Server, Database>()

  /**
   * Opens the database.
   *
   * @throws {Unavailable} if no server takes writes; {UserError} if two do, or if all refuse the user.
   */
  static async open(
    targets: readonly [Target, ...Target[]],
    options: DatabaseOptions,
  ): Promise<ServersDatabase> {
    const servers = new Servers(targets)
    try {
      const { version } = await servers.begin()
      return new ServersDatabase(servers, version, options)
    } catch (error) {
      await servers.close()
      throw describeDenial(error) ?? translateError(error)
    }
  }

  private constructor(servers: Servers, version: string, options: DatabaseOptions) {
    super(connectionsBy(followingPools(servers), dialectFor(version), options), options)
    this.servers = servers
    this.#options = options
  }

  /** Returns one of the servers as a separate database, which closes with this one. The server may be away. */
  at(server: Server): Database {
    const known = this.#parts.get(server)
    if (known) return known
    const connections = connectionsBy(poolsOf(server.options), this.dialect, this.#options)
    // It may not be the primary, so nothing may be written here: the server refuses writes on connections for reading.
    const { reader } = connections
    const part = new Database({ ...connections, writer: reader, migrator: reader }, this.#options)
    this.#parts.set(server, part)
    return part
  }

  /** How busy the connections for reading are, over all servers. */
  override get connections(): Database["connections"] {
    const sum = { ...super.connections }
    for (const { connections: { most, used, waiting, waits } } of this.#parts.values()) {
      sum.most += most
      sum.used += used
      sum.waiting += waiting
      sum.waits += waits
    }
    return sum
  }

  /** Closes all connections once the background work and the running statements have ended. */
  override async close(): Promise<void> {
    await Promise.all([...this.#parts.values()].map((part) => part.close()))
    await super.close()
    await this.servers.close()
  }
}
