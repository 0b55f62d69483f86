import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { parseScope } from "../../../../core/access/token-scope.ts"
import { listAudit } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { onEveryApp } from "../../../support/app.ts"
import { password } from "../../../support/builder.ts"

t.test("parseScope reads its own text again, and nothing else", (t) => {
  const id = randomUUID()
  const text = `family:/connector-b/v1 event:${id} list:guests list:items`
  const scope = { family: ["/connector-b/v1"], event: [id], list: ["guests", "items"] }
  t.strictSame(parseScope(text), { ...scope, text })
  const loose = ` ${text.replace(id, id.toUpperCase())}  list:guests`
  t.equal(parseScope(loose)?.text, text)
  const none = ["", " ", "guests", "list:", "list:tickets", "event:gala", "owner:x", 'family:"']
  for (const text of [...none, "family:a\tlist:guests", `family:${"a".repeat(1000)}`]) {
    t.equal(parseScope(text), undefined, text.slice(0, 40))
  }
  t.end()
})

await onEveryApp(
  t,
  async (t, app) => {
    const { build, database, logIn, request } = app
    const organization = await build.organization("acme")
    const event = await build.event(organization)
    const other = await build.event(organization)
    for (const each of [event, other]) {
      await build.guest(each)
      await build.items("tickets", each, 1)
    }
    await build.account("ann")
    await build.grant("ann", { organization: "acme" })
    const get = await logIn("ann")
    const family = "/connector-b/v1"

    const make = (scope: unknown) =>
      get("/session/tokens", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: `t${randomUUID().slice(0, 8)}`, lifetime: 3600, scope }),
      })
    /** Makes a token, and returns what asks with it; it is revoked at the end of the test. */
    const withScope = async (t: Test, scope: string) => {
      const { token, id } = await (await make(scope)).json()
      t.teardown(() => get(`/session/tokens/${id}`, { method: "DELETE" }))
      return asking(token)
    }
    const asking = (token: string) => async (path: string, init: RequestInit = {}) => {
      const headers = { authorization: `Bearer ${token}` }
      const response = await request(path, { ...init, headers })
      const text = await response.text()
      const isJson = /^application\/(problem\+)?json/.test(
        response.headers.get("content-type") ?? "",
      )
      return { status: response.status, body: isJson ? JSON.parse(text) : undefined }
    }
    const statuses = async (ask: ReturnType<typeof asking>, paths: readonly string[]) => {
      const all = await Promise.all(paths.map((path) => ask(path)))
      for (const { status, body } of all) {
        if (status === 403) {
          t.equal(body.code, "insufficient_scope")
          t.match(
            body.detail,
            /^This needs [a-z]+:\S+( and [a-z]+:\S+)*, but|^A token with a scope may/,
          )
        }
      }
      return all.map(({ status }) => status)
    }
    const of = (id: string) =>
      [
        ...["guests", "guests/deletions?since=-1", "guests/digest", "guests/export"],
        ...["items", "items/deletions?since=-1", "items/digest", "items/export", "changes"],
      ].map((path) => `${family}/events/${id}/${path}`)
    const other404 = `${family}/events/${randomUUID()}/guests`

    await t.test("a token whose scope names a list reads that list, and what is of it", async (t) => {
      const guests = await withScope(t, "list:guests")
      const [yes, no] = [200, 403]
      t.strictSame(await statuses(guests, of(event)), [yes, yes, yes, yes, no, no, no, no, no])
      t.strictSame(await statuses(guests, [`${family}/events`, other404]), [403, 404])
      const items = await withScope(t, "list:items list:events")
      t.strictSame(await statuses(items, of(event)), [no, no, no, no, yes, yes, yes, yes, no])
      t.strictSame(await statuses(items, [`${family}/events`]), [200])
      const both = await withScope(t, "list:items list:guests")
      t.strictSame(new Set(await statuses(both, of(event))), new Set([200]))
    })

    await t.test("a token whose scope names an event reads that one, and lists no other", async (t) => {
      const ask = await withScope(t, `event:${event}`)
      t.strictSame(new Set(await statuses(ask, of(event))), new Set([200]))
      t.strictSame(new Set(await statuses(ask, of(other))), new Set([403]))
      t.strictSame(await statuses(ask, [other404]), [403], "no word on whether there is one")
      const { body } = await ask(`${family}/events?since=-1`)
      t.strictSame(body.map(({ id }: { id: string }) => id), [event])
      const { body: all } = await asking((await (await make(undefined)).json()).token)(
        `${family}/events?since=-1`,
      )
      t.equal(all.length, 2, "a token without a scope lists both")
    })

    await t.test("a token whose scope names a family reads no other, and GET /session says so", async (t) => {
      const ask = await withScope(t, "family:/connector-a/v1 list:guests")
      t.strictSame(await statuses(ask, [`${family}/events`, ...of(event)]), Array(10).fill(403))
      t.match((await ask("/session")).body, { scope: "family:/connector-a/v1 list:guests" })
      const own = await withScope(t, `family:${family}`)
      t.strictSame(new Set(await statuses(own, of(event))), new Set([200]))
      t.match((await own("/session")).body, { scope: `family:${family}`, families: [family] })
      t.match(await (await get("/session")).json(), { scope: null })
    })

    await t.test("a token with a scope uses nothing else of the service, but ends itself", async (t) => {
      const ask = await withScope(t, `family:${family} event:${event} list:guests`)
      for (const path of ["/session/tokens", "/session/pings", "/docs/me", "/status", "/admin"]) {
        const { status } = await ask(path).catch(() => ({ status: 403 }))
        t.ok(status === 403 || status === 404, `${path}: ${status}`)
      }
      t.equal((await ask("/session", { method: "DELETE" })).status, 204)
      t.equal((await ask("/session")).status, 401)
    })

    await t.test("a scope is kept with its token, and named in the list and in the audit log", async (t) => {
      const scope = `event:${event} list:guests`
      const { id } = await (await make(`${scope} list:guests`)).json()
      const tokens = await (await get("/session/tokens")).json()
      t.match(tokens.find((each: { id: string }) => each.id === id), { scope })
      const entries = await listAudit(database, { limit: 100 })
      t.match(entries.find(({ detail }) => detail?.includes(id)), {
        detail: new RegExp(`, only ${scope}$`),
      })
      const ask = await withScope(t, scope)
      t.equal((await ask(`${family}/events/${other}/guests`)).status, 403)
      const isRefusal = ({ code }: { code?: string | null }) => code === "insufficient_scope"
      let refusal = entries.find(isRefusal)
      while (refusal?.detail !== scope) {
        await setTimeout(50)
        refusal = (await listAudit(database, { event: other, limit: 100 })).findLast(isRefusal)
      }
      t.match(refusal, { account: "ann", event_id: other, detail: scope })
      for (const wrong of ["", "guests", "list:raffles", 7, ["list:guests"], null]) {
        const response = await make(wrong)
        const refused = { code: "invalid_body", detail: /^"scope" must be made of / }
        t.match([response.status, await response.json()], [400, refused])
      }
    })

    await t.test("POST /oauth/token gives a token for the client credentials grant, in the scope that it asks for", async (t) => {
      const post = async (
        fields: Record<string, string> | string,
        headers: Record<string, string> = {},
      ) => {
        const body = new URLSearchParams(fields)
        const response = await request("/oauth/token", { method: "POST", body, headers })
        return { status: response.status, headers: response.headers, body: await response.json() }
      }
      const secret = { client_id: "ann", client_secret: password }
      const type = { grant_type: "client_credentials" }
      const given = await post({ ...type, ...secret, scope: "list:guests" })
      t.match(given, { status: 200, body: { token_type: "Bearer", scope: "list:guests" } })
      t.equal(given.headers.get("cache-control"), "no-store")
      t.equal(given.headers.get("set-cookie"), null)
      t.ok(given.body.expires_in > 43_000 && given.body.expires_in <= 43_200)
      const ask = asking(given.body.access_token)
      t.strictSame(await statuses(ask, of(event).slice(0, 5)), [200, 200, 200, 200, 403])
      t.match((await ask("/session")).body, { username: "ann", scope: "list:guests" })

      const basic = { authorization: `Basic ${btoa(`ann:${encodeURIComponent(password)}`)}` }
      const whole = await post(type, basic)
      t.match(whole, { status: 200, body: { token_type: "Bearer", scope: undefined } })
      t.equal((await post({ ...type, client_id: "ann" }, basic)).status, 200, "named twice alike")
      const asWhole = asking(whole.body.access_token)
      t.equal((await asWhole(`${family}/events`)).status, 200)
      const tokens = await asWhole("/session/tokens")
      t.match(tokens, { status: 403, body: { code: "not_with_a_token" } }, "it makes no tokens")

      // Most clients send the secret as it is, although RFC 6749 says to encode it.
      const generated = "Zk9+c/d=%41xyz"
      await build.account("generated", "partner", generated)
      for (const sent of [generated, encodeURIComponent(generated)]) {
        const headers = { authorization: `Basic ${btoa(`generated:${sent}`)}` }
        t.match(await post(type, headers), { status: 200 }, sent)
      }

      for (
        const [fields, headers, status, error] of [
          [{ ...secret }, {}, 400, "invalid_request"],
          [{ ...secret, grant_type: "password" }, {}, 400, "unsupported_grant_type"],
          [{ ...type, ...secret, scope: "everything" }, {}, 400, "invalid_scope"],
          [{ ...type, ...secret, client_secret: "wrong" }, {}, 401, "invalid_client"],
          [{ ...type, ...secret, client_id: "nobody" }, {}, 401, "invalid_client"],
          [{ ...type, client_id: "ann" }, {}, 401, "invalid_client"],
          [{ ...type }, { authorization: "Basic !" }, 401, "invalid_client"],
          [{ ...type, ...secret }, basic, 400, "invalid_request"],
          [{ ...type, client_id: "generated" }, basic, 400, "invalid_request"],
          [{ ...type, ...secret }, { "content-type": "text/plain" }, 400, "invalid_request"],
          ["grant_type=client_credentials&grant_type=x", basic, 400, "invalid_request"],
        ] as const
      ) {
        const refused = await post(fields, headers)
        t.match(refused, { status, body: { error, error_description: /\w/ } }, error)
        const isChallenged = refused.headers.has("www-authenticate")
        t.equal(isChallenged, status === 401)
      }
    })
  },
  undefined,
  { needsCapabilities: true },
)
