import {
  type Catalogue,
  leanEvent,
  leanGuest,
  leanItems,
  type Projection,
  type RecordType,
  wholeItems,
} from "../../../core/plugin.ts"
import type { FamilyRecord, Reader } from "./reader.ts"

type Records = Catalogue["records"]
type Readable = Pick<Reader, "records">
type Field = RecordType["fields"][string]

/** The records of each section of the text, by their names. */
const sections: Readonly<Record<string, readonly string[]>> = {
  event: ["Event"],
  guest: ["Guest"],
  items: Object.values(wholeItems).map(({ record }) => record),
  deletions: ["GuestDeletion", "ItemDeletion"],
}

/** The arrays of the bundle of items, by the names of their records. */
const arrays = new Map(
  Object.entries(wholeItems).map(([part, { record }]) => [record as string, part]),
)

const lean = new Map(
  [leanEvent, leanGuest, ...Object.values(leanItems)]
    .map(({ record, fields }: Projection) => [record as string, fields]),
)

/**
 * Returns a table of all the fields of each record of a section as Markdown: `event`, `guest`, `items` or `deletions`.
 * A reader who may read families gets their fields; others get those of full and of lean records.
 *
 * @throws {TypeError} if there is no such section.
 */
export function fieldTables(section: string, records: Records, reader: Readable): string {
  const names = sections[section]
  if (!names) throw new TypeError(`the guide has no fields of ${section}`)
  const all = returnedTo(reader, records)
  const tables = names.map((name) => {
    const returning = all.filter(({ record }) => record === name)
    const title = names.length > 1 ? `### ${name}\n\n` : ""
    return `${title}${fieldTable(records.get(name), returning)}`
  })
  const inner = names.flatMap((name) => innerRecords(records.get(name)))
  const unique = new Map(inner.map((each) => [each.name, each]))
  return [
    ...tables,
    ...[...unique.values()].map((each) => `### ${each.name}\n\n${fieldTable(each, [])}`),
  ].join("\n")
}

/** A field of a record, as the search finds it. */
export interface ListedField {
  readonly record: string
  readonly name: string
  readonly description: string
}

/** Returns all fields that the tables show to a reader. */
export function listedFields(records: Records, reader: Readable): ListedField[] {
  const all = returnedTo(reader, records)
  return [...records.values()].flatMap((type) => [
    ...listed(type, fieldsOf(type, all.filter(({ record }) => record === type.name))),
    ...innerRecords(type).slice(0, 1).flatMap((inner) => listed(inner, Object.keys(inner.fields))),
  ])
}

function listed(
  { name: record, fields }: Pick<RecordType, "name" | "fields">,
  names: readonly string[],
): ListedField[] {
  return names.map((name) => ({ record, name, description: fields[name]?.description ?? "" }))
}

function returnedTo(reader: Readable, records: Records): readonly FamilyRecord[] {
  return reader.records.length > 0 ? reader.records : publicRecords(records)
}

/** The records in any family, for readers who may read none. */
function publicRecords(records: Records): FamilyRecord[] {
  return [...records.values()].flatMap(({ name: record, fields }) => [
    { family: "full", record, fields: Object.keys(fields) },
    { family: "lean", record, fields: lean.get(record) ?? Object.keys(fields) },
  ])
}

function innerRecords(type: RecordType | undefined) {
  return Object.values(type?.fields ?? {}).flatMap(({ record }) => record ?? [])
}

/** Returns the names of a record's fields that families return, in the order of the contract. */
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

function fieldTable(
  type: Pick<RecordType, "name" | "fields"> | undefined,
  returning: readonly FamilyRecord[],
): string {
  const isMany = returning.length > 1
  const array = arrays.get(type?.name ?? "")
  const rows = fieldsOf(type, returning).map((name) => {
    const field = type?.fields[name]
    const having = returning.filter(({ fields }) => fields.includes(name))
    const families = having.length === returning.length
      ? "all"
      : having.map(({ family }) => family.startsWith("/") ? `\`${family}\`` : family).join(", ")
    const cells = [`\`${name}\``, field ? typeOf(field) : "", field?.description ?? ""]
    return `| ${[...cells, ...isMany ? [families] : []].join(" | ")} |`
  })
  const head = ["Field", "Type", "Meaning", ...isMany ? ["In"] : []]
  const lines = [head, head.map(() => "---")].map((cells) => `| ${cells.join(" | ")} |`)
  const marked = type ? `<!-- record ${type.name} -->\n\n` : ""
  return `${array === undefined ? "" : `In \`${array}\`.\n\n`}${marked}${
    [...lines, ...rows].join("\n")
  }\n`
}

/** What is used of a valibot schema. */
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
