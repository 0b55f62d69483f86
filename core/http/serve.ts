import { Buffer } from "node:buffer"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream as NodeStream } from "node:stream/web"
import { createRequestAdapter } from "@hattip/adapter-node/request"
import { LRUCache } from "lru-cache"
import type { Log } from "../log.ts"
import { clientAddress, Networks } from "../networks.ts"
import type { Answer, Responder } from "./answer.ts"
import {
  type Connection,
  type ConnectionBounds,
  type ConnectionLimit,
  Connections,
  isHealthCheck,
} from "./connections.ts"
import {
  hasUnreadBody,
  isForMachines,
  type LongestBody,
  refuse,
  securityHeaders,
  toOriginForm,
} from "./guard.ts"
import { hostsOf, isName, originOf, refuseHost } from "./hosts.ts"
import { Problem, type ProblemCode, retryLater, usualProblem } from "./problems.ts"
import { Refusals } from "./refusals.ts"
import { httpUrl } from "./server-address.ts"

export interface ServeOptions {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** True if other processes may listen on the same port; the system spreads connections. */
  readonly reusePort?: boolean
  /** The URL that partners use. */
  readonly publicUrl: string | undefined
  /** The networks of the proxies in front, whose `X-Forwarded-For` is trusted. */
  readonly trustProxy?: readonly string[]
  /** Names that a Host header may have, besides that of the public URL. */
  readonly hosts?: readonly string[]
  /** Returns the longest body that a route takes, if that depends on the route. */
  readonly longestBody?: LongestBody
  readonly limits?: Partial<typeof usualLimits & ConnectionBounds>
  readonly log: Log
  /** Called with the code of every request that is refused before it is answered. */
  readonly onRefuse?: (code: ProblemCode) => void
  /** Called for every connection beyond a limit. */
  readonly onLimit?: (limit: ConnectionLimit) => void
}

/** The usual limits of connections. Times are milliseconds. */
const usualLimits = {
  connections: 1000,
  /** Of a connection beyond these limits. */
  beyond: 5000,
  requestsEach: 10_000,
  /** Until the headers, and the whole request, have arrived. */
  headers: 15_000,
  request: 30_000,
  /** Until the client has read a response, from its beginning. */
  delivery: 60_000,
  /** Between a response and the next request. */
  idle: 65_000,
  /** How often the limits of headers and request are checked. */
  check: 5_000,
}

export interface HttpServer {
  /** For example `http://127.0.0.1:8080`. */
  readonly url: string
  /** Makes every further response the last one of its connection. */
  dismiss(): void
  /** Stops taking connections, lets running requests finish, then resolves. */
  close(): Promise<void>
}

/** Serves answers over HTTP/1.1, on Node and on Deno. @throws {Error} if it cannot listen on the address. */
export async function serve(answer: Responder, options: ServeOptions): Promise<HttpServer> {
  const { host, port, reusePort = false, publicUrl, trustProxy = [], hosts = [] } = options
  const { log, onRefuse = () => {}, onLimit = () => {} } = options
  const limits = { ...usualLimits, ...options.limits }
  const safety = securityHeaders(publicUrl)
  const names = hostsOf({ host, publicUrl, hosts })
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    connectionsCheckingInterval: limits.check,
    keepAliveTimeout: limits.idle,
    // `refuse` counts them.
    requireHostHeader: false,
  })
  const trusted = new Networks(trustProxy)
  const refusals = new Refusals({ log, onRefuse, headers: safety })
  const connections = new Connections(server, {
    most: limits,
    proxies: trusted,
    onLimit(limit, address) {
      refusals.log.write({ address, code: limit }, "too many connections")
      onLimit(limit)
    },
  })
  // `close` of Node would also end new connections.
  server.closeIdleConnections = () => {}
  // Node's own answers would have no security headers, and would be missing from log and metrics.
  const refused = new WeakSet<Socket>()
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET") return void socket.destroy()
    // Everything that arrives after the first error causes another one.
    if (refused.has(socket)) return
    refused.add(socket)
    // Before or within an earlier response, a refusal would be taken for a part of that.
    connections.whenAnswered(socket, () => refusals.disconnect(socket, error))
  })
  server.on("connect", (incoming: IncomingMessage, socket: Socket) => {
    refusals.end(socket, refuse(incoming) ?? usualProblem("malformed_request"))
  })
  server.listen({ port, host, reusePort })
  await once(server, "listening")
  const { port: actual } = server.address() as AddressInfo
  const url = httpUrl(host, actual)
  const adapters = new LRUCache<string, Adapter>({ max: mostHosts })
  /** Returns what makes requests whose URLs have the origin of their `Host` header. */
  const adapterFor = ({ url = "", headers }: IncomingMessage): Adapter | Problem => {
    const { host: requested = "" } = headers
    const host = isForMachines(url) && !isName(requested) ? "localhost" : requested
    const known = adapters.get(host)
    if (known) return known
    const problem = refuseHost(host, names)
    if (problem) return problem
    const adapter = createRequestAdapter({ origin: originOf(host, publicUrl), trustProxy: false })
    adapters.set(host, adapter)
    return adapter
  }
  let dismissed = false
  const answerOne = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // HAProxy's `option httpchk` sends this by default, to ask whether the process is ready.
    if (incoming.method === "OPTIONS" && incoming.url === "/") {
      Object.assign(incoming, { method: "GET", url: "/readyz" })
    }
    for (const [name, value] of Object.entries(safety)) outgoing.setHeader(name, value)
    toOriginForm(incoming)
    const connection = connections.begin(incoming, outgoing)
    const { isReserved, requests } = connection
    // The last response has said that no other follows.
    if (requests > limits.requestsEach) return
    const isLast = requests === limits.requestsEach
    if (dismissed || isReserved || isLast || hasUnreadBody(incoming)) {
      outgoing.setHeader("connection", "close")
    }
    const problem = isReserved && !isHealthCheck(incoming.url)
      ? new Problem("unavailable", tooManyConnections, retryLater)
      : refuse(incoming, options.longestBody)
    const adapter = problem ?? adapterFor(incoming)
    if (adapter instanceof Problem) {
      cutOffSlowReader(outgoing, limits.delivery)
      return refusals.send(outgoing, adapter)
    }
    const exchange = { connection, incoming, outgoing, adapter }
    respond(answer, exchange, { trusted, delivery: limits.delivery }).catch(() => {
      outgoing.destroy()
      // The client could not tell the next response from the rest of this one.
      incoming.socket.destroy()
    })
  }
  server.on("request", answerOne)
  // Unknown expectations are ignored, as a proxy in front would do.
  server.on("checkExpectation", answerOne)
  return {
    url,
    dismiss: () => void (dismissed = true),
    async close() {
      const closed = once(server, "close")
      server.close()
      connections.close()
      await closed
      refusals.log.flush()
    },
  }
}

