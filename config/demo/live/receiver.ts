import { createHmac } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import type { DemonstrationService } from "../../../plugins/capabilities/demonstration/demonstration.ts"
import type { Client } from "./client.ts"

/** A receiver of pings as the service lists it. */
interface Listed {
  readonly id: string
  readonly url: string
}

/** Receives the pings of one partner on loopback, as the guide says. Nobody else is told about it. */
export class Receiver {
  readonly #client: Client
  readonly #pinged: (event: string) => void
  #server: Server | undefined
  #id: string | undefined
  #key: Buffer | undefined

  /** `pinged` is called with the event of each ping, if its signature is right. */
  constructor(client: Client, pinged: (event: string) => void) {
    this.#client = client
    this.#pinged = pinged
  }

  /**
   * Listens until the demonstration ends, and registers the address unless it is: with receivers that no longer listen
   * in its place, as those of a service that was ended.
   *
   * @throws {Refusal} if the service has no pings, or allows none to loopback.
   */
  async register(service: DemonstrationService): Promise<void> {
    const listed = await this.#list(service)
    if (listed.some(({ id }) => id === this.#id)) return
    for (const { id, url } of listed) {
      const listens = await fetch(url).then(() => true, () => false)
      if (!listens) await this.#client.send(service, `/session/pings/${id}`, { method: "DELETE" })
    }
    const { port } = await this.#listen(service)
    const response = await this.#client.send(service, "/session/pings", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: `http://127.0.0.1:${port}/${this.#client.username}` }),
    })
    const { id, secret } = await response.json() as { id: string; secret: string }
    this.#id = id
    this.#key = Buffer.from(secret.slice("whsec_".length), "base64")
  }

  async #list(service: DemonstrationService): Promise<readonly Listed[]> {
    return await (await this.#client.send(service, "/session/pings")).json() as Listed[]
  }

  async #listen({ signal, count }: DemonstrationService): Promise<AddressInfo> {
    const known = this.#server?.address()
    if (known) return known as AddressInfo
    const server = createServer(async (request, response) => {
      const body = await text(request)
      const sent = (name: string) => String(request.headers[`webhook-${name}`])
      const message = this.#isSigned(body, sent) ? JSON.parse(body) : undefined
      response.writeHead(message ? 200 : 401)
        .end(message?.type === "challenge" ? this.#sign(message.challenge, sent) : "")
      if (message?.type !== "changed") return
      count?.("pings")
      this.#pinged(message.event)
    })
    this.#server = server
    signal.addEventListener("abort", () => {
      server.close()
      server.closeAllConnections()
    })
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject)
      server.listen(0, "127.0.0.1", resolve)
    })
    // It keeps no process from ending.
    server.unref()
    return server.address() as AddressInfo
  }

  #isSigned(body: string, sent: (name: string) => string): boolean {
    if (!this.#key || Math.abs(Date.now() / 1000 - Number(sent("timestamp"))) > 300) return false
    return sent("signature").split(" ").includes(this.#sign(body, sent))
  }

  #sign(content: string, sent: (name: string) => string): string {
    const mac = createHmac("sha256", this.#key ?? "")
    return `v1,${mac.update(`${sent("id")}.${sent("timestamp")}.${content}`).digest("base64")}`
  }
}
