import type { DemonstrationService } from "../../../plugins/capabilities/demonstration/demonstration.ts"
import { type Client, Refusal } from "./client.ts"

/** A guest or an item. */
type ExportedRecord = Readonly<{ id: string; updated: number } & Record<string, unknown>>

/** A change in the feed of an event. */
interface Change {
  readonly category: string
  readonly id: string
  /** Missing if it was deleted. */
  readonly record?: ExportedRecord
}

/** A partner's copy of an event, kept by its feed as the guide says. */
export class Copy {
  /** By category and id. */
  readonly records = new Map<string, ExportedRecord>()
  readonly #client: Client
  readonly #path: string
  #next = ""

  /** `path` is that of the event. */
  constructor(client: Client, path: string) {
    this.#client = client
    this.#path = path
  }

  /**
   * Reads what has changed since the last poll. Returns the recommended seconds until the next one.
   *
   * @throws {Refusal} and what `request` throws; the next poll then goes on from the last page.
   */
  async poll(service: DemonstrationService): Promise<number> {
    for (;;) {
      const path = `${this.#path}/changes?after=${this.#next}`
      const response = await this.#client.send(service, path).catch((error) => {
        if (!(error instanceof Refusal) || error.code !== "resync_required") throw error
        this.records.clear()
        this.#next = ""
        return undefined
      })
      if (!response) continue
      const page = await response.json() as { changes: Change[]; next: string; more: boolean }
      for (const { category, id, record } of page.changes) {
        if (record) this.records.set(`${category} ${id}`, record)
        else this.records.delete(`${category} ${id}`)
      }
      this.#next = page.next
      if (!page.more) return Number(response.headers.get("poll-interval"))
    }
  }
}
