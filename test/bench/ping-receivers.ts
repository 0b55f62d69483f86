// The receivers of test/bench/pings.ts, in a process of their own: each polls as soon as it gets a ping.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"

/** What those receivers do that fail. */
export const failures = ["none", "hang", "slow", "500"] as const
export type Failure = (typeof failures)[number]

/** What the bench says to the process: whom to poll and with which sessions, or how some receivers fail from now on. */
export type Order =
  | { readonly feed: string; readonly cookies: readonly string[] }
  | { readonly failure: Failure; readonly failing: number }

/** What the process says: the ports of the receivers, in the order of the cookies, or a poll that found something. */
export type Report =
  | { readonly ports: readonly number[] }
  /** The ids of the records, and when the ping came and the poll was answered, in milliseconds since 1970. */
  | {
    readonly receiver: number
    readonly ids: readonly string[]
    readonly pinged: number
    readonly at: number
  }

let now: { readonly failure: Failure; readonly failing: number } = { failure: "none", failing: 0 }

process.on("message", async (order: Order) => {
  if ("failure" in order) now = order
  else {report({
      ports: await Promise.all(order.cookies.map((cookie, n) => open(n, order.feed, cookie))),
    })}
})

/** Opens a receiver. Returns its port. */
async function open(receiver: number, feed: string, cookie: string): Promise<number> {
  let after = "now"
  const poll = async (pinged: number) => {
    const response = await fetch(`${feed}?after=${after}`, { headers: { cookie } })
    const { changes, next } = await response.json()
    after = encodeURIComponent(next)
    const ids = changes.map(({ id }: { id: string }) => id)
    if (ids.length > 0) report({ receiver, ids, pinged, at: clock() })
  }
  await poll(0)
  let last = Promise.resolve()
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const pinged = clock()
    request.resume()
    const failure = receiver < now.failing ? now.failure : "none"
    if (failure === "hang") return
    if (failure === "slow") await sleep(4000)
    response.writeHead(failure === "500" ? 500 : 204).end()
    // One poll after the other, as each goes on where the last one ended.
    if (failure === "none") last = last.then(() => poll(pinged))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return (server.address() as AddressInfo).port
}

function clock(): number {
  return performance.timeOrigin + performance.now()
}

function report(report: Report): void {
  process.send?.(report)
}
