import { Buffer } from "node:buffer"
import t, { type Test } from "tap"
import { hashPassword } from "../../../core/access/passwords.ts"
import { hashNewPassword } from "../../../plugins/capabilities/accounts/hash-new-password.ts"
import {
  revokeSessions,
  setDisabled,
  setPassword,
} from "../../../plugins/capabilities/accounts/change-account.ts"
import { startInstance } from "../../conformance/instance.ts"
import { type Plan, readPlan } from "../../../core/routes/plan.ts"
import { type App, onEveryApp, secret, testConfig } from "../../support/app.ts"
import { password } from "../../support/builder.ts"
import { configFolder, goodConfig } from "../../support/config-folder.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { Builder } from "../../support/builder.ts"

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const json = { "content-type": "application/json" }
const ofAnn = JSON.stringify({ username: "ann", password })

/** The status of each refusal of a body. */
const statuses: Readonly<Record<string, number>> = {
  invalid_body: 400,
  invalid_credentials: 401,
  body_too_large: 413,
  unsupported_media_type: 415,
}

function post(app: Pick<App, "request">, body: BodyInit, headers: Record<string, string> = json) {
  return app.request("/session", { method: "POST", headers, body })
}

/** Returns the cookie that a response sets, as a client sends it. */
function cookieOf(response: Response): string {
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
}

