import type { Design } from "./design.ts"
import { listDeletions, listRecords, type Place } from "./listing.ts"
import type { ModelRecord, Tables } from "./tables.ts"

/** When a request read what. */
export interface Moments {
  readonly clock: number
  readonly look: Tables
  readonly page: Tables
}

/** An entity tag: equal for equal records and equal versions. */
export interface Tag {
  readonly records: readonly ModelRecord[]
  /** The event's version; undefined if the tag is made of the bytes alone. */
  readonly version: number | undefined
}

/** The answer to a request. */
export interface Answer {
  readonly list: "records" | "deletions"
  readonly place: Place
  /** True for a 304. */
  readonly unchanged: boolean
  readonly records: readonly ModelRecord[]
  readonly hasNext: boolean
  /** Undefined if readers have to take the largest \`updated\`. */
  readonly nextSince: number | undefined
  readonly tag: Tag
}

/** What a reader requests. */
export interface Query {
  readonly list: "records" | "deletions"
  readonly since: number
  readonly place: Place
  readonly limit: number
  readonly ifNoneMatch: Tag | undefined
}

/** Answers a request from what it read. */
export function answer(
  design: Design,
  { clock, page }: Moments,
  watermark: number,
  { list, since, place, limit, ifNoneMatch }: Query,
): Answer {
  const { records, hasNext } = list === "records"
    ? listRecords(page, { design, since, now: clock, place, limit })
    : { records: listDeletions(page, since), hasNext: false }
  const made = list === "records" ? design.tag : design.deletionsTag
  const hasVersion = made === "bytes and version" || (made === "version if more" && hasNext) ||
    (made === "version unless empty" && records.length > 0)
  const tag = { records, version: hasVersion ? page.version : undefined }
  return {
    list,
    place,
    unchanged: ifNoneMatch !== undefined && areEqual(tag, ifNoneMatch),
    records,
    hasNext,
    nextSince: nextSinceOf(design, clock, watermark),
    tag,
  }
}

function nextSinceOf({ since, lag }: Design, clock: number, watermark: number): number | undefined {
  if (since === "watermark") return watermark
  return since === "clock" ? clock - lag : undefined
}

/** Returns the time before which no change can still become visible. */
export function watermarkOf(
  { open, margin, looksAt }: Design,
  { clock, look, page }: Moments,
): number {
  let watermark = clock
  for (const { seq, at, openBy } of look.log) {
    if (at >= watermark || (openBy !== undefined && looksAt === "a follower")) continue
    const holds = open === "uncommitted" ? openBy !== undefined : !page.hasCommitted(seq)
    if (holds) watermark = at
  }
  return watermark - margin
}

function areEqual(a: Tag, b: Tag): boolean {
  return a.version === b.version && a.records.length === b.records.length &&
    a.records.every((record, index) => isSame(record, b.records[index]))
}

/** Returns true if two records have the same content. */
export function isSame(a: ModelRecord | undefined, b: ModelRecord | undefined): boolean {
  return a === b || a?.id === b?.id && a?.updated === b?.updated && a?.value === b?.value
}
