import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { text } from "node:stream/consumers"
import type { Test } from "tap"

/** Returns what connects to a server and holds connections open. */
export function stallingClient(t: Test, url: string) {
  const port = Number(new URL(url).port)
  /** Connects, sends bytes, and then neither reads nor closes. */
  const hold = async (bytes = "", from = "127.0.0.1"): Promise<Socket> => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: from, allowHalfOpen: true })
    socket.on("error", () => {})
    t.teardown(() => socket.destroy())
    await once(socket, "connect")
    if (bytes) socket.write(bytes)
    return socket
  }
  /** Sends a request on a connection of its own. Returns the response; "" if the connection is cut. */
  const get = async (path: string, from = "127.0.0.1"): Promise<string> => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: from })
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
    return await text(socket).catch(() => "")
  }
  return { hold, get }
}
