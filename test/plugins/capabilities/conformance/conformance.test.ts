import { sql } from "kysely"
import t from "tap"
import * as v from "valibot"
import { conformanceProblems } from "../../../../plugins/capabilities/conformance/conformance.ts"
import { sampleRecords } from "../../../../plugins/capabilities/conformance/sample-records.ts"
import {
  announced,
  anyone,
  definePlugin,
  events,
  granted,
  guests,
  handler,
  type HandlerRoute,
  items,
  leanEvent,
  leanGuest,
  leanItems,
  listing,
  type Mount,
  operatorOnly,
  pathSegment,
  type Plugin,
  type Resource,
  rewritten,
  type Route,
  serviceUser,
  signedIn,
  slug,
} from "../../../../core/plugin.ts"
import { recordParameters } from "../../../../core/records/resource.ts"
import { freshDatabase } from "../../../support/database.ts"

const settings = { segment: "sample", organizations: ["north"] }
const auth = granted(["north"])
const respond = () => new Response("{}", { headers: { "content-type": "application/json" } })
const guestsOf = "/events/:eventId/guests"

t.test("conformanceProblems finds nothing in plugins that conform, with any policy", async (t) => {
  const good: Record<string, Route[]> = {
    "listings for grants": [
      listing("/events", events, { auth, project: leanEvent }),
      listing(guestsOf, guests, { auth, project: leanGuest }),
      listing("/events/:eventId/items", items, { auth, project: leanItems }),
    ],
    "listings for all accounts: an event still needs a grant": [
      listing("/events", events, { auth: signedIn, project: leanEvent }),
      listing(guestsOf, guests, { auth: signedIn, project: leanGuest }),
    ],
    "listings for one account": [
      listing("/events", events, { auth: serviceUser("reader", "north"), project: leanEvent }),
      listing(guestsOf, guests, { auth: serviceUser("reader", "north"), project: leanGuest }),
    ],
    "a listing for operators": [
      listing(guestsOf, guests, { auth: operatorOnly, project: leanGuest }),
    ],
    "handlers": [
      handler("GET", "/docs/:page", { auth: anyone, handle: respond }),
      handler("POST", "/docs", { auth: anyone, handle: failing }),
      handler("DELETE", "/docs", { auth: operatorOnly, handle: failing }),
      handler("GET", "/events/:eventId/report", { auth, handle: respond }),
      announced("/events/:eventId/items", { auth, detail: "Later." }),
    ],
    "a handler with an endless response": [
      handler("GET", "/feed", { auth: signedIn, handle: () => new Response(endless()) }),
    ],
    "a listing without projections": [
      listing("/digest", resourceOf("digest", () => ({ count: 1 })), { auth, project: "anything" }),
    ],
    "a rewritten projection": [
      listing(guestsOf, guests, { auth, project: rewrittenGuest(identity) }),
    ],
  }
  for (const [name, routes] of Object.entries(good)) {
    t.strictSame(await conformanceProblems(family(routes), settings), [], name)
  }
})

t.test("conformanceProblems checks a plugin that extends another, with the other's settings", async (t) => {
  const extending = {
    ...family([listing("/events", events, { auth, project: leanEvent })]),
    extends: "family",
    settings: v.object({ segment: pathSegment }),
  }
  t.strictSame(await conformanceProblems(extending, settings), [])
})

