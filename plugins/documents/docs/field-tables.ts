import {
  type Catalogue,
  leanEvent,
  leanGuest,
  leanItems,
  type Projection,
  type RecordType,
  wholeItems,
} from "../../../core/plugin.ts"
import type { DocsReader, FamilyRecord } from "./reader.ts"

type Records = Catalogue["records"]
type Readable = Pick<DocsReader, "records">
type Field = RecordType["fields"][string]

/** The names of the records in each section of the text. */
const sections: Readonly<Record<string, readonly string[]>> = {
  event: ["Event"],
  guest: ["Guest"],
  items: Object.values(wholeItems).map(({ record }) => record),
  deletions: ["GuestDeletion", "ItemDeletion"],
}

/** The arrays of the bundle of items, by record name. */
const arrays = new Map(
  Object.entries(wholeItems).map(([part, { record }]) => [record as string, part]),
)

const lean = new Map(
  [leanEvent, leanGuest, ...Object.values(leanItems)]
    .map(({ record, fields }: Projection) => [record as string, fields]),
)

/** A field as the tables show it. */
interface Row {
  readonly name: string
  readonly type: string
  readonly description: string
  /** The families that have the field, or `all`; undefined if there is only one family. */
  readonly families: string | undefined
}

/** The fields of a record; for `Item`, those that all kinds of items have. */
interface Table {
  readonly record: string
  readonly rows: readonly Row[]
}

/**
 * Returns Markdown tables of the fields of each record in a section: `event`, `guest`, `items` or `deletions`. Readers
 * with families get the fields of these; others get those of full and lean records.
 *
 * @throws {TypeError} if there is no such section.
 */
export function fieldTables(section: string, records: Records, reader: Readable): string {
  const names = sections[section]
  if (!names) throw new TypeError(`the guide has no fields of ${section}`)
  return tablesOf(names, records, reader).map(({ record, rows }, index) => {
    const title = index > 0 || names.length > 1 ? `### ${titles.get(record) ?? record}\n\n` : ""
    const array = arrays.get(record)
    const isMany = rows.some(({ families }) => families !== undefined)
    const head = ["Field", "Type", "Meaning", ...isMany ? ["In"] : []]
    const lines = [head, head.map(() => "---"), ...rows.map(cellsOf)]
      .map((cells) => `| ${cells.join(" | ")} |\n`)
    return `${title}${
      array === undefined ? "" : `In \`${array}\`, besides the fields of all items.\n\n`
    }` +
      `<!-- record ${record} -->\n\n${filtersOf(record, reader)}${lines.join("")}`
  }).join("\n")
}

/** Says which records of a kind the reader's families have, unless they have all. Names the families if they differ. */
function filtersOf(record: string, { records }: Readable): string {
  const own = records.filter((each) => each.record === record)
  const isOne = new Set(own.map(({ filter }) => filter)).size === 1
  const sentences = own.flatMap(({ family, filter }) =>
    filter === undefined ? [] : [isOne ? filter : `\`${family}\`: ${filter}`]
  )
  return [...new Set(sentences)].map((sentence) => `${sentence}\n\n`).join("")
}

/** A record's field, for the search. */
export type ListedField = Pick<Row, "name" | "description"> & Pick<Table, "record">

/** Returns all fields that the tables show to a reader. */
export function listedFields(records: Records, reader: Readable): ListedField[] {
  return Object.values(sections).flatMap((names) =>
    tablesOf(names, records, reader).flatMap(({ record, rows }) =>
      rows.map(({ name, description }) => ({ record, name, description }))
    )
  )
}

/** Titles of tables that differ from the names of their records. */
const titles = new Map([["Item", "All items"]])

function cellsOf({ name, type, description, families }: Row): string[] {
  return [`\`${name}\``, type, description, ...families === undefined ? [] : [families]]
}

/** Returns the tables of records: their common fields first, nested records last. */
function tablesOf(names: readonly string[], records: Records, reader: Readable): Table[] {
  const all = returnedTo(reader, records)
  const own = names.map((record) => ({
    record,
    rows: rowsOf(records.get(record), all.filter((each) => each.record === record)),
  }))
  const inner = new Map(
    names.flatMap((name) => innerRecords(records.get(name))).map((each) => [each.name, each]),
  )
  const within = [...inner.values()].map((each) => ({ record: each.name, rows: rowsOf(each, []) }))
  const [first, ...others] = own.map(({ rows }) => new Set(rows.map((row) => JSON.stringify(row))))
  if (names !== sections["items"] || !first) return [...own, ...within]
  const common = others.reduce((shared, rows) => shared.intersection(rows), first)
  return [
    { record: "Item", rows: [...common].map((row): Row => JSON.parse(row)) },
    ...own.map(({ record, rows }) => ({
      record,
      rows: rows.filter((row) => !common.has(JSON.stringify(row))),
    })),
    ...within,
  ]
}

function returnedTo(reader: Readable, records: Records): readonly FamilyRecord[] {
  return reader.records.length > 0 ? reader.records : publicRecords(records)
}

/** The records of families in general, for readers without a family. */
function publicRecords(records: Records): FamilyRecord[] {
  return [...records.values()].flatMap(({ name: record, fields }) => [
    { family: "full", record, fields: Object.keys(fields) },
    { family: "lean", record, fields: lean.get(record) ?? Object.keys(fields) },
  ])
}

function innerRecords(type: RecordType | undefined) {
  return Object.values(type?.fields ?? {}).flatMap(({ record }) => record ?? [])
}

/** Returns the names of the fields that families return, in the order of the contract. */
function fieldsOf(
  type: Pick<RecordType, "fields"> | undefined,
  returning: readonly FamilyRecord[],
): string[] {
  const declared = Object.keys(type?.fields ?? {})
  if (returning.length === 0) return declared
  const returned = new Set(returning.flatMap(({ fields }) => fields))
  return [
    ...declared.filter((name) => returned.has(name)),
    ...returned.difference(new Set(declared)),
  ]
}

function rowsOf(
  type: Pick<RecordType, "fields"> | undefined,
  returning: readonly FamilyRecord[],
): Row[] {
  return fieldsOf(type, returning).map((name) => {
    const having = returning.filter(({ fields }) => fields.includes(name))
    const field = type?.fields[name] ?? having[0]?.own?.[name]
    const families = returning.length < 2
      ? undefined
      : having.length === returning.length
      ? "all"
      : having.map(({ family }) => family.startsWith("/") ? `\`${family}\`` : family).join(", ")
    return {
      name,
      type: field ? typeOf(field) : "",
      description: field?.description ?? "",
      families,
    }
  })
}

/** The part of a valibot schema used here. */
interface Shape {
  readonly type: string
  readonly wrapped?: Shape
  readonly item?: Shape
  readonly pipe?: readonly { readonly type: string }[]
  readonly entries?: Readonly<Record<string, Shape>>
}

function typeOf({ kind, schema, record, isNullable }: Field): string {
  const shape = schema as Shape
  const type = record ? `[${record.name}](#${record.name.toLowerCase()})` : wordOf(kind, shape)
  return `${type}${isNullable || record ? " or null" : ""}`
}

function wordOf(kind: string, schema: Shape): string {
  const { type, pipe = [], item } = schema.wrapped ?? schema
  if (kind === "uuid") return "UUID"
  if (kind === "flag") return "boolean"
  if (type === "array") {
    return `array of ${
      item?.entries ? `\`{${Object.keys(item.entries).join(", ")}}\`` : `${item?.type}s`
    }`
  }
  if (kind !== "number") return "string"
  return pipe.some(({ type }) => type === "safe_integer") ? "integer" : "number"
}
