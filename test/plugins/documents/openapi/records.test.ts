import t from "tap"
import * as v from "valibot"
import { guest, leanGuest, pick, rewritten, whole } from "../../../../core/plugin.ts"
import { exampleOf, schemaOfRecord } from "../../../../plugins/documents/openapi/records.ts"
import type { Json } from "../../../../plugins/documents/openapi/schemas.ts"
import { recordTypes as records } from "../../../../core/records/kinds/categories.ts"

for (const type of records.values()) {
  t.test(`${type.name}: every field is described, and its example is one`, (t) => {
    const { title, properties } = schemaOfRecord(whole(type), {
      plugin: "some-plugin",
      records,
    }) as {
      title: string
      properties: Record<string, Json>
    }
    t.equal(title, type.name)
    t.strictSame(Object.keys(properties), Object.keys(type.fields))
    const bare = undescribed(properties)
    t.strictSame(bare, [])
    const example = exampleOf(whole(type), records)
    t.strictSame(Object.keys(example ?? {}), Object.keys(type.fields))
    t.ok(v.is(whole(type).schema, example))
    t.end()
  })
}

t.test("a tax rate may have decimals, and a price in minor units may not", (t) => {
  const taxed = [...records.values()].filter(({ fields }) => "taxRate" in fields)
  t.ok(taxed.length > 2)
  for (const type of taxed) {
    const { schema } = whole(type)
    const example = exampleOf(whole(type), records) ?? {}
    t.ok(v.is(schema, { ...example, taxRate: 17.125 }), type.name)
    t.ok(v.is(schema, { ...example, taxRate: null }), type.name)
    if ("price" in type.fields) t.notOk(v.is(schema, { ...example, price: 1.5 }), type.name)
  }
  t.end()
})

t.test("the country of an address is two letters or empty", (t) => {
  const { schema } = whole(guest)
  const example = exampleOf(whole(guest), records) ?? {}
  const inCountry = (country: string) => {
    return { ...example, mainAddress: { ...example["mainAddress"] as object, country } }
  }
  for (const country of ["", "GB", "gb"]) t.ok(v.is(schema, inCountry(country)), country)
  for (const country of ["G", "GBR", "12"]) t.notOk(v.is(schema, inCountry(country)), country)
  const { properties } = schemaOfRecord(whole(guest), { plugin: "some-plugin", records })
  t.match(
    JSON.stringify(properties),
    JSON.stringify({ pattern: "^(?:[A-Za-z]{2})?$" }).slice(1, -1),
  )
  t.end()
})

t.test("a record with some of the fields is named after its plugin, and its example has only these", (t) => {
  t.equal(
    schemaOfRecord(leanGuest, { plugin: "badge-printer", records })["title"],
    "BadgePrinterGuest",
  )
  t.strictSame(Object.keys(exampleOf(leanGuest, records) ?? {}), leanGuest.fields)
  const everything = pick(guest, Object.keys(guest.fields) as (keyof typeof guest.fields)[])
  t.equal(
    schemaOfRecord(everything, { plugin: "badge-printer", records })["title"],
    "Guest",
    "however it was picked",
  )
  t.end()
})

t.test("a rewritten record has no example", (t) => {
  const masked = rewritten(leanGuest, leanGuest.schema, (record) => ({ ...record, email: "" }))
  t.equal(exampleOf(masked, records), undefined)
  const other = rewritten(leanGuest, v.strictObject({ note: v.string() }), () => ({ note: "" }))
  t.match(schemaOfRecord(other, { plugin: "badge-printer", records }), {
    title: "BadgePrinterGuest",
    properties: { note: { type: "string" } },
    required: ["note"],
  })
  t.end()
})

/** The names of the fields without a description, those of records within records too. */
function undescribed(properties: Readonly<Record<string, Json>>): string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const inner = [property["anyOf"] ?? []].flat() as Json[]
    return [
      ...property["description"] ? [] : [name],
      ...inner.flatMap((each) =>
        undescribed((each["properties"] ?? {}) as Readonly<Record<string, Json>>)
      ),
    ]
  })
}
