import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import fc from "fast-check"
import t from "tap"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { listingParameters } from "../../../core/request/listing/parameters.ts"
import { defaultSince } from "../../../core/records/lists/page.ts"
import { longestCursor, parseEventId, parseListQuery } from "../../../core/request/listing/query.ts"
import type { Json } from "../../../plugins/documents/openapi/schemas.ts"

type Name = keyof typeof listingParameters

const ajv = new Ajv2020({ strict: false })
formats.default(ajv)

/** For each parameter, values of all kinds: on its limits, and beyond. */
const values: { readonly [N in Name]: fc.Arbitrary<string | number> } = {
  q: fc.oneof(
    fc.string({ unit: "grapheme-composite", maxLength: 210 }).map((text) => text.trim()),
    fc.constantFrom("a".repeat(200), "a".repeat(201), "😀".repeat(200), "😀".repeat(201), ""),
  ),
  since: fc.integer({ min: -(2 ** 40), max: 2_000_000_000 }).filter((since) =>
    since <= Date.now() / 1000
  ),
  offset: fc.oneof(
    fc.maxSafeInteger(),
    fc.constantFrom(0, -1, Number.MAX_SAFE_INTEGER),
  ),
  limit: fc.oneof(fc.integer({ min: -5, max: 1010 }), fc.constantFrom(0, 1, 1000, 1001)),
  bucket: fc.oneof(
    fc.stringMatching(/^[0-9a-fA-F]{0,10}$/),
    fc.string({ maxLength: 9 }),
  ),
  hash: fc.oneof(
    fc.stringMatching(/^[0-9a-fA-F]{0,6}$/),
    fc.string({ maxLength: 5 }),
  ),
  category: fc.oneof(
    fc.constantFrom("", "guests", "Tickets", ...itemCategories),
    fc.string({ maxLength: 9 }),
  ),
  mine: fc.oneof(
    fc.stringMatching(/^[0-9a-fA-F]{63,65}$/),
    fc.string({ maxLength: 5 }),
  ),
  fields: fc.oneof(
    fc.stringMatching(/^[0-9a-fA-F]{7,9}$/),
    fc.string({ maxLength: 5 }),
  ),
  of: fc.oneof(fc.constantFrom("", "content", "Content"), fc.string({ maxLength: 8 })),
  after: fc.oneof(
    fc.stringMatching(/^[\w-]{1,20}(\.[\w-]{0,20})?$/),
    fc.string({ maxLength: 20 }),
    fc.constantFrom("now", "", "a".repeat(longestCursor), "a".repeat(longestCursor + 1)),
  ),
  cursor: fc.oneof(
    fc.stringMatching(/^[\w-]{1,20}\.[\w-]{1,20}$/),
    fc.string({ maxLength: 20 }),
    fc.constantFrom(
      `a.${"b".repeat(longestCursor - 2)}`,
      `a.${"b".repeat(longestCursor - 1)}`,
    ),
  ),
}

for (const [name, arbitrary] of Object.entries(values) as [Name, fc.Arbitrary<unknown>][]) {
  t.test(`the schema of ${name} accepts the same values as parseListQuery`, (t) => {
    const schema = listingParameters[name]["schema"] as Json
    const isDescribed = ajv.compile(schema)
    const isRead = (value: unknown) =>
      parseListQuery(`?${name}=${encodeURIComponent(String(value))}`, [name]).errors.length === 0
    fc.assert(
      fc.property(arbitrary, (value) => {
        // Control characters cannot be excluded in JSON Schema; no record has any.
        // deno-lint-ignore no-control-regex
        if (/[\u0000-\u001f\u007f]/.test(String(value))) return
        return isDescribed(value) === isRead(value)
      }),
      { numRuns: 2000 },
    )
    t.end()
  })
}

t.test("the schemas have the defaults of parseListQuery", (t) => {
  const { value } = parseListQuery("")
  const described = Object.fromEntries(
    Object.entries(listingParameters).map((
      [name, { schema }],
    ) => [name, (schema as Json)["default"]]),
  )
  const { terms, from, hash, named: _, ...read } = value ?? {}
  t.strictSame({ q: terms?.join(" "), after: from, hash, ...read }, described)
  t.equal(described["since"], defaultSince)
  t.end()
})

t.test("the format uuid accepts the same ids as parseEventId", (t) => {
  const isDescribed = ajv.compile({ type: "string", format: "uuid" })
  const ids = fc.oneof(fc.uuid(), fc.uuid().map((id) => id.toUpperCase()), fc.string())
  fc.assert(
    fc.property(ids, (id) => isDescribed(id) === (parseEventId(id).errors.length === 0)),
  )
  t.end()
})
