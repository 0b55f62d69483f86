import type { DemonstrationService } from "../../../plugins/capabilities/demonstration/demonstration.ts"
import { type Client, Refusal } from "./client.ts"

/** A record of a list of guests, of a bundle of items, or of deletions. */
type ExportedRecord = Readonly<{ id: string } & Record<string, unknown>>

/** A partner's copy of a list, kept as the guide says: by cursor, with `Next-Since`, tags and deletions. */
export class Copy {
  readonly records = new Map<string, ExportedRecord>()
  readonly #client: Client
  readonly #path: string
  #since = -1
  #etag = ""

  /** `path` is that of the list. */
  constructor(client: Client, path: string) {
    this.#client = client
    this.#path = path
  }

  /**
   * Reads what has changed since the last poll. Returns the recommended seconds until the next one.
   *
   * @throws {Refusal} and what `request` throws; the next poll then has the same `since`.
   */
  async poll(service: DemonstrationService): Promise<number> {
    try {
      const first = await this.#walk(service, `?since=${this.#since}`, {
        etag: this.#etag,
        apply: (record) => this.records.set(record.id, record),
      })
      const deletions = await this.#walk(service, `/deletions?since=${this.#since}`, {
        apply: ({ id }) => this.records.delete(id),
      })
      // Both only now, because a poll that fails has to be repeated as a whole.
      this.#since = Math.min(first.nextSince, deletions.nextSince)
      this.#etag = first.etag
      return first.pollInterval
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "resync_required") throw error
      this.records.clear()
      this.#since = -1
      this.#etag = ""
      return await this.poll(service)
    }
  }

  /** Reads all pages of a list. Returns what the headers of the first one say. */
  async #walk(
    service: DemonstrationService,
    query: string,
    { etag = "", apply }: {
      readonly etag?: string
      readonly apply: (record: ExportedRecord) => void
    },
  ) {
    let page = await this.#client.get(service, this.#path + query, etag)
    const { headers } = page
    while (page.status !== 304) {
      for (const record of recordsOf(await page.json() as Body)) apply(record)
      const link = /<([^>]*)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1]
      if (link === undefined) break
      const { pathname, search } = new URL(link)
      page = await this.#client.get(service, pathname + search)
    }
    return {
      nextSince: Number(headers.get("next-since")),
      pollInterval: Number(headers.get("poll-interval")),
      etag: headers.get("etag") ?? "",
    }
  }
}

type Body = readonly ExportedRecord[] | Readonly<Record<string, readonly ExportedRecord[]>>

/** Returns the records of a body, of all categories if it is a bundle. */
function recordsOf(body: Body): readonly ExportedRecord[] {
  return Array.isArray(body) ? body as readonly ExportedRecord[] : Object.values(body).flat()
}
