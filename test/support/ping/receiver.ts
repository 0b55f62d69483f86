import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import { newSecret } from "../../../plugins/capabilities/ping/signature.ts"
import type { Teardown } from "../database.ts"

/** The secret of all receivers here, which signs the answers to challenges. */
export const receiverSecret = newSecret()

/** A request that a receiver has got. */
export interface Received {
  readonly at: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly type: string
  readonly event: string
  readonly list: string
  readonly changed: number
}

/** Answers a request: with a status, or not at all. */
type Behaviour = (message: Received) => number | "hang" | Promise<number | "hang">

/** Opens a receiver of pings on loopback, which answers challenges as a library does, and keeps what it gets. Closes it after the test. */
export async function openReceiver(t: Teardown, port = 0) {
  const messages: Received[] = []
  const hanging = new Set<ServerResponse>()
  let seen = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const { headers } = request
    const content = JSON.parse(body)
    const message = { at: performance.now(), headers, body, ...content }
    messages.push(message)
    const status = await receiver.behave(message)
    if (status === "hang") return void hanging.add(response)
    const sent = (name: string) => String(headers[`webhook-${name}`])
    const time = new Date(Number(sent("timestamp")) * 1000)
    const sign = () => new Webhook(receiverSecret).sign(sent("id"), time, content.challenge)
    response.writeHead(status).end(message.type === "challenge" ? sign() : "")
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const close = async () => {
    for (const response of hanging) response.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  t.teardown(close)
  const receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    /** All requests, answered or not. */
    messages,
    /** What it answers: 204, unless a test changes it. */
    behave: ((message) => message.type === "challenge" ? 200 : 204) as Behaviour,
    /** Returns the pings since the last call, as `EVENT LIST`. */
    read() {
      const fresh = messages.slice(seen).filter(({ type }) => type === "changed")
      seen = messages.length
      return fresh.map(({ event, list }) => `${event} ${list}`)
    },
    close,
  }
  return receiver
}
