import { randomUUID } from "node:crypto"
import t from "tap"
import type { Schema } from "../../../../core/data/schema.ts"
import { setDisabled } from "../../../../plugins/capabilities/accounts/change-account.ts"
import { renameAccount } from "../../../../plugins/capabilities/accounts/change-names.ts"
import { listAudit } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { challengeOf } from "../../../../plugins/capabilities/ping/signature.ts"
import { type App, onEveryApp, secret } from "../../../support/app.ts"

type Get = Awaited<ReturnType<App["logIn"]>>

const json = { "content-type": "application/json" }
const page = { accept: "text/html" }
const form = { "content-type": "application/x-www-form-urlencoded", ...page }
const by = { actor: "test", address: "test" }

function post(get: Get, body: unknown, headers: Record<string, string> = json) {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  return get("/session/pings", { method: "POST", headers, body: text })
}

async function register(get: Get, url = `https://hooks.invalid/${randomUUID()}`) {
  const response = await post(get, { url })
  if (response.status !== 201) throw new Error(await response.text())
  return await response.json() as { id: string; secret: string; url: string }
}

const list = async (get: Get): Promise<Record<string, unknown>[]> =>
  await (await get("/session/pings")).json()
const at = (get: Get, path: string, method = "POST") => get(`/session/pings/${path}`, { method })

/** Returns the main part of a page. */
async function show(get: Get, path: string): Promise<string> {
  const response = await get(path, { headers: page })
  return /<main[^]*<\/main>/.exec(await response.text())?.[0] ?? ""
}

function tokenIn(text: string): string {
  return /name="token" value="([\w-]+)"/.exec(text)?.[1] ?? ""
}

function submit(get: Get, path: string, fields: Record<string, string>, headers = {}) {
  const body = new URLSearchParams(fields).toString()
  const init = { method: "POST", headers: { ...form, ...headers }, body }
  return get(path, { ...init, redirect: "manual" })
}

