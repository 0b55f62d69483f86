import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import t from "tap"
import { Sessions } from "../../core/access/sessions.ts"
import type { Policy } from "../../core/access/policies.ts"
import { revokeSessions } from "../../plugins/capabilities/accounts/change-account.ts"
import type { Role } from "../../core/data/service-tables.ts"
import { startInstance } from "../conformance/instance.ts"
import type { MountedRoute } from "../../core/routes/contract.ts"
import { type Plan, readPlan } from "../../core/routes/plan.ts"
import { generous, secret, testConfig } from "../support/app.ts"
import { Builder } from "../support/builder.ts"
import { copiedUrl, onEmbedded, openFor } from "../support/database.ts"
import { scannedLog } from "../support/scanned-log.ts"

/** The only route that is announced, and not there yet. */
const notYet = "/connector-a/v1/events/:eventId/items"

const anyone: Policy = { kind: "anyone" }
const signedIn: Policy = { kind: "signed-in" }
const operators: Policy = { kind: "operator" }
const operatorsAndViewers: Policy = { kind: "operator", viewers: true }

/**
 * Who may use each route of the default configuration, as pairs of a policy and routes. Written by hand: a route that
 * is not here, or a policy that differs, fails the test. Routes of one path are written together.
 */
const table: readonly (readonly [Policy, readonly string[]])[] = [
  [anyone, [
    "GET /",
    "GET /.well-known/security.txt",
    "GET /favicon.ico",
    "GET /livez",
    "GET /readyz",
    "GET /problems/:code",
    "POST /session",
    "POST /oauth/token",
    "GET /console/files/:file",
    "GET POST /console/log-in",
    "GET /docs/",
    "GET /docs/files/:file",
    "GET POST /docs/log-in",
    "GET /docs/pull.d.mts",
    "GET /docs/pull.mjs",
  ]],
  // `public: false` in the settings of the plugin docs makes these `signedIn`.
  [anyone, [
    "GET /docs",
    "GET /docs/:page",
    "GET /docs/dlt.py",
    "GET /docs/duckdb.sql",
    "GET /docs/feed.py",
    "GET /docs/feed.sh",
    "GET /docs/google-sheets.gs",
    "GET /docs/guide.md",
    "GET /docs/power-query.m",
    "GET /docs/search",
    "GET /llms.txt",
  ]],
  [signedIn, [
    "GET DELETE /session",
    "GET POST /session/pings",
    "DELETE /session/pings/:id",
    "POST /session/pings/:id/challenge",
    "POST /session/pings/:id/confirmation",
    "POST /session/pings/:id/secrets",
    "GET POST /session/tokens",
    "DELETE /session/tokens/:id",
    "GET /openapi.json",
    "POST /docs/log-out",
    "GET /docs/me",
    "POST /docs/me/pings",
    "POST /docs/me/pings/change",
    "POST /docs/me/tokens",
    "POST /docs/me/tokens/revoke",
    "GET /docs/reference",
    "GET /docs/viewer.js",
    "POST /console/log-out",
  ]],
  [operatorsAndViewers, [
    "GET /console",
    "GET /console/accounts",
    "GET /console/accounts/:name",
    "GET /console/accounts/:name/remove",
    "GET /console/audit",
    "GET /console/audit.csv",
    "GET /console/configuration",
    "GET /console/disclosures",
    "GET /console/events",
    "GET /console/events/:event",
    "GET /console/handbook",
    "GET /console/handbook/:page",
    "GET /console/partners/:name",
    "GET /console/search",
    "GET /console/source",
  ]],
  [operators, [
    "GET /status",
    "POST /console/accounts",
    "POST /console/accounts/:name",
    "POST /console/accounts/:name/pings",
    "POST /console/accounts/:name/pings/change",
    "POST /console/accounts/:name/remove",
    "POST /console/accounts/:name/rename",
    "POST /console/accounts/:name/session",
    "POST /console/accounts/:name/token",
  ]],
  [serviceUser("acme-export", "acme"), family("/acme/v1", ["guests", "items"])],
  [serviceUser("borealis-export", "borealis"), family("/borealis/v1", ["guests", "items"])],
  [granted(["acme"]), [...family("/connector-a/v1", ["guests"]), `GET ${notYet}`]],
  [granted(["acme", "borealis"]), family("/connector-b/v1", ["guests", "items"])],
]