const tooManyConnections =
  "Too many connections are open. Close those that you do not need, and try again shortly."

/** `Host` headers whose origins are remembered. */
const mostHosts = 100

type Adapter = ReturnType<typeof createRequestAdapter>

/** A request on its connection. */
interface SocketExchange {
  readonly connection: Connection
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly adapter: Adapter
}

const isDeno = "Deno" in globalThis

/** Answers a request, and sends the answer. */
async function respond(
  answer: Responder,
  { connection, incoming, outgoing, adapter }: SocketExchange,
  { trusted, delivery }: { readonly trusted: Networks; readonly delivery: number },
): Promise<void> {
  const [request] = adapter(incoming as never, outgoing)
  const forwarded = [incoming.headers["x-forwarded-for"]].flat().join(",")
  const address = connection.isProxy
    ? clientAddress(connection.address, forwarded, trusted)
    : connection.address
  const { promise: gone, resolve } = Promise.withResolvers<boolean>()
  outgoing.once("close", () => resolve(outgoing.writableFinished))
  const whenGone = (listener: (sent: boolean) => void) => void gone.then(listener)
  const answered = await answer(request, { address, whenGone })
  const { body, release } = answered
  // A streamed body has a time limit of its own: only its end is limited here.
  if (body instanceof Readable) body.once("end", () => cutOffSlowReader(outgoing, delivery))
  else cutOffSlowReader(outgoing, delivery)
  // After a broken connection, and on Deno, the system may still read the memory.
  if (release && !isDeno) {
    outgoing.once("finish", () => {
      if (!incoming.socket.destroyed) release()
    })
  }
  await send(outgoing, answered, incoming)
}

/** Disconnects slow readers: an unread response keeps its buffer in memory. */
function cutOffSlowReader(target: ServerResponse, milliseconds: number): void {
  const timer = setTimeout(() => target.destroy(), milliseconds).unref()
  target.once("close", () => clearTimeout(timer))
}

async function send(
  target: ServerResponse,
  { status, headers, body, trailers }: Answer,
  incoming: IncomingMessage,
): Promise<void> {
  target.statusCode = status
  for (const name in headers) target.setHeader(name, headers[name] as string | readonly string[])
  if (body instanceof ReadableStream) {
    return await pipeline(Readable.fromWeb(body as NodeStream), target)
  }
  if (body instanceof Readable) {
    const hasChunks = incoming.httpVersion !== "1.0"
    // Without chunks, a client would take an orderly end of the connection for the end of the body.
    if (!hasChunks) body.once("error", () => incoming.socket.resetAndDestroy())
    if (trailers && hasChunks && /\btrailers\b/i.test(String(incoming.headers.te))) {
      target.setHeader("trailer", trailers.names)
      body.once("end", () => target.addTrailers(trailers.read()))
    }
    return await pipeline(body, target)
  }
  // Node sends short text together with the headers, but bytes in a packet of their own.
  if (body && body.byteLength < fewBytes) target.end(latin1(body), "latin1")
  else target.end(body)
}

const fewBytes = 1400

/** Returns bytes as text with one character per byte, whatever they mean. */
function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("latin1")
}
