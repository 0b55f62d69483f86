import { sql } from "kysely"
import t from "tap"
import * as v from "valibot"
import { conformanceProblems } from "./conformance.ts"
import { sampleRecords } from "./sample-records.ts"
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
  signedIn,
  slug,
} from "../../core/plugin.ts"
import { recordParameters } from "../../core/records/lists/resource.ts"
import { freshDatabase } from "../support/database.ts"

const settings = { segment: "sample", organizations: ["north"] }
const auth = granted(["north"])
const respond = () => new Response("{}", { headers: { "content-type": "application/json" } })
const guestsOf = "/events/:eventId/guests"

t.test("conformanceProblems finds nothing in routes that conform, with any policy", async (t) => {
  const good: ((at: string) => Route[])[] = [
    (at) => [
      listing(`${at}/events`, events, { auth, project: leanEvent }),
      listing(at + guestsOf, guests, { auth, project: leanGuest }),
      listing(`${at}/events/:eventId/items`, items, { auth, project: leanItems }),
    ],
    // For all accounts: an event still needs a grant.
    (at) => [
      listing(`${at}/events`, events, { auth: signedIn, project: leanEvent }),
      listing(at + guestsOf, guests, { auth: signedIn, project: leanGuest }),
    ],
    (at) => [listing(at + guestsOf, guests, { auth: operatorOnly, project: leanGuest })],
    (at) => [
      handler("GET", `${at}/docs/:page`, { auth: anyone, handle: respond }),
      handler("POST", `${at}/docs`, { auth: anyone, handle: failing }),
      handler("DELETE", `${at}/docs`, { auth: operatorOnly, handle: failing }),
      handler("GET", `${at}/events/:eventId/report`, { auth, handle: respond }),
      announced(`${at}/events/:eventId/items`, { auth, detail: "Later." }),
    ],
    (at) => [
      handler("GET", `${at}/feed`, { auth: signedIn, handle: () => new Response(endless()) }),
    ],
    (at) => [
      listing(at, resourceOf("digest", () => ({ count: 1 })), { auth, project: "anything" }),
    ],
    (at) => [listing(at + guestsOf, guests, { auth, project: rewrittenGuest(identity) })],
  ]
  const routes = good.flatMap((of, index) => of(`/${index}`))
  t.strictSame(await conformanceProblems(family(routes), settings), [])
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
    { ...family([]), apiVersion: 2 },
    /^apiVersion must be 3, .*, not 2$/,
  ],
  "nothing at all": [undefined, /^its default export is not a plugin/],
  "other settings": [
    family([]),
    /^it refuses the settings of this check: .* segment is missing/,
    {},
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
  "no routes": [family([]), /^it declares no route/],
  "a route without a policy": [
    family([{ ...one(signedIn)[0], auth: undefined } as unknown as Route]),
    /^GET \/sample\/v1\/one: auth is missing: it must be a policy/,
  ],
  "a conflict with itself": [
    family([...one(signedIn), ...one(signedIn)]),
    /^Cannot mount GET \/sample\/v1\/one: it is claimed by plugin family twice$/,
  ],
}

t.test("conformanceProblems rejects wrong declarations", async (t) => {
  for (const [name, [plugin, problem, used = settings]] of Object.entries(wrongDeclarations)) {
    const [first] = await conformanceProblems(plugin as Plugin, used)
    t.match(first, problem, name)
  }
})

/** Routes under a path of their own, each with what is found. */
const wrongBehaviour: Record<string, [route: (at: string) => Route, problem: RegExp]> = {
  "a handler that returns nothing": [
    (at) =>
      handler("GET", at, {
        auth: signedIn,
        handle: (() => {}) as unknown as HandlerRoute["handle"],
      }),
    /^expected a response for the caller .*, not 500: plugin family gave no resp/,
  ],
  "a policy that admits no organization": [
    (at) => listing(at, events, { auth: granted([]), project: leanEvent }),
    /^its policy lets no organization in/,
  ],
  "a rewrite that breaks its schema": [
    guestListing(rewrittenGuest((guest) => ({ ...guest, email: null }))),
    /^expected what its schema says, but email: Invalid type: .* received null \(in \{/,
  ],
  "a rewrite that fails on a guest without address": [
    guestListing(
      rewrittenGuest((guest) => ({
        ...guest,
        lastName: (guest["mainAddress"] as { town: string }).town,
      })),
    ),
    /^expected 200 for the caller that it is for, not 500: Cannot read prop.* 'town'/,
  ],
  "a rewrite that returns more than its schema has": [
    guestListing(rewrittenGuest((guest) => ({ ...guest, extra: 1 }))),
    /but extra: Invalid key/,
  ],
  "fields in another order": [
    guestListing(
      rewrittenGuest((guest) => Object.fromEntries(Object.entries(guest).toReversed())),
    ),
    /^expected the fields id, eventId, .* in this order, not consentChannels, /,
  ],
  "a search in a hidden field": [
    guestListing({ ...leanGuest, searched: [...leanGuest.searched, "record.company_name"] }),
    /^expected q to find nothing by the hidden company_name$/,
  ],
  "a search in a field that a rewrite masks": [
    guestListing(rewrittenGuest((guest) => ({ ...guest, mobile: "****" }))),
    /^expected q to find nothing by the hidden mobile$/,
  ],
  "a list of all events for any account": [
    accountListing(async ({ db, run }) =>
      await run(db.selectFrom("event").selectAll().orderBy("updated", "desc").orderBy("id", "desc"))
    ),
    /^expected an empty list or 403 for an account without a grant, not 200$/,
  ],
  "a list with events of other organizations": [
    accountListing(async (snapshot, scope, page) =>
      (await events.list(snapshot, { ...scope, organizations: undefined }, page, leanEvent)).body
    ),
    /^expected nothing of another event or organization$/,
  ],
  "a list with the smallest id first within a second": [
    eventListing(async (snapshot, scope, page) => {
      const found = await guests.list(snapshot, scope, page, leanGuest)
      return recordsOf<{ updated: number; id: string }[]>(found).toSorted((a, b) =>
        b.updated - a.updated || (a.id < b.id ? -1 : 1)
      )
    }),
    /^expected the newest first/,
  ],
  "a list that ignores its page": [
    eventListing(async (snapshot, scope, page) =>
      (await guests.list(snapshot, scope, { ...page, offset: 0 }, leanGuest)).body
    ),
    /^expected offset=1&limit=2 to give the second and the third record$/,
  ],
  "a search that finds nothing": [
    eventListing(async (snapshot, scope, page) =>
      page.terms.length > 0 ? [] : (await guests.list(snapshot, scope, page, leanGuest)).body
    ),
    /^expected q to find records by first_name$/,
  ],
  "records of an event without records": [
    eventListing(async (snapshot, scope, page) => {
      const found = (await guests.list(snapshot, scope, page, leanGuest)).body as unknown[]
      return found.length > 0 ? found : [{}]
    }),
    /^expected nothing of an event without records$/,
  ],
  "a bundle of other lists": [
    (at) =>
      listing(
        `${at}/events/:eventId/items`,
        resourceOf("items", async (snapshot, scope, page) => {
          const found = await items.list(snapshot, scope, page, leanItems)
          const { buyNows: _, ...others } = recordsOf<Record<string, unknown>>(found)
          return others
        }, "event"),
        { auth, project: leanItems },
      ),
    /^expected the arrays buyNows, auctionItems, .*, not auctionItems, pledges, /,
  ],
}

t.test("conformanceProblems finds what is wrong with each route", async (t) => {
  const wrong = Object.entries(wrongBehaviour)
  const plugin = family(wrong.map(([, [route]], index) => route(`/${index}`)))
  const problems = await conformanceProblems(plugin, settings)
  for (const [index, [name, [, problem]]] of wrong.entries()) {
    const own = problems.flatMap((each) => {
      const [, found] = new RegExp(`^GET /sample/v1/${index}(?:/\\S+)?: (.*)`, "s").exec(each) ?? []
      return found ?? []
    })
    t.ok(own.some((each) => problem.test(each)), name, { own, problem })
  }
})

t.test("sample records have every nullable column with and without a value", async (t) => {
  const { writer } = await freshDatabase(t, "sqlite")
  for (const [table, rows] of Object.entries(sampleRecords("", 0))) {
    const { rows: columns } = await sql<{ name: string; notnull: number }>`
      select name, "notnull" from pragma_table_info(${table})
      where name not in ('export_version', 'extra')`.execute(writer)
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
    apiVersion: 3,
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

function accountListing(list: List): (at: string) => Route {
  return (at) => listing(at, resourceOf("mine", list), { auth, project: leanEvent })
}

function eventListing(list: List): (at: string) => Route {
  const resource = resourceOf("mine", list, "event")
  return (at) => listing(at + guestsOf, resource, { auth, project: leanGuest })
}

function guestListing(project: typeof leanGuest): (at: string) => Route {
  return (at) => listing(at + guestsOf, guests, { auth, project })
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
