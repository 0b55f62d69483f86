import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { networkOf, type Networks, plainAddress } from "../networks.ts"

/** The limits of open connections. */
export interface ConnectionBounds {
  readonly connections: number
  /** Of one IPv4 address or IPv6 /64; a fifth of `connections` if it is left out. */
  readonly connectionsPerAddress?: number
  /** Milliseconds that a connection beyond a limit may stay open. */
  readonly beyond: number
}

/** The limit that a connection is beyond. */
export type ConnectionLimit = "connections" | "connections_per_address"

/** Connections beyond a limit that stay open, for health checks. */
const reserve = 16

/** Milliseconds that a connection without a request gets for its first one, after the server stopped listening. */
const lastArrival = 250

/** An open connection. */
export interface Connection {
  readonly address: string
  /** True if it comes from a proxy, which connects for others. */
  readonly isProxy: boolean
  /** True if only health checks are answered on it. */
  readonly isReserved: boolean
  /** The requests received on it. */
  requests: number
  /** Incomplete responses, and what waits for each. */
  readonly running: Map<ServerResponse, (() => void) | undefined>
}

/**
 * The open connections of a server. Those beyond a limit are reserved for health checks. They stay open for a few
 * seconds; if there are too many, the oldest is closed, if possible one of the same network. A health check is thus
 * answered however many connections somebody opens.
 */
export class Connections {
  readonly #most: ConnectionBounds
  readonly #proxies: Networks
  readonly #onLimit: (limit: ConnectionLimit, address: string) => void
  readonly #connections = new Map<Socket, Connection>()
  /** With the network of each, oldest first. */
  readonly #reserved = new Map<Socket, string | undefined>()
  readonly #byNetwork = new Map<string, number>()
  #counted = 0
  #isClosing = false

  /** Counts by IPv4 address and by IPv6 /64, except for proxies. Calls `onLimit` for each connection beyond a limit. */
  constructor(
    server: Server,
    { most, proxies, onLimit }: {
      readonly most: ConnectionBounds
      readonly proxies: Networks
      readonly onLimit: (limit: ConnectionLimit, address: string) => void
    },
  ) {
    this.#most = most
    this.#proxies = proxies
    this.#onLimit = onLimit
    server.on("connection", (socket: Socket) => this.#accept(socket))
  }

  /** Notes that a request runs until its response ends. Returns its connection. */
  begin({ socket }: IncomingMessage, outgoing: ServerResponse): Connection {
    const connection = this.#connections.get(socket) ?? this.#describe(socket)
    connection.requests++
    const { running } = connection
    running.set(outgoing, undefined)
    outgoing.once("close", () => {
      const then = running.get(outgoing)
      running.delete(outgoing)
      then?.()
      if (this.#isClosing) this.#endIfIdle(socket, connection)
    })
    return connection
  }

  /** Calls `then` once the responses to all requests that have arrived in full are sent, or given up. */
  whenAnswered(socket: Socket, then: () => void): void {
    const { running = new Map<ServerResponse, undefined>() } = this.#connections.get(socket) ?? {}
    const last = [...running.keys()].findLast(({ req }) => req.complete)
    if (last) running.set(last, then)
    else then()
  }

  /**
   * Ends every connection once no request runs on it: a server that has stopped listening checks no time limits of
   * requests that are arriving. A new connection's first request may be on its way.
   */
  close(): void {
    this.#isClosing = true
    for (const [socket, connection] of this.#connections) {
      if (connection.requests === 0) {
        setTimeout(() => this.#endIfIdle(socket, connection), lastArrival)
      } else this.#endIfIdle(socket, connection)
    }
  }

  #endIfIdle(socket: Socket, { running }: Connection): void {
    if (running.size === 0) socket.destroySoon()
  }

  #accept(socket: Socket): void {
    const connection = this.#describe(socket)
    const network = connection.isProxy ? undefined : networkOf(connection.address)
    const limit = this.#limitReached(network)
    this.#connections.set(socket, { ...connection, isReserved: limit !== undefined })
    socket.once("close", () => {
      this.#connections.delete(socket)
      // Deno does not close responses that wait for an earlier one.
      setImmediate(() => connection.running.forEach((_, outgoing) => outgoing.emit("close")))
    })
    if (limit === undefined) return this.#count(socket, network)
    this.#reserve(socket, network)
    this.#onLimit(limit, socket.remoteAddress ?? "unknown")
  }

  #describe({ remoteAddress = "unknown" }: Socket): Connection {
    const address = plainAddress(remoteAddress)
    const isProxy = this.#proxies.includes(address)
    return { address, isProxy, isReserved: false, requests: 0, running: new Map() }
  }

  #count(socket: Socket, network: string | undefined): void {
    this.#counted++
    if (network !== undefined) {
      this.#byNetwork.set(network, (this.#byNetwork.get(network) ?? 0) + 1)
    }
    socket.once("close", () => {
      this.#counted--
      if (network === undefined) return
      const left = (this.#byNetwork.get(network) ?? 1) - 1
      if (left > 0) this.#byNetwork.set(network, left)
      else this.#byNetwork.delete(network)
    })
  }

  #limitReached(network: string | undefined): ConnectionLimit | undefined {
    const { connections, connectionsPerAddress = Math.ceil(connections / 5) } = this.#most
    if (this.#counted >= connections) return "connections"
    const ofNetwork = network === undefined ? 0 : this.#byNetwork.get(network) ?? 0
    return ofNetwork >= connectionsPerAddress ? "connections_per_address" : undefined
  }

  #reserve(socket: Socket, network: string | undefined): void {
    const timer = setTimeout(() => socket.destroy(), this.#most.beyond).unref()
    socket.once("close", () => {
      clearTimeout(timer)
      this.#reserved.delete(socket)
    })
    if (this.#reserved.size >= reserve) {
      const all = [...this.#reserved]
      const [oldest] = all.find(([, each]) => each === network) ?? all[0] ?? []
      if (oldest) this.#reserved.delete(oldest)
      oldest?.destroy()
    }
    this.#reserved.set(socket, network)
  }
}

/** Returns true for paths that are answered whatever else is refused. */
export function isHealthCheck(url: string | undefined): boolean {
  return url !== undefined && /^\/(livez|readyz)(\?|$)/.test(url)
}
