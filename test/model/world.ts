import type { Change, ClockStep, Entry, History } from "./history.ts"
import type { Partner } from "./partner.ts"
import type { Budget } from "./scope.ts"

/** Everything that there is: servers, open changes, what the service remembers, and a partner. */
export interface World {
  readonly time: number
  /** What the clock of each server shows more than `time`. */
  readonly clocks: readonly number[]
  readonly histories: readonly History[]
  readonly primary: number
  /** True while the primary has gone, and no other has been elected. */
  readonly isElecting: boolean
  /** True while the primary answers and cannot commit. */
  readonly isStuck: boolean
  /** A former primary that does not know it. */
  readonly paused: number | undefined
  /** Another process, which goes on with a former primary that nobody has fenced. */
  readonly split: Split | undefined
  /** What the primary has received and not applied yet. */
  readonly backlog: History
  /** The changes on the primary that are not committed. */
  readonly open: readonly Change[]
  /** The look whose heartbeat is not committed. */
  readonly look: Look | undefined
  readonly memory: Memory
  readonly partner: Partner | undefined
  /** Cached contents by their keys. */
  readonly cached: Readonly<Record<string, string>>
  /** The changes that a failover has lost. */
  readonly lost: readonly Change[]
  /** The last change that was made before that failover. */
  readonly before: number
  /** The last `id` of an entry. */
  readonly ids: number
  readonly used: Readonly<Partial<Record<Budget, number>>>
}

/** A process with a memory of its own, and the server that it takes for the primary. It reaches no other one. */
export interface Split {
  readonly node: number
  readonly memory: Memory
}

/** What one look has found. */
export interface Look {
  readonly node: number
  readonly clock: number
  readonly watermark: number
  readonly top: number
  readonly step: ClockStep | undefined
}

/** What the service remembers. */
export interface Memory {
  /** The clock of the primary, and the time, of the last look. */
  readonly reading: { readonly clock: number; readonly time: number }
  /** Committed watermarks with their times, the oldest first. */
  readonly floors: readonly { readonly watermark: number; readonly time: number }[]
  /** By node, in designs that remember them. */
  readonly watermarks: readonly number[]
  /** In designs that remember them. */
  readonly steps: readonly ClockStep[]
  /** In designs that remember it. */
  readonly base: number
}

export function historyOf({ histories }: World, node: number): History {
  return histories[node] ?? []
}

export function clockOf({ time, clocks }: World, node: number): number {
  return time + (clocks[node] ?? 0)
}

/** Returns true if a server would say that it can be written to. */
export function isWritable({ primary, isElecting, paused }: World, node: number): boolean {
  return node === paused || (node === primary && !isElecting)
}

/** Returns the world as the process knows it that reads from a node. */
export function seenFrom(world: World, node: number): World {
  const { split } = world
  return node === split?.node
    ? { ...world, primary: node, memory: split.memory, open: [], isElecting: false, isStuck: false }
    : world
}

/** Returns true if there is a primary that can commit. */
export function canCommit({ isElecting, isStuck }: World): boolean {
  return !isElecting && !isStuck
}

export function withHistory(world: World, node: number, history: History): World {
  return { ...world, histories: world.histories.with(node, history) }
}

export function withMemory(world: World, part: Partial<Memory>): World {
  return { ...world, memory: { ...world.memory, ...part } }
}

/** Adds an entry to the primary's history. */
export function commit(world: World, entry: Entry): World {
  return withHistory(world, world.primary, [...historyOf(world, world.primary), entry])
}

export function nameOf(node: number): string {
  return "ABC"[node] ?? String(node)
}

/** Describes an entry. */
export function tell(entry: Entry): string {
  if (entry.kind === "beat") return `the heartbeat of ${entry.clock}`
  if (entry.kind === "fold") return `the fold up to ${entry.upTo}`
  const { record, stamp, gone, seq } = entry
  return `${gone ? "the deletion of " : ""}${record}@${stamp} (number ${seq})`
}
