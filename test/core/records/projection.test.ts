import fc from "fast-check"
import t from "tap"
import type { Columns } from "../../../core/data/table.ts"
import type { Fields } from "../../../core/records/fields.ts"
import { guest } from "../../../core/records/kinds/guest.ts"
import { auctionItem, ticket } from "../../../core/records/kinds/items.ts"
import { type Projection, type Row, whole } from "../../../core/records/projection.ts"

const flags = ["consentAsked", "smsOptIn"]
const documents = ["categories", "increments"]
const defaults: Columns = { consentAsked: 0, consentStatus: "inactive", consentChannels: "" }

/** Projects a row field by field: slow but simple. */
function projectSlowly(fields: Fields, row: Row): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const [name, { columns: [first = "", ...others] }] of Object.entries(fields)) {
    const [relation = "", column = ""] = first.split(".")
    const value = row[relation]?.[column] ?? defaults[name] ?? null
    if (others.length > 0) record[name] = row[relation] ?? null
    else if (flags.includes(name)) record[name] = value === 1
    else if (documents.includes(name)) record[name] = JSON.parse(String(value))
    else record[name] = value
  }
  return record
}

/** Generates rows for the columns of a projection. Relations may be missing, except the record itself. */
function rows(fields: Fields): fc.Arbitrary<Row> {
  const relations: Record<string, Record<string, fc.Arbitrary<unknown>>> = {}
  for (const [name, { columns }] of Object.entries(fields)) {
    for (const [relation = "", column = ""] of columns.map((column) => column.split("."))) {
      const value = flags.includes(name)
        ? fc.constantFrom(0, 1)
        : documents.includes(name)
        ? fc.json()
        : fc.oneof(fc.string({ unit: "binary" }), fc.integer(), fc.constant(null))
      relations[relation] = { ...relations[relation], [column]: value }
    }
  }
  const entries = Object.entries(relations).map(([relation, columns]) => {
    const row = fc.record(columns)
    return [relation, relation === "record" ? row : fc.option(row, { nil: undefined })]
  })
  return fc.record(Object.fromEntries(entries))
}

for (const record of [guest, auctionItem, ticket]) {
  t.test(`project returns the same ${record.name} as reading its row field by field`, (t) => {
    const { project }: Projection = whole(record)
    const isSame = fc.property(rows(record.fields), (row) => {
      const compiled = JSON.stringify(project(row))
      return compiled === JSON.stringify(projectSlowly(record.fields, row))
    })
    fc.assert(isSame, { numRuns: 40 })
    t.pass()
    t.end()
  })
}
