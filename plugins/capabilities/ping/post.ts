import { Buffer } from "node:buffer"
import { Resolver } from "node:dns/promises"
import http from "node:http"
import https from "node:https"
import { isIPv4, type Socket } from "node:net"
import { type Addresses, resolveAddresses } from "./addresses.ts"
import { readTarget, TargetError, type TargetRules } from "./target.ts"

/** The outcome of a request: a response, or the code of what went wrong. */
export type PostOutcome = ReceiverAnswer | { readonly failed: FailureCode }

/** A receiver's response, with any status. */
export interface ReceiverAnswer {
  readonly status: number
  /** At most 4 kB; the rest is cut off. */
  readonly body: string
}

/**
 * What went wrong, as a code; `reasons.ts` has the words. No text from a receiver or a library gets into a log or onto
 * a page. `broken` is a response that is not HTTP or not complete.
 */
export type FailureCode =
  | "refused_target"
  | "no_address"
  | "refused_address"
  | "no_connection"
  | "tls"
  | "timeout"
  | "broken"

/** A request to a receiver. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The rules for targets, and settings for tests. */
export interface PosterOptions extends TargetRules {
  /** Name servers, such as `127.0.0.1:5353`, instead of the system's. */
  readonly nameServers?: readonly string[]
  /** CA certificates in PEM, instead of the runtime's. */
  readonly authorities?: readonly string[]
  /** Milliseconds. */
  readonly limits?: { readonly request: number; readonly idle: number }
}

/** Milliseconds: for a whole request, from name resolution to the end of the response; and for an idle connection. */
const usualLimits = { request: 5000, idle: 30_000 }

/** Including idle ones: a new connection costs five times the processor time of a kept one. */
const mostConnections = 256

/** Bytes. */
const mostOfBody = 4096
const mostOfHeaders = 8192

/** The most chunks of a body, and the most 1xx responses: each takes time, so a receiver that sends more fails. */
const mostPieces = 100

/** The most bytes to receive per request on a connection: nothing else limits what is neither headers nor body. */
const mostReceived = 32_768

/**
 * Sends requests to URLs that strangers choose. Connects to the address that was checked, even if the name resolves to
 * another one a moment later. Does not follow redirects, use the environment's proxies, or accept compression.
 */
export class Poster {
  readonly #options: PosterOptions
  readonly #limits: { readonly request: number; readonly idle: number }
  readonly #connections: Connections
  readonly #closing = new AbortController()

  constructor(options: PosterOptions) {
    this.#options = options
    this.#limits = options.limits ?? usualLimits
    this.#connections = new Connections({ ...options, idle: this.#limits.idle })
  }

  /**
   * Sends a request and returns its outcome; never throws because of a receiver. Sends nothing once the poster is
   * closed.
   */
  async post(url: string, message: Message): Promise<PostOutcome> {
    let target
    try {
      target = readTarget(url, this.#options)
    } catch (error) {
      if (error instanceof TargetError) return { failed: "refused_target" }
      throw error
    }
    const closing = this.#closing.signal
    const ending = new AbortController()
    const end = () => ending.abort()
    closing.addEventListener("abort", end)
    const timer = setTimeout(end, this.#limits.request)
    if (closing.aborted) end()
    try {
      return await this.#tryAll(target, message, ending.signal)
    } finally {
      clearTimeout(timer)
      closing.removeEventListener("abort", end)
    }
  }

  /** Ends all requests and closes all connections. */
  close(): void {
    this.#closing.abort()
    this.#connections.close()
  }

  async #tryAll(target: URL, message: Message, signal: AbortSignal): Promise<PostOutcome> {
    const found = await this.#resolve(target.hostname, signal)
    if (typeof found === "string") return { failed: found }
    for (const address of found) {
      const outcome = await this.#connections.send(target, address, { ...message, signal })
      if (!("failed" in outcome && outcome.failed === "no_connection")) return outcome
    }
    return { failed: "no_connection" }
  }

  async #resolve(host: string, signal: AbortSignal): Promise<Addresses | "timeout"> {
    const resolver = new Resolver({ timeout: 1000, tries: 2 })
    const { nameServers, loopback } = this.#options
    if (nameServers) resolver.setServers(nameServers)
    const cancel = () => resolver.cancel()
    signal.addEventListener("abort", cancel)
    try {
      const found = await resolveAddresses(host, { resolver, loopback })
      return signal.aborted ? "timeout" : found
    } finally {
      signal.removeEventListener("abort", cancel)
    }
  }
}

/** A request with the signal that ends it. */
interface EndingMessage extends Message {
  readonly signal: AbortSignal
}

/** Connections, each kept open for the next request to the same name and address. */
class Connections {
  readonly #plain: http.Agent
  readonly #secure: https.Agent
  readonly #authorities: readonly string[] | undefined
  #busy = 0
  /** Idle connections, longest idle first. */
  readonly #idle = new Set<Socket>()
  /** Bytes since the last request. */
  readonly #received = new WeakMap<Socket, number>()

