import { itemKinds, recordTypes } from "../../../core/capability.ts"
import { type Column, recordTables } from "../../../core/tables.ts"

/** What a source has rows of. The tables of the service have the same names. */
export const kinds = [
  "organization",
  "event",
  "guest",
  ...Object.values(itemKinds).map(({ table }) => table),
] as const

export type SourceKind = (typeof kinds)[number]

/** The kinds whose rows belong to an event, and whose deletions partners are told. */
export const recordKinds = kinds.filter((kind) => kind !== "organization" && kind !== "event")

/** What a value means, and so how it is read. */
export type Meaning =
  | "text"
  | "slug"
  | "email"
  | "currency"
  | "zone"
  | "number"
  | "decimal"
  | "money"
  | "time"
  | "flag"
  | "list"
  | "consent"
  | "channels"
  | "steps"
  | "extra"

/** A column that the SELECT of a kind may have, and where its value goes. */
export interface KindColumn {
  /** The name of the field in the contract, such as `firstName` or `mainAddressLine1`. */
  readonly name: string
  readonly meaning: Meaning
  /** `record` is the row of the kind itself; else its consent, or its address of that kind. */
  readonly part: Part
  /** The column of the service's table. */
  readonly column: string
  /** The most characters of a text. */
  readonly length: number | undefined
  /** The greatest number. */
  readonly greatest: number
  readonly isNullable: boolean
  /** True if a row needs a value. Without one, other texts and lists are empty, and flags false. */
  readonly isRequired: boolean
}

export const addressKinds = {
  mainAddress: "main",
  giftAidAddress: "gift_aid",
  taxReceiptAidAddress: "tax_receipt",
} as const

export type AddressPart = (typeof addressKinds)[keyof typeof addressKinds]

type Part = "record" | "consent" | AddressPart

/** Returns what rows of a kind belong to. */
export function ownerOf(kind: SourceKind): "organization" | "event" | undefined {
  return kind === "organization" ? undefined : kind === "event" ? "organization" : "event"
}

const money = new Set(["price", "startPrice", "ticketPrice", "amount", "estimate"])
const times = new Set(["starts", "ends", "closes", "draws", "created"])
const meanings = new Map<string, Meaning>([
  ["slug", "slug"],
  ["email", "email"],
  ["currency", "currency"],
  ["timezone", "zone"],
  ["consentStatus", "consent"],
  ["consentChannels", "channels"],
  ["increments", "steps"],
  ["extra", "extra"],
])
/** Texts that a row needs, besides all numbers that may not be null. */
const needed = /^(name|slug|status|currency|timezone|licenceNumber|regulator)$/
const spared = /^(created|lotNumber)$/
/** What the service decides, or finds out by itself. */
const notTaken = /^(id|eventId|updated|changed)$/

/** Returns the columns that the SELECT of a kind may have besides its keys. */
export function columnsOf(kind: SourceKind): readonly KindColumn[] {
  return columnsByKind.get(kind) ?? []
}

const columnsByKind = new Map(kinds.map((kind) => [kind, findColumns(kind)]))

function findColumns(kind: SourceKind): readonly KindColumn[] {
  if (kind === "organization") {
    return ["slug", "name"].map((name) => columnOf(name, { table: kind, column: name }))
  }
  const type = [...recordTypes.values()].find(({ table }) => table === kind)
  const fields = Object.entries(type?.fields ?? {}).filter(([name]) => !notTaken.test(name))
  const extra = kind === "event" ? [] : [columnOf("extra", { table: kind, column: "extra" })]
  const declared = fields.flatMap(([name, { record, relation, column, kind: type, greatest }]) => {
    if (record) {
      const part = addressKinds[name as keyof typeof addressKinds]
      return Object.values(record.fields).map(({ column }) => ({
        ...columnOf(`${name}${titled(column)}`, { table: "address", column }),
        ...{ part, isRequired: false },
      }))
    }
    if (relation !== "consent") return columnOf(name, { table: kind, column, type, greatest })
    return { ...columnOf(name, { table: "consent", column, type }), part: "consent" as const }
  })
  return [...declared, ...extra]
}

function columnOf(name: string, { table, column, type = "text", greatest = Infinity }: {
  readonly table: keyof typeof recordTables
  readonly column: string
  readonly type?: string
  readonly greatest?: number | undefined
}): KindColumn {
  const columns: Readonly<Record<string, Column>> = recordTables[table].columns
  const { length, isNullable = false, kind: stored } = columns[column] as Column
  const meaning = stored === "percent" ? "decimal" : meaningOf(name, type)
  const isNumber = ["number", "money", "time"].includes(meaning)
  return {
    ...{ name, meaning, column, greatest, isNullable, part: "record" },
    length: length ?? (stored === "slug" ? 191 : undefined),
    isRequired: !isNullable && !spared.test(name) && (needed.test(name) || isNumber),
  }
}

function meaningOf(name: string, type: string): Meaning {
  const named = meanings.get(name)
  if (named) return named
  if (type === "flag") return "flag"
  if (type === "document") return "list"
  if (type !== "number") return "text"
  return money.has(name) ? "money" : times.has(name) ? "time" : "number"
}

/** `recipient_name` as `RecipientName`. */
function titled(column: string): string {
  return column.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns a name as names are compared: databases change the case, people write underscores or spaces, and exports dots. */
export function plainName(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase()
}
