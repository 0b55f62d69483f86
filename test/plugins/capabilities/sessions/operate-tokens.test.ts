import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { sql } from "kysely"
import t, { type Test } from "tap"
import { endNow } from "../../../../core/access/session-ends.ts"
import { insertSession } from "../../../../core/access/sessions.ts"
import { type Plan, readPlan } from "../../../../core/routes/plan.ts"
import { usual } from "../../../../plugins/capabilities/usual.ts"
import { startInstance } from "../../../../core/kernel/instance.ts"
import { listAudit } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { openSession } from "../../../../plugins/capabilities/sessions/open-session.ts"
import { SessionWarnings } from "../../../../plugins/capabilities/sessions/session-warnings.ts"
import { hashOf, newToken } from "../../../../plugins/capabilities/sessions/token-text.ts"
import { TokenKeys } from "../../../../plugins/capabilities/sessions/token-keys.ts"
import { TokenUses } from "../../../../plugins/capabilities/sessions/token-uses.ts"
import {
  createToken,
  listOwnTokens,
  listTokens,
  revokeOwnToken,
  revokeToken,
} from "../../../../plugins/capabilities/sessions/tokens.ts"
import type { Database } from "../../../../core/data/database.ts"
import type { OpenBatch } from "../../../../core/data/batch.ts"
import { configWith, generous, secret, testConfig } from "../../../support/app.ts"
import { Builder, password } from "../../../support/builder.ts"
import { copiedUrl, freshDatabase, onEveryEngine, openFor } from "../../../support/database.ts"
import { migrate } from "../../../../core/data/migrate.ts"
import { plansOf } from "../../../support/statements.ts"
import { runCommand } from "../../../support/run-command.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

const aDay = 86_400
const json = { "content-type": "application/json" }

let written: Promise<void> = Promise.resolve()

/** Writes at once. */
const openBatch: OpenBatch = (write) => ({
  add: (item: never) => void (written = write([item], AbortSignal.timeout(10_000))),
} as never)

