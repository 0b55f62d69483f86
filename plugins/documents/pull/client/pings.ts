import { Buffer } from "node:buffer"
import { createHmac, timingSafeEqual } from "node:crypto"
import * as http from "node:http"
import { misconfigured } from "./errors.ts"
import type { PullSettings } from "./settings.ts"
import { sha256 } from "./sha256.ts"

/** The most bytes of a ping, and the most seconds between its time and this computer's. */
const [mostPing, mostSkew] = [4096, 300]

/** Listens for pings, if the settings say so, until the signal aborts. @throws {PullError} if it cannot listen. */
export async function listen({ listens, signal }: PullSettings, onPing: () => void): Promise<void> {
  if (!listens) return
  const { host, port, keys } = listens
  const server = http.createServer({ requestTimeout: 10_000 }, (request, response) => {
    const answer = answerTo(request, keys).catch((): [number] => [400])
    void answer.then(([status, text]) => {
      if (status === 204) onPing()
      response.writeHead(status, { "content-type": "text/plain", allow: "POST" }).end(text)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject).listen(Number(port), host, resolve)
  }).catch(({ message }) => {
    throw misconfigured(`--listen is not possible: ${message}`)
  })
  signal.addEventListener("abort", () => {
    server.close()
    server.closeAllConnections()
  })
}

/** Returns the answer to a ping, signed as in Standard Webhooks: 204 if something has changed. */
async function answerTo(request: http.IncomingMessage, keys: Buffer[]): Promise<[number, string?]> {
  if (request.url !== "/pings") return [404, "pings are received at /pings"]
  if (request.method !== "POST") return [405]
  let body = Buffer.alloc(0)
  for await (const chunk of request) {
    if (body.length <= mostPing) body = Buffer.concat([body, chunk])
  }
  if (body.length > mostPing) return [413]
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": all } = request.headers
  const sign = (key: Buffer, content: Buffer | string) =>
    `v1,${createHmac("sha256", key).update(`${id}.${time}.`).update(content).digest("base64")}`
  const right = keys.find((key) => {
    const own = Buffer.from(sha256(sign(key, body)))
    return String(all).split(" ").some((each) => timingSafeEqual(Buffer.from(sha256(each)), own))
  })
  if (!right) return [401, "the signature is wrong"]
  const isNew = Math.abs(Date.now() / 1000 - Number(time)) <= mostSkew
  if (!isNew) return [401, "the time differs from the one of this computer"]
  const { type, challenge } = JSON.parse(String(body))
  if (type === "challenge") return [200, sign(right, String(challenge))]
  return type === "changed" ? [204] : [200]
}
