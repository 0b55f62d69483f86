/** Label values by label name. */
type Labels = Readonly<Record<string, string>>

/**
 * Sets of labels that are made of what requests bring, of which there are never more than a bound: the
 * first ones keep their place until they have been idle, and whatever comes while all places are taken
 * is counted as `other`.
 */
export class BoundedLabels<L extends Labels> {
  readonly #most: number
  readonly #idle: number
  readonly #other: L
  readonly #forget: (labels: L) => void
  // Least recently used first.
  readonly #known = new Map<string, { readonly labels: L; used: number }>()

  /** `forget` is told of labels that give way, after `idle` milliseconds without use. */
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

  /** The labels to count under: these, or those that stand for all others. */
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
