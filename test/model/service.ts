import type { Design } from "./design.ts"
import {
  beatOf,
  type Change,
  type ClockStep,
  type History,
  stepsOf,
  tableOf,
  versionOf,
} from "./history.ts"
import type { Query } from "./partner.ts"

export type List = "records" | "deletions"
export type Place =
  | { readonly offset: number }
  | {
    readonly after: Position
    /** Of the first page of the walk. */
    readonly nextSince: number
    readonly since: number
  }
type Position = readonly [stamp: number, record: string]

/** What an instance of the service remembers, in designs in which it does. */
export interface Memory {
  readonly watermarks: readonly number[]
  readonly steps: readonly ClockStep[]
  readonly base: number
}

export interface Answer {
  readonly rows: readonly Change[]
  readonly next: Place | undefined
  readonly nextSince: number
  readonly tag: string | undefined
  /** True for a 304. */
  readonly isUnchanged: boolean
}

/** A server that answers, at the moment of a snapshot. */
export interface Node {
  readonly number: number
  readonly isPrimary: boolean
  readonly clock: number
  readonly history: History
}

/** Answers a request on a node; undefined if the node must not answer it. */
export function answer(
  design: Design,
  { list, since: given, limit, place, tag: sent }: Query,
  node: Node,
  memory: Memory,
): Answer | undefined {
  const { history, isPrimary } = node
  const isWalk = "after" in place
  const watermark = watermarkOf(design, node, memory)
  if (isWalk && design.cursors !== "any node" && watermark < place.nextSince) return undefined
  if (!isWalk && place.offset > 0 && design.offsets === "the primary" && !isPrimary) {
    return undefined
  }
  const steps = design.steps === "memory" ? memory.steps : stepsOf(history)
  const since = isWalk ? place.since : sinceBefore(given, steps)
  const nextSince = isWalk ? place.nextSince : watermark
  const rows = [...tableOf(history).values()]
    .filter(({ gone, stamp }) => gone === (list === "deletions") && stamp >= since)
    .toSorted((one, other) => isAfter(one, positionOf(other)) ? 1 : -1)
  const from = isWalk ? rows.filter((row) => isAfter(row, place.after)) : rows.slice(place.offset)
  const page = from.slice(0, limit)
  const last = page.at(-1)
  const next = last && from.length > limit
    ? { after: positionOf(last), nextSince, since }
    : undefined
  const isReadAgain = !next && page.every(({ stamp }) => stamp >= nextSince)
  const tag = design.tags === "all" || isReadAgain
    ? `${page.length > 0 ? versionOf(history, design, memory.base) : ""} of ${
      page.map(({ id }) => id).join(" ")
    }`
    : undefined
  const isUnchanged = tag !== undefined && tag === sent
  return { rows: isUnchanged ? [] : page, next, nextSince, tag, isUnchanged }
}

function watermarkOf({ nextSince }: Design, { number, history, clock }: Node, memory: Memory) {
  const { watermark } = beatOf(history)
  if (nextSince === "the clock of the node") return clock
  if (nextSince === "the row of the snapshot") return watermark
  return Math.max(watermark, memory.watermarks[number] ?? 0)
}

function positionOf({ stamp, record }: Change): Position {
  return [stamp, record]
}

/** Returns true if a row comes later in a list, which is newest first. */
function isAfter(row: Change, [stamp, record]: Position): boolean {
  return row.stamp < stamp || (row.stamp === stamp && row.record < record)
}

function sinceBefore(since: number, steps: readonly ClockStep[]): number {
  const around = steps.filter(({ reached, backTo }) => backTo < since && since <= reached)
  const earliest = Math.min(since, ...around.map(({ backTo }) => backTo))
  return earliest === since ? since : sinceBefore(earliest, steps)
}
