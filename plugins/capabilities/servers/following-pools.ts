import { Unavailable } from "../../../core/capability.ts"
import { type CreatePool, type Pool, poolsOf } from "../../databases/mysql/parts.ts"
import type { Server } from "./server.ts"
import type { Servers } from "./servers.ts"

/** Returns a function that creates pools of connections to the current primary. */
export function followingPools(servers: Servers): CreatePool {
  return (...size) => new FollowingPool(servers, (server) => poolsOf(server.options)(...size))
}

/**
 * A pool of connections to the primary. When another server becomes the primary, closes the connections to the former
 * one after their running statements. Transactions on them fail, and begin again.
 */
class FollowingPool implements Pool {
  readonly #servers: Servers
  readonly #create: (server: Server) => Pool
  readonly #stopFollowing: () => void
  #present: { readonly server: Server; readonly pool: Pool } | undefined

  constructor(servers: Servers, create: (server: Server) => Pool) {
    this.#servers = servers
    this.#create = create
    this.#stopFollowing = servers.onPrimary((primary) => {
      if (primary && primary !== this.#present?.server) this.#leave(() => {})
    })
  }

  getConnection(callback: Parameters<Pool["getConnection"]>[0]): void {
    const { primary } = this.#servers
    if (!primary) {
      return callback(new Unavailable(this.#servers.describeLack()), undefined as never)
    }
    this.#present ??= { server: primary, pool: this.#create(primary) }
    this.#present.pool.getConnection(callback)
  }

  end(callback: (error: unknown) => void): void {
    this.#stopFollowing()
    this.#leave(callback)
  }

  #leave(callback: (error: unknown) => void): void {
    const { pool } = this.#present ?? {}
    this.#present = undefined
    if (pool) pool.end(callback)
    else callback(undefined)
  }
}
