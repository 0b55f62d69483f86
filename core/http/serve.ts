import { Buffer } from "node:buffer"
import { once } from "node:events"
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream as NodeStream } from "node:stream/web"
import { createRequestAdapter } from "@hattip/adapter-node/request"
import type { Log } from "../log.ts"
import { clientAddress, Networks } from "../networks.ts"
import type { Answer, Responder } from "./answer.ts"
import { hasUselessBody, hostsOf, refuse, securityHeaders } from "./guard.ts"
import { Problem, type ProblemCode, problems } from "./problems.ts"
import { httpUrl } from "./server-address.ts"

export interface ServeOptions {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** True if other processes may listen on the same port; the system spreads connections. */
  readonly reusePort?: boolean
  /** The base of URLs, which never comes from the Host header. */
  readonly publicUrl: string | undefined
  /** The networks of the proxies in front, whose `X-Forwarded-For` is trusted. */
  readonly trustProxy?: readonly string[]
  /** Names that a Host header may have, besides that of the public URL. */
  readonly hosts?: readonly string[]
  readonly limits?: Partial<ConnectionLimits>
  readonly log: Log
  /** Called with the code of every request that is refused before it is answered. */
  readonly onRefuse?: (code: ProblemCode) => void
}

type Refusals = Required<Pick<ServeOptions, "log" | "onRefuse">>

/** The limits of one connection and of all together. Times are milliseconds. */
interface ConnectionLimits {
  /** Connections at the same time. Further ones are closed immediately. */
  readonly connections: number
  readonly requestsEach: number
  /** Until the headers, and the whole request, have arrived. */
  readonly headers: number
  readonly request: number
  /** Until the client has read a response, from its beginning on. */
  readonly delivery: number
  /** How often the limits of headers and request are checked. */
  readonly check: number
}

const usualLimits: ConnectionLimits = {
  connections: 1000,
  requestsEach: 10_000,
  headers: 15_000,
  request: 30_000,
  delivery: 60_000,
  check: 5_000,
}

export interface Listening {
  /** For example `http://127.0.0.1:8080`. */
  readonly url: string
  /** Makes every further response the last one of its connection. */
  dismiss(): void
  /** Stops taking connections, lets running requests finish, then resolves. */
  close(): Promise<void>
}

/**
 * Serves answers over HTTP/1.1, on Node and on Deno.
 *
 * @throws {Error} if it cannot listen on the address.
 */
export async function serve(answer: Responder, options: ServeOptions): Promise<Listening> {
  const { host, port, reusePort = false, publicUrl, trustProxy = [], hosts = [] } = options
  const { limits: given, log, onRefuse = () => {} } = options
  const limits = { ...usualLimits, ...given }
  const safety = securityHeaders(publicUrl)
  const names = hostsOf({ host, publicUrl, hosts })
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    connectionsCheckingInterval: limits.check,
    keepAliveTimeout: 65_000,
  })
  server.on(
    "clientError",
    (error, socket: Socket) => refuseUnreadable(error, { socket, safety, log, onRefuse }),
  )
  server.maxConnections = limits.connections
  server.maxRequestsPerSocket = limits.requestsEach
  server.listen({ port, host, reusePort })
  await once(server, "listening")
  const { port: actual } = server.address() as AddressInfo
  const url = httpUrl(host, actual)
  const respond = responderFor(answer, {
    origin: publicUrl ?? url,
    trusted: new Networks(trustProxy),
    delivery: limits.delivery,
  })
  let dismissed = false
  server.on("request", (incoming, outgoing) => {
    for (const [name, value] of Object.entries(safety)) outgoing.setHeader(name, value)
    if (dismissed || hasUselessBody(incoming)) outgoing.setHeader("connection", "close")
    const problem = refuse(incoming, names)
    if (problem) return sendProblem(outgoing, problem, { log, onRefuse })
    respond(incoming, outgoing).catch(() => outgoing.destroy())
  })
  return {
    url,
    dismiss: () => void (dismissed = true),
    close: () => close(server),
  }
}

/** Makes requests whose URLs begin with `origin`, and sends their answers. */
function responderFor(
  answer: Responder,
  { origin, trusted, delivery }: {
    readonly origin: string
    readonly trusted: Networks
    readonly delivery: number
  },
) {
  const toRequest = createRequestAdapter({ origin, trustProxy: false })
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const forwarded = [incoming.headers["x-forwarded-for"]].flat().join(",")
    const address = clientAddress(incoming.socket.remoteAddress ?? "", forwarded, trusted)
    const [request] = toRequest(incoming as never, outgoing)
    const answered = await answer(request, { address })
    cutOffSlowReader(outgoing, delivery)
    await send(outgoing, answered)
  }
}

/** Disconnects slow readers: an unread response keeps its buffer in memory. */
function cutOffSlowReader(target: ServerResponse, milliseconds: number): void {
  const timer = setTimeout(() => target.destroy(), milliseconds)
  timer.unref()
  const done = () => clearTimeout(timer)
  target.once("finish", done).once("close", done)
}

async function send(target: ServerResponse, { status, headers, body }: Answer): Promise<void> {
  target.statusCode = status
  for (const name in headers) target.setHeader(name, headers[name] as string | readonly string[])
  if (body instanceof ReadableStream) {
    return await pipeline(Readable.fromWeb(body as NodeStream), target)
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

function sendProblem(target: ServerResponse, problem: Problem, refusals: Refusals): void {
  const { headers, status, body } = reportRefusal(problem, refusals)
  target.writeHead(status, headers).end(body)
}

/** Answers bytes that Node's parser refuses. They never become a request: writes to the socket. */
function refuseUnreadable(
  error: NodeJS.ErrnoException,
  { socket, safety, ...refusals }: Refusals & {
    readonly socket: Socket
    readonly safety: Readonly<Record<string, string>>
  },
): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy()
  const problem = error.code === "HPE_HEADER_OVERFLOW"
    ? new Problem("headers_too_large", problems.headers_too_large.detail)
    : new Problem("malformed_request", "This is not HTTP/1.1.")
  const { headers, status, body } = reportRefusal(problem, refusals)
  const fields = Object.entries({ ...safety, ...headers, connection: "close" })
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("")
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body}`)
}

/** Logs and counts a refusal, and returns its response. */
function reportRefusal(problem: Problem, { log, onRefuse }: Refusals) {
  const requestId = crypto.randomUUID()
  const { code, status } = problem
  log.info({ id: requestId, code, status }, "request")
  onRefuse(code)
  const body = JSON.stringify(problem.toJSON(requestId))
  const headers = {
    "content-type": "application/problem+json",
    "content-length": String(Buffer.byteLength(body)),
    "cache-control": "no-store",
    "x-request-id": requestId,
    ...problem.headers,
  }
  return { status, headers, body }
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close")
  server.close()
  server.closeIdleConnections?.()
  await closed
}
