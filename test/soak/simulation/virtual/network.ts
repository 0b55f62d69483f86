import { Buffer } from "node:buffer"
import { EventEmitter } from "node:events"
import { createRequire, syncBuiltinESMExports } from "node:module"
import { Readable } from "node:stream"
import { type Owner, owner, type VirtualTime } from "./time.ts"

const require = createRequire(import.meta.url)

/** A request as the computer gets it that has the address. */
export interface Sent {
  /** Who sent it; undefined for nobody that is simulated. */
  readonly from: Owner | undefined
  /** With the name of its header `Host`. */
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** When it was sent, on the steady clock, in milliseconds. */
  readonly began: number
  /** Aborts when the connection ends: nobody gets an answer then. */
  readonly signal: AbortSignal
}

/** What comes back: an answer, or a connection that breaks before there is one. */
export type Reply = { readonly status: number; readonly body: string } | "breaks"

type Serve = (sent: Sent) => Promise<Reply>

interface Options {
  readonly host: string
  readonly port: string | number
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

/** Milliseconds for a connection, and for an answer on its way. */
const latency = 5

/** The internet that simulated processes see: names, addresses, and servers. No real socket is opened. */
export class Network {
  readonly #time: VirtualTime
  /** The addresses of names; a name without any has no answer until the client gives up. */
  readonly names = new Map<string, readonly string[]>()
  readonly #servers = new Map<string, Serve>()

  constructor(time: VirtualTime) {
    this.#time = time
  }

  /** Forgets all names and servers. */
  reset(): void {
    this.names.clear()
    this.#servers.clear()
  }

  /** Serves at an address, until it is called with `undefined`. */
  serve(address: string, serve: Serve | undefined): void {
    if (serve) this.#servers.set(address, serve)
    else this.#servers.delete(address)
  }

  /** Returns what serves at an address; undefined if nothing does. */
  at(address: string): Serve | undefined {
    return this.#servers.get(address)
  }

  install(): void {
    const [network, { names }] = [this, this]
    class Resolver {
      readonly #ending = new AbortController()
      setServers(): void {}
      cancel(): void {
        this.#ending.abort()
      }
      async resolve4(name: string): Promise<readonly string[]> {
        const addresses = names.get(name)
        if (addresses?.length === 0) {
          const { signal } = this.#ending
          await new Promise((resolve) => signal.addEventListener("abort", resolve))
        }
        if (addresses && addresses.length > 0) return addresses
        throw Object.assign(new Error("queryA ENOTFOUND"), { code: "ENOTFOUND" })
      }
      resolve6(): Promise<readonly string[]> {
        return Promise.reject(Object.assign(new Error("queryAaaa ENODATA"), { code: "ENODATA" }))
      }
    }
    const request = (scheme: string) => (options: Options) =>
      new OutgoingRequest(this.#time, { ...options, network, scheme })
    Object.assign(require("node:dns/promises"), { Resolver })
    Object.assign(require("node:https"), { request: request("https") })
    Object.assign(require("node:http"), { request: request("http") })
    syncBuiltinESMExports()
  }
}

/** The part of a request of `node:http` that the service uses. */
class OutgoingRequest extends EventEmitter {
  readonly reusedSocket = false
  readonly from = owner.getStore()
  readonly #time: VirtualTime
  readonly #options: Options & { readonly network: Network; readonly scheme: string }
  readonly #ending = new AbortController()

  constructor(
    time: VirtualTime,
    options: Options & { readonly network: Network; readonly scheme: string },
  ) {
    super()
    this.#time = time
    this.#options = options
  }

  end(body = ""): void {
    void this.#send(body)
  }

  destroy(): void {
    if (this.#ending.signal.aborted) return
    this.#ending.abort()
    queueMicrotask(() => this.emit("close"))
  }

  async #send(body: string): Promise<void> {
    const { signal } = this.#ending
    const { steady: began } = this.#time
    const { network, scheme, host, port, path, method, headers } = this.#options
    await this.#time.sleep(latency)
    if (signal.aborted) return
    const serve = network.at(`${host}:${port}`)
    const socket = new EventEmitter()
    this.emit("socket", socket)
    if (!serve) return this.#fail("ECONNREFUSED")
    socket.emit("connect")
    if (scheme === "https") socket.emit("secureConnect")
    const url = `${scheme}://${headers["host"]}${path}`
    const sent = { from: this.from, url, method, headers, body, began, signal }
    const reply = await owner.run(undefined as never, () => serve(sent))
    await this.#time.sleep(latency)
    if (signal.aborted) return
    if (reply === "breaks") return this.#fail("ECONNRESET")
    const response = Readable.from([Buffer.from(reply.body)], { objectMode: false })
    Object.assign(response, { statusCode: reply.status, headers: {} })
    response.on("close", () => this.destroy())
    this.emit("response", response)
  }

  #fail(code: string): void {
    this.emit("error", Object.assign(new Error(code), { code }))
    this.destroy()
  }
}
