import { Client } from "../../../config/demo/live/client.ts"
import type { DemonstrationService } from "../../../plugins/capabilities/demonstration/demonstration.ts"

/** Polls guests by offset, as one does who has not read the guide: never asks what was deleted. */
export class NaiveClient {
  /** The `updated` of each guest, by id. */
  readonly copy = new Map<string, number>()
  readonly #client = new Client("acme-export")
  readonly #path: string
  readonly #choose: (newest: number, nextSince: number) => number
  #since = -1

  /** `choose` returns the next `since`, from what there is when a poll begins. */
  constructor(path: string, choose: (newest: number, nextSince: number) => number) {
    this.#path = path
    this.#choose = choose
  }

  async poll(service: DemonstrationService): Promise<void> {
    let next = this.#choose(Math.max(...this.copy.values()), 0)
    for (let offset = 0;; offset += 1000) {
      const path = `${this.#path}?since=${this.#since}&offset=${offset}`
      const page = await this.#client.send(service, path)
      const guests = await page.json() as { id: string; updated: number }[]
      for (const { id, updated } of guests) this.copy.set(id, updated)
      const newest = Math.max(...this.copy.values())
      if (offset === 0) next = this.#choose(newest, Number(page.headers.get("next-since")))
      if (guests.length === 0) break
    }
    this.#since = next
  }
}

/** Polls guests by their lists, as the guide says: with `Next-Since`, and deletions. Reads by offset. */
export class ListClient {
  /** The `updated` of each guest, by id. */
  readonly copy = new Map<string, number>()
  readonly #client = new Client("acme-export")
  readonly #path: string
  #since = -1

  constructor(path: string) {
    this.#path = path
  }

  async poll(service: DemonstrationService): Promise<void> {
    const next = [
      await this.#walk(service, this.#path, ({ id, updated }) => this.copy.set(id, updated)),
      await this.#walk(service, `${this.#path}/deletions`, ({ id }) => this.copy.delete(id)),
    ]
    this.#since = Math.min(...next)
  }

  /** Reads all pages. Returns the `Next-Since` of the first. */
  async #walk(
    service: DemonstrationService,
    path: string,
    apply: (row: { id: string; updated: number }) => void,
  ): Promise<number> {
    let next = NaN
    for (let offset = 0;; offset += 1000) {
      const page = await this.#client.send(service, `${path}?since=${this.#since}&offset=${offset}`)
      if (offset === 0) next = Number(page.headers.get("next-since"))
      const rows = await page.json() as { id: string; updated: number }[]
      if (rows.length === 0) return next
      for (const row of rows) apply(row)
    }
  }
}
