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
  t.match(plan, { server: { port: 8080 } })
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

const end = "      organizations: [acme]\n"
const claimed = (path: string, by: string) => `14:10 Cannot mount ${path}: ${by}`
const customers = ["acme", "beta"].map((organization) =>
  `        - { namespace: n, organization: ${organization}, service_user: a }\n`
)

/** Pieces of the good file, what stands there instead, and the problems that follow: line:column message. */
const broken: readonly [piece: string, instead: string, ...problems: string[]][] = [
  ["use: session", "use: sessions", "9:10 cannot use plugin sessions: there is no plugin sessions"],
  ["use: session", "use: ../core", "9:10 cannot use plugin ../core: there is no such file"],
  [
    ...["use: session", "use: sessions\n    optional: true"] as const,
    ...["9:10 cannot use plugin sessions: there is no plugin", "10:5 unknown setting optional"],
  ],
  ["[acme]", "acme", "13:22 organizations must be a list, such as [acme]"],
  ["segment: connector-b", "segment: a/b", "12:16 segment must be lower-case letters"],
  [
    ...["organizations:", "organisations: []\n      segments:"] as const,
    "13:7 unknown setting organisations: did you mean organizations?",
    "14:7 unknown setting segments: did you mean segment?",
    "11:5 the setting organizations is missing",
  ],
  [
    ...[end, `${end}  - use: connector-a-items\n    with: { segment: b }\n`] as const,
    "14:10 cannot use plugin connector-a-items: it takes the settings of connector-a: remove its own",
  ],
  [
    end,
    `${end}  - use: connector-a\n    with: { segment: connector-b, organizations: [] }\n`,
    claimed(
      "/connector-b/v1",
      "4 routes, such as GET /connector-b/v1/events, are claimed by plugins",
    ),
  ],
  [
    end,
    `${end}  - use: custom-export\n    with:\n      customers:\n${customers.join("")}`,
    claimed(
      "/n/v1",
      "7 routes, such as GET /n/v1/events, are claimed by plugin custom-export twice",
    ),
  ],
]

t.test("readPlan refuses what is wrong with a plugin, and names the place", async (t) => {
  for (const [piece, instead, ...problems] of broken) {
    const text = good.replace(piece, instead)
    await testProblems(t, readPlan(configFolder(t).write(text), {}), problems)
  }
})

/** Pieces of the good file, what stands there instead, whose values are secrets, and what is said of that. */
const misplaced: readonly [piece: string, instead: string, said: string][] = [
  [
    "127.0.0.1",
    "${SIGNING}",
    "SIGNING is a secret, but the value of this setting is shown",
  ],
  ["session\n", "${API_TOKEN}\n", "API_TOKEN is a secret"],
  [end, `${end}capabilities: ["\${DB_PASSWORD}"]\n`, "DB_PASSWORD is a secret"],
  [end, `${end}admin: { host: "\${URL}" }\n`, "URL is a secret"],
  // By its name, it is none.
  ["session\n", "${ODD}\n", "cannot use plugin ${ODD}: there is no plugin ${ODD}"],
  [end, `${end}capabilities: ["\${ODD}"]\n`, "there is no capability ${ODD}"],
  ["session\n", "${ODD}\n  - use: ${ODDLY}\n", "there is no plugin ${ODDLY}"],
]

t.test("readPlan repeats no secret that stands in another setting", async (t) => {
  const names = ["SIGNING", "API_TOKEN", "DB_PASSWORD", "ODD", "ODDLY"]
  const environment = {
    ...Object.fromEntries(names.map((name) => [name, `${goodSecret}${name}`])),
    URL: `mysql://app:${goodSecret}@db/x`,
  }
  for (const [piece, instead, said] of misplaced) {
    const text = good.replace(goodSecret, '"${SIGNING}"').replace(piece, () => instead)
    const reading = readPlan(configFolder(t).write(text), environment)
    const shown = JSON.stringify(await problemsOf(reading))
    t.match(shown, said, instead)
    t.notMatch(shown, goodSecret, instead)
  }
})

t.test("readPlan names all problems of the file and of its plugins at once", async (t) => {
  const text = good.replace("8080", "many").replace(goodSecret, "short").replace("[acme]", "7")
    .replace("url", "uri")
  const problems = await problemsOf(readPlan(configFolder(t).write(text), {}))
  t.strictSame(problems.map(({ line }) => line), [3, 4, 5, 7, 13])
})
