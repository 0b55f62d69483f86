import { setImmediate } from "node:timers/promises"
import t from "tap"
import { endNow } from "../../../../core/access/session-ends.ts"
import { insertSession } from "../../../../core/access/sessions.ts"
import type { Database } from "../../../../core/data/database.ts"
import { Unavailable } from "../../../../core/data/unavailable.ts"
import { startInstance } from "../../../conformance/instance.ts"
import type { Plan } from "../../../../core/routes/plan.ts"
import { listAudit } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { openSession } from "../../../../plugins/capabilities/sessions/open-session.ts"
import { TokenKeys } from "../../../../plugins/capabilities/sessions/token-keys.ts"
import { hashOf, newToken } from "../../../../plugins/capabilities/sessions/token-text.ts"
import { assertMayMake } from "../../../../plugins/capabilities/sessions/token-request.ts"
import {
  createToken,
  listOwnTokens,
  listTokens,
  revokeOwnToken,
} from "../../../../plugins/capabilities/sessions/tokens.ts"
import { usual } from "../../../../plugins/capabilities/usual.ts"
import { generous, secret, testConfig } from "../../../support/app.ts"
import { Builder, password } from "../../../support/builder.ts"
import { copiedUrl, freshDatabase, onEveryEngine, openFor } from "../../../support/database.ts"
import { runCommand } from "../../../support/run-command.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

const aDay = 86_400
const json = { "content-type": "application/json" }

