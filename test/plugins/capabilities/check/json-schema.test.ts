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

t.test("there are at most 49 settings, and former ones are not shown", async (t) => {
  const names = settingsOf(await configJsonSchema())
  for (const name of ["server.port", "accounts.*.burst", "export.connections", "plugins.use"]) {
    t.ok(names.includes(name), name)
  }
  for (
    const name of ["server.timing", "accounts.*.waiting", "export.concurrent", "export.records"]
  ) {
    t.notOk(names.includes(name), name)
  }
  t.ok(names.length <= 49, `${names.length}`)
})

/** Returns the paths of all settings in a schema. The settings of plugins count as one, `plugins.with`. */
function settingsOf(schema: SchemaOfSetting, path = ""): string[] {
  if (path === "plugins") return ["plugins.use", "plugins.with", "plugins.optional"]
  const { properties = {}, additionalProperties: each } = schema
  const inside = { ...properties, ...typeof each === "object" ? { "*": each } : {} }
  if (Object.keys(inside).length === 0) return [path]
  return Object.entries(inside).flatMap(([name, inner]) =>
    settingsOf(inner, path ? `${path}.${name}` : name)
  )
}

interface SchemaOfSetting {
  readonly properties?: Readonly<Record<string, SchemaOfSetting>>
  readonly additionalProperties?: boolean | SchemaOfSetting
}

t.test("the configuration is linked to its schema", (t) => {
  const [first = ""] = readFileSync("config/event-export.yaml", "utf8").split("\n")
  t.equal(first, "# yaml-language-server: $schema=./event-export.schema.json")
  t.end()
})