const wrongDeclarations: Record<string, [plugin: unknown, problem: RegExp, settings?: unknown]> = {
  "another contract version": [
    { ...family([]), apiVersion: 1 },
    /^apiVersion must be 2, .*, not 1$/,
  ],
  "a name that is no folder": [{ ...family([]), name: "My Family" }, /^name must be/],
  "no summary": [{ ...family([]), summary: "" }, /^summary must be/],
  "settings without a schema": [{ ...family([]), settings: {} }, /^settings must be/],
  "no mount": [{ ...family([]), mount: undefined }, /^mount is missing: it must be a function/],
  "nothing at all": [undefined, /^its default export is not a plugin/],
  "other settings": [
    family([]),
    /^it refuses the settings of this check: .* segment is missing/,
    {},
  ],
  "lax settings": [
    { ...family(one(signedIn)), settings: v.object({ segment: pathSegment }) },
    /^its settings accept an unknown one in them/,
  ],
  "lax settings within its settings": [
    {
      ...family(one(signedIn)),
      settings: v.strictObject({ customers: v.array(v.object({ slug })) }),
      mount: () => ({ prefix: "/x", routes: one(signedIn) }),
    },
    /^its settings accept an unknown one in customers\.0:/,
    { customers: [{ slug: "north" }] },
  ],
  "a mount with different results": [
    { ...family([]), mount: counting() },
    /^mounting it twice gives two different declarations$/,
  ],
  "a mount that changes its settings": [
    {
      ...family([]),
      mount: (settings: { segment: string }) => {
        settings.segment = "other"
        return { prefix: "/other", routes: one(signedIn) }
      },
    },
    /^mount changes the settings$/,
  ],
  "a mount that changes its settings far within": [
    {
      ...family([]),
      settings: v.strictObject({
        customers: v.array(v.strictObject({ a: v.array(v.array(slug)) })),
      }),
      mount: ({ customers: [customer] }: { customers: { a: string[][] }[] }) => {
        customer?.a[0]?.push("other")
        return { prefix: "/x", routes: one(signedIn) }
      },
    },
    /^mount changes the settings$/,
    { customers: [{ a: [["north"]] }] },
  ],
  "a mount that throws": [{ ...family([]), mount: failing }, /^mount throws: out of order$/],
  "an asynchronous mount": [
    { ...family([]), mount: () => Promise.resolve({ prefix: "/x", routes: [] }) },
    /^mount must return .* at once, not a promise$/,
  ],
  "no routes": [family([]), /^it declares no route/],
  "a route without a policy": [
    family([{ ...one(signedIn)[0], auth: undefined } as unknown as Route]),
    /^GET \/sample\/v1\/one: auth is missing: it must be a policy/,
  ],
  "an invalid policy": [
    family(one({ kind: "friends" } as unknown as typeof anyone)),
    /^GET \/sample\/v1\/one: auth must be a policy/,
  ],
  "a route that was not made by listing, handler or announced": [
    family([{ method: "GET", path: "/x", auth: signedIn } as unknown as Route]),
    /^GET \/sample\/v1\/x: a route is made by/,
  ],
  "a conflict with itself": [
    family([...one(signedIn), ...one(signedIn)]),
    /^Cannot mount GET \/sample\/v1\/one: it is claimed by plugin family twice$/,
  ],
  "a bundle without a projection for one of its lists": [
    {
      ...family([]),
      mount: () => [
        listing("/events/:eventId/items", items, {
          auth,
          project: { ...leanItems, pledges: undefined } as unknown as typeof leanItems,
        }),
      ],
    },
    /^mount throws: GET \/events\/:eventId\/items: project\.pledges is missing/,
  ],
  "a listing for anyone": [
    family([listing("/events", events, { auth: anyone, project: leanEvent })]),
    /never for anyone/,
  ],
}
for (const [name, [plugin, problem, used = settings]] of Object.entries(wrongDeclarations)) {
  t.test(`conformanceProblems rejects ${name}`, async (t) => {
    const [first] = await conformanceProblems(plugin as Plugin, used)
    t.match(first, problem)
  })
}

