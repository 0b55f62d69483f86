/** A list that partners poll. */
export type ListName = "guests" | "items" | "events"

/** A change of a list of an event, of which a receiver is to be told. */
export interface PendingChange {
  readonly event: string
  readonly list: ListName
  /** The time of the change, in Unix seconds. */
  readonly changed: number
  /** The number of the last change in the log. */
  readonly seq: number
  /** Another one for each content, for the id of the message. */
  readonly version: string
}

/** Milliseconds from one ping to the next of the same list. */
const gap = 1000

/** What one receiver has to be told: the last change of each list, in memory only. */
export class Pending {
  readonly #entries = new Map<string, PendingChange>()
  /** When an entry of a list was taken last, in the order of these times. */
  readonly #taken = new Map<string, number>()

  get size(): number {
    return this.#entries.size
  }

  /** The number of the first change; infinite if there are none. */
  get first(): number {
    let first = Infinity
    for (const { seq } of this.#entries.values()) first = Math.min(first, seq)
    return first
  }

  /** Adds an entry, in the place of the former one of its list. */
  add(entry: PendingChange): void {
    const key = keyOf(entry)
    const former = this.#entries.get(key)
    if (former && former.seq > entry.seq) return
    const changed = Math.max(entry.changed, former?.changed ?? 0)
    this.#entries.set(key, changed === entry.changed ? entry : { ...entry, changed })
  }

  /** Puts back what could not be sent, as the first, unless its list has changed meanwhile. */
  putBack(entry: PendingChange): void {
    const key = keyOf(entry)
    if (this.#entries.has(key)) return
    const others = [...this.#entries]
    this.#entries.clear()
    for (const [each, other] of [[key, entry] as const, ...others]) this.#entries.set(each, other)
  }

  /** Returns the first entries, so many at most, of which a ping may be sent at a time in milliseconds. */
  due(now: number, most: number): readonly PendingChange[] {
    for (const [key, at] of this.#taken) {
      if (now - at < gap) break
      this.#taken.delete(key)
    }
    const due: PendingChange[] = []
    for (const [key, entry] of this.#entries) {
      if (due.length >= most) break
      if (!this.#taken.has(key)) due.push(entry)
    }
    return due
  }

  /** Takes an entry out, to send it at a time in milliseconds. */
  take(entry: PendingChange, now: number): void {
    this.drop(entry)
    this.#taken.delete(keyOf(entry))
    this.#taken.set(keyOf(entry), now)
  }

  drop(entry: PendingChange): void {
    this.#entries.delete(keyOf(entry))
  }
}

function keyOf({ event, list }: PendingChange): string {
  return `${event} ${list}`
}
