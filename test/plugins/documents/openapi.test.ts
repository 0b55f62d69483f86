import t from "tap"
import { templateOf } from "../../../plugins/documents/openapi/operation.ts"
import { isDescribed } from "../../../plugins/documents/openapi/selection.ts"
import { onEveryApp, testConfig } from "../../support/app.ts"

interface Document {
  readonly openapi: string
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post?: Operation }>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string }[]
  readonly security: readonly unknown[]
}

const ofOperators = ['"/status"', "/livez", '"/docs', '"/openapi.json"']
const connectors = ["connector-a", "connector-b"]

/** An account: its grant, the tags that it sees in order, and names that it must not see. */
interface Account {
  readonly organization?: string
  readonly role?: "operator" | "service"
  readonly tags: readonly string[]
  readonly hidden: readonly string[]
}

const accounts: Readonly<Record<string, Account>> = {
  "outsider": { tags: ["session"], hidden: ["acme", "borealis", "connector-", ...ofOperators] },
  "partner": {
    organization: "acme",
    tags: ["session", ...connectors],
    hidden: ["/acme", "borealis", "custom-export", ...ofOperators],
  },
  "northern": {
    organization: "borealis",
    tags: ["session", "connector-b"],
    hidden: ["acme", "/borealis", "connector-a", "custom-export"],
  },
  "neighbour": { organization: "elsewhere", tags: ["session"], hidden: ["acme", "connector-"] },
  "acme-export": {
    organization: "acme",
    role: "service",
    tags: ["session", "custom-export", ...connectors],
    hidden: ["borealis", ...ofOperators],
  },
  "borealis-export": {
    role: "service",
    tags: ["session", "custom-export"],
    hidden: ["acme", "connector-", ...ofOperators],
  },
  "operator": {
    role: "operator",
    tags: [
      ...["session", "custom-export", ...connectors],
      ...["docs", "pull", "health", "openapi", "status"],
    ],
    hidden: [],
  },
}

