import { Buffer } from "node:buffer"
import { Resolver } from "node:dns/promises"
import http from "node:http"
import https from "node:https"
import { isIPv4, type Socket } from "node:net"
import { type Addresses, resolveAddresses } from "./addresses.ts"
import { readTarget, TargetError, type TargetRules } from "./target.ts"

/** What came of a request: an answer, or the code of what went wrong. */
export type PostOutcome = ReceiverAnswer | { readonly failed: FailureCode }

/** An answer of a receiver, of any status. */
export interface ReceiverAnswer {
  readonly status: number
  /** At most 4 kB; what follows is cut. */
  readonly body: string
}

/**
 * What went wrong; `reasons.ts` has the words. Only codes: no text of a receiver or of a library goes into a log or onto a
 * page. `broken` is an answer that is not HTTP, or not whole.
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

/** What tests set besides the rules. */
export interface PosterOptions extends TargetRules {
  /** Name servers, such as `127.0.0.1:5353`, instead of those of the system. */
  readonly nameServers?: readonly string[]
  /** Certificates of authorities, in PEM, instead of those of the runtime. */
  readonly authorities?: readonly string[]
  /** Milliseconds. */
  readonly limits?: { readonly request: number; readonly idle: number }
}

/** Milliseconds: a request in all, from the name to the end of the answer; a connection that waits for the next one. */
const usualLimits = { request: 5000, idle: 30_000 }

/** Idle ones included: a new connection takes five times the processor time of a kept one. */
const mostConnections = 256

/** Bytes. */
const mostOfBody = 4096
const mostOfHeaders = 8192

/** Pieces of a body, and 1xx before an answer: each takes time, so a receiver that sends more fails. */
const mostPieces = 100

/** Bytes that a connection takes per request: nothing else limits what is neither headers nor body. */
const mostReceived = 32_768

/**
 * Sends requests to receivers that strangers name. A connection goes to the address that was checked, even if the name has
 * another one a moment later. Follows no redirects, uses no proxies of the environment, and takes no compression.
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

  /** Sends a request and returns its outcome; never throws for what a receiver does. Sends nothing once it is closed. */
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

/** A request, and the signal that ends it. */
interface EndingMessage extends Message {
  readonly signal: AbortSignal
}

/** Connections, each kept for the next request to the same name and address. */
class Connections {
  readonly #plain: http.Agent
  readonly #secure: https.Agent
  readonly #authorities: readonly string[] | undefined
  #busy = 0
  /** The one that has been idle longest comes first. */
  readonly #idle = new Set<Socket>()
  /** Bytes since the last request. */
  readonly #received = new WeakMap<Socket, number>()

  constructor({ idle, authorities }: {
    readonly idle: number
    readonly authorities?: readonly string[]
  }) {
    // Without this, Deno would use proxies of the environment.
    const options = { keepAlive: true, timeout: idle, proxyEnv: {} }
    this.#plain = new http.Agent(options)
    this.#secure = new https.Agent(options)
    this.#authorities = authorities
    for (const agent of [this.#plain, this.#secure]) {
      agent.on("free", (socket: Socket) => this.#idle.add(socket))
    }
  }

  /** Sends a request, once more if a kept connection turns out to be closed. */
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
      // Nothing listens for upgrades, so an answer with 101 closes the connection.
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
      // TLS takes names only. The host is an address only on loopback.
      servername: isIPv4(target.hostname) ? "" : target.hostname,
      rejectUnauthorized: true,
    })
  }

  /** Closes a connection that sends too much, or sends without a request. */
  #count(socket: Socket, bytes: Buffer): void {
    const received = (this.#received.get(socket) ?? 0) + bytes.length
    this.#received.set(socket, received)
    if (received > mostReceived || this.#idle.has(socket)) socket.destroy()
  }

  /** Closes the connection that has been idle longest, if there are too many. */
  #makeRoom(): void {
    const [oldest] = this.#idle
    if (this.#busy + this.#idle.size <= mostConnections) return
    oldest?.destroy()
    if (oldest) this.#idle.delete(oldest)
  }
}

/**
 * Reads the start of a body, and closes the connection if there is more; undefined if it comes in too many pieces. Does not
 * report a body that ends early: the request does.
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
    // More may have come already.
    response.off("data", read)
    if (isTorn) whenRead(undefined)
    else end()
    response.destroy()
  }
  response.on("data", read).on("end", end).on("error", () => {})
}
