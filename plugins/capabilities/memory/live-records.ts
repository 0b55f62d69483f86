import type { Admission } from "../../../core/accounts.ts"
import { categories, type Category, isId, type List } from "../../../core/capability.ts"
import { nameOfFilter } from "../../../core/filters.ts"
import { areBetween } from "../../../core/lists.ts"
import type { Projection } from "../../../core/plugin.ts"
import { LiveList } from "./live-list.ts"

/** A version of an event. */
export type Version = Parameters<typeof areBetween>[1]

/** The newest rows of the log after a row, as an admission tells them. */
export type Changes = NonNullable<NonNullable<Admission["event"]>["changes"]>

/** A row of the log. */
type Change = Changes["rows"][number]

/**
 * Whether lists could be brought to a version: `reached`; `behind` if they have changes that the version lacks;
 * `missing` if it has changes that are not among the given ones; `lost` if they never will.
 */
export type Reach = "reached" | "behind" | "missing" | "lost"

/** What rows of the log may be about. An operator's own trigger may have misspelt it. */
const loggedNames: ReadonlySet<string> = new Set([...Object.keys(categories), "events"])

/**
 * The number of rows of the log that are remembered, to tell late commits from known rows. It is half the number that an
 * admission tells, so that there is room for others.
 */
const mostRemembered = 100

/**
 * Lists of an event in memory, as of one version of the event.
 *
 * A version is the number of changes and the sum of their random marks. If the difference of two versions is the number and
 * the sum of some rows of the log, these rows are exactly the changes between them. The lists then reach the later version
 * by giving each record in these rows its present key.
 */
export class LiveRecords {
  /** Unique: an event has lists of its guests, and of its items. */
  readonly name: string
  readonly eventId: string
  /** Which records they have; undefined for all. */
  readonly filter: List["filter"]
  /** False once their texts have taken too much memory for `q`. */
  areSearched = true
  /** When they began, as `performance.now()`. */
  readonly began = performance.now()
  readonly #lists: ReadonlyMap<Category, LiveList>
  readonly #numbers = new Map<Projection, number>()
  #version: Version | undefined
  /** The numbers of the newest rows of the log that the version has. */
  readonly #rows = new Set<number>()
  /** All rows of the version after this one are remembered. */
  #oldest = 0

  constructor(eventId: string, list: ChosenList) {
    const { categories = [], filter } = list
    this.name = nameOf(eventId, list)
    this.eventId = eventId
    this.filter = filter
    this.#lists = new Map(categories.map((category) => [category, new LiveList()]))
  }

  /** The version of all lists; undefined until there is one. */
  get version(): Version | undefined {
    return this.#version
  }

  /**
   * False if the newest record of all lists has another time than `newest`, which is null if there is none. Lists with a
   * filter cannot tell, and return true.
   */
  canHave(newest: number | null): boolean {
    if (this.filter) return true
    const lists = [...this.#lists.values()]
    const isKnown = lists.every(({ size, floor }) => size > 0 || floor === undefined)
    const times = lists.flatMap(({ entries }) => entries.at(-1)?.time ?? [])
    return !isKnown || Math.max(...times, -Infinity) === (newest ?? -Infinity)
  }

  /** True if the lists are as of a version. */
  isAt(version: Version): boolean {
    return this.#version !== undefined && areBetween([], this.#version, version)
  }

  /** The row of the log after which changes may have been committed late. */
  get oldest(): number {
    return this.#oldest
  }

  get size(): number {
    return this.#lists.values().reduce((sum, { size }) => sum + size, 0)
  }

  /** The number of keys, also of deleted records. */
  get keys(): number {
    return this.#lists.values().reduce(
      (sum, { size, vacancies }) => sum + size + (vacancies?.length ?? 0),
      0,
    )
  }

  get textBytes(): number {
    return this.#lists.values().reduce((sum, { textBytes }) => sum + textBytes, 0)
  }

  forgetTexts(): void {
    for (const list of this.#lists.values()) list.forgetTexts()
  }

  list(category: Category): LiveList {
    return this.#lists.get(category) as LiveList
  }

  /** Returns the number of a projection: entries keep their places by it. */
  numberOf(projection: Projection): number {
    const number = this.#numbers.get(projection) ?? this.#numbers.size
    this.#numbers.set(projection, number)
    return number
  }

  /** Begins with a version without any record. `rows` are the last of its log. */
  begin(version: Version, { rows }: Changes): void {
    this.#version = version
    this.#rememberAll(rows)
  }

  /** Brings the lists to a version, by rows of the log as of the same moment. */
  reach(version: Version, changes: Changes | undefined): Reach {
    const former = this.#version
    if (!former || former.epoch !== version.epoch) return "lost"
    if (this.isAt(version)) return "reached"
    // Rows up to the oldest are known: the admission may have begun at an earlier version of the lists.
    const rows = changes?.rows.filter(({ seq }) => seq > this.#oldest && !this.#rows.has(seq)) ?? []
    if (!areBetween(rows, former, version)) {
      if (former.changes > version.changes) return "behind"
      return changes?.isCut ? "lost" : "missing"
    }
    if (!this.#canApply(rows)) return "lost"
    this.#version = version
    for (const row of rows) this.#apply(row)
    this.#rememberAll(rows)
    return "reached"
  }

  /** False if rows do not say which records have changed. A record that is not there must have been deleted. */
  #canApply(rows: readonly Change[]): boolean {
    const named = rows.filter(({ category }) => this.#lists.has(category as Category))
    const deleted = new Set(named.flatMap(({ id, isDeletion }) => isDeletion ? id ?? [] : []))
    return rows.every(({ category }) => category !== null && loggedNames.has(category)) &&
      named.every(({ id, key }) =>
        id !== null && isId(id) && (key || deleted.has(id) || this.filter)
      )
  }

  #apply({ category, id, key, isDeletion }: Change): void {
    const list = this.#lists.get(category as Category)
    if (!list || id === null) return
    list.set(id, key)
    if (isDeletion || (this.filter && !key)) list.vacancies = undefined
  }

  /** Remembers rows, and forgets those with the smallest numbers, or that came first. */
  #rememberAll(rows: readonly Change[]): void {
    for (const { seq } of rows.toSorted((a, b) => a.seq - b.seq)) {
      this.#rows.add(seq)
      const [first] = this.#rows
      if (this.#rows.size <= mostRemembered || first === undefined) continue
      this.#rows.delete(first)
      this.#oldest = Math.max(this.#oldest, first)
    }
  }
}

/** Returns what tells the records that a filter of a list lets through, and has let through, from all others. */
export function choiceOf(filter: List["filter"]): string {
  return filter ? `${nameOfFilter(filter)} ${filter.scope ?? ""}` : ""
}

/** The categories of a list, and which of their records it has. */
type ChosenList = Pick<List, "categories" | "filter">

/** Returns the name of an event's lists of some categories. */
export function nameOf(eventId: string, { categories = [], filter }: ChosenList): string {
  return `${eventId} ${categories[0]} ${choiceOf(filter)}`
}
