import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import type { Test } from "tap"

/** A relay between the service and its database, which can go away. */
export interface Relay {
  /** The database's URL, by way of the relay. */
  readonly url: string
  /** Refuses new connections, and breaks the others. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
  /** Lets nothing through, but keeps connections open. */
  stall(): void
}

/** Opens a relay to the server of a URL, and closes it after the test. */
export async function openRelay(t: Test, target: string): Promise<Relay> {
  const url = new URL(target)
  const [host, port] = [url.hostname, Number(url.port)]
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const pair = [client, connect(port, host)] as const
    const [, upstream] = pair
    client.pipe(upstream).pipe(client)
    for (const socket of pair) {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => {
        for (const each of pair) each.destroy()
        sockets.delete(socket)
      })
    }
  })
  const listen = async (port: number) => {
    await once(server.listen(port, "127.0.0.1"), "listening")
  }
  const goAway = async () => {
    const closed = server.listening ? once(server, "close") : undefined
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await listen(0)
  t.teardown(goAway)
  const own = (server.address() as AddressInfo).port
  url.host = `127.0.0.1:${own}`
  return {
    url: url.href,
    goAway,
    comeBack: () => listen(own),
    stall() {
      for (const socket of sockets) socket.unpipe().pause()
    },
  }
}
