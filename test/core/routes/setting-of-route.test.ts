import { readFileSync } from "node:fs"
import t from "tap"
import { draftConfig } from "../../../core/config/read.ts"
import { readPlan } from "../../../core/routes/plan.ts"
import { findSettingOf } from "../../../plugins/capabilities/explain/setting-of-route.ts"

const file = "config/event-export.yaml"
const environment = { SESSION_SECRET: "a secret of the tests, 32 characters and more" }

t.test("findSettingOf finds the part of the settings that names the path and its readers", async (t) => {
  const plan = await readPlan(file, environment)
  const { source } = await draftConfig(file, environment)
  const found = new Map(plan.routes.map((route) => [
    route.pattern.text,
    findSettingOf(route, plan.plugins)?.join("."),
  ]))
  const indexOf = (use: string) => plan.plugins.find((setup) => setup.use === use)?.index
  const expected = {
    "/acme/v1/events": `${indexOf("custom-export")}.with.customers.0`,
    "/borealis/v1/events": `${indexOf("custom-export")}.with.customers.1`,
    "/connector-b/v1/events": `${indexOf("connector-b")}.with`,
    // A route of a plugin that extends another has its settings.
    "/connector-a/v1/events/:eventId/items": `${indexOf("connector-a")}.with`,
    "/livez": `${indexOf("health")}.use`,
  }
  for (const [path, setting] of Object.entries(expected)) {
    t.equal(found.get(path), `plugins.${setting}`, path)
  }
  const lines = readFileSync(file, "utf8").split("\n")
  const place = ["plugins", indexOf("custom-export") ?? 0, "with", "customers", 1]
  const { line, column } = source.placeOf(place)
  t.match(lines[line - 1]?.slice(column - 1), /^namespace: borealis/)
})
