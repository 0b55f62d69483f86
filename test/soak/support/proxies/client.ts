import { Agent, request } from "node:https"
import { text } from "node:stream/consumers"
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { publicName } from "./start-proxy.ts"

interface ClientOptions {
  /** Of the proxy. */
  readonly port: number
  /** The certificate of the authority that the client trusts, in PEM. */
  readonly authority: string
  /** True if connections are used again. */
  readonly keep?: boolean
}

interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The address of this machine that the client uses. */
  readonly from?: string
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A client of a proxy, over TLS. */
export class ProxyClient {
  readonly #options: ClientOptions
  readonly #agent: Agent

  constructor(options: ClientOptions) {
    this.#options = options
    this.#agent = new Agent({ keepAlive: options.keep === true, ca: options.authority })
  }

  /** Sends a request. Rejects if there is no whole response. */
  async send(path: string, options: RequestOptions = {}): Promise<Reply> {
    const incoming = await this.begin(path, options)
    const { statusCode: status = 0, headers } = incoming
    return { status, headers, body: await text(incoming) }
  }

  /** Sends a request, and resolves with the beginning of the response. */
  begin(
    path: string,
    { method = "GET", headers = {}, body, from }: RequestOptions = {},
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const outgoing = request({
        ...{ host: "127.0.0.1", port: this.#options.port, servername: publicName },
        ...{ path, method, agent: this.#agent, headers: { host: publicName, ...headers } },
        ...from !== undefined && { localAddress: from },
      })
      outgoing.once("response", resolve).once("error", reject)
      outgoing.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