const policies = new Map(table.flatMap(([policy, lines]) =>
  lines.flatMap(routesOf)
    .map((route) => [route, policy] as const)
))

/** A kind of caller. The matrix requests all routes as each of them. */
interface Caller {
  readonly name: string
  readonly username: string
  readonly role: Role
  /** False if the session is not valid. */
  readonly live: boolean
  /** The organizations and events that it has a valid grant for. */
  readonly organizations: readonly string[]
  readonly events: readonly string[]
  readonly cookie: string
}

interface Target {
  readonly id: string
  /** Undefined if there is no such event. */
  readonly organization: string | undefined
}

t.test("the default configuration has these routes, each with this policy", async (t) => {
  const { routes } = await testConfig("sqlite:none.db")
  t.strictSame(policiesOf(routes), sorted(policies))
})

t.test("docs with public: false needs a session for each page and text, and changes no other route", async (t) => {
  const text = readFileSync("config/event-export.yaml", "utf8")
    .replace("module: ./demo", `module: ${resolve("config/demo")}`)
    .replace("  - use: docs\n", "  - use: docs\n    with: { public: false }\n")
  const folder = t.testdir({ "event-export.yaml": text })
  const variables = { DATABASE_URL: "sqlite:none.db", SESSION_SECRET: secret }
  const { routes } = await readPlan(`${folder}/event-export.yaml`, variables)
  const [, [, texts = []] = []] = table
  const changed = new Map(texts.map((route) => [route, signedIn]))
  t.strictSame(policiesOf(routes), sorted(new Map([...policies, ...changed])))
})