await onEveryEngine(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const { writer } = database
  const build = new Builder(database)
  const ids = new Map<string, string>()
  for (const name of ["ann", "bob"]) ids.set(name, await build.account(name))
  await build.account("chief", "operator")
  await build.account("eve", "viewer")
  const entries: Record<string, unknown>[] = []
  /** Starts a service on the database, with other settings of sessions. */
  const serve = async (
    changes: { readonly secrets?: readonly string[] } = {},
    config?: Plan,
  ) => {
    const { session, ...rest } = config ?? await testConfig(url)
    const plan = { ...rest, session: { ...session, ...changes }, limits: generous }
    const instance = await startInstance(plan, { log: scannedLog(t, entries) })
    t.teardown(() => instance.close())
    return (path: string, init?: RequestInit) =>
      instance.fetch(new Request(`http://localhost${path}`, init), { address: "192.0.2.7" })
  }
  const request = await serve()
  const logIn = async (username: string) => {
    const body = JSON.stringify({ username, password })
    const response = await request("/session", { method: "POST", headers: json, body })
    return response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  }
  /** Adds a token, whose times are relative to now. */
  const add = async (username: string, name = "n8n", { made = 0, ends = aDay, used = null }: {
    made?: number
    ends?: number
    used?: number | null
  } = {}) => {
    const account_id = ids.get(username) ?? ""
    const token = newToken()
    const id = await insertSession(database, account_id, ends, { lasting: 1 })
    const now = Math.floor(Date.now() / 1000)
    await writer.updateTable("session").where("id", "=", id)
      .set({ created: now + made, used: used === null ? null : now + used }).execute()
    const row = { session_id: id, account_id, name, hash: hashOf(token) ?? "" }
    await writer.insertInto("account_token").values({ ...row, epoch: 0 }).execute()
    return { id, token }
  }
  const statusOf = async (token: string, send = request) =>
    (await send("/session", { headers: { authorization: `Bearer ${token}` } })).status
  const run = (args: string) =>
    runCommand(args, { env: { DATABASE_URL: url, SESSION_SECRET: secret } })

  await t.test("a token counts in every process, and ends in all of them at once", async (t) => {
    const other = await serve()
    const { id, token } = await add("ann")
    t.equal(await statusOf(token), 200)
    t.equal(await statusOf(token, other), 200)
    const cookie = await logIn("ann")
    const init = { method: "DELETE", headers: { cookie } }
    t.equal((await other(`/session/tokens/${id}`, init)).status, 204)
    t.equal(await statusOf(token, other), 401)
    t.equal(await statusOf(token), 401)
  })

  await t.test("a token survives the secrets of sessions", async (t) => {
    const { token } = await add("ann")
    const cookie = await logIn("ann")
    const after = await serve({ secrets: ["another secret, which is long enough"] })
    t.equal((await after("/session", { headers: { cookie } })).status, 401)
    t.equal(await statusOf(token, after), 200)
  })

  await t.test("false tokens cost one statement at a time, however many come", async (t) => {
    let [running, most, statements] = [0, 0, 0]
    const readOnce: typeof database.readOnce = async (read) => {
      most = Math.max(most, ++running)
      statements++
      try {
        return await database.readOnce(read)
      } finally {
        running--
      }
    }
    const readable = Object.create(database, { readOnce: { value: readOnce } })
    const nodes = { best: { database: readable, isPrimary: true } }
    const keys = new TokenKeys({ database: readable, nodes: nodes as never })
    const { id, token } = await add("ann")
    const found: ReturnType<typeof keys.find>[] = []
    for (const each of [...Array.from({ length: 200 }, newToken), token]) {
      found.push(keys.find(each))
      await setImmediate()
    }
    const sessions = (await Promise.all(found)).flatMap((key) => key?.session ?? [])
    t.strictSame(sessions, [id])
    t.equal(most, 1)
    t.ok(statements > 1)
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

  await t.test("a session that has been ended since its request was admitted makes no token, and revokes none", async (t) => {
    const { id } = await add("ann")
    const account = { id: ids.get("ann") ?? "", username: "ann", role: "partner" } as const
    const ended = await insertSession(database, account.id, 3600)
    const own = {
      caller: { id: ended, account, expires: 0, now: 0 },
      by: { actor: "ann", address: "192.0.2.1" },
    }
    await endNow(database, ended, "password")
    const wish = { name: "late", lifetime: 60 }
    await t.rejects(createToken(database, wish, own), { code: "unauthenticated" })
    await t.rejects(revokeOwnToken(database, id, own), { code: "unauthenticated" })
    await t.rejects(listOwnTokens(database, own.caller), { code: "unauthenticated" })
    const names = await listTokens(database, { accountId: account.id })
    t.notOk(names.some(({ name }) => name === "late"))
  })

  /** Serves the database with an edited configuration. */
  const serveEdited = async (t: Test, edit: (text: string) => string) => {
    const folder = mkdtempSync(join(tmpdir(), "event-export-"))
    t.teardown(() => rmSync(folder, { recursive: true }))
    const file = join(folder, "event-export.yaml")
    writeFileSync(file, edit(configWith(usual)))
    return serve({}, await readPlan(file, { DATABASE_URL: url, SESSION_SECRET: secret, PORT: "0" }))
  }

  await t.test("with longest_days: 0 nobody makes a token, and those that were made count and can be revoked", async (t) => {
    const send = await serveEdited(t, (text) => text.replace("longest_days: 90", "longest_days: 0"))
    const { id, token } = await add("ann")
    const cookie = await logIn("ann")
    const body = JSON.stringify({ name: "x", lifetime: 60 })
    const headers = { ...json, cookie }
    const response = await send("/session/tokens", { method: "POST", headers, body })
    t.match([response.status, await response.json()], [404, { code: "not_available" }])
    t.equal(await statusOf(token, send), 200)
    const init = { method: "DELETE", headers: { cookie } }
    t.equal((await send(`/session/tokens/${id}`, init)).status, 204)
    t.equal(await statusOf(token, send), 401)
  })

  await t.test("without the capability, there are no tokens", async (t) => {
    const others = usual.filter((name) => name !== "sessions")
    const send = await serveEdited(
      t,
      (text) => text.replace(/^capabilities: .*$/m, `capabilities: [${others.join(", ")}]`),
    )
    const { token } = await add("ann")
    t.equal(await statusOf(token, send), 401)
    const cookie = await logIn("ann")
    t.equal((await send("/session", { headers: { cookie } })).status, 200)
    t.equal((await send("/session/tokens", { headers: { cookie } })).status, 404)
    t.equal(await statusOf(token), 200)
  })

  await t.test("account tokens lists the tokens of all accounts or one, and revokes one", async (t) => {
    await writer.deleteFrom("session").execute()
    const one = await add("ann", "n8n", { used: -60 })
    const other = await add("bob", "Büro")
    await writer.updateTable("account_token").set({ last_address: "192.0.2.9" })
      .where("session_id", "=", one.id).execute()
    const row = (id: string, rest: string) => new RegExp(`^${id.slice(0, 8)} +${rest}$`, "m")
    const all = await run("account tokens")
    t.match(all, { code: 0 })
    t.match(all.out, row(one.id, String.raw`ann +n8n +20\S+ +20\S+ +192\.0\.2\.9 +20\S+`))
    t.match(all.out, row(other.id, String.raw`bob +Büro +20\S+ +never +20\S+`))
    t.notMatch((await run("account tokens ann")).out, "Büro")
    t.match(await run("account tokens nobody"), { code: 1, err: /There is no account nobody/ })
    const lines = (await run("account tokens bob --json")).out
    t.match(JSON.parse(lines), { id: other.id, username: "bob", name: "Büro", used: null })
    t.notMatch([all.out, lines].join(), /hash|ee_/)

    for (const wrong of ["abc", "zzzz", "%%%%", crypto.randomUUID()]) {
      t.match(await run(`account tokens --revoke ${wrong}`), { code: 1, err: /No token has/ })
    }
    const session = await insertSession(database, ids.get("ann") ?? "", 3600)
    t.match(await run(`account tokens --revoke ${session}`), { code: 1, err: /No token has/ })
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

  await t.test("account revoke, passwd and disable say how many sessions and tokens have ended", async (t) => {
    for (
      const [command, said] of [
        ["revoke ann", "The sessions of ann have ended: 2, tokens included."],
        [
          "disable ann",
          "ann cannot log in any more, and its sessions have ended: 2, tokens included.",
        ],
      ] as const
    ) {
      await writer.deleteFrom("session").execute()
      await writer.updateTable("account").set({ epoch: 0, disabled: 0 })
        .where("username", "=", "ann").execute()
      const { token } = await add("ann")
      await insertSession(database, ids.get("ann") ?? "", 3600)
      t.match(await run(`account ${command}`), { code: 0, out: said })
      t.equal(await statusOf(token), 401)
    }
    t.match(await run("account disable ann --undo"), { code: 0, out: "ann may log in again." })
    await writer.updateTable("account").set({ epoch: 0 }).where("username", "=", "ann").execute()
  })

  await t.test("a session that replaces the others leaves the tokens", async (t) => {
    await writer.deleteFrom("session").execute()
    const { token } = await add("ann")
    const session = await insertSession(database, ids.get("ann") ?? "", 3600)
    const { session: settings } = await testConfig(url)
    const by = { actor: "op", address: "here" }
    const { replaced } = await openSession(database, "ann", { settings, replaceAfter: 0, by })
    t.equal(replaced, 1)
    t.equal(await statusOf(token), 200)
    const row = await writer.selectFrom("session").select("reason").where("id", "=", session)
      .executeTakeFirst()
    t.equal(row?.reason, "replaced")
  })

  await t.test("the console lists an account's tokens, and lets operators revoke them, but not viewers", async (t) => {
    await writer.deleteFrom("session").execute()
    const { id, token } = await add("ann", "<b>n8n</b>", { used: -60 })
    const [chief, eve] = [await logIn("chief"), await logIn("eve")]
    const page = async (cookie: string) =>
      await (await request("/console/accounts/ann", { headers: { cookie } })).text()
    const seen = await page(chief)
    t.match(seen, "&lt;b&gt;n8n&lt;/b&gt;")
    t.match(seen, `value="${id}"`)
    t.notMatch(await page(eve), `value="${id}"`)
    t.match(await page(eve), "&lt;b&gt;n8n&lt;/b&gt;")
    t.notMatch(seen, hashOf(token) ?? "")
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

  await t.test("the log warns of a token in use that ends soon, in words of its own", async (t) => {
    await writer.deleteFrom("session").execute()
    const { id } = await add("ann", "secret name", { made: -30 * aDay, ends: aDay, used: -60 })
    const lines: unknown[] = []
    const log = scannedLog(t, entries)
    const warn = (fields: object, message: string) => void lines.push({ ...fields, message })
    await new SessionWarnings().warn(database, { ...log, warn })
    t.match(lines, [{ account: "ann", session: id.slice(0, 8), message: /^a token of a partner/ }])
    t.equal(lines.length, 1)
    t.notMatch(JSON.stringify(lines), "secret name")
  })

  await t.test("no statement about tokens reads a table from end to end", async (t) => {
    for (let n = 0; n < 60; n++) {
      ids.set(`p${n}`, await build.account(`p${n}`))
      for (let m = 0; m < 5; m++) await add(`p${n}`, `${m}`)
    }
    const { token, id } = await add("bob")
    const caller = await insertSession(database, ids.get("bob") ?? "", 3600)
    if (engine === "mysql") {
      await sql`analyze table session, account_token, account, account_activity`.execute(writer)
    }
    const plans = await plansOf(database, engine, async (watched) => {
      const { snapshot } = watched
      const readable = Object.create(watched, { readOnce: { value: snapshot } })
      const nodes = { best: { database: readable, isPrimary: true } }
      const keys = new TokenKeys({ database: readable, nodes: nodes as never })
      t.match(await keys.find(token), { session: id })
      const account = { id: ids.get("bob") ?? "", username: "bob", role: "partner" } as const
      const own = {
        caller: { id: caller, account, expires: 0, now: 0 },
        by: { actor: "bob", address: "192.0.2.1" },
      }
      const made = await createToken(watched, { name: "x", lifetime: 60 }, own)
      await revokeOwnToken(watched, made.id, own)
      await revokeToken(watched, id.slice(0, 8), own.by)
      await openSession(watched, "bob", {
        settings: (await testConfig(url)).session,
        replaceAfter: undefined,
        by: own.by,
      })
      const uses = new TokenUses(watched, openBatch)
      uses.record(id, "192.0.2.1")
      await written
    })
    t.ok(plans.length > 12, `${plans.length} statements`)
    const scans = plans.filter(({ steps }) =>
      steps.some((step) => /^SCAN| (ALL|index) /.test(step))
    )
    t.strictSame(scans, [])
  })
})