const wrongBehaviour: Record<string, [route: Route, problem: RegExp]> = {
  "a handler that returns nothing": [
    handler("GET", "/x", {
      auth: signedIn,
      handle: (() => {}) as unknown as HandlerRoute["handle"],
    }),
    /^GET \/sample\/v1\/x: expected a response for the caller .*, not 500: plugin family gave no resp/,
  ],
  "a handler that throws": [
    handler("GET", "/x", { auth: anyone, handle: failing }),
    /^GET \/sample\/v1\/x: expected a response for everyone, not 500: out of order$/,
  ],
  "a handler with invalid JSON": [
    handler("GET", "/x", {
      auth: anyone,
      handle: () => new Response("{", { headers: { "content-type": "application/json" } }),
    }),
    /^GET \/sample\/v1\/x: expected a response for everyone, not 500: /,
  ],
  "a policy that admits no organization": [
    listing("/events", events, { auth: granted([]), project: leanEvent }),
    /^GET \/sample\/v1\/events: its policy lets no organization in/,
  ],
  "a rewrite that breaks its schema": [
    guestListing(rewrittenGuest((guest) => ({ ...guest, email: null }))),
    /^GET .*guests: expected what its schema says, but email: Invalid type: .* received null \(in \{/,
  ],
  "a rewrite that fails on a guest without address": [
    guestListing(
      rewrittenGuest((guest) => ({
        ...guest,
        lastName: (guest["mainAddress"] as { town: string }).town,
      })),
    ),
    /^GET .*guests: expected 200 for the caller that it is for, not 500: Cannot read prop.* 'town'/,
  ],
  "a rewrite that returns more than its schema has": [
    guestListing(rewrittenGuest((guest) => ({ ...guest, extra: 1 }))),
    /but extra: Invalid key/,
  ],
  "fields in another order": [
    guestListing(
      rewrittenGuest((guest) => Object.fromEntries(Object.entries(guest).toReversed())),
    ),
    /^GET .*: expected the fields id, eventId, .* in this order, not consentChannels, /,
  ],
  "a search in a hidden field": [
    guestListing({ ...leanGuest, searched: [...leanGuest.searched, "record.company_name"] }),
    /^GET .*guests: expected q to find nothing by the hidden company_name$/,
  ],
  "a search in a field that a rewrite masks": [
    guestListing(rewrittenGuest((guest) => ({ ...guest, mobile: "****" }))),
    /^GET .*guests: expected q to find nothing by the hidden mobile$/,
  ],
  "a list of all events for any account": [
    accountListing(async ({ db, run }) =>
      await run(db.selectFrom("event").selectAll().orderBy("updated", "desc").orderBy("id", "desc"))
    ),
    /^GET \/sample\/v1\/list: expected an empty list or 403 for an account without a grant, not 200$/,
  ],
  "a list with events of other organizations": [
    accountListing(async (snapshot, scope, page) =>
      (await events.list(snapshot, { ...scope, organizations: undefined }, page, leanEvent)).body
    ),
    /^GET \/sample\/v1\/list: expected nothing of another event or organization$/,
  ],
  "a list with guests of other events": [
    eventListing(async ({ db, run }) =>
      await run(db.selectFrom("guest").select(["id", "event_id as eventId"]))
    ),
    /^GET .*: expected nothing of another event or organization$/,
  ],
  "a list with the oldest first": [
    eventListing(async (snapshot, scope, page) =>
      recordsOf<unknown[]>(await guests.list(snapshot, scope, page, leanGuest)).toReversed()
    ),
    /^GET .*: expected the newest first/,
  ],
  "a list with the smallest id first within a second": [
    eventListing(async (snapshot, scope, page) => {
      const found = await guests.list(snapshot, scope, page, leanGuest)
      return recordsOf<{ updated: number; id: string }[]>(found).toSorted((a, b) =>
        b.updated - a.updated || (a.id < b.id ? -1 : 1)
      )
    }),
    /^GET .*: expected the newest first/,
  ],
  "a list that ignores its page": [
    eventListing(async (snapshot, scope, page) =>
      (await guests.list(snapshot, scope, { ...page, offset: 0 }, leanGuest)).body
    ),
    /^GET .*: expected offset=1&limit=2 to give the second and the third record$/,
  ],
  "a search that finds everything": [
    eventListing(async (snapshot, scope, page) =>
      (await guests.list(snapshot, scope, { ...page, terms: [] }, leanGuest)).body
    ),
    /^GET .*: expected q to find nothing by the hidden external_id$/,
  ],
  "a search that finds nothing": [
    eventListing(async (snapshot, scope, page) =>
      page.terms.length > 0 ? [] : (await guests.list(snapshot, scope, page, leanGuest)).body
    ),
    /^GET .*: expected q to find records by first_name$/,
  ],
  "records of an event without records": [
    eventListing(async (snapshot, scope, page) => {
      const found = (await guests.list(snapshot, scope, page, leanGuest)).body as unknown[]
      return found.length > 0 ? found : [{}]
    }),
    /^GET .*: expected nothing of an event without records$/,
  ],
  "a list that is not an array": [
    eventListing(async () => ({})),
    /^GET .*: expected a JSON array$/,
  ],
  "a bundle of other lists": [
    listing(
      "/events/:eventId/items",
      resourceOf("items", async (snapshot, scope, page) => {
        const found = await items.list(snapshot, scope, page, leanItems)
        const { buyNows: _, ...others } = recordsOf<Record<string, unknown>>(found)
        return others
      }, "event"),
      { auth, project: leanItems },
    ),
    /^GET .*items: expected the arrays buyNows, auctionItems, .*, not auctionItems, pledges, /,
  ],
}
for (const [name, [route, problem]] of Object.entries(wrongBehaviour)) {
  t.test(`conformanceProblems finds ${name}`, async (t) => {
    const problems = await conformanceProblems(family([route]), settings)
    t.ok(problems.some((each) => problem.test(each)), { problems, problem })
  })
}

t.test("conformanceProblems reports the same each time", async (t) => {
  const [route] = wrongBehaviour["a rewrite that breaks its schema"] ?? []
  const plugin = family(route ? [route] : [])
  t.strictSame(
    await conformanceProblems(plugin, settings),
    await conformanceProblems(plugin, settings),
  )
})

t.test("sample records have every nullable column with and without a value", async (t) => {
  const { writer } = await freshDatabase(t, "sqlite")
  for (const [table, rows] of Object.entries(sampleRecords("", 0))) {
    const { rows: columns } = await sql<{ name: string; notnull: number }>`
      select name, "notnull" from pragma_table_info(${table})
      where name <> 'export_version'`.execute(writer)
    for (const { name, notnull } of columns) {
      const values = rows.map((row) => (row as Record<string, unknown>)[name])
      t.ok(values.some((value) => value !== null && value !== undefined), `${table}.${name} is set`)
      t.equal(values.includes(null), notnull === 0, `${table}.${name} is null`)
    }
  }
})

/** Returns the records of a list as values. */
function recordsOf<Body>({ body }: { readonly body: unknown }): Body {
  return JSON.parse(JSON.stringify(body))
}

/** A list of a test: returns only the body. */
type List = (...args: Parameters<Resource["list"]>) => unknown

function family(routes: Route[]): Plugin {
  return definePlugin({
    apiVersion: 2,
    name: "family",
    summary: "A family of the tests",
    settings: v.strictObject({ segment: pathSegment, organizations: v.array(slug) }),
    mount: ({ segment }): Mount => ({ prefix: `/${segment}/v1`, routes }),
  }) as Plugin
}

function one(auth: typeof anyone): Route[] {
  return [handler("GET", "/one", { auth, handle: respond })]
}

function resourceOf(name: string, list: List, scope: Resource["scope"] = "account"): Resource {
  return {
    name,
    scope,
    parameters: recordParameters,
    list: async (...args) => ({ body: await list(...args), next: {} }),
  }
}

function accountListing(list: List): Route {
  return listing("/list", resourceOf("mine", list), { auth, project: leanEvent })
}

function eventListing(list: List): Route {
  return listing(guestsOf, resourceOf("mine", list, "event"), { auth, project: leanGuest })
}

function guestListing(project: typeof leanGuest): Route {
  return listing(guestsOf, guests, { auth, project })
}

function rewrittenGuest(rewrite: (guest: Record<string, unknown>) => Record<string, unknown>) {
  return rewritten(leanGuest, leanGuest.schema, rewrite)
}

function identity<T>(value: T): T {
  return value
}

function failing(): never {
  throw new Error("out of order")
}

function counting(): () => Mount {
  let count = 0
  return () => ({ prefix: `/x${++count}`, routes: one(signedIn) })
}

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1)) })
}
