import { type ClockStep, fullResync } from "../../../core/change-log/clock-steps.ts"
import type { FeedPosition } from "../../../plugins/capabilities/feed/walk.ts"

export const listNames = ["guests", "items"] as const
export type ListName = (typeof listNames)[number]

/** A change of a record; without a value, its deletion. */
interface Change {
  readonly list: ListName
  readonly id: number
  readonly at: number
  readonly value: number | undefined
}

/** What a look at open changes has found. */
export interface Beat {
  readonly watermark: number
  /** A watermark before which every server has everything. */
  readonly floor: number
  readonly steps: readonly ClockStep[]
}

/** A transaction that servers apply in this order. */
interface Commit {
  readonly changes?: readonly Change[]
  readonly beat?: Beat
  /** Deletions from before this time are forgotten. */
  readonly forgets?: number
  /** The database was restored: no deletion from before this time is known. */
  readonly resync?: number
}

export interface ModelRow {
  readonly list: ListName
  readonly id: number
  readonly at: number
  readonly value: number | undefined
  readonly place: FeedPosition
}

/** What one server has: a prefix of all commits. */
export interface ServerState {
  /** The rows of all records, and of the deletions of those that are not there. */
  readonly rows: readonly ModelRow[]
  readonly newest: number
  readonly version: string
  readonly completeSince: number
  readonly beat: Beat | undefined
}

/** A database with a clock, two transactions that may be open, and servers that follow. */
export class World {
  clock = 1000
  readonly commits: Commit[] = []
  /** How many commits each server has: the first one all. */
  readonly applied: number[]
  readonly #open: Change[][] = [[], []]
  #known = 1000
  #steps: readonly ClockStep[] = []
  #values = 0

  constructor(servers: number) {
    this.applied = Array.from({ length: servers }, () => 0)
  }

  /** Changes a record in an open transaction, or at once; not if another transaction holds it. */
  write(list: ListName, id: number, { isDeletion, open }: {
    readonly isDeletion: boolean
    readonly open: number | undefined
  }): void {
    const isHeld = this.#open.some((changes, index) =>
      index !== open && changes.some((change) => change.list === list && change.id === id)
    )
    if (isHeld) return
    const own = open === undefined ? [] : this.#open[open] ?? []
    const [last] = [...this.#changes(this.commits), ...own]
      .filter((change) => change.list === list && change.id === id).slice(-1)
    if (isDeletion && last?.value === undefined) return
    // `updated` never goes back.
    const at = isDeletion ? this.clock : Math.max(this.clock, last?.at ?? 0)
    const change = { list, id, at, value: isDeletion ? undefined : ++this.#values }
    if (open === undefined) this.#commit({ changes: [change] })
    else own.push(change)
  }

  end(open: number, isCommit: boolean): void {
    const changes = this.#open[open]?.splice(0) ?? []
    if (isCommit && changes.length > 0) this.#commit({ changes })
  }

  forget(before: number): void {
    this.#commit({ forgets: before })
  }

  /** Restores the database as it was so many commits ago, and makes everybody read everything again. */
  restore(commits: number): void {
    this.#open.forEach((changes) => changes.splice(0))
    this.commits.splice(Math.max(0, this.commits.length - commits))
    this.applied.fill(this.commits.length)
    this.#looked = Math.min(this.#looked, this.commits.length)
    // It counts on a clock that was not set back unnoticed.
    const known = Math.max(this.clock, this.#known)
    this.#steps = [...this.#steps, { reached: known, backTo: fullResync }]
    this.#commit({ resync: known + 1 })
    this.applied.fill(this.commits.length)
    this.#epoch++
  }
  #epoch = 0

  /** Looks at open changes and the clock. */
  look(): Beat {
    const open = this.#open.flat().map(({ at }) => at)
    const since = this.commits.slice(this.#looked)
    const backTo = Math.min(this.clock, ...this.#changes(since).map(({ at }) => at), ...open)
    const isBack = this.clock < this.#known ||
      this.#changes(since).some(({ at }) => at < this.#known)
    if (isBack) this.#steps = [...this.#steps, { reached: this.#known, backTo }]
    this.#known = this.clock
    const watermark = Math.min(this.clock, ...open)
    const beats = this.applied.map((applied) => this.stateOf(applied).beat?.watermark ?? 0)
    const beat = { watermark, floor: Math.min(watermark, ...beats), steps: this.#steps }
    this.#looked = this.commits.length
    this.#commit({ beat })
    return beat
  }
  #looked = 0

  /** Lets a server apply so many commits. */
  replicate(server: number, commits = Infinity): void {
    if (server === 0) return
    this.applied[server] = Math.min(this.commits.length, (this.applied[server] ?? 0) + commits)
  }

  /** Returns what a server has now. */
  server(server: number): ServerState {
    return this.stateOf(this.applied[server] ?? 0)
  }

  stateOf(applied: number): ServerState {
    const commits = this.commits.slice(0, applied)
    const last = new Map<string, Change>()
    const gone = new Map<string, number>()
    let completeSince = 0
    let beat: Beat | undefined
    for (const commit of commits) {
      if (commit.beat) beat = commit.beat
      for (const change of commit.changes ?? []) {
        const key = `${change.list} ${change.id}`
        last.set(key, change)
        if (change.value === undefined) {
          gone.set(key, Math.max(change.at, gone.get(key) ?? 0))
        }
      }
      completeSince = Math.max(completeSince, commit.resync ?? 0)
      for (const [key, at] of gone) {
        if (at >= (commit.forgets ?? 0)) continue
        if (last.get(key)?.value !== undefined) continue
        gone.delete(key)
        completeSince = Math.max(completeSince, at + 1)
      }
    }
    const rows = [...last].flatMap(([key, { list, id, at, value }]): ModelRow[] => {
      const stream = listNames.indexOf(list) + (value === undefined ? 0 : listNames.length)
      const time = value === undefined ? gone.get(key) : at
      if (time === undefined) return []
      return [{ list, id, at: time, value, place: [time, stream, String(id)] }]
    })
    const version = `${this.#epoch} ${commits.filter(({ changes }) => changes).length}`
    const newest = Math.max(-Infinity, ...rows.map(({ at }) => at), ...gone.values())
    return { rows, newest, version, completeSince, beat }
  }

  #changes(commits: readonly Commit[]): Change[] {
    return commits.flatMap(({ changes = [] }) => changes)
  }

  #commit(commit: Commit): void {
    this.commits.push(commit)
    this.applied[0] = this.commits.length
  }
}
