import { isDeepStrictEqual } from "node:util"
import t from "tap"
import { isDescribed } from "../../plugins/openapi/document.ts"
import { operationIdOf } from "../../plugins/openapi/operation.ts"
import { onEveryApp, testConfig } from "../support/app.ts"

interface Document {
  readonly openapi: string
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly operationId: string
  readonly security: readonly unknown[]
}

const everyone = ["docs", "health", "openapi", "session"]
const docsPaths = ["/docs", "/docs/reference", "/docs/viewer.js", "/docs/{file}"]
/** Per account: its grant, the families that it sees, and names that it must not see. */
const accounts = {
  "outsider": { families: everyone, hidden: ["acme", "borealis", "connector-", '"/status"'] },
  "partner": {
    organization: "acme",
    families: ["connector-a", "connector-b", ...everyone],
    hidden: ["/acme", "borealis", "custom-export", '"/status"'],
  },
  "northern": {
    organization: "borealis",
    families: ["connector-b", ...everyone],
    hidden: ["acme", "/borealis", "connector-a", "custom-export"],
  },
  "neighbour": { organization: "elsewhere", families: everyone, hidden: ["acme", "connector-"] },
  "acme-export": {
    organization: "acme",
    families: ["connector-a", "connector-b", "custom-export", ...everyone],
    hidden: ["borealis", '"/status"'],
  },
  "borealis-export": { families: ["custom-export", ...everyone], hidden: ["acme", "connector-"] },
  "operator": {
    families: ["connector-a", "connector-b", "custom-export", ...everyone, "status"],
    hidden: [],
  },
} as const

await onEveryApp(t, async (t, { build, database, logIn, request }) => {
  const organizations = new Map<string, string>()
  for (const slug of ["acme", "borealis", "elsewhere"]) {
    organizations.set(slug, await build.organization(slug))
  }
  const roles: Record<string, "operator" | "service"> = {
    "operator": "operator",
    "acme-export": "service",
    "borealis-export": "service",
  }
  for (const [name, account] of Object.entries(accounts)) {
    await build.account(name, roles[name] ?? "partner")
    if ("organization" in account) await build.grant(name, account)
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

  for (const [name, { families, hidden }] of Object.entries(accounts)) {
    await t.test(`GET /openapi.json shows ${name} only ${families.join(", ")}`, async (t) => {
      const { text, document } = await read(name)
      t.equal(document.openapi, "3.1.0")
      t.strictSame(document.tags.map(({ name }) => name), [...families].sort())
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

  await t.test("GET /openapi.json shows a service user only its own namespace", async (t) => {
    const { document } = await read("borealis-export")
    const others = Object.keys(document.paths).filter((path) => !path.startsWith("/borealis/v1/"))
    t.strictSame(others.sort(), [...docsPaths, "/livez", "/openapi.json", "/readyz", "/session"])
    t.equal(Object.keys(document.paths).length, 17)
  })

  await t.test("GET /openapi.json follows grants, including those for single events", async (t) => {
    const event = await build.event(organizations.get("acme") ?? "")
    await build.account("guest")
    const families = async () => (await read("guest")).document.tags.map(({ name }) => name)
    t.strictSame(await families(), everyone)
    await build.grant("guest", { event })
    t.strictSame(await families(), ["connector-a", "connector-b", ...everyone])
    await database.writer.updateTable("access_grant").set({ ends: 1 }).where("event_id", "=", event)
      .execute()
    t.strictSame(await families(), everyone)
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
      const expected = response.status === 401 ? [{ session: [] }, { bearer: [] }] : []
      t.strictSame(security, expected, `${method} ${path} returns ${response.status}`)
    }
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

  await t.test("GET /openapi.json shows operators every mounted route, each with a unique operationId", async (t) => {
    const { routes } = await testConfig("sqlite:none.db")
    const described = routes.filter(isDescribed)
    t.ok(described.length < routes.length, "but those of pages that word their errors themselves")
    const { document } = await read("operator")
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    const ids = operations.map(({ operationId }) => operationId).sort()
    t.equal(new Set(ids).size, ids.length)
    t.ok(isDeepStrictEqual(ids, described.map(operationIdOf).sort()))
  })
})
