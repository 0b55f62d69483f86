import type { Design } from "./design.ts"
import type { Place } from "./listing.ts"
import { type Answer, isSame, type Query, type Tag } from "./service.ts"
import type { ModelRecord } from "./tables.ts"

/** How a reader polls. */
export interface ReaderKind {
  readonly by: "offset" | "cursor"
  readonly limit: number
  /** True if it sends entity tags, and ends a walk at a 304. */
  readonly tags: boolean
  readonly deletions: "first" | "last"
  /** True if it ends its poll at a 304 for the records, and then reads no deletions. */
  readonly endsPolls: boolean
}

/** A reader's state. Never changes; `afterAnswer` returns the next one. */
export interface ReaderState {
  readonly copy: readonly (ModelRecord | undefined)[]
  /** From here to the tags: what it stores when a poll has finished. */
  readonly since: number
  readonly tags: Tags
  /** The number of lists of this poll that are finished. */
  readonly finished: number
  /** The place of the next page. */
  readonly place: Place
  readonly nextSince: number
  readonly nextTags: Tags
  /** The largest \`updated\` so far, which counts if there is no Next-Since. */
  readonly newest: number
  /** The last answer. */
  readonly got: Answer | undefined
}
type Tags = Readonly<Partial<Record<"records" | "deletions", Tag>>>

const front: Place = { offset: 0 }
const noTags: Tags = {}

/** A reader that has never polled. */
export const newReader: ReaderState = {
  copy: [],
  since: -1,
  tags: noTags,
  finished: 0,
  place: front,
  nextSince: Infinity,
  nextTags: noTags,
  newest: -1,
  got: undefined,
}

/** Returns a reader that has forgotten the poll that it was in. */
export function startAgain({ copy, since, tags, newest, got }: ReaderState): ReaderState {
  return { ...newReader, copy, since, tags, newest, got }
}

/** Returns a text that is the same for readers that cannot be told apart: the last answer only shows what happened. */
export function contentsOf({ got: _, ...state }: ReaderState): string {
  return JSON.stringify(state)
}

/** Returns true if a poll has begun and not finished. */
export function isPolling({ finished, place }: ReaderState): boolean {
  return finished > 0 || place !== front
}

/** Returns what a reader requests next. */
export function nextQuery(kind: ReaderKind, { finished, since, tags, place }: ReaderState): Query {
  const list = (finished === 0) === (kind.deletions === "first") ? "deletions" : "records"
  const ifNoneMatch = place === front ? tags[list] : undefined
  return { list, since, place, limit: kind.limit, ifNoneMatch }
}

/** Returns a reader's state after an answer: it applies the page and chooses the next one. */
export function afterAnswer(
  { readersStore, readersKeep }: Design,
  kind: ReaderKind,
  state: ReaderState,
  got: Answer,
): ReaderState {
  const isFirst = state.place === front
  const copy = got.unchanged ? state.copy : applied(state.copy, got)
  const place = got.unchanged ? undefined : nextPlace(kind, state.place, got)
  const given = got.nextSince ?? Infinity
  const nextSince = readersKeep === "the last"
    ? given
    : isFirst
    ? Math.min(state.nextSince, given)
    : state.nextSince
  const nextTags = isFirst && kind.tags
    ? { ...state.nextTags, [got.list]: got.tag }
    : state.nextTags
  const newest = got.list === "records" && got.nextSince === undefined
    ? got.records.reduce((newest, { updated }) => Math.max(newest, updated), state.newest)
    : state.newest
  const storesNow = readersStore === "at the first page" && isFirst && got.nextSince !== undefined
  const since = storesNow ? nextSince : state.since
  const tags = storesNow ? nextTags : state.tags
  if (place) {
    return { copy, since, tags, finished: state.finished, place, nextSince, nextTags, newest, got }
  }
  const endsPoll = kind.endsPolls && got.list === "records" && got.unchanged
  if (state.finished === 0 && !endsPoll) {
    return { copy, since, tags, finished: 1, place: front, nextSince, nextTags, newest, got }
  }
  return {
    copy,
    since: got.nextSince === undefined ? newest : nextSince,
    tags: endsPoll ? { ...state.tags, ...nextTags } : nextTags,
    finished: 0,
    place: front,
    nextSince: Infinity,
    nextTags: noTags,
    newest,
    got,
  }
}

function nextPlace({ by, limit }: ReaderKind, place: Place, got: Answer): Place | undefined {
  if (got.list === "deletions") return undefined
  if (by === "offset" && "offset" in place) {
    return got.records.length > 0 ? { offset: place.offset + limit } : undefined
  }
  const after = got.records.at(-1)
  return got.hasNext && after ? { after } : undefined
}

function applied(
  copy: ReaderState["copy"],
  { list, records }: Answer,
): ReaderState["copy"] {
  if (records.length === 0) return copy
  const changed = [...copy]
  for (const record of records) changed[record.id] = list === "records" ? record : undefined
  return changed
}

/** Returns how a copy differs from the table, or undefined. */
export function differenceOf(
  { copy }: ReaderState,
  table: readonly (ModelRecord | undefined)[],
): string | undefined {
  for (let id = 0; id < table.length; id++) {
    if (!isSame(copy[id], table[id])) {
      return `record ${id} is ${show(copy[id])} in the copy and ${show(table[id])} in the table`
    }
  }
  return undefined
}

/** Shows a record as `updated/value`. */
export function show(record: ModelRecord | undefined): string {
  return record ? `${record.updated}/${record.value}` : "missing"
}
