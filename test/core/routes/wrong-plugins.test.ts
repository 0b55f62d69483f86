import { writeFileSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { readPlan } from "../../../core/routes/plan.ts"
import { configFolder, goodSecret, problemsOf } from "../../support/config-folder.ts"

/** A right plugin in JavaScript, which no compiler checks; each mistake below changes it. */
const right = `import * as contract from "event-export/plugin"
const { definePlugin, event, events, family, granted, guest, guests } = contract
const { handler, items, leanEvent, leanGuest, leanItems, listing, pick, rewritten, v } = contract
const { announced, anyone, signedIn, whole } = contract
const auth = granted(["north"])
const respond = () => new Response("")
const everything = { auth, events: leanEvent, guests: leanGuest, items: leanItems }
export default definePlugin({
  apiVersion: 3,
  name: "x",
  summary: "X",
  settings: v.strictObject({}),
  mount: () => ({ prefix: "/x", routes: [] }),
})
`
const routes = "routes: []"
const mount = '({ prefix: "/x", routes: [] })'

/** Mistakes of the plugin: a piece of the right one, what stands there instead, and what its author reads. */
const ofPlugin: readonly [piece: string, instead: string, told: string][] = [
  ['name: "x"', "name:", "does not load"],
  [
    "const auth",
    'import "event-export-nowhere"\nconst auth',
    "find package 'event-export-nowhere'",
  ],
  [
    "export default definePlugin",
    "export default (() => {});definePlugin",
    "write definePlugin({…})",
  ],
  ["apiVersion: 3,", "", "apiVersion is missing: it must be 3"],
  [
    "apiVersion: 3",
    "apiVersion: 2",
    "apiVersion must be 3, the version of this service's contract, not 2",
  ],
  ['summary: "X",', "", "summary is missing: it must be one line of text"],
  ['summary: "X"', 'summary: "X\\nY"', "summary must be one line of text, not 'X\\nY'"],
  ['name: "x",\n  summary: "X",', "", "hyphens; summary is missing"],
  ["settings: v.strictObject({})", "settings: { segment: 'text' }", "must be a valibot schema"],
  [`mount: () => ${mount},`, "", "mount is missing: it must be a function"],
  [mount, "{}", "what mount returns is missing: it must be { prefix, routes } or a list of them"],
  [`() => ${mount}`, `async () => ${mount}`, "at once, not a promise"],
  [mount, '{ throw new Error("no licence") }', "Cannot mount plugin x: no licence"],
  [mount, "({ routes: [] })", "prefix is missing"],
  ['prefix: "/x"', 'prefix: "/x/"', "not end with one, not '/x/'"],
  [mount, 'family("/x", { events: leanEvent })', "auth is missing: name a policy"],
  [mount, 'family("/x", null)', "auth is missing: name a policy"],
  [mount, 'family("/x", { auth, guest: leanGuest })', "there is no guest: did you mean guests?"],
  [mount, 'family("/x", { ...everything, items: contract.leanItem })', "items is undefined: give"],
  [mount, 'family("/x", { auth, guests: null })', "guests is null: give a projection"],
  [mount, 'family("/x", { auth, guests: "later" })', "guests is later: give a projection"],
]

/** Mistakes of a single route, and what its author reads. */
const ofRoutes: Readonly<Record<string, string>> = {
  '{ kind: "lsting", method: "GET", path: "/events", auth }':
    "made by listing, handler or announced",
  "undefined": "a route of /x: a route is made by listing",
  'handler("GET", "/a b", { auth, handle: respond })': 'Cannot route "/x/a b"',
  'listing("/events", events, { project: leanEvent })':
    "GET /x/events: auth is missing: it must be a policy, such as granted(organizations) or signedIn",
  'listing("/events", events, { auth: anyone, project: leanEvent })':
    "a list, which is never for anyone",
  'listing("/events", events, { auth: granted(), project: leanEvent })': "auth must be a policy",
  'listing("/events", events, { auth: "signed-in", project: leanEvent })': "not 'signed-in'",
  'listing("/guests", guests, { auth, project: leanGuest })': "put :eventId into the path",
  'listing("/:eventId/events", events, { auth, project: leanEvent })':
    "take :eventId out of the path",
  'handler("GET", "/ping", { handle: respond })': "auth is missing: it must be a policy",
  'handler("GET", "/ping", { auth })': "handle is missing: it must be a function",
  'handler("FETCH", "/ping", { auth, handle: respond })': "must be one of GET, POST,",
  'handler("GET", "/ping", { auth, needs: ["session"], handle: respond })':
    "did you mean sessions?",
  'handler("GET", "/ping", { auth: signedIn, needs: ["operations"], handle: respond })':
    "has no operations for needs; there are sessions, status,",
  'handler("GET", "/ping", { auth, needs: "sessions", handle: respond })':
    "must be a list of parts",
  'handler("GET", "/ping", { auth, handle: respond, describe: { summary: "", description: "" } })':
    "describe must be { summary, description, answers }",
  'announced("/items", { auth })': "write a sentence for partners",
  'listing("/events", events, { auth })': "project is missing: it must be a projection of Event",
  'listing("/events", contract.evnts, { auth, project: leanEvent })': "it must be a resource",
  'listing("/events", events, { auth, project: event })': "project must be a projection of Event",
  'listing("/:eventId/guests", guests, { auth, project: leanEvent })': "of Guest, not of Event",
  'listing("/:eventId/items", items, { auth, project: leanGuest })': "for each of buyNows,",
  'listing("/:eventId/items", items, { auth, project: { tickets: leanItems.tickets } })':
    "project.buyNows is missing: it must be a projection of BuyNowItem; project.auctionItems",
  'listing("/:eventId/items", items, { auth, project: { ...leanItems, ticket: leanItems.tickets } })':
    "project has an unknown ticket: did you mean tickets?",
  'listing("/:eventId/guests", guests, { auth, project: pick(guest, ["emial"]) })':
    "no field emial",
  'listing("/:eventId/guests", guests, { auth, project: pick(leanGuest) })': "write pick(record,",
  'listing("/:eventId/guests", guests, { auth, project: rewritten(leanGuest, leanGuest.schema) })':
    "write rewritten(projection, v.strictObject({…}), rewrite)",
  'listing("/:eventId/guests", guests, { auth, project: rewritten(leanGuest, (it) => it) })':
    "write rewritten(projection, v.strictObject({…}), rewrite)",
}

t.test("the right plugin is mounted, with its family too", async (t) => {
  t.equal((await read(right)).plugins.length, 2)
  const family = await read(right.replace(mount, 'family("/x", everything)'))
  t.ok(family.routes.some(({ prefix }) => prefix === "/x"))
})

t.test("a wrong plugin is refused in one sentence, at its place in the file", async (t) => {
  const mistakes = [
    ...ofPlugin,
    ...Object.entries(ofRoutes).map(([route, told]) =>
      [routes, `routes: [${route}]`, told] as const
    ),
  ]
  for (const [piece, instead, told] of mistakes) {
    t.ok(right.includes(piece))
    const [problem, ...others] = await problemsOf(read(right.replace(piece, instead)))
    t.match(problem, { line: 6, column: 10, message: told }, instead)
    t.match(problem?.message, /^Cannot mount plugin x: |^cannot use plugin \.\/x\.js: /)
    t.strictSame(others, [], instead)
  }
})

t.test("of a plugin that is wrong, all mistakes are told", async (t) => {
  const source = right.replace(
    routes,
    'routes: [handler("GET", "/a", {}), listing("/guests", guests, { auth, project: leanGuest })]',
  )
  const problems = await problemsOf(read(source))
  t.match(problems.map(({ message }) => message), [
    /\/x\/a: auth is missing/,
    /\/x\/a: handle is missing/,
    /\/x\/guests: .* per event/,
  ])
})

/** Reads a configuration with a plugin in a file of its own. */
async function read(source: string) {
  const { folder, write } = configFolder(t)
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  writeFileSync(join(folder, "x.js"), source)
  const file = write(`server: { host: 127.0.0.1, port: 0 }
database: { url: sqlite:test.db }
session: { secrets: [${goodSecret}] }
plugins:
  - use: session
  - use: ./x.js
`)
  return await readPlan(file, {})
}
