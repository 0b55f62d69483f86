import { isDeepStrictEqual } from "node:util"
import type {
  Change,
  CopiedRecord,
  ExportRecord,
  State,
  SyncOptions,
} from "../../../plugins/documents/pull/pull.d.mts"
import { PullError, sync } from "../../../plugins/documents/pull/pull.ts"
import type { Truth } from "../truth.ts"
import { password } from "../builder.ts"

interface Kept {
  readonly record: ExportRecord
  readonly generation: number
}

/** A partner's own store in memory, which uses the client as a library. */
export class MemoryStore {
  /** Records by event, category and id. */
  records = new Map<string, Kept>()
  state: State | undefined
  /** Events that are gone. */
  readonly gone = new Set<string>()
  /** The paths of requests of the last run. */
  requests = 0
  #open: Map<string, Kept> | undefined

  /** Reads what is new. Returns the exit code that the command would have. Stops after `commits` commits. */
  async run(options: Partial<SyncOptions>, commits = Infinity): Promise<number> {
    this.requests = 0
    this.#open = undefined
    let left = commits
    try {
      const all = { base: "", family: "/acme/v1", user: "acme-export", password, ...options }
      const copy = (event: string, category: string) => this.compared(event, category)
      const onRequest = () => {
        if (this.#open) throw new TypeError("a request between a change and its commit")
        this.requests++
      }
      const state = structuredClone(this.state)
      for await (const change of sync({ state, copy, onRequest, patience: 20, ...all })) {
        this.#apply(change)
        if (change.type === "commit" && --left === 0) return -1
      }
      return 0
    } catch (error) {
      if (error instanceof PullError) return error.exitCode
      throw error
    }
  }

  /** Returns the records of an event and category as they are compared. */
  compared(event: string, category: string): CopiedRecord[] {
    return this.of(event, category)
      .map((record) => ({ id: record.id, updated: record.updated, json: JSON.stringify(record) }))
      .sort((a, b) => a.id < b.id ? -1 : 1)
  }

  /** Returns the records of an event and category. */
  of(event: string, category: string): ExportRecord[] {
    return [...this.records].filter(([key]) => key.startsWith(`${event} ${category} `))
      .map(([, { record }]) => record)
  }

  /** Returns the ids of records that are not as in the tables. */
  wrong(event: string, truth: Truth): string[] {
    return Object.entries(truth).flatMap(([category, records]) => {
      const own = new Map(this.of(event, category).map((record) => [record.id, record]))
      const wrong = records.filter((record) => {
        const found = own.get(record.id)
        own.delete(record.id)
        const names = Object.keys(found ?? {})
        const wanted = Object.fromEntries(names.map((name) => [name, record[name]]))
        return !found || !isDeepStrictEqual(found, wanted)
      })
      return [...wrong.map(({ id }) => id), ...own.keys()]
    })
  }

  #apply(change: Change): void {
    const records = this.#open ??= new Map(this.records)
    if (change.type === "upsert") {
      const { event, category, id, record, generation } = change
      records.set(`${event} ${category} ${id}`, { record, generation })
    } else if (change.type === "delete") {
      records.delete(`${change.event} ${change.category} ${change.id}`)
    } else if (change.type === "sweep") {
      const isGuests = change.list === "guests"
      for (const [key, { generation }] of records) {
        const [event, category] = key.split(" ")
        if (event !== change.event || category === "events") continue
        if ((category === "guests") !== isGuests) continue
        if (generation < change.generation) records.delete(key)
      }
    } else if (change.type === "gone") this.gone.add(change.event)
    else {
      this.records = records
      this.state = structuredClone(change.state)
      this.#open = undefined
    }
  }
}
