import t from "tap"
import * as v from "valibot"
import { Schemas } from "../../../../plugins/documents/openapi/schemas.ts"

t.test("Schemas turns a schema with a title into one component", (t) => {
  const schemas = new Schemas()
  const inner = v.pipe(v.strictObject({ x: v.string() }), v.title("Inner"))
  const reference = { $ref: "#/components/schemas/Inner" }
  t.strictSame(schemas.of(v.array(inner)), { type: "array", items: reference })
  t.strictSame(schemas.of(inner), reference)
  t.strictSame(schemas.components, {
    Inner: { type: "object", properties: { x: { type: "string" } }, required: ["x"] },
  })
  t.end()
})

t.test("Schemas numbers different schemas with the same title", (t) => {
  const schemas = new Schemas()
  const titled = (schema: v.GenericSchema) => schemas.of(v.pipe(schema, v.title("Same")))
  t.strictSame(titled(v.string()), { $ref: "#/components/schemas/Same" })
  t.strictSame(titled(v.number()), { $ref: "#/components/schemas/Same2" })
  t.strictSame(titled(v.string()), { $ref: "#/components/schemas/Same" })
  t.strictSame(schemas.components, { Same: { type: "string" }, Same2: { type: "number" } })
  t.end()
})

t.test("Schemas allows unknown fields in responses and not in requests", (t) => {
  const schema = v.strictObject({
    a: v.nullable(v.string()),
    b: v.pipe(v.number(), v.safeInteger()),
  })
  const open = {
    type: "object",
    properties: { a: { type: ["string", "null"] }, b: { type: "integer", format: "int64" } },
    required: ["a", "b"],
  }
  t.strictSame(new Schemas().of(schema), open)
  t.strictSame(new Schemas().of(schema, "request"), { ...open, additionalProperties: false })
  t.strictSame(new Schemas().of(v.looseObject({})), {
    type: "object",
    properties: {},
    required: [],
    additionalProperties: true,
  })
  t.end()
})
