import type { Buffer } from "node:buffer"
import type { Result } from "./client.ts"
import { TemporaryError, unusable } from "./errors.ts"
import type { ExportRecord, List } from "../pull.d.mts"
import { sha256 } from "./sha256.ts"

/** The lists of an event. */
export const lists = ["guests", "items"] as const
/** The most levels of a record: SQLite reads at most a thousand. */
const mostLevels = 100

/** A page of a list. */
export type Page = ReturnType<typeof pageOf>

/** Parses a page of a list. @throws {PullError} if it is something else. */
export function pageOf({ status, headers, body }: Result, list: List) {
  const nextSince = headers.get("next-since") ?? ""
  if (!/^-?\d+$/.test(nextSince)) throw new TemporaryError("a response without Next-Since")
  const unchanged = status === 304
  const parts = unchanged ? {} : Array.isArray(body) ? { [list]: body } : list === "items" && body
  if (!parts) throw new TemporaryError("a response that is not a list")
  const rows = Object.entries(parts).flatMap(([category, records]) => {
    if (!Array.isArray(records)) throw new TemporaryError("a response that is not a list")
    return records.map((record) => rowOf(list, category, record))
  })
  const [, next] = /<([^>]*)>\s*;[^,<]*\brel="?next"?/.exec(headers.get("link") ?? "") ?? []
  return {
    rows,
    nextSince: Number(nextSince),
    next: unchanged ? undefined : next,
    tag: headers.get("etag"),
    unchanged,
    /** True if the service held the request, or would have. */
    waited: /\bwait\b/.test(headers.get("preference-applied") ?? ""),
  }
}

/** Parses the page of the feed after a cursor. A row without a record is a deletion. @throws {PullError} if it is something else. */
export function feedPageOf({ status, headers, body }: Result, cursor: string) {
  const about = { tag: headers.get("etag"), fields: headers.get("fields") }
  if (status === 304) return { rows: [], next: cursor, more: false, ...about }
  const { changes, next, more } = body as Record<string, unknown>
  if (!Array.isArray(changes) || typeof next !== "string" || typeof more !== "boolean") {
    throw new TemporaryError("a response that is not a page of a feed")
  }
  // Future versions may have other lists.
  const known = changes.filter(({ list }) => lists.includes(list))
  const rows = known.map(({ list, category, id, record, deleted }) => {
    if (deleted === undefined) return rowOf(list, category, record, id)
    return { ...rowOf(list, category, { id, updated: deleted }), record: undefined }
  })
  return { rows, next, more, ...about }
}

/** Parses a part of an export. @throws {PullError} if it is incomplete. */
export function exportOf({ headers, body }: Result, list: List) {
  const bytes = body as Buffer
  const last = bytes.lastIndexOf("\n", -2) + 1
  const lines = String(bytes.subarray(0, last)).split("\n").slice(0, -1)
  const { end } = JSON.parse(String(bytes.subarray(last)))
  if (end.sha256 !== sha256(bytes.subarray(0, last)) || end.count !== lines.length) {
    throw new TemporaryError("an export whose checksum is wrong")
  }
  const rows = lines.map((line) => {
    const { category = list, ...record } = JSON.parse(line)
    return rowOf(list, category, record)
  })
  return { rows, next: end.next as string | null, fields: headers.get("fields") }
}

/** Parses the digest of a list: per category, the digests of its buckets. */
export function digestsIn({ headers, body }: Result, list: List) {
  const digests = (list === "guests" ? { guests: body } : body) as Record<string, {
    readonly buckets: Readonly<Record<string, { readonly digest: string }>>
  }>
  const names = Object.values(digests).flatMap(({ buckets }) => Object.keys(buckets))
  if (!names.every((name) => /^[\da-f]{1,4}$/.test(name))) {
    throw new TemporaryError("a response that is not a digest")
  }
  return { fields: headers.get("fields"), digests }
}

/** Names that a category of items may not have, since other tables use them. */
const wrongCategories = /^(events|guests|pull_.*|sqlite_.*|.{0}|.{100,})$|\W/i

/** Returns a record with its list, category and id. @throws {PullError} if no copy can have it. */
function rowOf(list: List, category: unknown, record: ExportRecord, id = record?.id) {
  // Ids of events become names of folders and of members of the state; categories become names of tables.
  const isRecord = typeof id === "string" && /^[\w-]{1,100}$/.test(id) && !(id in {}) &&
    id === record?.id && Number.isSafeInteger(record.updated)
  if (!isRecord) throw unusable(`a record without a valid id and time in a list of ${list}`)
  if (!isWithin(record, mostLevels)) throw unusable(`a record of more than ${mostLevels} levels`)
  const isItems = list === "items" && typeof category === "string" &&
    !wrongCategories.test(category)
  if (!isItems && (list === "items" || category !== list)) {
    throw unusable("an unknown category")
  }
  return { list, category: category as string, id, record }
}

/** True if a value has at most this number of levels. */
function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1))
}
