/** A list that partners poll. */
export type ListName = "guests" | "items" | "events"

/** A change of an event's list that a receiver is to be told about. */
export interface PendingChange {
  readonly event: string
  readonly list: ListName
  /** The time of the change, in Unix seconds. */
  readonly changed: number
  /** The last change's number in the log. */
  readonly seq: number
  /** Differs for each content of the list; part of the message's id. */
  readonly version: string
}

/** The least milliseconds between two pings about the same list. */
const gap = 1000

/** The changes that a receiver has yet to be told about: the last of each list, in memory only. */
export class Pending {
  readonly #entries = new Map<string, PendingChange>()
  /** When a ping was last sent about each list, earliest first. */
  readonly #sent = new Map<string, number>()

  get size(): number {
    return this.#entries.size
  }

  /** The log number of the first change; infinite if there is none. */
  get first(): number {
    let first = Infinity
    for (const { seq } of this.#entries.values()) first = Math.min(first, seq)
    return first
  }

  /** Adds an entry, or replaces the list's former one. */
  add(entry: PendingChange): void {
    const key = keyOf(entry)
    const changed = Math.max(entry.changed, this.#entries.get(key)?.changed ?? 0)
    this.#entries.set(key, { ...entry, changed })
  }

  /** Returns the first entry that may be sent at a time in milliseconds; undefined if there is none. */
  due(now: number): PendingChange | undefined {
    for (const [key, at] of this.#sent) {
      if (now - at < gap) break
      this.#sent.delete(key)
    }
    for (const [key, entry] of this.#entries) if (!this.#sent.has(key)) return entry
    return undefined
  }

  /** Notes that an entry is being sent at a time in milliseconds. The entry stays until it is dropped. */
  note(entry: PendingChange, now: number): void {
    const key = keyOf(entry)
    this.#sent.delete(key)
    this.#sent.set(key, now)
  }

  /** Drops an entry, unless its list has changed again. */
  drop(entry: PendingChange): void {
    const key = keyOf(entry)
    if (this.#entries.get(key) === entry) this.#entries.delete(key)
  }
}

function keyOf({ event, list }: PendingChange): string {
  return `${event} ${list}`
}
