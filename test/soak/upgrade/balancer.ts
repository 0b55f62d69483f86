import { once } from "node:events"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { pipeline } from "node:stream/promises"
import { setTimeout as sleep } from "node:timers/promises"

/** Milliseconds between two looks at `/readyz`. */
const every = 100

/**
 * A load balancer as operators run: sends each request to the next service that is ready, and never twice. So every
 * failure of a service reaches the client.
 */
export class Balancer {
  readonly url: string
  /** For the observations: a balancer has one life. */
  readonly life = "the balancer"
  readonly #services: readonly string[]
  readonly #ready = new Set<string>()
  readonly #close: () => void
  readonly #ended = new AbortController()
  #next = 0

  static async open(services: readonly string[]): Promise<Balancer> {
    const server = createServer((request, response) => void balancer.#forward(request, response))
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const balancer = new Balancer(services, {
      url: `http://127.0.0.1:${port}`,
      close: () => server.close().closeAllConnections(),
    })
    for (const service of services) void balancer.#follow(service)
    return balancer
  }

  private constructor(
    services: readonly string[],
    { url, close }: { readonly url: string; readonly close: () => void },
  ) {
    this.#services = services
    this.url = url
    this.#close = close
  }

  /** Resolves when so many services are ready. */
  async untilReady(count: number): Promise<void> {
    while (this.#ready.size < count) await sleep(every)
  }

  close(): void {
    this.#ended.abort()
    this.#close()
  }

  async #follow(service: string): Promise<void> {
    const { signal } = this.#ended
    while (!signal.aborted) {
      const isReady = await fetch(`${service}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
        async (response) => {
          await response.body?.cancel()
          return response.status === 200
        },
        () => false,
      )
      if (isReady) this.#ready.add(service)
      else this.#ready.delete(service)
      await sleep(every)
    }
  }

  async #forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const ready = this.#services.filter((service) => this.#ready.has(service))
    const service = ready[this.#next++ % ready.length]
    if (service === undefined) return void outgoing.writeHead(502).end("no service is ready")
    const { method, url, headers } = incoming
    const sending = request(service + url, { method, headers, agent: false })
    try {
      const answered = once(sending, "response") as Promise<[IncomingMessage]>
      await Promise.all([pipeline(incoming, sending), answered])
      const [response] = await answered
      // The connection to the client outlives the one to the service.
      const { connection: _, "keep-alive": _k, ...rest } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, rest)
      await pipeline(response, outgoing)
    } catch {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end(`${service} broke the connection`)
    }
  }
}
