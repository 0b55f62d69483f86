/** A list that partners poll. */
export type ListName = "guests" | "items" | "events"

/** A change of a list of an event, of which a receiver is to be told. */
export interface Entry {
  readonly event: string
  readonly list: ListName
  /** The time of the change, in Unix seconds. */
  readonly changed: number
  /** The number of the last change in the log: with an earlier one the entry is found there again. */
  readonly seq: number
  /** Another one for each content, for the id of the message. */
  readonly version: string
}

/** The most entries of a receiver in memory. The rest is in the log. */
export const mostEntries = 1000

/** Milliseconds from one ping to the next of the same list. */
const gap = 1000

/** The entries that wait for one receiver: one for each event and list, the latest. */
export class Pending {
  readonly #entries = new Map<string, Entry>()
  /** When an entry of a list was taken last, in the order of these times. */
  readonly #taken = new Map<string, number>()

  get size(): number {
    return this.#entries.size
  }

  /** The number behind which all entries are found again in the log; infinite if there are none. */
  get behind(): number {
    let first = Infinity
    for (const { seq } of this.#entries.values()) first = Math.min(first, seq)
    return first - 1
  }

  /** Adds an entry, in the place of the former one of its list. Returns false if there is no room. */
  add(entry: Entry): boolean {
    const key = keyOf(entry)
    const former = this.#entries.get(key)
    if (!former && this.#entries.size >= mostEntries) return false
    if (!former || former.seq <= entry.seq) {
      const changed = Math.max(entry.changed, former?.changed ?? 0)
      this.#entries.set(key, { ...entry, changed })
    }
    return true
  }

  /** Returns the first entries, so many at most, of which a ping may be sent at a time in milliseconds. */
  due(now: number, most: number): readonly Entry[] {
    for (const [key, at] of this.#taken) {
      if (now - at < gap) break
      this.#taken.delete(key)
    }
    const due: Entry[] = []
    for (const [key, entry] of this.#entries) {
      if (due.length >= most) break
      if (!this.#taken.has(key)) due.push(entry)
    }
    return due
  }

  /** Takes an entry out, to send it at a time in milliseconds. */
  take(entry: Entry, now: number): void {
    this.drop(entry)
    this.#taken.delete(keyOf(entry))
    this.#taken.set(keyOf(entry), now)
  }

  drop(entry: Entry): void {
    this.#entries.delete(keyOf(entry))
  }

  clear(): void {
    this.#entries.clear()
  }
}

function keyOf({ event, list }: Entry): string {
  return `${event} ${list}`
}
