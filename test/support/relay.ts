import { once } from "node:events"
import { connect, createServer, type Server, type Socket } from "node:net"
import type { Test } from "tap"
import { findStablePort } from "./stable-port.ts"

/** A relay between clients and a server, to disturb what they send each other. */
export class Relay {
  /** The server's URL, by way of the relay. */
  readonly url: string
  readonly #port: number
  #target: { readonly host: string; readonly port: number }
  /** Each connection: the client's socket and the server's. */
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #listener: Server | undefined
  #isStalled = false

  /** Opens a relay to the server of a URL. */
  static async open(target: string): Promise<Relay> {
    const relay = new Relay(new URL(target), await findStablePort())
    await relay.comeBack()
    return relay
  }

  private constructor(target: URL, port: number) {
    this.#target = { host: target.hostname, port: Number(target.port) }
    this.#port = port
    target.host = `127.0.0.1:${port}`
    this.url = target.href
  }

  /** Refuses new connections, and breaks the others. */
  goAway(): void {
    this.#listener?.close()
    this.#listener = undefined
    this.cut()
  }

  /** Accepts connections again. Does nothing while it accepts them. */
  async comeBack(): Promise<void> {
    if (this.#listener) return
    this.#listener = createServer((client) => this.#relay(client)).listen(this.#port, "127.0.0.1")
    await once(this.#listener, "listening")
  }

  /** Leads to another server from now on, and breaks the connections to this one. */
  pointTo(target: string): void {
    const { hostname, port } = new URL(target)
    this.#target = { host: hostname, port: Number(port) }
    this.cut()
  }

  /** Breaks all connections. */
  cut(): void {
    for (const sockets of this.#pairs) for (const socket of sockets) socket.destroy()
  }

  /** Lets nothing through, in either direction, until `resume`. Connections stay open. */
  stall(): void {
    this.#isStalled = true
    for (const sockets of this.#pairs) for (const socket of sockets) socket.pause()
  }

  resume(): void {
    this.#isStalled = false
    for (const sockets of this.#pairs) for (const socket of sockets) socket.resume()
  }

  /** Lets nothing more through on the connections of this moment, as a firewall that has forgotten them. */
  forget(): void {
    for (const pair of this.#pairs) {
      for (const socket of pair) socket.removeAllListeners("data").resume()
    }
  }

  #relay(client: Socket): void {
    const server = connect(this.#target)
    const pair = [client, server] as const
    this.#pairs.add(pair)
    for (const [from, to] of [pair, [server, client] as const]) {
      from.setNoDelay(true)
      if (this.#isStalled) from.pause()
      from.on("data", (bytes) => {
        if (to.write(bytes)) return
        from.pause()
        to.once("drain", () => this.#isStalled || from.resume())
      })
      from.on("error", () => {})
      from.on("close", () => {
        to.destroy()
        this.#pairs.delete(pair)
      })
    }
  }
}

/** Opens a relay to the server of a URL, and closes it after the test. */
export async function openRelay(t: Test, target: string): Promise<Relay> {
  const relay = await Relay.open(target)
  t.teardown(() => relay.goAway())
  return relay
}
