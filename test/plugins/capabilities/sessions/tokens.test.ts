import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import {
  revokeSessions,
  setDisabled,
  setPassword,
} from "../../../../plugins/capabilities/accounts/change-account.ts"
import { listAudit } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { removeAccount } from "../../../../plugins/capabilities/accounts/change-names.ts"
import { type App, onEveryApp } from "../../../support/app.ts"

interface Made {
  readonly id: string
  readonly token: string
  readonly created: number
  readonly expires: number
}

type Get = Awaited<ReturnType<App["logIn"]>>

const json = { "content-type": "application/json" }
const aMonth = 2_592_000

function post(get: Get, body: unknown, headers: Record<string, string> = json) {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  return get("/session/tokens", { method: "POST", headers, body: text })
}

async function make(get: Get, name = "n8n", lifetime = aMonth): Promise<Made> {
  const response = await post(get, { name, lifetime })
  if (response.status !== 201) throw new Error(await response.text())
  return await response.json()
}

const list = async (get: Get): Promise<Record<string, unknown>[]> =>
  await (await get("/session/tokens")).json()
const revoke = async (get: Get, id: string) =>
  (await get(`/session/tokens/${id}`, { method: "DELETE" })).status

await onEveryApp(
  t,
  async (t, app) => {
    const { build, database, logIn, request } = app
    const { writer } = database
    let people = 0
    /** Logs in as somebody who has done nothing yet. */
    const anyone = async (role: "partner" | "service" | "operator" | "viewer" = "partner") => {
      const name = `person${++people}`
      const id = await build.account(name, role)
      return { name, id, get: await logIn(name) }
    }
    const statusOf = async (token: string, path = "/session", init: RequestInit = {}) =>
      (await request(path, { ...init, headers: { ...json, authorization: `Bearer ${token}` } }))
        .status

    await t.test("POST /session/tokens makes a token for its account, which is shown once, and kept as a hash only", async (t) => {
      const { name, get } = await anyone()
      const response = await post(get, { name: "Büro n8n ☎", lifetime: aMonth })
      t.equal(response.status, 201)
      t.equal(response.headers.get("cache-control"), "no-store")
      const made = await response.json()
      t.match(made, { name: "Büro n8n ☎", token: /^ee_[\w-]{43}$/ })
      t.equal(made.expires - made.created, aMonth)
      const headers = { authorization: `Bearer ${made.token}` }
      const session = await (await request("/session", { headers })).json()
      t.match(session, { username: name, role: "partner", expires: made.expires })
      const listed = await list(get)
      t.match(listed, [{ id: made.id, name: "Büro n8n ☎", created: made.created }])
      const stored = JSON.stringify([
        await writer.selectFrom("account_token").selectAll().execute(),
        await writer.selectFrom("session").selectAll().execute(),
        await listAudit(database, { limit: 1000 }),
        app.entries,
        listed,
      ])
      t.notMatch(stored, made.token.slice(3, 20))
    })

    await t.test("a token reads what its account may read, as a bearer token only", async (t) => {
      const { name, get } = await anyone()
      const { token } = await make(get)
      const event = await build.event(await build.organization(`of-${name}`))
      await build.grant(name, { event })
      // The organization has not turned the connector on, but the account may read the event.
      t.equal(await statusOf(token, `/connector-b/v1/events/${event}/guests`), 403)
      t.equal(await statusOf(token, `/connector-b/v1/events/${randomUUID()}/guests`), 404)
      const cookie = `event_export_session=${token}`
      t.equal((await request("/session", { headers: { cookie } })).status, 401)
      for (
        const wrong of [
          `${token}x`,
          token.slice(0, -1),
          token.toUpperCase(),
          token.replace("ee_", ""),
          `ee_${"A".repeat(43)}`,
          "ee_",
        ]
      ) t.equal(await statusOf(wrong), 401, wrong.length.toString())
    })

    await t.test("a token makes, lists and revokes no token, and may end itself", async (t) => {
      const { get } = await anyone()
      const { id, token } = await make(get)
      const body = JSON.stringify({ name: "more", lifetime: aMonth })
      const headers = { ...json, authorization: `Bearer ${token}` }
      for (
        const [method, path, init] of [
          ["POST", "/session/tokens", { body }],
          ["GET", "/session/tokens", {}],
          ["DELETE", `/session/tokens/${id}`, {}],
        ] as const
      ) {
        const response = await request(path, { method, headers, ...init })
        const problem = [response.status, await response.json()]
        t.match(problem, [403, { code: "not_with_a_token" }], method)
      }
      t.equal((await list(get)).length, 1)
      t.equal(await statusOf(token, "/session", { method: "DELETE" }), 204)
      t.equal(await statusOf(token), 401)
      t.strictSame(await list(get), [])
    })

    await t.test("DELETE /session/tokens/:id ends a token from its next request on, and nobody else's", async (t) => {
      const [one, other] = [await anyone(), await anyone()]
      const [mine, alike] = [await make(one.get), await make(one.get)]
      const theirs = await make(other.get)
      const [session] = await writer.selectFrom("session").select("id")
        .where("account_id", "=", one.id).where("lasting", "=", 0).execute()
      for (const id of [theirs.id, session?.id ?? "", randomUUID(), mine.id.slice(0, 8), "%20"]) {
        t.equal(await revoke(one.get, id), 404, id)
      }
      t.equal(await statusOf(mine.token), 200)
      t.equal(await revoke(one.get, mine.id), 204)
      t.equal(await statusOf(mine.token), 401)
      t.equal(await revoke(one.get, mine.id), 404)
      t.equal(await statusOf(alike.token), 200)
      t.equal(await statusOf(theirs.token), 200)
      t.match(await list(one.get), [{ id: alike.id }])
      t.equal(await revoke(one.get, alike.id.toUpperCase()), 204)
    })

    await t.test("POST /session/tokens answers 409 for a third token of a name, until one has expired", async (t) => {
      const { get } = await anyone()
      await make(get, "a")
      const old = await make(get, "a")
      const third = await post(get, { name: "a", lifetime: aMonth })
      const problem = { code: "too_many_tokens", detail: /2 tokens of this name/ }
      t.match([third.status, await third.json()], [409, problem])
      await writer.updateTable("session").set({ expires: old.created - 1 }).where("id", "=", old.id)
        .execute()
      await make(get, "a")
      t.equal((await list(get)).length, 2)
    })

    await t.test("POST /session/tokens answers 429 for more than twenty tokens in an hour, also if all were revoked", async (t) => {
      const { get, id } = await anyone()
      for (let n = 0; n < 20; n++) t.equal(await revoke(get, (await make(get)).id), 204)
      const more = await post(get, { name: "more", lifetime: aMonth })
      t.match([more.status, await more.json()], [429, { code: "too_many_requests" }])
      t.match(more.headers.get("retry-after"), /^3[56]\d\d$/)
      t.equal((await list(get)).length, 0)
      await writer.updateTable("session").set((eb) => ({ created: eb("created", "-", 3600) }))
        .where("account_id", "=", id).where("lasting", "=", 1).execute()
      await make(get)
    })

    const aName = /^"name" must be 1 to 40 printable characters/
    const aLifetime = /^"lifetime" must be a whole number of seconds from 60 to 7776000\./
    const bad: Record<string, [body: unknown, said: RegExp]> = {
      "no lifetime": [{ name: "x" }, aLifetime],
      "no name": [{ lifetime: aMonth }, aName],
      "a lifetime of 59": [{ name: "x", lifetime: 59 }, aLifetime],
      "a fraction": [{ name: "x", lifetime: 86_400.5 }, aLifetime],
      "a day more than 90": [{ name: "x", lifetime: 90 * 86_400 + 1 }, aLifetime],
      "a huge lifetime": ['{"name":"x","lifetime":1e300}', aLifetime],
      "a text": [{ name: "x", lifetime: "86400" }, aLifetime],
      "an empty name": [{ name: "", lifetime: aMonth }, aName],
      "a long name": [{ name: "x".repeat(41), lifetime: aMonth }, aName],
      "spaces around it": [{ name: " x", lifetime: aMonth }, aName],
      "a line break": [{ name: "a\nb", lifetime: aMonth }, aName],
      "text that turns round": [{ name: "a\u202eb", lifetime: aMonth }, aName],
      "letters that nobody sees": [{ name: "\u3164 \u115f\u2800", lifetime: aMonth }, aName],
      "half a character": ['{"name":"\\ud800","lifetime":86400}', aName],
      "an unknown member": [
        { name: "x", lifetime: aMonth, admin: true },
        /^"admin" is not a member here\./,
      ],
      "a list": [[], aName],
      "null": ["null", /^The body must be /],
      "no JSON": ["name=x", /^The body is not JSON/],
      "nothing right": [{ lifetime: 1 }, /^"name" .* "lifetime" .* Nothing was made\.$/],
    }
    await t.test("POST /session/tokens refuses what is no name and lifetime, and says what is wrong", async (t) => {
      const { get } = await anyone()
      for (const [what, [body, detail]] of Object.entries(bad)) {
        const response = await post(get, body)
        t.match(
          [response.status, await response.json()],
          [400, { code: "invalid_body", detail }],
          what,
        )
      }
      const good = { name: "x", lifetime: aMonth }
      t.equal((await post(get, good, { "content-type": "text/plain" })).status, 415)
      t.equal((await post(get, { ...good, name: "x".repeat(5000) })).status, 413)
      t.strictSame(await list(get), [])
      t.equal((await post(get, { name: "x".repeat(40), lifetime: 90 * 86_400 })).status, 201)
      t.equal((await post(get, { name: "\u2764\ufe0f", lifetime: 60 })).status, 201)
    })

    await t.test("/session/tokens is for accounts of programs, with a session", async (t) => {
      const body = JSON.stringify({ name: "x", lifetime: aMonth })
      const made = await request("/session/tokens", { method: "POST", headers: json, body })
      const deleted = await request(`/session/tokens/${randomUUID()}`, { method: "DELETE" })
      const listed = await request("/session/tokens")
      t.strictSame([made.status, deleted.status, listed.status], [401, 401, 401])
      for (const role of ["operator", "viewer"] as const) {
        const { get } = await anyone(role)
        const response = await post(get, { name: "x", lifetime: aMonth })
        t.match([response.status, await response.json()], [404, { code: "not_available" }], role)
        t.strictSame(await list(get), [])
      }
      await make((await anyone("service")).get)
    })

    const endings: Record<string, (name: string) => Promise<unknown>> = {
      "account passwd": (name) => setPassword(database, name, "another hash"),
      "account revoke": (name) => revokeSessions(database, name),
      "account disable": (name) => setDisabled(database, name, true),
      "account remove": (name) =>
        removeAccount(database, name, { force: true }, { actor: "op", address: "here" }),
    }
    await t.test("what ends the sessions of an account ends its tokens, and counts them", async (t) => {
      for (const [name, end] of Object.entries(endings)) {
        const person = await anyone()
        const tokens = [await make(person.get, "a"), await make(person.get, "b")]
        for (const { token } of tokens) t.equal(await statusOf(token), 200)
        const ended = await end(person.name)
        if (name !== "account remove") t.equal(ended, 3, `${name}: two tokens and the session`)
        for (const { token } of tokens) t.equal(await statusOf(token), 401, name)
      }
    })

    await t.test("a token counts for its lifetime, however long nobody uses it, and not a second longer", async (t) => {
      const { get } = await anyone()
      const { id, token, created, expires } = await make(get)
      const set = (values: Record<string, number>) =>
        writer.updateTable("session").set(values).where("id", "=", id).execute()
      await set({ created: created - 80 * 86_400, used: created - 79 * 86_400 })
      t.equal(await statusOf(token), 200)
      t.match(await list(get), [{ id, expires }])
      await set({ expires: created - 1 })
      t.equal(await statusOf(token), 401)
      t.strictSame(await list(get), [])
    })

    await t.test("a session that has just been ended makes no token, and one made meanwhile does not count", async (t) => {
      const { name, get } = await anyone()
      const late = await make(get)
      await writer.updateTable("account_token").set({ epoch: 7 }).where("session_id", "=", late.id)
        .execute()
      t.equal((await list(get)).length, 0)
      await revokeSessions(database, name)
      t.equal((await post(get, { name: "x", lifetime: aMonth })).status, 401)
    })

    await t.test("GET /session/tokens says when and from where a token was last used", async (t) => {
      const { get } = await anyone()
      const { id, token, created } = await make(get)
      t.match(await list(get), [{ id, lastUsed: null, lastAddress: null }])
      t.equal(await statusOf(token), 200)
      let [found] = await list(get)
      while (found?.["lastUsed"] === null || found?.["lastAddress"] === null) {
        await setTimeout(50)
        found = (await list(get))[0]
      }
      t.ok(Number(found?.["lastUsed"]) >= created)
      t.type(found?.["lastAddress"], "string")
    })

    await t.test("the audit log has who made and revoked which token", async (t) => {
      const { name, get } = await anyone()
      const { id } = await make(get, 'say "x"', 600)
      await revoke(get, id)
      const entries = await listAudit(database, { account: name, limit: 9 })
      t.match(entries.filter(({ action }) => action?.startsWith("session-")), [
        { action: "session-open", actor: name, detail: `token ${id} "say \\"x\\"" for 600 s` },
        { action: "session-end", actor: name, detail: `token ${id} "say \\"x\\"", revoked` },
      ])
    })
  },
  undefined,
  { needsCapabilities: true },
)