await onEveryApp(t, async (t, { build, database, logIn, request, isBare }) => {
  const organizations = new Map<string, string>()
  for (const slug of ["acme", "borealis", "elsewhere"]) {
    organizations.set(slug, await build.organization(slug))
  }
  for (const [name, { organization, role = "partner" }] of Object.entries(accounts)) {
    await build.account(name, role)
    if (organization !== undefined) await build.grant(name, { organization })
  }
  const read = async (name: string) => {
    const response = await (await logIn(name))("/openapi.json")
    t.equal(response.status, 200)
    const text = await response.text()
    return { text, document: JSON.parse(text) as Document }
  }

  await t.test("GET /openapi.json returns 401 without a session", async (t) => {
    t.equal((await request("/openapi.json")).status, 401)
  })

  for (const [name, { tags, hidden }] of Object.entries(accounts)) {
    await t.test(`GET /openapi.json shows ${name} only ${tags.join(", ")}`, async (t) => {
      const { text, document } = await read(name)
      t.equal(document.openapi, "3.1.0")
      t.strictSame(document.tags.map(({ name }) => name), tags)
      t.strictSame(Object.keys(document.paths["/session"] ?? {}), ["post", "get", "delete"])
      for (const word of hidden) t.notOk(text.includes(word), word)
    })
  }

  await t.test("GET /openapi.json allows no other fields in the body of a log-in", async (t) => {
    const { document } = await read("operator")
    const { requestBody } = document.paths["/session"]?.["post"] as unknown as {
      requestBody: { content: Record<string, { schema: object }> }
    }
    t.match(requestBody.content["application/json"]?.schema, {
      required: ["username", "password"],
      additionalProperties: false,
    })
  })

  await t.test("GET /openapi.json follows grants, including those for single events", async (t) => {
    const event = await build.event(organizations.get("acme") ?? "")
    await build.account("guest")
    const families = async () => (await read("guest")).document.tags.map(({ name }) => name)
    t.strictSame(await families(), ["session"])
    await build.grant("guest", { event })
    t.strictSame(await families(), ["session", "connector-a", "connector-b"])
    await database.writer.updateTable("access_grant").set({ ends: 1 }).where("event_id", "=", event)
      .execute()
    t.strictSame(await families(), ["session"])
  })

  await t.test("GET /openapi.json names the cookie exactly for the operations that return 401 without it", async (t) => {
    const { document } = await read("operator")
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => ({ path, method, security }))
    )
    for (const { path, method, security } of operations) {
      const response = await request(path.replace(/\{\w+\}/, "any"), {
        method: method.toUpperCase(),
      })
      await response.text()
      const ways = [{ session: [] }, { bearer: [] }]
      // Whoever sends all requests in order ends no session but that of a token.
      if (method === "delete") ways.reverse()
      const all = isBare ? ways : [...ways, { oauth: [] }]
      t.strictSame(
        security,
        response.status === 401 ? all : [],
        `${method} ${path} returns ${response.status}`,
      )
    }
  })

  await t.test("GET /openapi.json describes pings and their challenge as webhooks, with what receivers check", async (t) => {
    const { document } = await read("partner")
    const { webhooks = {} } = document
    t.strictSame(Object.keys(webhooks), isBare ? [] : ["changed", "challenge"])
    for (const { post } of Object.values(webhooks)) {
      t.strictSame(post?.parameters.map(({ name }) => name), [
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature",
      ])
      t.strictSame(post?.security, [], "they are signed, and need no session")
    }
  })

  await t.test("GET /openapi.json has names in camelCase, but for the contract's and those of OAuth", async (t) => {
    const { document } = await read("acme-export")
    const names = new Set(namesIn(document).filter((name) => name.includes("_")))
    const ofOauth = [
      "grant_type",
      "client_id",
      "client_secret",
      "access_token",
      "token_type",
      "expires_in",
    ]
    const fixed = ["recipient_name", ...isBare ? [] : [...ofOauth, "error_description"]]
    t.strictSame([...names].sort(), fixed.sort())
  })

  await t.test("GET /openapi.json returns 304 for its ETag, and names the server of the request", async (t) => {
    const get = await logIn("partner")
    const first = await get("/openapi.json")
    const { servers } = await first.json()
    t.match(servers, [{ url: /^http:\/\/(localhost|127\.0\.0\.1:\d+)$/ }])
    const etag = first.headers.get("etag") ?? ""
    const again = await get("/openapi.json", { headers: { "if-none-match": etag } })
    t.equal(again.status, 304)
    t.equal(again.headers.get("etag"), etag)
    for (const { headers } of [first, again]) {
      t.equal(headers.get("cache-control"), "private, no-cache", "no proxy may store it for others")
      t.match(headers.get("vary"), /Cookie/)
    }
    const head = await get("/openapi.json", { method: "HEAD" })
    t.equal(head.headers.get("etag"), etag)
  })

  await t.test("GET /openapi.json shows operators every mounted route, and names nothing after a customer or by a number", async (t) => {
    const { routes } = await testConfig("sqlite:none.db", {}, isBare ? [] : undefined)
    const described = routes.filter(isDescribed)
    t.ok(described.length < routes.length, "but those of pages that word their errors themselves")
    const { document: { paths, components } } = await read("operator")
    t.strictSame(
      Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method} ${path}`)
      ).sort(),
      described.map(({ method, pattern }) => `${method.toLowerCase()} ${templateOf(pattern.text)}`)
        .sort(),
    )
    const ids = Object.values(paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId)
    )
    t.equal(new Set(ids).size, ids.length)
    const names = Object.values(components).flatMap((named) => Object.keys(named))
    t.ok(names.includes("Guest") && names.includes("ConnectorBGuest"))
    t.strictSame(ids.filter((id) => /acme|borealis/i.test(id)), [])
    t.strictSame(names.filter((name) => /acme|borealis|[0-9.]/i.test(name)), [])
  })

  await t.test("GET /openapi.json has an event in its examples that the account can read", async (t) => {
    const ids: Record<string, string> = {}
    for (const slug of ["acme", "borealis", "elsewhere"]) {
      ids[slug] = await build.event(organizations.get(slug) ?? "")
    }
    await build.account("both")
    await build.grant("both", { organization: "acme" })
    await build.grant("both", { organization: "borealis" })
    const examples: Record<string, Record<string, string>> = {
      northern: { "connector-b": "borealis" },
      "acme-export": { acme: "acme", "connector-a": "acme" },
      both: { "connector-a": "acme" },
    }
    for (const [account, families] of Object.entries(examples)) {
      const get = await logIn(account)
      const document = await (await get("/openapi.json")).json()
      for (const [family, slug] of Object.entries(families)) {
        const path = `/${family}/v1/events/{eventId}/guests`
        const { parameters, responses } = document.paths[path].get
        const [, , , name = ""] = String(parameters[0].$ref).split("/")
        const { example } = document.components.parameters[name]
        const { organization_id } = await database.writer.selectFrom("event")
          .select("organization_id").where("id", "=", example).executeTakeFirstOrThrow()
        t.equal(organization_id, organizations.get(slug), `${account} ${path}`)
        const [record] = responses["200"].content["application/json"].examples.page.value
        t.equal(record.eventId, example, "the records of the example belong to it")
        t.equal((await get(path.replace("{eventId}", example))).status, 200)
      }
    }
  })
})

/** Returns the names of all properties in the schemas of a document. */
function namesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return []
  const { properties = {} } = value as { readonly properties?: object }
  return [...Object.keys(properties), ...Object.values(value).flatMap(namesIn)]
}
