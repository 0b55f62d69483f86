import { once } from "node:events"
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import type { Random } from "../random.ts"

/** A response of the service, read to its end. */
export interface Passed {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: Uint8Array
}

/** Something between a client and the service: breaks the response, in place of sending it. */
export type Fault = (response: ServerResponse, passed: Passed, context: FaultContext) => void

interface FaultContext {
  readonly path: string
  /** The URL of a host that credentials must not reach. */
  readonly elsewhere: string
}

const page = "<html><body>The gateway is busy.</body></html>"
const html = { "content-type": "text/html" }

function problem(status: number, code: string, headers: Record<string, string> = {}): Fault {
  const text = JSON.stringify({ status, code, detail: "A fault.", requestId: "fault" })
  const type = { "content-type": "application/problem+json" }
  return (response) => response.writeHead(status, { ...type, ...headers }).end(text)
}

function html502(response: ServerResponse): void {
  response.writeHead(502, html).end(page)
}

/** Sends the beginning of the body; `length` is what the headers promise. */
function cut(response: ServerResponse, { status, headers, body }: Passed, ends: boolean): void {
  const part = body.subarray(0, body.length / 2)
  const length = ends ? part.length : body.length
  response.writeHead(status, { ...headers, "content-length": length })
  response.flushHeaders()
  response.write(part, () => ends ? response.end() : response.destroy())
}

/** The faults by name. */
export const faults: Readonly<Record<string, Fault>> = {
  "502 with HTML": html502,
  "503 with seconds": (response) =>
    response.writeHead(503, { ...html, "retry-after": "1" }).end(page),
  "503 of the service": problem(503, "unavailable", { "retry-after": "0" }),
  "429 with seconds": problem(429, "too_fast", { "retry-after": "0" }),
  "429 with a date": (response, passed, context) => {
    const date = new Date(Math.ceil(Date.now() / 1000) * 1000).toUTCString()
    problem(429, "too_many_requests", { "retry-after": date })(response, passed, context)
  },
  "401": (response, passed, context) =>
    context.path === "/session"
      ? html502(response)
      : problem(401, "unauthenticated")(response, passed, context),
  "410 cursor": (response, passed, context) =>
    /[?&]cursor=/.test(context.path)
      ? problem(410, "cursor_expired")(response, passed, context)
      : html502(response),
  "410 resync": (response, passed, context) =>
    /\/changes\?after=[^&n]/.test(context.path)
      ? problem(410, "resync_required")(response, passed, context)
      : html502(response),
  "no exports": (response, passed, context) =>
    context.path.includes("/export?")
      ? problem(404, "not_found")(response, passed, context)
      : html502(response),
  "404 with HTML": (response) => response.writeHead(404, html).end(page),
  "200 with HTML": (response) => response.writeHead(200, html).end(page),
  "200 without headers": (response, { body }) =>
    response.writeHead(200, { "content-type": "application/json" }).end(body),
  "a redirect to another host": (response, _, { elsewhere, path }) =>
    response.writeHead(307, { location: elsewhere + path }).end(),
  "no response": (response) => response.destroy(),
  "a response that breaks off": (response, passed) => cut(response, passed, false),
  "a response that is too short": (response, passed) => cut(response, passed, true),
  "a response that never ends": (response, { status, headers }) => {
    response.writeHead(status, headers)
    response.flushHeaders()
  },
}

/** Stands between clients and a service, and breaks a part of the responses. */
export class Proxy {
  /** How often each fault happened. */
  readonly counts = new Map<string, number>()
  /** Requests that came to the other host with credentials. */
  leaks = 0
  /** The requests that were passed on. */
  requests = 0
  /** Their paths and headers, latest last. */
  readonly seen: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = []
  /** True to have the service send bodies that are not compressed. */
  plain = false
  /** Faults of a test, besides those above. */
  own: Readonly<Record<string, Fault>> = {}
  /** Decides about each response. Returns the name of a fault, or undefined. */
  choose: (path: string) => string | undefined = () => undefined
  readonly #servers: Server[] = []
  readonly #waiting: { readonly requests: number; readonly resolve: () => void }[] = []
  #target = ""
  #elsewhere = ""
  url = ""

  /** Opens a proxy to a URL. */
  static async open(target: string): Promise<Proxy> {
    const proxy = new Proxy()
    proxy.#target = target
    proxy.url = await proxy.#listen((incoming, response) => proxy.#pass(incoming, response))
    proxy.#elsewhere = await proxy.#listen((incoming, response) => {
      const { cookie, authorization } = incoming.headers
      if (cookie || authorization || incoming.method === "POST") proxy.leaks++
      response.end("[]")
    })
    return proxy
  }

  /** Hides digests, with which a client would repair what it has lost. */
  hideDigests(): void {
    this.own = { hidden: problem(404, "not_available") }
    this.choose = (path) => path.includes("/digest") ? "hidden" : undefined
  }

  /** Hides digests, and breaks a quarter of the other responses, in each way before it repeats one. */
  breakQuarter(random: Random): void {
    this.hideDigests()
    const names = Object.keys(faults).filter((name) => !/^410|^no exports/.test(name))
    let next: string[] = []
    this.choose = (path) => {
      if (path.includes("/digest")) return "hidden"
      if (random.below(4) > 0) return undefined
      // These fit few requests, and make a client begin again.
      if (path.includes("/changes") && random.below(8) === 0) return "410 resync"
      if (path.includes("cursor=") && random.below(8) === 0) return "410 cursor"
      if (next.length === 0) next = random.shuffle(names)
      const name = next.pop()
      // They take as long as a client's time limit.
      return name === "a response that never ends" && random.below(3) > 0 ? "no response" : name
    }
  }

  /** Resolves when so many more requests have come. */
  after(requests: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ requests: this.requests + requests, resolve })
    })
  }

  close(): void {
    for (const server of this.#servers) {
      server.close()
      server.closeAllConnections()
    }
  }

  async #listen(
    handle: (incoming: IncomingMessage, response: ServerResponse) => void,
  ): Promise<string> {
    const server = createServer(handle).listen(0, "127.0.0.1")
    await once(server, "listening")
    this.#servers.push(server)
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  #pass(incoming: IncomingMessage, response: ServerResponse): void {
    this.requests++
    const isDue = ({ requests }: { requests: number }) => requests <= this.requests
    for (const each of this.#waiting.filter(isDue)) {
      this.#waiting.splice(this.#waiting.indexOf(each), 1)
      each.resolve()
    }
    const path = incoming.url ?? "/"
    this.seen.push({ path, headers: incoming.headers })
    const { method, headers } = incoming
    const { host } = new URL(this.#target)
    const encoding = this.plain ? { "accept-encoding": "identity" } : {}
    const changed = { ...headers, host, ...encoding }
    const outgoing = request(this.#target + path, { method, headers: changed })
    outgoing.on("error", () => response.destroy())
    outgoing.on("response", async (answer) => {
      const body = await buffer(answer).catch(() => undefined)
      if (!body) return response.destroy()
      const { "transfer-encoding": _, connection: _c, ...kept } = answer.headers
      const passed = { status: answer.statusCode ?? 502, headers: kept, body }
      const name = this.choose(path)
      const fault = name === undefined ? undefined : this.own[name] ?? faults[name]
      if (!fault) return response.writeHead(passed.status, kept).end(body)
      this.counts.set(String(name), (this.counts.get(String(name)) ?? 0) + 1)
      fault(response, passed, { path, elsewhere: this.#elsewhere })
    })
    incoming.pipe(outgoing)
  }
}
