import { once } from "node:events"
import { createServer as createPlainServer, type Server, type Socket } from "node:net"
import { createServer as createSecureServer } from "node:tls"
import type { Test } from "tap"
import type { Certificate } from "../certificates.ts"

/** A server that says what a test lets it say, byte for byte. */
export interface Receiver {
  readonly port: number
  /** The requests so far, as they came. */
  readonly requests: readonly string[]
  /** Connections that were made, and that are open. */
  readonly connections: { made: number; open: number }
}

/** Does something with a connection, whenever a whole request came by it. */
export type Act = (socket: Socket, request: string) => void

/** An answer with a body. */
export function answer(body = "", head = "200 OK"): string {
  return `HTTP/1.1 ${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Starts a receiver; without a certificate it does not speak TLS. */
export async function startReceiver(
  t: Test,
  act: Act,
  { certificate, host = "127.0.0.1", port = 0 }: {
    readonly certificate?: Certificate
    readonly host?: string
    readonly port?: number
  } = {},
): Promise<Receiver> {
  const requests: string[] = []
  const serve = (socket: Socket) => {
    let received = ""
    socket.on("error", () => {})
    socket.on("data", (bytes) => {
      received += bytes.toString("latin1")
      const length = /^content-length: (\d+)\r$/im.exec(received)?.[1]
      const end = received.indexOf("\r\n\r\n") + 4
      if (end < 4 || received.length < end + Number(length ?? 0)) return
      const request = received
      received = ""
      requests.push(request)
      act(socket, request)
    })
  }
  const server = certificate
    ? createSecureServer({ cert: certificate.certificate, key: certificate.key }, serve)
    : createPlainServer(serve)
  server.on("tlsClientError", () => {})
  return { ...await listen(t, server, { host, port }), requests }
}

/** Starts a server that does something with a connection before anything came by it. */
export async function startBareServer(t: Test, act: (socket: Socket) => void): Promise<Receiver> {
  const server = createPlainServer((socket) => {
    socket.on("error", () => {})
    act(socket)
  })
  return { ...await listen(t, server, { host: "127.0.0.1", port: 0 }), requests: [] }
}

/** Listens until the test ends, and counts connections. */
async function listen(
  t: Test,
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
) {
  const connections = { made: 0, open: 0 }
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    connections.made++
    connections.open++
    socket.on("close", () => connections.open--)
  })
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await once(server.listen(port, host), "listening")
  const address = server.address()
  return { port: typeof address === "object" && address ? address.port : 0, connections }
}
