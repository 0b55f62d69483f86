import { Buffer } from "node:buffer"
import { gunzipSync, zstdDecompressSync } from "node:zlib"
import type { Exchange, Sent } from "./exchange.ts"

/** What a path of a family is about. */
export interface FamilyPath {
  /** The prefix of the family's paths. */
  readonly prefix: string
  readonly event: string
  readonly list: "guests" | "items" | "changes"
  /** `list`, `export`, `deletions`, `digest` or `record`. */
  readonly kind: "list" | "export" | "deletions" | "digest" | "record"
  readonly query: URLSearchParams
}

/** A record that a client received. */
export interface ReceivedRecord {
  /** Undefined if the body does not say it. */
  readonly category: string | undefined
  readonly id: string
}

/** What a client received of an event. */
export interface Received {
  readonly records: readonly ReceivedRecord[]
  readonly deletions: readonly { readonly id: string; readonly deleted: number }[]
}

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
const pattern = new RegExp(
  `^(/[^/]+/v1)/events/(${uuid})/(guests|items|changes)(?:/(export|deletions|digest|${uuid}))?$`,
)

/** Returns what a request is about; undefined if it is not about the records of an event. */
export function familyPathOf({ path }: Pick<Sent, "path">): FamilyPath | undefined {
  const [pathname = "", ...search] = path.split("?")
  const [, prefix, event, list, rest] = pattern.exec(pathname) ?? []
  if (prefix === undefined || event === undefined) return undefined
  const kind = rest === undefined ? "list" : rest.length === 36 ? "record" : rest
  return {
    prefix,
    event,
    query: new URLSearchParams(search.join("?")),
    list: list as FamilyPath["list"],
    kind: kind as FamilyPath["kind"],
  }
}

/** Returns the text of a body as far as it can be read: clients may leave in the middle. */
export function textOf({ body, headers }: Pick<Exchange, "body" | "headers">): string {
  const encoding = headers.get("content-encoding") ?? "identity"
  if (encoding === "identity" || body.byteLength === 0) return Buffer.from(body).toString()
  try {
    if (encoding === "gzip") {
      return gunzipSync(body, { finishFlush: 2 }).toString()
    }
    if (encoding === "zstd") return zstdDecompressSync(body).toString()
  } catch {
    // Cut where nothing can be decoded yet.
  }
  return ""
}

const idInRecord = new RegExp(`"id":"(${uuid})"`, "g")

/** Returns the records and deletions that a client received, whatever the format, and however much of it arrived. */
export function receivedOf(path: FamilyPath, exchange: Exchange): Received {
  if (exchange.status !== 200 || path.kind === "digest" || exchange.method !== "GET") return nothing
  const text = textOf(exchange)
  const type = exchange.headers.get("content-type") ?? ""
  const rows = /csv/.test(type) ? rowsOfCsv(text) : rowsOfJson(text)
  if (path.kind === "deletions") {
    return {
      records: [],
      deletions: rows.flatMap(({ id, deleted }) =>
        id !== undefined && deleted !== undefined ? [{ id, deleted: Number(deleted) }] : []
      ),
    }
  }
  const isOfDeletion = (row: Row) => path.list === "changes" && row.record === undefined
  return {
    deletions: rows.filter(isOfDeletion).flatMap(({ id, deleted }) =>
      id !== undefined && deleted !== undefined ? [{ id, deleted: Number(deleted) }] : []
    ),
    records: rows.filter((row) => !isOfDeletion(row)).flatMap((row) => {
      const { id } = row.record ?? row
      const category = row.category ?? (path.list === "guests" ? "guests" : undefined)
      return id === undefined ? [] : [{ category, id }]
    }),
  }
}

const nothing: Received = { records: [], deletions: [] }

interface Row {
  readonly id?: string
  readonly deleted?: number | string
  readonly category?: string
  readonly record?: Row
}

function rowsOfJson(text: string): readonly Row[] {
  const whole = parse(text)
  const isWhole = whole !== undefined
  const rows = rowsIn(whole ?? text.split("\n").map(parse).filter((row) => row !== undefined))
  // Cut in the middle of a line or of an array: what has an id has been received, at least in part.
  const known = new Set(rows.map(({ id }) => id))
  const cut = isWhole
    ? []
    : [...text.matchAll(idInRecord)].flatMap(([, id = ""]) => known.has(id) ? [] : [{ id }])
  return [...rows, ...cut]
}

function rowsIn(value: unknown): Row[] {
  if (Array.isArray(value)) return value.flatMap(rowsIn)
  if (typeof value !== "object" || value === null) return []
  const object = value as Readonly<Record<string, unknown>>
  if (Array.isArray(object["changes"])) return rowsIn(object["changes"])
  if (typeof object["id"] === "string") return [object as Row]
  return Object.entries(object).flatMap(([category, rows]) =>
    Array.isArray(rows) ? rowsIn(rows).map((row) => ({ ...row, category })) : []
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function rowsOfCsv(text: string): readonly Row[] {
  const [head = [], ...lines] = cellsOf(text)
  return lines.map((cells) =>
    Object.fromEntries(head.map((name, index) => [name, cells[index]])) as Row
  ).filter(({ id }) => id !== undefined && id.length === 36)
}

function cellsOf(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (
    const [, quoted, plain = "", end] of text.matchAll(
      /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g,
    )
  ) {
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ",") continue
    rows.push(row)
    row = []
  }
  return rows
}
