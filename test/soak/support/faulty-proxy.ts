import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import type { Test } from "tap"

/** A request that a proxy gets. */
export interface ProxiedRequest {
  readonly method: string
  readonly path: string
  /** How many requests came before it. */
  readonly count: number
}

/** A response that a proxy sends instead of the service's, or what it does instead. */
export type Fault =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | "half"
  | "stall"

/** A proxy in front of a service, and what it has passed on. */
export interface FaultyProxy {
  readonly url: string
  /** Each request with the status of its response, such as `GET /session 401`. */
  readonly seen: string[]
}

/**
 * Starts a proxy that passes requests on, except for those that `faultOf` returns a fault for: another response, a
 * connection that is reset in the middle of the body, or no response at all.
 */
export async function faultyProxy(
  t: Test,
  target: string,
  faultOf: (request: ProxiedRequest) => Fault | undefined = () => undefined,
): Promise<FaultyProxy> {
  const seen: string[] = []
  let count = 0
  const server = createServer(async (incoming, outgoing) => {
    const { method = "GET", url: path = "/" } = incoming
    const sent = await buffer(incoming)
    const fault = faultOf({ method, path, count: count++ })
    if (fault === "stall") return void seen.push(`${method} ${path} stalled`)
    if (typeof fault === "object") {
      seen.push(`${method} ${path} ${fault.status}`)
      outgoing.writeHead(fault.status, fault.headers).end(fault.body)
      return
    }
    const { host: _host, connection: _connection, ...headers } = incoming.headers
    const body = method === "GET" ? null : new Uint8Array(sent)
    const response = await fetch(target + path, { method, headers: headers as HeadersInit, body })
    seen.push(`${method} ${path} ${response.status}`)
    const own: Record<string, string> = Object.fromEntries(response.headers)
    for (const name of ["content-encoding", "transfer-encoding", "connection"]) delete own[name]
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (response.status !== 304) own["content-length"] = String(bytes.byteLength)
    outgoing.writeHead(response.status, own)
    if (fault !== "half") return void outgoing.end(bytes)
    outgoing.write(bytes.subarray(0, bytes.byteLength / 2), () => incoming.socket.destroy())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}