await onEveryApp(t, async (t, app) => {
  const { build, database, logIn, request } = app
  for (const name of ["ann", "bob", "eve", "off"]) await build.account(name)
  await setDisabled(database, "off", true)
  const acme = await build.organization("acme")
  const tokenOf = async (username: string) => {
    const body = JSON.stringify({ username, password })
    return (await (await post(app, body, { ...json, prefer: "return=representation" })).json())
      .token as string
  }

  await t.test("the longest passwords log in, however their letters are written", async (t) => {
    for (const [index, long] of ["a", "%", "é", "字", "😀"].entries()) {
      const username = `${"a".repeat(99)}${index}`
      const own = long.repeat(1000 / Buffer.byteLength(long))
      const of = { username, kind: "scrypt" } as const
      await hashNewPassword(own, of)
      await t.rejects(hashNewPassword(`${own}${long}`, of), /at most 1000 bytes/)
      await build.account(username, "partner", own)
      const written = JSON.stringify({ username, password: own })
      const escaped = written.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      )
      for (const body of [written, escaped]) t.equal((await post(app, body)).status, 204, long)
      const form = new URLSearchParams({ username, password: own })
      t.equal((await request("/docs/log-in", { method: "POST", body: form })).status, 303, long)
    }
  })

  await t.test("POST /session returns 204 and sets a cookie that only this service can read", async (t) => {
    const response = await post(app, ofAnn)
    t.equal(response.status, 204)
    t.equal(response.headers.get("cache-control"), "no-store")
    const [cookie = ""] = response.headers.getSetCookie()
    const [pair = "", ...flags] = cookie.split("; ")
    t.match(pair, /^event_export_session=Fe26\.2\*/)
    const [expires = "", ...others] = flags.sort()
    t.strictSame(others, ["HttpOnly", "Max-Age=43200", "Path=/", "SameSite=Strict"])
    t.match(expires, /^Expires=/)
    const { expires: end } = await (await app.request("/session", { headers: { cookie } })).json()
    t.equal(Date.parse(expires.slice("Expires=".length)), 1000 * end)
    const parts = pair.split("*").map((part) => Buffer.from(part, "base64url").toString("latin1"))
    t.notMatch(parts.join("*"), /"\w{2,}":/, "it is no JSON")
  })

  await t.test("GET /session returns the account, the end of the session and the families", async (t) => {
    const before = Math.floor(Date.now() / 1000)
    const get = await logIn("ann")
    const after = Math.floor(Date.now() / 1000)
    const response = await get("/session")
    t.equal(response.status, 200)
    const body = await response.json()
    t.strictSame(Object.keys(body), ["username", "role", "expires", "scope", "families"])
    t.equal(response.headers.get("cache-control"), "no-store")
    t.match(body, { username: "ann", role: "partner", families: [] })
    const began = body.expires - 43_200
    t.ok(before <= began && began <= after + 1, `${began} is between ${before} and ${after}`)
    await build.account("reader")
    await build.event(acme)
    await build.grant("reader", { organization: "acme" })
    const { families } = await (await (await logIn("reader"))("/session")).json()
    t.strictSame(families, ["/connector-b/v1", "/connector-a/v1"], "not that of another's account")
  })

  await t.test("POST /session returns a token for return=representation, which is the cookie's value", async (t) => {
    for (const prefer of ["return=representation", 'wait=5, RETURN="representation"; x=1']) {
      const response = await post(app, ofAnn, { ...json, prefer })
      t.equal(response.status, 200)
      t.equal(response.headers.get("preference-applied"), "return=representation")
      t.equal(response.headers.get("cache-control"), "no-store")
      const body = await response.json()
      t.strictSame(Object.keys(body), ["token", "expires"])
      t.equal(cookieOf(response), `event_export_session=${body.token}`)
      const headers = { authorization: `Bearer ${body.token}` }
      t.match(await (await request("/session", { headers })).json(), {
        username: "ann",
        expires: body.expires,
      })
    }
    for (
      const prefer of ["return=minimal", "respond-async", "=, return", '"return=representation"']
    ) {
      const response = await post(app, ofAnn, { ...json, prefer })
      t.equal(response.status, 204, prefer)
      t.equal(response.headers.get("preference-applied"), null)
    }
  })

  await t.test("GET /session takes the cookie in a pair of quotes, as Java's clients send it", async (t) => {
    const [name, value = ""] = cookieOf(await post(app, ofAnn)).split(/=(.*)/s)
    const rows = [
      [`$Version="1"; ${name}="${value}"; $Path="/"`, 200],
      [`${name}=""${value}""`, 401],
      [`${name}="${value}`, 401],
      [`${name}=""`, 401],
    ] as const
    for (const [cookie, status] of rows) {
      t.equal((await app.request("/session", { headers: { cookie } })).status, status, cookie)
    }
  })

  await t.test("a bearer token is a session of its own account, and decides if a cookie is there, too", async (t) => {
    const [ann, bob] = [await tokenOf("ann"), await tokenOf("bob")]
    const who = async (headers: Record<string, string>) => {
      const response = await request("/session", { headers })
      return response.status === 200 ? (await response.json()).username : response.status
    }
    const cookie = `event_export_session=${bob}`
    const cases: readonly (readonly [authorization: string, expected: string | number])[] = [
      [`Bearer ${ann}`, "ann"],
      [`bearer  ${ann} `, "ann"],
      ["Bearer", 401],
      [`Bearer ${ann.slice(0, -3)}`, 401],
      [`Bearer ${ann} ${ann}`, 401],
      // This is for a proxy.
      [`Basic ${ann}`, "bob"],
    ]
    for (const [authorization, expected] of cases) {
      t.equal(await who({ authorization, cookie }), expected, authorization)
    }
    t.equal(await who({ authorization: `Bearer ${ann}` }), "ann")
    t.equal(await who({ authorization: ann }), 401)

    const headers = { authorization: `Bearer ${ann}`, cookie }
    const ended = await request("/session", { method: "DELETE", headers })
    t.equal(ended.status, 204)
    t.strictSame(ended.headers.getSetCookie(), [], "the cookie is another session's")
    t.equal(await who({ authorization: `Bearer ${ann}` }), 401)
    t.equal(await who({ cookie }), "bob")
    await revokeSessions(database, "bob")
    t.equal(await who({ authorization: `Bearer ${bob}` }), 401)
  })

  await t.test("a 401 says which of its causes it is, and what to send, whatever the path", async (t) => {
    const basic = `Basic ${btoa(`ann:${password}`)}`
    const name = "event_export_session"
    const cookie = `${name}=x`
    const ended = await tokenOf("ann")
    await request("/session", { method: "DELETE", headers: { authorization: `Bearer ${ended}` } })
    const cases: readonly (readonly [Record<string, string>, RegExp])[] = [
      [{}, /^The request has no cookie and no token\. With curl, .* -b cookies\.txt\./],
      [{ authorization: basic }, /^The Authorization header does not have the scheme Bearer\./],
      [
        { cookie: "theme=dark" },
        /^The Cookie header does not have the cookie event_export_session\./,
      ],
      [{ authorization: basic, cookie }, /^The cookie event_export_session is incomplete, or /],
      [
        { cookie: `${name}=${ended.slice(0, -9)}` },
        /^The cookie event_export_session is incomplete/,
      ],
      [
        { cookie: `${name}=${ended}` },
        /^The session of this cookie has expired, or it was ended\./,
      ],
      [
        { authorization: `Bearer ${ended}`, cookie },
        /^This token has expired, or it was revoked\./,
      ],
      [
        { authorization: "bearer x", cookie },
        /^The token in the Authorization header is not known/,
      ],
      [{ authorization: "Bearer" }, /^The token in the Authorization header is not known/],
    ]
    for (const [headers, said] of cases) {
      const details = new Set<string>()
      for (const path of ["/session", "/connector-b/v1/events", "/nobody/v1/events"]) {
        const response = await request(path, { headers })
        t.equal(response.status, 401)
        t.match(response.headers.get("www-authenticate"), /^Session .*, Bearer realm=/)
        const { code, detail } = await response.json()
        t.equal(code, "unauthenticated")
        details.add(detail)
      }
      const [detail = ""] = details
      t.equal(details.size, 1, "it does not depend on the path")
      t.match(detail, said)
      t.match(detail, /POST \/session.* cookie.* Authorization: Bearer/)
    }
  })

  await t.test("no list takes a token in its query", async (t) => {
    await build.grant("ann", { organization: "acme" })
    const headers = { authorization: `Bearer ${await tokenOf("ann")}` }
    const path = "/connector-b/v1/events"
    t.equal((await request(path, { headers })).status, 200)
    for (const name of ["token", "access_token"]) {
      const query = `${path}?${name}=${headers.authorization.slice(7)}`
      t.equal((await request(query)).status, 401)
      t.equal((await request(query, { headers })).status, 400)
    }
  })

  await t.test("DELETE /session ends only that session", async (t) => {
    const [one, other] = [await logIn("ann"), await logIn("ann")]
    const response = await one("/session", { method: "DELETE" })
    t.equal(response.status, 204)
    t.equal(response.headers.get("cache-control"), "no-store")
    t.match(
      response.headers.get("set-cookie"),
      /^event_export_session=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly/,
    )
    t.equal((await one("/session")).status, 401)
    t.equal((await other("/session")).status, 200)
    t.equal((await one("/session", { method: "DELETE" })).status, 401)
  })

  await t.test("POST /session returns the same for a wrong password, an unknown name and a disabled account", async (t) => {
    const responses = []
    for (const [username, word] of [["ann", "wrong"], ["nobody", password], ["off", password]]) {
      const response = await post(app, JSON.stringify({ username, password: word }), {
        ...json,
        "x-request-id": "same",
      })
      t.equal(response.headers.get("set-cookie"), null)
      responses.push([response.status, await response.text()])
    }
    t.match(responses[0], [401, /"code":"invalid_credentials"/])
    t.strictSame(responses[1], responses[0])
    t.strictSame(responses[2], responses[0])
  })

  const endings: Record<string, () => Promise<unknown>> = {
    "the account is revoked": () => revokeSessions(database, "eve"),
    "the account is disabled": () => setDisabled(database, "eve", true),
    "the password is changed": async () =>
      setPassword(database, "eve", await hashPassword(password)),
    "the session has ended": () =>
      database.writer.updateTable("session").set({ expires: 1_700_000_000 }).execute(),
  }
  for (const [name, end] of Object.entries(endings)) {
    await t.test(`GET /session returns 401 at once if ${name}, although the cookie was valid before`, async (t) => {
      await setDisabled(database, "eve", false)
      const get = await logIn("eve")
      t.equal((await get("/session")).status, 200)
      await end()
      t.equal((await get("/session")).status, 401)
    })
  }

  const ofLengths = (name: number, word: number) =>
    JSON.stringify({ username: "x".repeat(name), password: "x".repeat(word) })
  const wrongForEve = JSON.stringify({ username: "eve", password: "x".repeat(1000) })
  const notUtf8 = new TextEncoder().encode('{"username":"ann","password":"?"}')
    .map((byte) => byte === 0x3f ? 0xff : byte)
  const form = "application/x-www-form-urlencoded"
  const bodies: readonly [name: string, code: string, body: BodyInit, type?: string][] = [
    ["nothing", "invalid_body", ""],
    ["no JSON", "invalid_body", "username=ann"],
    ["truncated JSON", "invalid_body", '{"username":"ann","pass'],
    ["null", "invalid_body", "null"],
    ["a list", "invalid_body", "[]"],
    ["a text", "invalid_body", '"ann"'],
    ["no password", "invalid_body", '{"username":"ann"}'],
    ["numbers", "invalid_body", '{"username":1,"password":2}'],
    ["a password of 1,001 characters", "invalid_body", ofLengths(3, 1001)],
    ["a wrong password of 1,000 characters", "invalid_credentials", wrongForEve],
    ["a name of 201 characters", "invalid_body", ofLengths(201, 1)],
    ["an unknown name of 200 characters", "invalid_credentials", ofLengths(200, 1)],
    ["an unknown field", "invalid_body", '{"username":"ann","password":"x","admin":true}'],
    ["__proto__ as a name", "invalid_body", `{"__proto__":${ofAnn}}`],
    ["bytes that are not UTF-8", "invalid_body", notUtf8],
    ["4,000 nested arrays", "invalid_body", "[".repeat(4000)],
    ["10,000 nested arrays", "body_too_large", "[".repeat(10_000) + "]".repeat(10_000)],
    ["100 kB", "body_too_large", ofLengths(100_000, 1)],
    ["a form", "unsupported_media_type", "username=ann&password=x", form],
    ["no content type", "unsupported_media_type", ofAnn, ""],
    ["JSON with the content type of text", "unsupported_media_type", ofAnn, "text/plain"],
  ]
  await t.test("POST /session refuses bodies that are no credentials", async (t) => {
    const type = { "content-type": "Application/JSON; charset=utf-8" }
    t.equal((await post(app, ofAnn, type)).status, 204)
    for (const [name, code, body, type = "application/json"] of bodies) {
      const response = await post(app, body, { "content-type": type })
      const { status, code: told } = await response.json()
      t.strictSame([response.status, status, told], [statuses[code], statuses[code], code], name)
    }
  })
})

