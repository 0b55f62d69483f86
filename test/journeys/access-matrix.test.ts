import t from "tap"
import { Sessions } from "../../core/access/sessions.ts"
import { organizationsOf, type Policy } from "../../core/access/policies.ts"
import { revokeSessions } from "../../core/access/accounts.ts"
import type { Role } from "../../core/data/service-tables.ts"
import { startInstance } from "../../core/kernel/instance.ts"
import { migrate } from "../../core/data/migrate.ts"
import type { MountedRoute } from "../../core/routes/contract.ts"
import { testConfig } from "../support/app.ts"
import { Builder } from "../support/builder.ts"
import { copiedUrl, onEveryEngine, openFor } from "../support/database.ts"

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

await onEveryEngine(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const given = await testConfig(url)
  const config = {
    ...given,
    limits: { burst: 100_000, quota: 1_000_000, concurrent: 100, waiting: 100 },
  }
  const statements: string[] = []
  const instance = await startInstance(config, {
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    // What is written behind the requests' backs belongs to none of them, nor what is read for it.
    onStatement(sql) {
      if (/^select/i.test(sql) && !/sync_state|erasure_notice/.test(sql)) statements.push(sql)
    },
    // Looks at the change log would be between the statements.
    changes: { every: 1e9 },
  })
  t.teardown(() => instance.close())

  const policies = config.routes.map(({ auth }) => auth)
  const slugs = [
    ...new Set(policies.flatMap((policy) => organizationsOf(policy) ?? [])),
    "elsewhere",
  ]
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
  const callers = await makeCallers()

  for (
    const route of config.routes.filter(({ auth, method }) =>
      method === "GET" && auth.kind !== "anyone"
    )
  ) {
    await t.test(`GET ${route.pattern.text} returns each caller's status, and no hidden record`, async (t) => {
      for (const caller of callers) {
        for (const target of route.pattern.parameters.includes("eventId") ? targets : [undefined]) {
          const expected = expectedOf(route, caller, target)
          const { status, code, text } = await send(route, { caller, target })
          const name = `${caller.name}, event of ${target?.organization ?? "nobody"}`
          t.strictSame([status, code], expected, name)
          for (const slug of slugs) {
            const mayShow = expected[0] === 200 && mayRead(route.auth, caller, slug)
            if (!mayShow) t.notMatch(text, `-of-${slug}`, `${name}: nothing of ${slug}`)
          }
        }
      }
    })
  }

  await t.test("routes return the same bytes with the same statements for unknown and forbidden events", async (t) => {
    const listings = config.routes.filter(({ pattern }) => pattern.parameters.includes("eventId"))
    for (const route of listings) {
      const caller = callers.find((each) =>
        expectedOf(route, each, targets[0])[0] === 404
      ) as Caller
      const closed = targets.filter((target) =>
        expectedOf(route, caller, target)[1] === "event_not_found"
      )
      t.ok(closed.length >= 2, `${route.pattern.text} as ${caller.name}`)
      const found = new Set<string>()
      // What the service does once a minute may fall in between; what a target causes would be there each time.
      for (let turn = 0; turn < 3 && found.size !== 1; turn++) {
        found.clear()
        for (let n = 0; n < 10; n++) {
          for (const target of closed) {
            statements.length = 0
            const { text, headers } = await send(route, { caller, target })
            found.add(JSON.stringify([text, headers, statements]))
          }
        }
      }
      t.equal(found.size, 1, route.pattern.text)
    }
  })

  async function makeCallers(): Promise<Caller[]> {
    const service = policies.flatMap((policy) => policy.kind === "service-user" ? [policy] : [])
    const sessions = new Sessions(database, { ...config.session, secure: false })
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
    const eventIds = targets.slice(1).map(({ id }) => id)
    const expired = await make("expired session", { organizations: slugs })
    await database.writer.updateTable("session").set({ expires: 1 }).execute()
    const revoked = await make("revoked session", { organizations: slugs })
    await revokeSessions(database, revoked.username)
    const nobody: Caller = { ...expired, name: "nobody", live: false, cookie: "" }
    const seen = new Set<string>()
    const services = []
    for (const { username, organization } of service) {
      if (seen.has(username)) continue
      seen.add(username)
      services.push(
        await make(`service user of ${organization}`, {
          username,
          role: "service",
          organizations: slugs,
        }),
      )
    }
    const past = await make("ended grant")
    // No command grants it anything: somebody wrote to the database.
    const viewer = await make("viewer with organization grants", { role: "viewer" })
    for (const slug of slugs) {
      const organization = await database.writer.selectFrom("organization").select("id")
        .where("slug", "=", slug).executeTakeFirstOrThrow()
      for (const { username, ends } of [{ ...past, ends: 1 }, { ...viewer, ends: null }]) {
        await database.writer.insertInto("access_grant").values({
          id: crypto.randomUUID(),
          account_id: await idOf(username),
          organization_id: organization.id,
          event_id: null,
          ends,
          networks: null,
        }).execute()
      }
    }
    return [
      nobody,
      {
        ...nobody,
        name: "invalid cookie",
        cookie: `${config.session.cookie}=Fe26.2*1*rubbish`,
      },
      { ...expired, live: false },
      { ...revoked, live: false },
      past,
      viewer,
      await make("outsider"),
      await make("partner with event grants", { events: eventIds }),
      await make("partner with one event grant", { events: eventIds.slice(0, 1) }),
      await make("partner with organization grants", { organizations: slugs }),
      await make("service user of nothing", { role: "service", organizations: slugs }),
      ...services,
      await make("operator", { role: "operator" }),
    ]
  }

  async function idOf(username: string): Promise<string> {
    const { id } = await database.writer.selectFrom("account").select("id")
      .where("username", "=", username).executeTakeFirstOrThrow()
    return id
  }

  async function send(
    route: MountedRoute,
    { caller, target }: { caller: Caller; target: Target | undefined },
  ) {
    const id = route.kind === "listing" ? record : ":id"
    const path = route.pattern.text.replace(":eventId", target?.id ?? "").replace(":id", id)
    const response = await instance.fetch(
      new Request(`http://localhost${path}${query(route)}`, {
        headers: { "x-request-id": "same", ...(caller.cookie ? { cookie: caller.cookie } : {}) },
      }),
      { address: "192.0.2.1" },
    )
    const text = await response.text()
    const isJson = /[/+]json\b/.test(response.headers.get("content-type") ?? "")
    const body: unknown = isJson && text !== "" ? JSON.parse(text) : undefined
    const { code } = (body ?? {}) as { code?: string }
    const headers = [...response.headers].filter(([name]) => !name.startsWith("ratelimit"))
    return { status: response.status, code, text, headers }
  }

  function mayRead(policy: Policy, caller: Caller, slug: string): boolean {
    const allowed = organizationsOf(policy)
    const event = targets.find(({ organization }) => organization === slug)
    const granted = caller.organizations.includes(slug) || caller.events.includes(event?.id ?? "")
    return granted && (allowed === undefined || allowed.includes(slug))
  }

  /** Returns the contract's status and code, computed independently of the service's code. */
  function expectedOf(
    route: MountedRoute,
    caller: Caller,
    target: Target | undefined,
  ): [status: number, code: string | undefined] {
    const { auth } = route
    if (!caller.live) return [401, "unauthenticated"]
    if (auth.kind === "operator" && caller.role !== "operator") {
      const isPage = route.pattern.text.startsWith("/console") && route.method === "GET"
      if (caller.role !== "viewer" || !isPage) return [403, "not_operator"]
    }
    if (auth.kind === "service-user" && caller.username !== auth.username) {
      return [403, "not_service_user"]
    }
    if (target) {
      const { organization: slug, id } = target
      const granted = slug !== undefined &&
        (caller.organizations.includes(slug) || caller.events.includes(id))
      if (!granted) return [404, "event_not_found"]
      if (auth.kind === "service-user" && auth.organization !== slug) {
        return [404, "event_not_found"]
      }
      if (auth.kind === "granted" && !auth.organizations.includes(slug)) {
        return [403, "connector_not_enabled"]
      }
    }
    // The request names nothing that there is.
    const isOther = route.pattern.parameters.some((name) => name !== "eventId")
    if (isOther && route.kind === "handler") return [404, "not_found"]
    return route.kind === "handler" && route.announced ? [404, "not_available"] : [200, undefined]
  }
})

function query(route: MountedRoute): string {
  return route.kind === "listing" && route.list.parameters.includes("since") ? "?since=-1" : ""
}
