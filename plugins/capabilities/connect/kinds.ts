import { itemKinds, recordTypes } from "../../../core/capability.ts"
import { type Column, recordTables } from "../../../core/tables.ts"

/** What a source has rows of. The tables of the service have the same names. */
export const kinds = [
  "organization",
  "event",
  "guest",
  ...Object.values(itemKinds).map(({ table }) => table),
] as const

export type Kind = (typeof kinds)[number]

/** The kinds whose rows belong to an event, and whose deletions partners are told. */
export const recordKinds = kinds.filter((kind) => kind !== "organization" && kind !== "event")

/** What a value means, and so how it is read. */
export type Meaning =
  | "text"
  | "email"
  | "number"
  | "decimal"
  | "money"
  | "time"
  | "flag"
  | "list"
  | "channels"
  | "steps"

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
  readonly isNullable: boolean
  /** True if a row cannot do without a value. Other texts are empty, lists empty and flags false. */
  readonly isRequired: boolean
}

export const addressKinds = {
  mainAddress: "main",
  giftAidAddress: "gift_aid",
  taxReceiptAidAddress: "tax_receipt",
} as const

export type Part = "record" | "consent" | (typeof addressKinds)[keyof typeof addressKinds]

/** Columns that every SELECT must have, by kind: what a row is and where it belongs. */
export const keyColumns: Readonly<Record<"organization" | "event" | "record", readonly string[]>> =
  {
    organization: ["id"],
    event: ["id", "organization"],
    record: ["id", "event"],
  }

const money = new Set(["price", "startPrice", "ticketPrice", "amount", "estimate"])
const times = new Set(["starts", "ends", "closes", "draws", "created"])
/** Texts that a row cannot do without, besides numbers that may not be null. */
const needed = new Set([
  "name",
  "slug",
  "status",
  "currency",
  "timezone",
  "licenceNumber",
  "regulator",
])
/** What the service decides, or finds out by itself. */
const notTaken = new Set(["id", "eventId", "updated", "changed"])

/** Returns the columns that the SELECT of a kind may have besides its keys. */
export function columnsOf(kind: Kind): readonly KindColumn[] {
  return columnsByKind[kind]
}

const columnsByKind = Object.fromEntries(
  kinds.map((kind) => [kind, findColumns(kind)]),
) as unknown as Readonly<
  Record<Kind, readonly KindColumn[]>
>

function findColumns(kind: Kind): readonly KindColumn[] {
  if (kind === "organization") {
    return ["slug", "name"].map((name) =>
      columnOf({ name, table: "organization", column: name, kind: "text" })
    )
  }
  const type = [...recordTypes.values()].find(({ table }) => table === kind)
  return Object.entries(type?.fields ?? {}).filter(([name]) => !notTaken.has(name)).flatMap(
    ([name, field]): KindColumn[] => {
      if (field.record) {
        const part = addressKinds[name as keyof typeof addressKinds]
        return Object.values(field.record.fields).map(({ column, kind: fieldKind }) => ({
          ...columnOf({
            name: `${name}${titled(column)}`,
            table: "address",
            column,
            kind: fieldKind,
          }),
          part,
          isRequired: false,
        }))
      }
      const { relation, column, kind: fieldKind } = field
      const table = relation === "consent" ? "consent" : kind
      const found = columnOf({ name, table, column, kind: fieldKind })
      return [{ ...found, part: relation === "consent" ? "consent" : "record" }]
    },
  )
}

function columnOf({ name, table, column, kind }: {
  readonly name: string
  readonly table: keyof typeof recordTables
  readonly column: string
  readonly kind: string
}): KindColumn {
  const columns: Readonly<Record<string, Column>> = recordTables[table].columns
  const { length, isNullable = false, kind: stored } = columns[column] as Column
  const meaning = meaningOf(name, { kind, isDecimal: stored === "percent" })
  return {
    name,
    meaning,
    part: "record",
    column,
    length: length ?? (stored === "slug" ? 191 : undefined),
    isNullable,
    isRequired: !isNullable && name !== "created" && name !== "lotNumber" &&
      (needed.has(name) || ["number", "money", "time"].includes(meaning)),
  }
}

function meaningOf(
  name: string,
  { kind, isDecimal }: { readonly kind: string; readonly isDecimal: boolean },
): Meaning {
  if (name === "email") return "email"
  if (name === "consentChannels") return "channels"
  if (name === "increments") return "steps"
  if (kind === "flag") return "flag"
  if (kind === "document") return "list"
  if (kind !== "number") return "text"
  if (isDecimal) return "decimal"
  return money.has(name) ? "money" : times.has(name) ? "time" : "number"
}

/** `recipient_name` as `RecipientName`. */
function titled(column: string): string {
  return column.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns a name as names are compared: databases change the case, and some people write underscores. */
export function plainName(name: string): string {
  return name.replaceAll("_", "").toLowerCase()
}
