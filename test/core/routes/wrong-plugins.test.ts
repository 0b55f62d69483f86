import { writeFileSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { ConfigError } from "../../../core/config/problem.ts"
import { readPlan } from "../../../core/routes/plan.ts"
import { configFolder, goodSecret } from "../../support/config-folder.ts"

/** A right plugin in JavaScript, which no compiler checks; each mistake below changes it. */
const right = `import * as contract from "event-export/plugin"
const { definePlugin, deprecated, event, events, family, granted, guest, guests } = contract
const { handler, items, leanEvent, leanGuest, leanItems, listing, pick, rewritten, v } = contract
const { announced, anyone, signedIn, whole } = contract
const auth = granted(["north"])
const respond = () => new Response("")
const everything = { auth, events: leanEvent, guests: leanGuest, items: leanItems }
export default definePlugin({
  apiVersion: 2,
  name: "x",
  summary: "X",
  settings: v.strictObject({}),
  mount: () => ({ prefix: "/x", routes: [] }),
})
`
const routes = "routes: []"
const mount = '({ prefix: "/x", routes: [] })'

/** A piece of the right plugin, what stands there instead, and the sentence that its author reads. */
type Mistake = readonly [piece: string, instead: string, sentence: string]

function route(declared: string, sentence: string): Mistake {
  return [routes, `routes: [${declared}]`, `Cannot mount plugin x: ${sentence}`]
}

const policy = "a policy, such as granted(organizations) or signedIn"

const mistakes: Readonly<Record<string, Mistake>> = {
  // The plugin itself.
  "a syntax error": ['name: "x"', "name:", "cannot use plugin ./x.js: it does not load: "],
  "an unknown import": [
    "const auth",
    'import "event-export-nowhere"\nconst auth',
    "cannot use plugin ./x.js: it does not load: Cannot find package 'event-export-nowhere'",
  ],
  "no plugin": [
    "export default definePlugin",
    "export default (() => {});definePlugin",
    "cannot use plugin ./x.js: its default export is not a plugin: write definePlugin({…})",
  ],
  "no apiVersion": [
    "apiVersion: 2,",
    "",
    "cannot use plugin ./x.js: apiVersion is missing: it must be 2, " +
    "the version of this service's contract",
  ],
  "another apiVersion": [
    "apiVersion: 2",
    "apiVersion: 1",
    "cannot use plugin ./x.js: apiVersion must be 2, " +
    "the version of this service's contract, not 1",
  ],
  "no summary": [
    'summary: "X",',
    "",
    "cannot use plugin ./x.js: summary is missing: it must be one line of text",
  ],
  "a summary of two lines": [
    'summary: "X"',
    'summary: "X\\nY"',
    "cannot use plugin ./x.js: summary must be one line of text, not 'X\\nY'",
  ],
  "no summary and no name": [
    'name: "x",\n  summary: "X",',
    "",
    "cannot use plugin ./x.js: name is missing: it must be lower-case letters, digits and " +
    "single hyphens; summary is missing: it must be one line of text",
  ],
  "settings that are no schema": [
    "settings: v.strictObject({})",
    "settings: { segment: 'text' }",
    "cannot use plugin ./x.js: settings must be a valibot schema, such as v.strictObject({})",
  ],
  "no mount": [
    `mount: () => ${mount},`,
    "",
    "cannot use plugin ./x.js: mount is missing: it must be a function that returns " +
    "{ prefix, routes }",
  ],

  // What mount returns.
  "a mount that returns nothing": [
    mount,
    "{}",
    "Cannot mount plugin x: what mount returns is missing: it must be " +
    "{ prefix, routes } or a list of them",
  ],
  "a mount that returns a promise": [
    `() => ${mount}`,
    `async () => ${mount}`,
    "Cannot mount plugin x: mount must return { prefix, routes } at once, not a promise",
  ],
  "a mount that throws": [
    mount,
    '{ throw new Error("no licence") }',
    "Cannot mount plugin x: no licence",
  ],
  "routes without a prefix": [
    mount,
    "({ routes: [] })",
    "Cannot mount plugin x: prefix is missing: it must be empty, or begin with a slash and not " +
    "end with one",
  ],
  "a prefix with a slash at the end": [
    'prefix: "/x"',
    'prefix: "/x/"',
    "Cannot mount plugin x: prefix must be empty, or begin with a slash and not end with one, " +
    "not '/x/'",
  ],

  // Routes.
  "a route that is no route": route(
    '{ kind: "lsting", method: "GET", path: "/events", auth }',
    "GET /x/events: a route is made by listing, handler or announced",
  ),
  "a route that is nothing": route(
    "undefined",
    "a route of /x: a route is made by listing, handler or announced",
  ),
  "a path that is none": route(
    'handler("GET", "/a b", { auth, handle: respond })',
    'GET /x/a b: Cannot route "/x/a b": a path is made of /word and /:parameter',
  ),
  "a listing without a policy": route(
    'listing("/events", events, { project: leanEvent })',
    `GET /x/events: auth is missing: it must be ${policy}`,
  ),
  "a listing for anyone": route(
    'listing("/events", events, { auth: anyone, project: leanEvent })',
    'GET /x/events: "events" is a list, which is never for anyone: name another policy',
  ),
  "a policy of no organizations": route(
    'listing("/events", events, { auth: granted(), project: leanEvent })',
    `GET /x/events: auth must be ${policy}`,
  ),
  "a policy that is a word": route(
    'listing("/events", events, { auth: "signed-in", project: leanEvent })',
    `GET /x/events: auth must be ${policy}, not 'signed-in'`,
  ),
  "guests without an event": route(
    'listing("/guests", guests, { auth, project: leanGuest })',
    'GET /x/guests: "guests" is a list per event: put :eventId into the path',
  ),
  "events under an event": route(
    'listing("/:eventId/events", events, { auth, project: leanEvent })',
    'GET /x/:eventId/events: "events" is a list for all events: take :eventId out of the path',
  ),
  "a handler without a policy": route(
    'handler("GET", "/ping", { handle: respond })',
    `GET /x/ping: auth is missing: it must be ${policy}`,
  ),
  "a handler without a function": route(
    'handler("GET", "/ping", { auth })',
    "GET /x/ping: handle is missing: it must be a function",
  ),
  "a handler with a method that no request has": route(
    'handler("FETCH", "/ping", { auth, handle: respond })',
    "FETCH /x/ping: method must be one of GET, POST, PUT, PATCH, DELETE, not 'FETCH'",
  ),
  "a handler that needs what the host does not have": route(
    'handler("GET", "/ping", { auth, needs: ["session"], handle: respond })',
    "GET /x/ping: the host has no session for needs: did you mean sessions?",
  ),
  "a handler that needs the operations of a version before": route(
    'handler("GET", "/ping", { auth: signedIn, needs: ["operations"], handle: respond })',
    "GET /x/ping: the host has no operations for needs; there are sessions, status, catalogue, readiness",
  ),
  "a handler whose needs are a word": route(
    'handler("GET", "/ping", { auth, needs: "sessions", handle: respond })',
    "GET /x/ping: needs must be a list of parts of the host, not 'sessions'",
  ),
  "a handler whose description has no answers": route(
    'handler("GET", "/ping", { auth, handle: respond, describe: { summary: "", description: "" } })',
    "GET /x/ping: describe must be { summary, description, answers }, with per status a valibot " +
      "schema, a media type or null",
  ),
  "an announced route without a sentence": route(
    'announced("/items", { auth })',
    "GET /items is announced without a detail: write a sentence for partners",
  ),

  // Projections.
  "a listing without a projection": route(
    'listing("/events", events, { auth })',
    "GET /events: project is missing: it must be a projection of Event",
  ),
  "a listing of nothing": route(
    'listing("/events", contract.evnts, { auth, project: leanEvent })',
    "GET /events: the second argument is missing: it must be a resource, such as guests",
  ),
  "a record instead of a projection": route(
    'listing("/events", events, { auth, project: event })',
    "GET /events: project must be a projection of Event",
  ),
  "a projection of another record": route(
    'listing("/:eventId/guests", guests, { auth, project: leanEvent })',
    "GET /:eventId/guests: project must be a projection of Guest, not of Event",
  ),
  "one projection for all items": route(
    'listing("/:eventId/items", items, { auth, project: leanGuest })',
    "GET /:eventId/items: project must be an object with a projection for each of buyNows, " +
      "auctionItems, pledges, prizeDraws, gliRaffles, tickets",
  ),
  "items with one category of six": route(
    'listing("/:eventId/items", items, { auth, project: { tickets: leanItems.tickets } })',
    "GET /:eventId/items: project.buyNows is missing: it must be a projection of BuyNowItem; " +
      "project.auctionItems is missing: it must be a projection of AuctionItem; " +
      "project.pledges is missing: it must be a projection of Pledge; " +
      "project.prizeDraws is missing: it must be a projection of Raffle; " +
      "project.gliRaffles is missing: it must be a projection of GliRaffle",
  ),
  "a category that is unknown": route(
    'listing("/:eventId/items", items, { auth, project: { ...leanItems, ticket: leanItems.tickets } })',
    "GET /:eventId/items: project has an unknown ticket: did you mean tickets?",
  ),
  "a field that the record does not have": route(
    'listing("/:eventId/guests", guests, { auth, project: pick(guest, ["id", "emial"]) })',
    "Cannot project Guest: it has no field emial",
  ),
  "a pick of no record": route(
    'listing("/:eventId/guests", guests, { auth, project: pick(leanGuest) })',
    "Cannot project: write pick(record, [names of fields]), such as pick(guest, …)",
  ),
  "a rewriting without a function": route(
    'listing("/:eventId/guests", guests, { auth, project: rewritten(leanGuest, leanGuest.schema) })',
    "Cannot rewrite Guest: write rewritten(projection, v.strictObject({…}), rewrite)",
  ),
  "a rewriting without a schema": route(
    'listing("/:eventId/guests", guests, { auth, project: rewritten(leanGuest, (it) => it) })',
    "Cannot rewrite Guest: write rewritten(projection, v.strictObject({…}), rewrite)",
  ),

  // Families.
  "a family without a policy": [
    mount,
    'family("/x", { events: leanEvent })',
    "Cannot mount plugin x: family /x: auth is missing: name a policy, such as " +
    "granted(organizations)",
  ],
  "a family with an unknown list": [
    mount,
    'family("/x", { auth, guest: leanGuest })',
    "Cannot mount plugin x: family /x: there is no guest: did you mean guests?",
  ],
  "a family with a list that is undefined": [
    mount,
    'family("/x", { ...everything, items: contract.leanItem })',
    "Cannot mount plugin x: family /x: items is undefined: give a projection or " +
    '{ announced: "…" }, or leave it out',
  ],
}

t.test("the right plugin is mounted, with its family too", async (t) => {
  t.strictSame(await messagesOf(right), [])
  t.strictSame(await messagesOf(right.replace(mount, 'family("/x", everything)')), [])
})

for (const [name, [piece, instead, sentence]] of Object.entries(mistakes)) {
  t.test(`a plugin with ${name} is refused in one sentence`, async (t) => {
    t.ok(right.includes(piece))
    const [message = "accepted", ...others] = await messagesOf(right.replace(piece, instead))
    t.strictSame(others, [])
    if (sentence.endsWith(": ")) t.ok(message.startsWith(sentence), message)
    else t.equal(message.split(" imported from")[0], sentence)
  })
}

t.test("an optional plugin that is wrong fails alone, with all its mistakes", async (t) => {
  const source = right.replace(
    routes,
    'routes: [handler("GET", "/a", {}), listing("/guests", guests, { auth, project: leanGuest })]',
  )
  const plan = await read(source, "optional: true")
  t.strictSame(plan.failed.map(({ use, reasons }) => [use, reasons]), [["./x.js", [
    `Cannot mount plugin x: GET /x/a: auth is missing: it must be ${policy}`,
    "Cannot mount plugin x: GET /x/a: handle is missing: it must be a function",
    'Cannot mount plugin x: GET /x/guests: "guests" is a list per event: put :eventId into the path',
  ]]])
  t.strictSame(plan.routes.filter(({ plugin }) => plugin === "x"), [])
})

/** What a configuration with the plugin as a file is refused for; nothing if it is accepted. */
async function messagesOf(source: string): Promise<string[]> {
  const error = await read(source).then(() => undefined, (error: unknown) => error)
  if (error === undefined) return []
  if (!(error instanceof ConfigError)) throw error
  for (const { line, column } of error.problems) t.strictSame([line, column], [6, 10])
  return error.problems.map(({ message }) => message)
}

async function read(source: string, more = "optional: false") {
  const { folder, write } = configFolder(t)
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  writeFileSync(join(folder, "x.js"), source)
  const file = write(`server: { host: 127.0.0.1, port: 0 }
database: { url: sqlite:test.db }
session: { secrets: [${goodSecret}] }
plugins:
  - use: session
  - use: ./x.js
    ${more}
`)
  return await readPlan(file, {})
}