/** Starts a service of a plan. Returns what sends requests to it. */
async function serve(t: Test, plan: Plan): Promise<App["request"]> {
  const instance = await startInstance(plan, { log })
  t.teardown(() => instance.close())
  return (path, init) => instance.fetch(new Request(`http://x${path}`, init))
}

/** Makes a database with the account `ann`, and returns its URL. */
async function urlWithAnn(t: Test): Promise<string> {
  const url = await copiedUrl(t, "sqlite")
  const database = await openFor(t, url)
  await new Builder(database).account("ann")
  return url
}

t.test("POST /session sets a Secure __Host- cookie unless the public URL is http on loopback", async (t) => {
  const url = await urlWithAnn(t)
  const { write } = configFolder(t)
  for (
    const [publicUrl, isSecure] of [
      ["https://export.example.org", true],
      ["http://export.example.org", true],
      ["https://127.0.0.1:1", true],
      ["http://127.0.0.1:1", false],
    ] as const
  ) {
    const text = goodConfig.replace("sqlite:test.db", url)
      .replace("port: 8080", `port: 8080\n  public_url: ${publicUrl}`)
    const request = await serve(t, await readPlan(write(text), {}))
    const response = await post({ request }, ofAnn)
    const [header = ""] = response.headers.getSetCookie()
    const cookie = cookieOf(response)
    t.equal(cookie.startsWith("__Host-event_export_session="), isSecure, publicUrl)
    t.equal(header.includes("; Secure"), isSecure, publicUrl)
    t.match(header, /; Path=\/;/)
    t.notMatch(header, /domain/i, publicUrl)
    const statusOf = async (cookie: string) =>
      (await request("/session", { headers: { cookie } })).status
    t.equal(await statusOf(cookie), 200)
    if (isSecure) t.equal(await statusOf(cookie.replace("__Host-", "")), 401, "no prefix")
  }
})

// A seal names its secret by a number: the newest must seal whether its number is larger or not.
const secrets = [secret, "n".repeat(40)] as const
for (const [old, current] of [secrets, secrets.toReversed() as [string, string]]) {
  t.test(`GET /session accepts cookies of all listed secrets, and rejects those of a removed secret: ${old[0]} to ${current[0]}`, async (t) => {
    const plan = await testConfig(await urlWithAnn(t))
    const withSecrets = (...secrets: string[]) =>
      serve(t, { ...plan, session: { ...plan.session, secrets } })
    const [older, both, newer] = [
      await withSecrets(old),
      await withSecrets(current, old),
      await withSecrets(current),
    ]
    const statusOf = async (request: App["request"], cookie: string) =>
      (await request("/session", { headers: { cookie } })).status
    const before = cookieOf(await post({ request: older }, ofAnn))
    t.equal(await statusOf(both, before), 200)
    t.equal(await statusOf(newer, before), 401)
    const fresh = cookieOf(await post({ request: both }, ofAnn))
    t.equal(await statusOf(newer, fresh), 200, "new cookies use the newest secret")
    t.equal(await statusOf(older, fresh), 401)
  })
}
