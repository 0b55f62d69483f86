/** Label values by label name. */
type Labels = Readonly<Record<string, string>>

/**
 * Bounds the number of label sets that requests can create. A set keeps its place until it has been
 * idle. While all places are taken, new sets are counted as `other`.
 */
export class BoundedLabels<L extends Labels> {
  readonly #most: number
  readonly #idle: number
  readonly #other: L
  readonly #forget: (labels: L) => void
  // Least recently used first.
  readonly #known = new Map<string, { readonly labels: L; used: number }>()

  /** Calls `forget` with labels that give way, after `idle` milliseconds without use. */
  constructor(
    { most, idle, other, forget }: {
      readonly most: number
      readonly idle: number
      readonly other: L
      readonly forget: (labels: L) => void
    },
  ) {
    this.#most = most
    this.#idle = idle
    this.#other = other
    this.#forget = forget
  }

  /** Returns the labels to count under: these, or `other`. */
  admit(labels: L, now = Date.now()): L {
    const key = Object.values(labels).join("\n")
    const found = this.#known.get(key)
    if (!found && this.#known.size >= this.#most && !this.#makeRoom(now)) return this.#other
    this.#known.delete(key)
    this.#known.set(key, { labels: found?.labels ?? labels, used: now })
    return found?.labels ?? labels
  }

  #makeRoom(now: number): boolean {
    const [[key, { labels, used }] = ["", { labels: this.#other, used: now }]] = this.#known
    if (now - used < this.#idle) return false
    this.#known.delete(key)
    this.#forget(labels)
    return true
  }
}