await onEveryEngine(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const { writer } = database
  const build = new Builder(database)
  const ids = new Map<string, string>()
  for (const name of ["ann", "bob"]) ids.set(name, await build.account(name))
  await build.account("chief", "operator")
  await build.account("eve", "viewer")
  /** Starts a service on the database, with another plan. */
  const serve = async (change: (plan: Plan) => Partial<Plan> = () => ({})) => {
    const plan = await testConfig(url)
    const instance = await startInstance({ ...plan, limits: generous, ...change(plan) }, {
      log: scannedLog(t, []),
    })
    t.teardown(() => instance.close())
    const request = (path: string, init?: RequestInit) =>
      instance.fetch(new Request(`http://localhost${path}`, init), { address: "192.0.2.7" })
    return { request, instance }
  }
  const { request, instance } = await serve()
  const logIn = async (username: string) => {
    const body = JSON.stringify({ username, password })
    const response = await request("/session", { method: "POST", headers: json, body })
    return response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  }
  /** Adds a token that was made now. */
  const add = async (username: string, name = "n8n") => {
    const account_id = ids.get(username) ?? ""
    const token = newToken()
    const id = await insertSession(database, account_id, aDay, { lasting: 1 })
    const row = { session_id: id, account_id, name, hash: hashOf(token) ?? "" }
    await writer.insertInto("account_token").values({ ...row, epoch: 0 }).execute()
    return { id, token }
  }
  const statusOf = async (token: string, send = request) =>
    (await send("/session", { headers: { authorization: `Bearer ${token}` } })).status
  const run = (args: string) =>
    runCommand(args, { env: { DATABASE_URL: url, SESSION_SECRET: secret } })

  await t.test("a token counts in every process, and ends in all of them at once", async (t) => {
    const { request: other } = await serve()
    const { id, token } = await add("ann")
    t.equal(await statusOf(token), 200)
    t.equal(await statusOf(token, other), 200)
    const init = { method: "DELETE", headers: { cookie: await logIn("ann") } }
    t.equal((await other(`/session/tokens/${id}`, init)).status, 204)
    t.equal(await statusOf(token, other), 401)
    t.equal(await statusOf(token), 401)
  })

  await t.test("while the database fails, a token and a cookie get 503, so that nobody logs in again", async (t) => {
    const { token } = await add("ann")
    const cookie = await logIn("ann")
    const both = async () => [
      await statusOf(token),
      (await request("/session", { headers: { cookie } })).status,
    ]
    await t.test("meanwhile", async (t) => {
      t.intercept(instance.database, "readOnce", {
        value: () => Promise.reject(new Unavailable("gone")),
      })
      t.strictSame(await both(), [503, 503])
    })
    t.strictSame(await both(), [200, 200], "afterwards")
  })

  await t.test("a look-up that fails fails for all that wait for it, and the next one is made", async (t) => {
    const { id, token } = await add("ann")
    let isAway = true
    const readOnce: Database["readOnce"] = (read) =>
      isAway ? Promise.reject(new Unavailable("gone")) : database.readOnce(read)
    const flaky = Object.create(database, { readOnce: { value: readOnce } })
    const nodes = { best: { database: flaky, isPrimary: true } }
    const keys = new TokenKeys({ database: flaky, nodes: nodes as never })
    const found = [token, newToken()].map((each) => keys.find(each))
    for (const each of found) await t.rejects(each, Unavailable)
    isAway = false
    t.match(await keys.find(token), { session: id })
  })

  await t.test("a token survives the secrets of sessions", async (t) => {
    const { token } = await add("ann")
    const cookie = await logIn("ann")
    const { request: after } = await serve(({ session }) => ({
      session: { ...session, secrets: ["another secret, which is long enough"] },
    }))
    t.equal((await after("/session", { headers: { cookie } })).status, 401)
    t.equal(await statusOf(token, after), 200)
  })

  await t.test("false tokens cost one statement at a time, however many come", async (t) => {
    let [running, most, statements] = [0, 0, 0]
    const readOnce: Database["readOnce"] = async (read) => {
      most = Math.max(most, ++running)
      statements++
      return await database.readOnce(read).finally(() => running--)
    }
    const readable = Object.create(database, { readOnce: { value: readOnce } })
    const nodes = { best: { database: readable, isPrimary: true } }
    const keys = new TokenKeys({ database: readable, nodes: nodes as never })
    const { id, token } = await add("ann")
    const found: ReturnType<typeof keys.find>[] = []
    for (const each of [...Array.from({ length: 50 }, newToken), token]) {
      found.push(keys.find(each))
      await setImmediate()
    }
    const sessions = (await Promise.all(found)).flatMap((key) => key?.session ?? [])
    t.strictSame(sessions, [id])
    t.equal(most, 1)
    const before = statements
    t.match(await keys.find(token), { session: id })
    t.equal(await keys.find("ee_x"), undefined)
    t.equal(statements, before, "what is found is remembered, and other texts are not looked up")
  })

  await t.test("a token that a replica has is found without the primary, and one that it lacks at the primary", async (t) => {
    const late = await freshDatabase(t, "sqlite")
    const { id, token } = await add("ann")
    const asked: string[] = []
    const named = (name: string, database: Database) => {
      const readOnce: Database["readOnce"] = (read) => (asked.push(name), database.readOnce(read))
      return Object.create(database, { readOnce: { value: readOnce } })
    }
    const keysOf = (replica: Database) => {
      const nodes = { best: { database: named("replica", replica), isPrimary: false } }
      return new TokenKeys({ database: named("primary", database), nodes: nodes as never })
    }
    t.match(await keysOf(database).find(token), { session: id })
    t.strictSame(asked.splice(0), ["replica"])
    t.match(await keysOf(late).find(token), { session: id })
    t.strictSame(asked, ["replica", "primary"])
  })

  /** Returns a caller with a session of ann's. */
  const callerOf = async () => {
    const account = { id: ids.get("ann") ?? "", username: "ann", role: "partner" } as const
    const id = await insertSession(database, account.id, 3600)
    const by = { actor: "ann", address: "192.0.2.1" }
    return { caller: { id, account, expires: 0, now: 0 }, by }
  }

  await t.test("an account has at most two tokens of a name, and ten in all, also if it asks for them at once", async (t) => {
    await writer.deleteFrom("session").execute()
    const own = await callerOf()
    const make = (name: string) => createToken(database, { name, lifetime: 60 }, own)
    const all = await Promise.allSettled([..."aaaabbbcdefghijkl"].map(make))
    const made = all.flatMap((each) => each.status === "fulfilled" ? [each.value.name] : [])
    t.equal(made.length, 10)
    for (const name of ["a", "b"]) t.ok(made.filter((each) => each === name).length <= 2, name)
    const listed = await listOwnTokens(database, own.caller)
    t.strictSame(listed.map(({ name }) => name).sort(), made.sort())
    await t.rejects(make("z"), { code: "too_many_tokens", message: /10 tokens/ })
    for (const { id } of listed) await revokeOwnToken(database, id, own)
    await make("z")
  })

  await t.test("a session that has been ended since its request was admitted makes, lists and revokes no token", async (t) => {
    const { id } = await add("ann")
    const own = await callerOf()
    await endNow(database, own.caller.id, "password")
    const wish = { name: "late", lifetime: 60 }
    await t.rejects(createToken(database, wish, own), { code: "unauthenticated" })
    await t.rejects(revokeOwnToken(database, id, own), { code: "unauthenticated" })
    await t.rejects(listOwnTokens(database, own.caller), { code: "unauthenticated" })
    const tokens = await listTokens(database, { accountId: own.caller.account.id })
    t.ok(tokens.some((each) => each.id === id))
    t.notOk(tokens.some(({ name }) => name === "late"))
  })

  await t.test("with longest_days: 0 nobody makes a token, and those that were made can be revoked", async (t) => {
    const { request: send } = await serve(({ plugins }) => ({
      plugins: plugins.map((each) =>
        each.plugin.name === "session"
          ? { ...each, settings: { ...each.settings as object, longest_days: 0 } }
          : each
      ),
    }))
    const { id } = await add("ann")
    const headers = { cookie: await logIn("ann"), accept: "text/html" }
    const page = async (by: typeof send) => await (await by("/docs/me", { headers })).text()
    t.match(await page(request), "Make a token")
    t.notMatch(await page(send), "Make a token")
    t.match(await page(send), `value="${id}"`)
    const { caller } = await callerOf()
    t.throws(() => assertMayMake(caller, 0), { code: "not_available", message: /^Nobody/ })
  })

  await t.test("without the capability, there are no tokens", async (t) => {
    const plan = await testConfig(url, {}, usual.filter((name) => name !== "sessions"))
    const { request: send } = await serve(() => ({ ...plan, limits: generous }))
    const { token } = await add("ann")
    t.equal(await statusOf(token, send), 401)
    const cookie = await logIn("ann")
    t.equal((await send("/session", { headers: { cookie } })).status, 200)
    t.equal((await send("/session/tokens", { headers: { cookie } })).status, 404)
    t.equal(await statusOf(token), 200)
  })

  await t.test("account tokens lists the tokens of all accounts or one, and revokes one", async (t) => {
    await writer.deleteFrom("session").execute()
    const [one, other] = [await add("ann", "n8n"), await add("bob", "Büro")]
    await writer.updateTable("session").set({ address: "192.0.2.9" }).where("id", "=", one.id)
      .execute()
    const row = (id: string, rest: string) => new RegExp(`^${id.slice(0, 8)} +${rest}$`, "m")
    const all = await run("account tokens")
    t.match(all.out, row(one.id, String.raw`ann +n8n +20\S+ +never +192\.0\.2\.9 +20\S+`))
    t.match(all.out, row(other.id, String.raw`bob +Büro +20\S+ +never +20\S+`))
    t.notMatch((await run("account tokens ann")).out, "Büro")
    t.match(await run("account tokens nobody"), { code: 1, err: /There is no account nobody/ })
    const lines = (await run("account tokens bob --json")).out
    t.match(JSON.parse(lines), { id: other.id, username: "bob", name: "Büro", used: null })
    t.notMatch([all.out, lines].join(), /hash|ee_/)
    const session = await insertSession(database, ids.get("ann") ?? "", 3600)
    for (const wrong of ["abc", "zzzz", "%%%%", crypto.randomUUID(), session]) {
      t.match(await run(`account tokens --revoke ${wrong}`), { code: 1, err: /No token has/ })
    }
    t.match(await run(`account tokens bob --revoke ${other.id}`), { code: 1, err: /alone/ })
    t.equal(await statusOf(one.token), 200)
    t.match(await run(`account tokens --revoke ${one.id.slice(0, 13).toUpperCase()}`), {
      code: 0,
      out: `The token ${one.id} of ann, "n8n", is revoked.`,
    })
    t.equal(await statusOf(one.token), 401)
    t.equal(await statusOf(other.token), 200)
    t.match(await listAudit(database, { account: "ann", action: "session-end", limit: 1 }), [
      { detail: `token ${one.id} "n8n", revoked` },
    ])
    t.match(await run(`account end-session ${other.id}`), { code: 0 })
    t.equal(await statusOf(other.token), 401)
  })

  await t.test("a session that replaces the others leaves the tokens", async (t) => {
    await writer.deleteFrom("session").execute()
    const { token } = await add("ann")
    await insertSession(database, ids.get("ann") ?? "", 3600)
    const { session: settings } = await testConfig(url)
    const by = { actor: "op", address: "here" }
    const { replaced } = await openSession(database, "ann", { settings, replaceAfter: 0, by })
    t.equal(replaced, 1)
    t.equal(await statusOf(token), 200)
  })

  await t.test("a session that an operator has opened makes nothing that outlives it", async (t) => {
    const { session: settings } = await testConfig(url)
    const by = { actor: "op", address: "here" }
    const opened = await openSession(database, "ann", { settings, replaceAfter: undefined, by })
    const id = "91fa3e25-8587-44b1-a2dc-4dbe423dd19f"
    const bodies = {
      "POST /session/tokens": { name: "more", lifetime: aDay },
      "GET /session/tokens": undefined,
      [`DELETE /session/tokens/${id}`]: undefined,
      "POST /session/pings": { url: "https://hooks.invalid/" },
      "GET /session/pings": undefined,
      [`POST /session/pings/${id}/secrets`]: {},
      [`POST /session/pings/${id}/challenge`]: {},
      [`POST /session/pings/${id}/confirmation`]: { challenge: "x" },
      [`DELETE /session/pings/${id}`]: undefined,
    }
    const cookie = opened.cookie.split(";")[0] ?? ""
    for (const credentials of [{ cookie }, { authorization: `Bearer ${opened.token}` }]) {
      for (const [route, content] of Object.entries(bodies)) {
        const [method = "", path = ""] = route.split(" ")
        const body = content ? { body: JSON.stringify(content) } : {}
        const headers = { ...json, ...credentials } as Record<string, string>
        const response = await request(path, { method, headers, ...body })
        const problem = [response.status, await response.json()]
        t.match(problem, [403, { code: "not_with_a_token" }], route)
      }
      const headers = { accept: "text/html", ...credentials } as Record<string, string>
      const page = await (await request("/docs/me", { headers })).text()
      t.match(page, /sessions that an operator has opened, cannot make/)
      t.match(page, /sessions that an operator has opened, cannot see or change receivers/)
    }
    t.equal(await statusOf(opened.token), 200, "it reads as any other")
  })

  await t.test("the console lists an account's tokens, and lets operators revoke them, but not viewers", async (t) => {
    await writer.deleteFrom("session").execute()
    const { id, token } = await add("ann", "<b>n8n</b>")
    const [chief, eve] = [await logIn("chief"), await logIn("eve")]
    const page = async (cookie: string) =>
      await (await request("/console/accounts/ann", { headers: { cookie } })).text()
    const seen = await page(chief)
    t.match(seen, "&lt;b&gt;n8n&lt;/b&gt;")
    t.match(seen, `value="${id}"`)
    t.notMatch(seen, hashOf(token) ?? "")
    t.match(await page(eve), "&lt;b&gt;n8n&lt;/b&gt;")
    t.notMatch(await page(eve), `value="${id}"`)
    const [, field = ""] = /name="token" value="([\w-]+)"/.exec(seen) ?? []
    const end = async (cookie: string, fields: Readonly<Record<string, string>>) =>
      (await request("/console/accounts/ann/token", {
        method: "POST",
        headers: { cookie, "sec-fetch-site": "same-origin", accept: "text/html" },
        body: new URLSearchParams({ token: field, id, ...fields }),
      })).status
    t.equal(await end(eve, {}), 403)
    t.equal(await end(chief, { token: "x" }), 400)
    t.equal(await end(chief, { id: "x" }), 400)
    t.equal(await statusOf(token), 200)
    t.equal(await end(chief, {}), 303)
    t.equal(await statusOf(token), 401)
    t.match(await page(chief), "It has made none.")
    t.match(await listAudit(database, { account: "ann", action: "session-end", limit: 1 }), [
      { actor: "chief", address: "192.0.2.7", detail: `token ${id} "<b>n8n</b>", revoked` },
    ])
  })
})
