import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"

/** A page, as far as a client of the bench looks at it. */
export interface ReadPage {
  readonly status: number
  /** The number of its records. */
  readonly records: number
  /** The path and query of the next page; undefined on the last page. */
  readonly next: string | undefined
}

const mark = Buffer.from('"eventId":')

/**
 * Reads pages one after the other on one connection. Counts guests without parsing, which is the partner's
 * cost: by their `eventId`. Quotes are escaped in values, so none matches.
 */
export class PageReader {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#url = url
    this.#headers = headers
  }

  /** @throws if there is no response. */
  async read(path: string): Promise<ReadPage> {
    const sent = request(this.#url + path, { agent: this.#agent, headers: this.#headers }).end()
    const [response] = await once(sent, "response") as [IncomingMessage]
    let records = 0
    /** The end of the previous chunk, where a mark may begin. */
    let rest = Buffer.alloc(0)
    response.on("data", (chunk: Buffer) => {
      const seam = Buffer.concat([rest, chunk.subarray(0, mark.length - 1)])
      records += countIn(seam) + countIn(chunk)
      rest = Buffer.concat([rest, chunk.subarray(1 - mark.length)]).subarray(1 - mark.length)
    })
    await once(response, "end")
    const next = nextIn(String(response.headers["link"] ?? ""))
    return { status: response.statusCode ?? 0, records, next }
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Returns the path and query of the next page from a `Link` header; undefined if it has none. */
export function nextIn(link: string): string | undefined {
  return /<(?:http:\/\/[^/>]+)?(\/[^>]*)>; rel="next"/.exec(link)?.[1]
}

function countIn(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) count++
  return count
}