const secretIn = (text: string) => /whsec_[\w+/]{43}=/.exec(text)?.[0] ?? ""

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
    const set = (id: string, values: Partial<Schema["ping_receiver"]>) =>
      writer.updateTable("ping_receiver").set(values).where("id", "=", id).execute()

    await t.test("POST /session/pings registers a URL, and shows its secret once", async (t) => {
      const { get } = await anyone()
      const response = await post(get, { url: "https://hooks.invalid/x?token=abc" })
      t.equal(response.status, 201)
      t.equal(response.headers.get("cache-control"), "no-store")
      const { secret, ...made } = await response.json()
      t.match(made, { url: "https://hooks.invalid/x?token=abc", state: "unconfirmed" })
      t.match(secret, /^whsec_[\w+/]{43}=$/)
      const listed = await get("/session/pings")
      t.equal(listed.headers.get("cache-control"), "no-store")
      const [first, ...others] = await listed.json()
      t.match(first, { id: made.id, url: made.url, created: made.created })
      t.strictSame(others, [])
      t.notOk("secret" in first)
      t.notMatch(JSON.stringify([first, app.entries]), secret.slice(6, 20))
      t.notMatch(JSON.stringify(app.entries), "token=abc")
    })

    await t.test("DELETE, /secrets and /challenge change one's own receiver, and nobody else's", async (t) => {
      const [one, other] = [await anyone(), await anyone()]
      const { id, secret } = await register(one.get)
      for (const wrong of [id, randomUUID(), "x", id.slice(0, 8), "%20"]) {
        const get = wrong === id ? other.get : one.get
        t.equal((await at(get, wrong, "DELETE")).status, 404, wrong)
        for (const path of ["secrets", "challenge"]) {
          const response = await at(get, `${wrong}/${path}`)
          t.match([response.status, await response.json()], [404, { code: "not_found" }], wrong)
        }
      }
      const renewed = await at(one.get, `${id}/secrets`)
      t.equal(renewed.status, 201)
      t.equal(renewed.headers.get("cache-control"), "no-store")
      const body = await renewed.json()
      t.match(body.secret, /^whsec_/)
      t.not(body.secret, secret)
      const [{ formerSecretUntil: until } = {}] = await list(one.get)
      const left = Number(until) - Date.now() / 1000
      t.ok(left > 86_000 && left <= 86_400)
      await set(id, { state: "off", reason: "gone", last_status: 410, last_error: "status" })
      const challenged = await at(one.get, `${id.toUpperCase()}/challenge`)
      t.strictSame([challenged.status, await challenged.text()], [202, ""])
      t.match(await list(one.get), [{ id, state: "unconfirmed", reason: null }])
      t.equal((await at(one.get, id.toUpperCase(), "DELETE")).status, 204)
      t.equal((await at(one.get, id, "DELETE")).status, 404)
      t.strictSame(await list(one.get), [])
    })

    await t.test("POST /session/pings refuses what is no URL of a public host, and what asks for an eleventh challenge", async (t) => {
      const { get } = await anyone()
      const bad: Record<string, unknown> = {
        "no URL": {},
        "a number": { url: 1 },
        "an empty text": { url: "" },
        "plain http": { url: "http://hooks.invalid/" },
        "a private address": { url: "https://10.0.0.1/" },
        "another port": { url: "https://hooks.invalid:8443/" },
        "an unknown member": { url: "https://hooks.invalid/", secret: "x" },
        "a list": [],
        "no JSON": "url=x",
      }
      for (const [what, body] of Object.entries(bad)) {
        const response = await post(get, body)
        const problem = await response.json()
        t.match([response.status, problem], [400, { code: "invalid_body" }], what)
        t.ok(problem.detail.length > 20, problem.detail)
      }
      const good = { url: "https://hooks.invalid/" }
      t.equal((await post(get, good, { "content-type": "text/plain" })).status, 415)
      t.equal((await post(get, { url: "x".repeat(5000) })).status, 413)
      t.strictSame(await list(get), [])
      const { id } = await register(get)
      for (let n = 0; n < 9; n++) t.equal((await at(get, `${id}/challenge`)).status, 202)
      const eleventh = await at(get, `${id}/challenge`)
      t.match([eleventh.status, await eleventh.json()], [429, { code: "too_many_requests" }])
      t.match(eleventh.headers.get("retry-after"), /^\d+$/)
    })

    await t.test("/session/pings is for accounts of programs, with a session that is no token's", async (t) => {
      const body = JSON.stringify({ url: "https://hooks.invalid/" })
      for (
        const [method, path] of [
          ["GET", ""],
          ["POST", ""],
          ["DELETE", `/${randomUUID()}`],
          ["POST", `/${randomUUID()}/secrets`],
          ["POST", `/${randomUUID()}/challenge`],
          ["POST", `/${randomUUID()}/confirmation`],
        ] as const
      ) {
        const init = { method, headers: json, ...method === "POST" ? { body } : {} }
        t.equal((await request(`/session/pings${path}`, init)).status, 401, `${method} ${path}`)
      }
      for (const role of ["operator", "viewer"] as const) {
        const { get } = await anyone(role)
        const response = await post(get, { url: "https://hooks.invalid/" })
        t.match([response.status, await response.json()], [404, { code: "not_available" }], role)
        t.strictSame(await list(get), [])
      }
      const { get, name } = await anyone("service")
      const { id } = await register(get)
      const made = await get("/session/tokens", {
        method: "POST",
        headers: json,
        body: JSON.stringify({ name: "x", lifetime: 3600 }),
      })
      const authorization = `Bearer ${(await made.json()).token}`
      const withToken: Get = (path, init) =>
        request(path, {
          ...init,
          headers: { ...init?.headers as Record<string, string>, authorization },
        })
      for (
        const response of [
          await withToken("/session/pings"),
          await post(withToken, { url: "https://hooks.invalid/" }),
          await at(withToken, id, "DELETE"),
          await at(withToken, `${id}/secrets`),
          await at(withToken, `${id}/challenge`),
          await withToken(`/session/pings/${id}/confirmation`, {
            ...{ method: "POST", headers: json, body: '{"challenge":"x"}' },
          }),
        ]
      ) t.match([response.status, await response.json()], [403, { code: "not_with_a_token" }])
      t.equal((await list(get)).length, 1)
      await setDisabled(database, name, true)
      t.equal((await get("/session/pings")).status, 401)
    })

    const answered = (last_status: number) => ({ last_status, last_error: "status" })
    const failing = { state: "on", reason: null, failing_since: 1, next_at: 4_000_000_000 } as const
    /** What a receiver is like, and what is said of it: to partners, on pages and by the command, in the same words. */
    const told: Readonly<
      Record<string, readonly [Partial<Schema["ping_receiver"]>, word: string, detail: RegExp]>
    > = {
      "in order": [
        { state: "on", reason: null, last_status: 204, last_error: null, failing_since: null },
        "on",
        /^It gets pings\.$/,
      ],
      "failing": [
        { ...failing, ...answered(500), attempts: 3 },
        "failing",
        /^The last 3 attempts failed: it answered 500\. Let it/,
      ],
      "gone": [
        { state: "off", reason: "gone", ...answered(410) },
        "off",
        /^It answered 410: it wants no pings\. When it works/,
      ],
      "revoked": [
        { state: "off", reason: "revoked", last_status: 204, last_error: null },
        "off",
        /^All sessions of its account were ended.*\. If it is yours, ask for a challenge/,
      ],
      "silent": [
        { state: "off", reason: "unconfirmed", last_status: 200, last_error: "no_echo" },
        "off",
        /^It did not answer a challenge within a day\. The last time, its answer was not the sig/,
      ],
    }
    await t.test("all pages say of a receiver how it is, why, and what to do", async (t) => {
      const { get, name } = await anyone()
      const { get: chief } = await anyone("operator")
      const { id } = await register(get, "https://hooks.invalid/in?token=abc")
      for (const [what, [values, word, wanted]] of Object.entries(told)) {
        await set(id, values)
        const [{ detail = "", nextAttempt: next } = {}] = await list(get)
        t.match(detail, wanted, what)
        t.equal(next, word === "failing" ? 4_000_000_000 : null, what)
        const own = await show(get, "/docs/me")
        const account = await show(chief, `/console/accounts/${name}`)
        const partner = await show(chief, `/console/partners/${name}`)
        for (const text of [own, account, partner]) {
          t.match(text, `</span> ${word}</span> ${detail}`, what)
          t.notMatch(text, "whsec_")
        }
        const overview = await show(chief, "/console")
        const isWrong = word === "failing" || word === "off"
        const failing = new RegExp(`Receivers of pings that fail[^]*>${name}</a>[^]*${word}</span>`)
        if (isWrong) t.match(overview, failing, what)
        else t.notMatch(overview, failing, what)
        t.match(own, "https://hooks.invalid/in?token=abc")
        t.notMatch(account + partner, "token=abc")
        t.match(account, "https://hooks.invalid/in?…")
      }
    })

    await t.test("the page of an account registers a receiver, and changes it", async (t) => {
      const { get, name } = await anyone()
      const token = tokenIn(await show(get, "/docs/me"))
      const made = await submit(get, "/docs/me/pings", { token, url: " https://hooks.invalid/1 " })
      t.equal(made.status, 201)
      t.equal(made.headers.get("cache-control"), "private, no-store")
      const secret = secretIn(await made.text())
      t.match(secret, /^whsec_/)
      const [{ id = "" } = {}] = await list(get)
      const renewed = await submit(get, "/docs/me/pings/change", {
        ...{ token, id: String(id), action: "secret" },
      })
      t.equal(renewed.status, 201)
      t.not(secretIn(await renewed.text()), secret)
      t.notMatch(await show(get, "/docs/me"), "whsec_")
      await set(String(id), { state: "off", reason: "gone" })
      for (
        const [action, said] of [["challenge", "sent within seconds"], [
          "remove",
          "The receiver is removed",
        ]] as const
      ) {
        const fields = { token, id: String(id), action }
        const done = await submit(get, "/docs/me/pings/change", fields)
        t.equal(done.status, 303)
        const location = done.headers.get("location") ?? ""
        t.equal(location, `/docs/me?pinged=${action}#pings`)
        t.match(await show(get, location.replace(/#.*/, "")), said)
        t.equal((await list(get)).length, action === "remove" ? 0 : 1)
      }
      const entries = await listAudit(database, { account: name, action: "contact", limit: 9 })
      t.match(
        entries.map(({ actor, detail }) => [actor, detail]),
        ["added", "a new secret", "challenged", "removed"].map((what) => [
          name,
          `ping receiver ${id} on hooks.invalid: ${what}`,
        ]),
      )
      const { get: chief } = await anyone("operator")
      t.notMatch(await show(chief, "/docs/me"), 'id="pings"')
    })

    await t.test("the text of a challenge turns a receiver on, by POST …/confirmation or the page of the account", async (t) => {
      const { get } = await anyone()
      const { id } = await register(get)
      const text = async () => {
        const { since } = await writer.selectFrom("ping_receiver").select("since")
          .where("id", "=", id).executeTakeFirstOrThrow()
        return challengeOf({ id, since }, secret)
      }
      const confirm = (body: unknown) =>
        get(`/session/pings/${id}/confirmation`, {
          method: "POST",
          headers: json,
          body: JSON.stringify(body),
        })
      for (const wrong of [{ challenge: "x" }, { challenge: 1 }, {}, { challenge: "x", y: 1 }]) {
        const response = await confirm(wrong)
        t.match([response.status, await response.json()], [400, { code: "invalid_body" }])
      }
      t.match(await list(get), [{ state: "unconfirmed" }])
      t.equal((await confirm({ challenge: await text() })).status, 204)
      t.match(await list(get), [{ state: "on" }])
      t.notMatch(await show(get, "/docs/me"), 'name="challenge"')
      await at(get, `${id}/challenge`)
      const page = await show(get, "/docs/me")
      t.match(page, 'name="challenge"')
      const done = await submit(get, "/docs/me/pings/change", {
        ...{ token: tokenIn(page), id, action: "confirm", challenge: await text() },
      })
      t.equal(done.headers.get("location"), "/docs/me?pinged=confirm#pings")
      t.match(await list(get), [{ state: "on" }])
    })

    await t.test("forms of another session or site, and wrong ones, change nothing", async (t) => {
      const [{ get, name }, other] = [await anyone(), await anyone()]
      const chief = await anyone("operator")
      const eve = await anyone("viewer")
      const { id } = await register(get)
      const token = tokenIn(await show(get, "/docs/me"))
      const theirs = tokenIn(await show(other.get, "/docs/me"))
      const ofChief = tokenIn(await show(chief.get, `/console/accounts/${name}`))
      const url = "https://hooks.invalid/2"
      const own = "/docs/me/pings"
      const console = `/console/accounts/${name}/pings`
      const remove = { id, action: "remove" }
      const wrong: readonly [Get, string, number, Record<string, string>, object?][] = [
        [get, own, 400, { url }],
        [get, own, 400, { url, token: theirs }],
        [get, own, 400, { url, token }, { "sec-fetch-site": "cross-site" }],
        [get, own, 400, { url, token }, { origin: "https://elsewhere.example" }],
        [get, own, 400, { url: "http://10.0.0.1/", token }],
        [get, `${own}/change`, 400, remove],
        [get, `${own}/change`, 400, { ...remove, token: theirs }],
        [get, `${own}/change`, 400, { id, action: "constructor", token }],
        [get, `${own}/change`, 404, { ...remove, id: "x", token }],
        [other.get, `${own}/change`, 404, { ...remove, token: theirs }],
        [chief.get, console, 400, { url }],
        [chief.get, console, 400, { url: "x", token: ofChief }],
        [chief.get, "/console/accounts/nobody/pings", 400, { url, token: ofChief }],
        [chief.get, `${console}/change`, 400, remove],
        [chief.get, `${console}/change`, 400, { id, action: "secret", token: ofChief }],
        [chief.get, console.replace(name, other.name) + "/change", 404, {
          ...{ ...remove, token: ofChief },
        }],
        [eve.get, console, 403, { url, token: ofChief }],
        [eve.get, `${console}/change`, 403, remove],
        [get, console, 403, { url, token }],
      ]
      for (const [who, path, status, fields, headers] of wrong) {
        const response = await submit(who, path, fields, headers)
        t.equal(response.status, status, JSON.stringify([path, fields, headers]))
      }
      const elsewhere = { "origin": "https://elsewhere.example", "content-type": "text/plain" }
      for (const path of ["secrets", "challenge"]) {
        for (const headers of [elsewhere, { "sec-fetch-site": "cross-site" }]) {
          const response = await get(`/session/pings/${id}/${path}`, { method: "POST", headers })
          t.equal(response.status, 400, path)
        }
      }
      t.match(await list(get), [{ id, formerSecretUntil: null }])
      t.strictSame(await list(other.get), [])
    })

    await t.test("the console registers a receiver for a partner, shows its secret once, and follows its name", async (t) => {
      const { get, name } = await anyone()
      const chief = await anyone("operator")
      const eve = await anyone("viewer")
      const path = `/console/accounts/${name}`
      const before = await show(chief.get, path)
      t.match(before, "It has registered none.")
      t.notMatch(await show(chief.get, `/console/partners/${name}`), "pings-title")
      const token = tokenIn(before)
      const url = "https://hooks.invalid/<b>&"
      const made = await submit(chief.get, `${path}/pings`, { token, url })
      t.equal(made.status, 201)
      t.match(secretIn(await made.text()), /^whsec_/)
      const [{ id = "" } = {}] = await list(get)
      const seen = await show(chief.get, path)
      t.match(seen, `value="${id}"`)
      t.match(seen, /name="action" value="challenge"[^]*name="action" value="remove"/)
      t.notMatch(seen, 'value="secret"')
      t.notMatch(await show(eve.get, path), `value="${id}"`)
      t.match(seen, "https://hooks.invalid/%3Cb%3E&amp;")
      for (const page of [path, `/console/partners/${name}`]) {
        const text = await show(eve.get, page)
        t.match(text, "https://hooks.invalid/…")
        t.notMatch(text, "%3Cb", "a path may be a secret")
      }
      t.notMatch(await show(chief.get, path), "whsec_")
      await renameAccount(database, name, `${name}-new`, by)
      const renamed = `/console/accounts/${name}-new`
      const fields = { token, id: String(id) }
      await set(String(id), { state: "off", reason: "gone" })
      const back = await submit(chief.get, `${renamed}/pings/change`, {
        ...fields,
        action: "challenge",
      })
      t.strictSame([back.status, back.headers.get("location")], [303, `${renamed}#pings`])
      t.match(await list(get), [{ id, state: "unconfirmed" }])
      const removed = await submit(chief.get, `${renamed}/pings/change`, {
        ...fields,
        action: "remove",
      })
      t.equal(removed.status, 303)
      t.strictSame(await list(get), [])
      const { get: ofOperator } = chief
      t.notMatch(await show(ofOperator, `/console/accounts/${chief.name}`), 'id="pings"')
    })
  },
  undefined,
  { needsCapabilities: true },
)