await onEmbedded(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const build = new Builder(database)
  const config = { ...await testConfig(url), limits: generous }
  const statements: string[] = []
  const instance = await startInstance(config, {
    log: scannedLog(t, []),
    // What the background writes, and reads for that, belongs to no request.
    onStatement(sql) {
      if (/^select/i.test(sql) && !/sync_state|erasure_notice/.test(sql)) statements.push(sql)
    },
    // Looks at the change log would be between the statements.
    changes: { every: 1e9 },
  })
  t.teardown(() => instance.close())

  const slugs = ["acme", "borealis", "elsewhere"]
  /** The id of a record in each event. */
  const record = crypto.randomUUID()
  const targets: Target[] = [{ id: crypto.randomUUID(), organization: undefined }]
  for (const slug of slugs) {
    const organization = await build.organization(slug)
    const id = await build.event(organization)
    await build.guest(id, { id: record, last_name: `guest-of-${slug}` })
    await build.item("tickets", id, { id: record, name: `ticket-of-${slug}` })
    targets.push({ id, organization: slug })
  }
  const callers = await makeCallers(config)

  await t.test("GET routes return each caller's status, and no hidden record", async (t) => {
    for (const [route, policy] of policies) {
      if (!route.startsWith("GET ")) continue
      const mistakes: unknown[] = []
      for (const caller of callers) {
        // Who is refused whatever is requested may well ask for one event.
        const asked = denialOf(policy, caller) ? targets.slice(0, 2) : targets
        for (const target of route.includes(":eventId") ? asked : [undefined]) {
          const expected = expectedOf(route, { policy, caller, target })
          const { status, code, text } = await send(route, { caller, target })
          const shown = slugs.filter((slug) => text.includes(`-of-${slug}`))
          const isHidden = shown.some((slug) =>
            expected[0] !== 200 || !mayRead(policy, caller, slug)
          )
          const isRight = status === expected[0] && code === expected[1]
          if (isRight && !isHidden) continue
          const { name } = caller
          mistakes.push({ name, event: target?.organization, expected, status, code, shown })
        }
      }
      t.strictSame(mistakes, [], route)
    }
  })

  await t.test("other routes refuse each caller that their policy refuses", async (t) => {
    for (const [route, policy] of policies) {
      if (route.startsWith("GET ")) continue
      for (const caller of callers) {
        const expected = denialOf(policy, caller)
        if (!expected) continue
        const { status, code } = await send(route, { caller, target: undefined })
        t.strictSame([status, code], expected, `${route} as ${caller.name}`)
      }
    }
  })

  await t.test("routes return the same bytes with the same statements for unknown and forbidden events", async (t) => {
    for (const [route, policy] of policies) {
      if (!route.includes(":eventId")) continue
      const closedTo = (caller: Caller) =>
        targets.filter((target) =>
          expectedOf(route, { policy, caller, target })[1] === "event_not_found"
        )
      const caller = callers.find((each) => closedTo(each).length >= 2)
      if (!caller) throw new TypeError(`everybody may read ${route}`)
      const closed = closedTo(caller)
      const found = new Set<string>()
      // What the service does in the background may fall in between, on a busy machine several times in a row; what a
      // target causes would be there each time.
      for (let turn = 0; turn < 20 && found.size !== 1; turn++) {
        found.clear()
        for (const target of [...closed, ...closed]) {
          statements.length = 0
          const { text, headers } = await send(route, { caller, target })
          found.add(JSON.stringify([text, headers, statements]))
        }
      }
      t.equal(found.size, 1, route)
    }
  })

  async function makeCallers({ session }: Plan): Promise<Caller[]> {
    const sessions = new Sessions(database, { ...session, secure: false })
    const make = async (
      name: string,
      { username = name.replaceAll(" ", "-"), role = "partner", organizations = [], events = [] }: {
        username?: string
        role?: Role
        organizations?: readonly string[]
        events?: readonly string[]
      } = {},
    ): Promise<Caller> => {
      const id = await build.account(username, role)
      for (const organization of organizations) await build.grant(username, { organization })
      for (const event of events) await build.grant(username, { event })
      const [cookie = ""] = (await sessions.open({ id, epoch: 0 })).cookie.split(";")
      return { name, username, role, live: true, organizations, events, cookie }
    }
    const service = (username: string) =>
      make(username, { username, role: "service", organizations: slugs })
    const eventIds = targets.slice(1).map(({ id }) => id)
    const expired = await make("expired session", { organizations: slugs })
    await database.writer.updateTable("session").set({ expires: 1 }).execute()
    const revoked = await make("revoked session", { organizations: slugs })
    await revokeSessions(database, revoked.username)
    const nobody: Caller = { ...expired, name: "nobody", live: false, cookie: "" }
    const past = await make("ended grant")
    // No command grants a viewer anything: somebody wrote to the database.
    const viewer = await make("viewer with organization grants", { role: "viewer" })
    const db = database.writer
    for (const { id } of await db.selectFrom("organization").select("id").execute()) {
      for (const { username, ends } of [{ ...past, ends: 1 }, { ...viewer, ends: null }]) {
        const account = db.selectFrom("account").select("id").where("username", "=", username)
        await db.insertInto("access_grant").values({
          id: crypto.randomUUID(),
          account_id: (await account.executeTakeFirstOrThrow()).id,
          organization_id: id,
          event_id: null,
          ends,
          networks: null,
        }).execute()
      }
    }
    return [
      nobody,
      { ...nobody, name: "invalid cookie", cookie: `${session.cookie}=Fe26.2*1*rubbish` },
      { ...expired, live: false },
      { ...revoked, live: false },
      past,
      viewer,
      await make("outsider"),
      await make("partner with event grants", { events: eventIds }),
      await make("partner with one event grant", { events: eventIds.slice(0, 1) }),
      await make("partner with organization grants", { organizations: slugs }),
      await service("service-user-of-nothing"),
      await service("acme-export"),
      await service("borealis-export"),
      await make("operator", { role: "operator" }),
    ]
  }

  async function send(
    route: string,
    { caller, target }: { caller: Caller; target: Target | undefined },
  ) {
    const [method = "", pattern = ""] = route.split(" ")
    // Ids of records are known, and other names are not.
    const path = pattern.replace(":eventId", target?.id ?? "")
      .replace(":id", target ? record : ":id")
    const query = /\/(guests|items)$/.test(path) ? "?since=-1" : ""
    const response = await instance.fetch(
      new Request(`http://localhost${path}${query}`, {
        method,
        headers: { "x-request-id": "same", ...(caller.cookie ? { cookie: caller.cookie } : {}) },
      }),
      { address: "192.0.2.1" },
    )
    const isProblem = response.headers.get("content-type") === "application/problem+json"
    // Megabytes of a program, which knows no record.
    const isViewer = path === "/docs/viewer.js" && !isProblem
    const text = isViewer ? "" : await response.text()
    if (isViewer) await response.body?.cancel()
    const code: unknown = isProblem ? JSON.parse(text).code : undefined
    const headers = [...response.headers].filter(([name]) => !name.startsWith("ratelimit"))
    return { status: response.status, code, text, headers }
  }

  function mayRead(policy: Policy, caller: Caller, slug: string): boolean {
    const event = targets.find(({ organization }) => organization === slug)
    const granted = caller.organizations.includes(slug) || caller.events.includes(event?.id ?? "")
    return granted && isOn(policy, slug)
  }
})

