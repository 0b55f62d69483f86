import { recordsOfCsv } from "../csv-reader.ts"
import type { Fields } from "../truth.ts"
import type { Reply } from "./reply.ts"

/** A record or a deletion, of a list in any format. */
export interface Row {
  readonly category: string
  readonly id: string
  /** Not a number for deletions. */
  readonly updated: number
  /** Its fields, without the category. */
  readonly fields: Fields
  /** True if all fields are text: those of CSV. */
  readonly isText: boolean
}

export type List = "guests" | "items"

/** The categories of items, as the guide lists them. */
export const itemCategories: readonly string[] = [
  "buyNows",
  "auctionItems",
  "pledges",
  "prizeDraws",
  "gliRaffles",
  "tickets",
]

/** Returns by what a copy has a record. */
export function keyOf({ category, id }: Pick<Row, "category" | "id">): string {
  return `${category} ${id}`
}

/** Returns the list that has the record with a key. */
export function listOf(key: string): List {
  return key.startsWith("guests ") ? "guests" : "items"
}

/** Returns the rows of a page of a list, or of its deletions. @throws if the body is not one. */
export function rowsOf({ headers, text }: Pick<Reply, "headers" | "text">, list: List): Row[] {
  const type = headers.get("content-type") ?? ""
  const rows = /csv/.test(type)
    ? recordsOfCsv(text)
    : /ndjson|jsonl/.test(type)
    ? text.split("\n").slice(0, -1).map((line) => JSON.parse(line) as Fields)
    : rowsOfJson(JSON.parse(text), list)
  return rows.map((row) => rowOf(row, list, /csv/.test(type)))
}

/** Returns a row of what a line of a list says. @throws if it is not one. */
export function rowOf(line: Fields, list: List, isText = false): Row {
  const { category = "guests", ...fields } = line
  const { id, updated } = fields
  const isKnown = list === "guests"
    ? category === "guests"
    : itemCategories.includes(category as string)
  if (typeof id !== "string" || !isKnown) {
    throw new Error(`a list of ${list} has a row of ${category} with the id ${id}`)
  }
  return { category: category as string, id, updated: Number(updated), fields, isText }
}

function rowsOfJson(body: unknown, list: List): Fields[] {
  if (Array.isArray(body)) return body
  const keys = Object.keys(body as object)
  if (list !== "items" || keys.join() !== itemCategories.join()) {
    throw new Error(`a page of ${list} is an object with ${keys}`)
  }
  return Object.entries(body as Record<string, Fields[]>).flatMap(([category, records]) =>
    records.map((record) => ({ category, ...record }))
  )
}
