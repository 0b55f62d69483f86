import { readFileSync } from "node:fs"
import t from "tap"
import { configJsonSchema } from "../../../../plugins/capabilities/check/json-schema.ts"

t.test("config/event-export.schema.json is up to date (event-export schema prints it)", async (t) => {
  const committed: unknown = JSON.parse(readFileSync("config/event-export.schema.json", "utf8"))
  t.strictSame(committed, JSON.parse(JSON.stringify(await configJsonSchema())))
})

t.test("the configuration is linked to its schema", (t) => {
  const [first = ""] = readFileSync("config/event-export.yaml", "utf8").split("\n")
  t.equal(first, "# yaml-language-server: $schema=./event-export.schema.json")
  t.end()
})
