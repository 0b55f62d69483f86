import { resolve } from "node:path"
import t from "tap"
import { readPlan } from "../../../core/routes/plan.ts"
import {
  configFolder,
  goodConfig as good,
  goodSecret,
  problemsOf,
  testProblems,
} from "../../support/config-folder.ts"

t.test("readPlan returns the settings and the mounted routes", async (t) => {
  const plan = await readPlan(configFolder(t).write(good), {})
  t.match(plan, { server: { port: 8080 }, failed: [] })
  t.ok(plan.routes.some(({ prefix }) => prefix === "/connector-b/v1"))
  t.ok(Object.isFrozen(plan.routes))
})

t.test("readPlan sets up a plugin that extends another with the other's settings, wherever the other is", async (t) => {
  const base = resolve("plugins/families/connector-a")
  const text = `${good}  - use: connector-a-items
  - use: ${base}
    with: { segment: one, organizations: [acme] }
  - use: ${base}/plugin.ts
    with: { segment: two, organizations: [acme] }
`
  const { routes } = await readPlan(configFolder(t).write(text), {})
  const lists = routes.filter(({ plugin, kind, pattern }) =>
    plugin === "connector-a-items" && kind === "listing" && pattern.text.endsWith("/items")
  )
  t.strictSame(lists.map(({ prefix }) => prefix), ["/one/v1", "/two/v1"])
})

/** Changes to the good file, each with the problems that follow: line:column message. */
const broken: Record<string, [change: (text: string) => string, problems: string[]]> = {
  "a missing plugin": [
    (text) => text.replace("use: session", "use: sessions"),
    ["9:10 cannot use plugin sessions: there is no plugin sessions"],
  ],
  "settings of a plugin that extends another": [
    (text) => `${text}  - use: connector-a-items\n    with: { segment: b }\n`,
    ["14:10 cannot use plugin connector-a-items: it takes the settings of connector-a: remove its own"],
  ],
  "a path as a plugin": [
    (text) => text.replace("use: session", "use: ../core"),
    ["9:10 cannot use plugin ../core: there is no such file"],
  ],
  "a setting of a plugin of the wrong type": [
    (text) => text.replace("[acme]", "acme"),
    ["13:22 organizations must be a list, such as [acme]"],
  ],
  "an invalid segment": [
    (text) => text.replace("segment: connector-b", "segment: a/b"),
    ["12:16 segment must be lower-case letters"],
  ],
  "two plugins for one path": [
    (text) =>
      `${text}  - use: connector-a\n    with: { segment: connector-b, organizations: [] }\n`,
    [
      "14:10 Cannot mount /connector-b/v1: 5 routes, such as GET /connector-b/v1/events, are claimed by plugins connector-b and connector-a both",
    ],
  ],
  "a namespace of two customers": [
    (text) =>
      `${text}  - use: custom-export
    with:
      customers:
        - { namespace: n, organization: acme, service_user: a }
        - { namespace: n, organization: beta, service_user: b }
`,
    [
      "14:10 Cannot mount /n/v1: 9 routes, such as GET /n/v1/events, are claimed by plugin custom-export twice",
    ],
  ],
  "an optional that is no flag, of a plugin that is missing": [
    (text) => text.replace("use: session", "use: sessions\n    optional: 1"),
    [
      "9:10 cannot use plugin sessions: there is no plugin sessions",
      "10:15 optional must be",
    ],
  ],
  "several unknown settings of a plugin": [
    (text) => text.replace("organizations:", "organisations: []\n      segments:"),
    [
      "13:7 unknown setting organisations: did you mean organizations?",
      "14:7 unknown setting segments: did you mean segment?",
      "11:5 the setting organizations is missing",
    ],
  ],
}

for (const [name, [change, expected]] of Object.entries(broken)) {
  t.test(`readPlan refuses ${name}, and names the place`, async (t) => {
    await testProblems(t, readPlan(configFolder(t).write(change(good)), {}), expected)
  })
}

t.test("readPlan names all problems of the file and of its plugins at once", async (t) => {
  const text = good.replace("8080", "many").replace(goodSecret, "short").replace("[acme]", "7")
    .replace("url", "uri")
  const problems = await problemsOf(readPlan(configFolder(t).write(text), {}))
  t.strictSame(problems.map(({ line }) => line), [3, 4, 5, 7, 13])
})