  constructor({ idle, authorities }: {
    readonly idle: number
    readonly authorities?: readonly string[]
  }) {
    // Without this, Deno would use the environment's proxies.
    const options = { keepAlive: true, timeout: idle, proxyEnv: {} }
    this.#plain = new http.Agent(options)
    this.#secure = new https.Agent(options)
    this.#authorities = authorities
    for (const agent of [this.#plain, this.#secure]) {
      agent.on("free", (socket: Socket) => this.#idle.add(socket))
    }
  }

  /** Sends a request; sends it again if a kept connection turns out to be closed. */
  async send(target: URL, address: string, message: EndingMessage): Promise<PostOutcome> {
    const sent = await this.#sendOnce(target, address, message)
    if (sent !== "stale") return sent
    const again = await this.#sendOnce(target, address, message)
    return again === "stale" ? { failed: "broken" } : again
  }

  close(): void {
    this.#plain.destroy()
    this.#secure.destroy()
  }

  #sendOnce(target: URL, address: string, message: EndingMessage): Promise<PostOutcome | "stale"> {
    this.#busy++
    const { signal, body } = message
    const isSecure = target.protocol === "https:"
    return new Promise((settle) => {
      let stage: FailureCode = "no_connection"
      const request = this.#request(target, address, message)
      const fail = () => {
        const isStale = request.reusedSocket && stage === "no_connection" && !signal.aborted
        settle(isStale ? "stale" : { failed: signal.aborted ? "timeout" : stage })
        request.destroy()
      }
      request.on("socket", (socket) => {
        this.#idle.delete(socket)
        this.#received.set(socket, 0)
        if (request.reusedSocket) return
        this.#makeRoom()
        socket.on("data", (bytes: Buffer) => this.#count(socket, bytes))
        socket.once("close", () => this.#idle.delete(socket))
        socket.once("connect", () => stage = isSecure ? "tls" : "broken")
        socket.once("secureConnect", () => stage = "broken")
      })
      request.on("response", (response) => {
        stage = "broken"
        readBody(response, (body) => {
          settle(
            body === undefined ? { failed: stage } : { status: response.statusCode ?? 0, body },
          )
        })
      })
      let informed = 0
      request.on("information", () => ++informed > mostPieces && fail())
      // Nothing listens for upgrades, so a 101 response closes the connection.
      request.on("error", fail).on("close", () => {
        this.#busy--
        signal.removeEventListener("abort", fail)
        fail()
      })
      signal.addEventListener("abort", fail)
      if (signal.aborted) fail()
      else request.end(body)
    })
  }

  #request(target: URL, address: string, { headers, body }: Message): http.ClientRequest {
    const isSecure = target.protocol === "https:"
    const options = {
      agent: isSecure ? this.#secure : this.#plain,
      host: address,
      port: target.port || (isSecure ? 443 : 80),
      method: "POST",
      path: target.pathname + target.search,
      maxHeaderSize: mostOfHeaders,
      headers: {
        "content-type": "application/json",
        ...headers,
        host: target.host,
        "content-length": String(Buffer.byteLength(body)),
      },
    }
    if (!isSecure) return http.request(options)
    const ca = this.#authorities && { ca: [...this.#authorities] }
    return https.request({
      ...options,
      ...ca,
      // TLS accepts only names here. The host is an address only on loopback.
      servername: isIPv4(target.hostname) ? "" : target.hostname,
      rejectUnauthorized: true,
    })
  }

  /** Closes a connection that sends too much, or sends anything without a request. */
  #count(socket: Socket, bytes: Buffer): void {
    const received = (this.#received.get(socket) ?? 0) + bytes.length
    this.#received.set(socket, received)
    if (received > mostReceived || this.#idle.has(socket)) socket.destroy()
  }

  /** Closes the longest idle connection if there are too many. */
  #makeRoom(): void {
    const [oldest] = this.#idle
    if (this.#busy + this.#idle.size <= mostConnections) return
    oldest?.destroy()
    if (oldest) this.#idle.delete(oldest)
  }
}

/**
 * Reads the start of a body, and closes the connection if there is more; undefined if it comes in too many chunks. A
 * body that ends early is reported by the request.
 */
function readBody(
  response: http.IncomingMessage,
  whenRead: (body: string | undefined) => void,
): void {
  const chunks: Buffer[] = []
  let size = 0
  const end = () => whenRead(Buffer.concat(chunks).subarray(0, mostOfBody).toString())
  const read = (chunk: Buffer) => {
    size += chunk.length
    const isTorn = chunks.push(chunk) > mostPieces
    if (size <= mostOfBody && !isTorn) return
    // More data may have arrived already.
    response.off("data", read)
    if (isTorn) whenRead(undefined)
    else end()
    response.destroy()
  }
  response.on("data", read).on("end", end).on("error", () => {})
}
