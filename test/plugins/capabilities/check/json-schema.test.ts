import { readFileSync } from "node:fs"
import t from "tap"
import { configJsonSchema } from "../../../../plugins/capabilities/check/json-schema.ts"

t.test("config/event-export.schema.json is up to date (event-export schema prints it)", async (t) => {
  const committed: unknown = JSON.parse(readFileSync("config/event-export.schema.json", "utf8"))
  t.strictSame(committed, JSON.parse(JSON.stringify(await configJsonSchema())))
})

t.test("the schema has the service's settings and each plugin's", async (t) => {
  const schema = await configJsonSchema()
  const { plugins } = schema["properties"] as { plugins: { items: { anyOf: unknown[] } } }
  t.match(schema, {
    required: ["server", "database", "session", "plugins"],
    additionalProperties: false,
  })
  t.match(
    plugins.items.anyOf.find((each) => JSON.stringify(each).includes('"const":"connector-b"')),
    {
      properties: { with: { required: ["segment", "organizations"], additionalProperties: false } },
    },
  )
})

t.test("the schema has no settings of former versions", async (t) => {
  const { properties } = await configJsonSchema() as unknown as Groups
  t.notOk("timing" in properties.server.properties)
  t.notOk("concurrent" in properties.export.properties)
  t.ok("connections" in properties.export.properties)
})

interface Group {
  readonly properties: Readonly<Record<string, unknown>>
}

interface Groups {
  readonly properties: { readonly server: Group; readonly export: Group }
}

t.test("the configuration is linked to its schema", (t) => {
  const [first = ""] = readFileSync("config/event-export.yaml", "utf8").split("\n")
  t.equal(first, "# yaml-language-server: $schema=./event-export.schema.json")
  t.end()
})