type Expected = readonly [status: number, code: string | undefined]

/** Returns how a caller is refused, whatever is requested; undefined if it is not. */
function denialOf(policy: Policy, caller: Caller): Expected | undefined {
  if (policy.kind === "anyone") return undefined
  if (!caller.live) return [401, "unauthenticated"]
  if (policy.kind === "operator" && caller.role !== "operator") {
    if (caller.role !== "viewer" || !policy.viewers) return [403, "not_operator"]
  }
  if (policy.kind === "service-user" && caller.username !== policy.username) {
    return [403, "not_service_user"]
  }
  return undefined
}

/** Returns the contract's status and code, computed independently of the service's code. */
function expectedOf(
  route: string,
  { policy, caller, target }: { policy: Policy; caller: Caller; target: Target | undefined },
): Expected {
  const denial = denialOf(policy, caller)
  if (denial) return denial
  if (target) {
    const { organization: slug, id } = target
    const granted = slug !== undefined &&
      (caller.organizations.includes(slug) || caller.events.includes(id))
    if (!granted) return [404, "event_not_found"]
    if (!isOn(policy, slug)) {
      return policy.kind === "granted" ? [403, "connector_not_enabled"] : [404, "event_not_found"]
    }
    return route.endsWith(notYet) ? [404, "not_available"] : [200, undefined]
  }
  if (route === "GET /docs/") return [308, undefined]
  // Names that are not there.
  return route.includes("/:") ? [404, "not_found"] : [200, undefined]
}

/** Returns whether a family is on for an organization. */
function isOn(policy: Policy, slug: string): boolean {
  if (policy.kind === "granted") return policy.organizations.includes(slug)
  return policy.kind !== "service-user" || policy.organization === slug
}

function serviceUser(username: string, organization: string): Policy {
  return { kind: "service-user", username, organization }
}

function granted(organizations: readonly string[]): Policy {
  return { kind: "granted", organizations }
}

/** Returns the routes of a family with some lists, and of capabilities for them. */
function family(prefix: string, lists: readonly string[]): string[] {
  const event = `GET ${prefix}/events/:eventId`
  const own = lists.flatMap((list) =>
    ["", "/:id", "/deletions", "/digest", "/export"].map((end) => `${event}/${list}${end}`)
  )
  return [`GET ${prefix}/events`, `${event}/changes`, ...own]
}

/** Returns the routes of a line of the table, which may have several methods. */
function routesOf(line: string): string[] {
  const words = line.split(" ")
  return words.slice(0, -1).map((method) => `${method} ${words.at(-1)}`)
}

function policiesOf(routes: readonly MountedRoute[]): Record<string, Policy> {
  return sorted(
    new Map(routes.map(({ method, pattern, auth }) => [`${method} ${pattern.text}`, auth])),
  )
}

function sorted(map: ReadonlyMap<string, Policy>): Record<string, Policy> {
  return Object.fromEntries([...map].sort(([a], [b]) => a < b ? -1 : 1))
}
