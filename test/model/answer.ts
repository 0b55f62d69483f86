import type { Design } from "./design.ts"
import { beatOf, type Change, changesOf, sinceBefore, stepsOf, tableOf } from "./history.ts"
import { versionOf } from "./version.ts"
import { clockOf, historyOf, isWritable, seenFrom, type World } from "./world.ts"

export type List = "records" | "deletions"

/** Where a page begins. */
export type Place =
  | { readonly offset: number }
  | {
    readonly after: Position
    /** Of the first page of the walk. */
    readonly nextSince: number
    readonly since: number
  }
type Position = readonly [stamp: number, record: string]

/** What a partner asks for. */
export interface Query {
  readonly list: List
  readonly since: number
  readonly limit: number
  readonly place: Place
  readonly tag: string | undefined
}

export interface Answer {
  readonly rows: readonly Change[]
  readonly next: Place | undefined
  readonly nextSince: number
  readonly tag: string | undefined
  /** True for a 304. */
  readonly isUnchanged: boolean
}

/** Answers a request from a snapshot of a node; undefined if the node must not answer it. */
export function answer(
  design: Design,
  whole: World,
  node: number,
  { list, since: given, limit, place, tag: sent }: Query,
): Answer | undefined {
  const world = seenFrom(whole, node)
  if (!isInUse(design, world, node) || !mayBegin(design, world, node, place)) return undefined
  const history = historyOf(world, node)
  const steps = design.steps === "memory" ? world.memory.steps : stepsOf(history)
  const { since, nextSince } = "after" in place
    ? place
    : { since: sinceBefore(given, steps), nextSince: nextSinceOf(design, world, node) }
  const rows = [...tableOf(history).values()]
    .filter(({ gone, stamp }) => gone === (list === "deletions") && stamp >= since)
    .toSorted((one, other) => isAfter(one, positionOf(other)) ? 1 : -1)
  const rest = "after" in place
    ? rows.filter((row) => isAfter(row, place.after))
    : rows.slice(place.offset)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const next = last && rest.length > limit
    ? { after: positionOf(last), nextSince, since }
    : undefined
  const isReadAgain = !next && page.every(({ stamp }) => stamp >= nextSince)
  // Also one of a record that exists again.
  const isDeleted = design.untagged.includes(list) &&
    changesOf(history).some(({ gone, stamp }) => gone && stamp >= since)
  const version = versionOf(history, design, world.memory.base)
  const tag = design.tags === "all" || (isReadAgain && !isDeleted)
    ? `${version} of ${page.map(({ id }) => id).join(" ")}`
    : undefined
  const isUnchanged = tag !== undefined && tag === sent
  return { rows: isUnchanged ? [] : page, next, nextSince, tag, isUnchanged }
}

/** Returns the age of a node's heartbeat, as the service can tell it: no clock of a replica counts. */
function ageOf({ time, memory: { reading } }: World, clock: number): number {
  return reading.clock + time - reading.time - clock
}

function isInUse(design: Design, world: World, node: number): boolean {
  const { clock, floor } = beatOf(historyOf(world, node))
  if (isWritable(world, node)) {
    return ageOf(world, clock) <= design.writableAge || isConfirmed(design, world, node)
  }
  if (design.nextSince === "the floor" && floor === undefined) return false
  if (!world.isElecting) return ageOf(world, clock) <= design.staleness
  return node !== world.primary &&
    (design.stranded === "anything" || world.memory.reading.clock - clock <= design.staleness)
}

/** Returns true if a node has all that a walk needs. */
function mayBegin(design: Design, world: World, node: number, place: Place): boolean {
  const history = historyOf(world, node)
  const { watermark, clock } = beatOf(history)
  if ("after" in place) {
    const { nextSince } = place
    return design.cursors === "any node" || watermark >= nextSince ||
      (isWritable(world, node) && sinceBefore(nextSince, stepsOf(history)) !== nextSince)
  }
  return place.offset === 0 || design.offsets === "any node" ||
    (isWritable(world, node) &&
      (ageOf(world, clock) <= design.offsets || isConfirmed(design, world, node)))
}

/** Returns true if a server that can be written to counts as the primary, however old its heartbeat is. */
function isConfirmed({ confirmation }: Design, { primary }: World, node: number): boolean {
  return confirmation === "its own" || (confirmation === "that of the majority" && node === primary)
}

function nextSinceOf({ nextSince }: Design, world: World, node: number): number {
  const { watermark, floor } = beatOf(historyOf(world, node))
  if (nextSince === "the floor") return floor ?? watermark
  if (nextSince === "the clock of the node") return clockOf(world, node)
  if (nextSince === "the watermark of the snapshot") return watermark
  return Math.max(watermark, world.memory.watermarks[node] ?? 0)
}

function positionOf({ stamp, record }: Change): Position {
  return [stamp, record]
}

/** Returns true if a row comes later in a list, which is newest first. */
function isAfter(row: Change, [stamp, record]: Position): boolean {
  return row.stamp < stamp || (row.stamp === stamp && row.record < record)
}
