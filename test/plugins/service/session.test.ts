import t from "tap"
import { hashPassword } from "../../../core/access/passwords.ts"
import { revokeSessions, setDisabled, setPassword } from "../../../core/access/accounts.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import { readPlan } from "../../../core/routes/plan.ts"
import { type App, onEveryApp, secret, testConfig } from "../../support/app.ts"
import { password } from "../../support/builder.ts"
import { configFolder, goodConfig } from "../../support/config-folder.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { Builder } from "../../support/builder.ts"

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const cheap = { ln: 4, r: 8, p: 1 }
const json = { "content-type": "application/json" }

function post(app: Pick<App, "request">, body: string, headers: Record<string, string> = json) {
  return app.request("/session", { method: "POST", headers, body })
}

await onEveryApp(t, async (t, app) => {
  const { build, logIn } = app
  await build.account("ann")
  await build.account("off")
  const acme = await build.organization("acme")
  const tokenOf = async (username: string) => {
    const body = JSON.stringify({ username, password })
    return (await (await post(app, body, { ...json, prefer: "return=representation" })).json())
      .token as string
  }
  await setDisabled(app.database, "off", true)

  await t.test("POST /session returns 204 and sets a cookie that only this service can read", async (t) => {
    const response = await post(app, JSON.stringify({ username: "ann", password }))
    t.equal(response.status, 204)
    t.equal(response.headers.get("cache-control"), "no-store")
    const [cookie = ""] = response.headers.getSetCookie()
    const [pair = "", ...flags] = cookie.split("; ")
    t.match(pair, /^event_export_session=Fe26\.2\*/)
    t.strictSame(flags.sort(), ["HttpOnly", "Max-Age=43200", "Path=/", "SameSite=Strict"])
    t.notMatch(cookie, /ann/)
  })

  await t.test("GET /session returns the account, the end of the session and the families", async (t) => {
    const get = await logIn("ann")
    const response = await get("/session")
    t.equal(response.status, 200)
    const body = await response.json()
    t.strictSame(Object.keys(body), ["username", "role", "expires", "families"])
    t.equal(response.headers.get("cache-control"), "no-store")
    t.match(body, { username: "ann", role: "partner", families: [] })
    const ahead = body.expires - Date.now() / 1000
    t.ok(ahead > 43_100 && ahead < 43_300, `${ahead} seconds`)
    await build.account("reader")
    await build.event(acme)
    await build.grant("reader", { organization: "acme" })
    const { families } = await (await (await logIn("reader"))("/session")).json()
    t.strictSame(families, ["/connector-b/v1", "/connector-a/v1"], "not that of another's account")
  })

  await t.test("POST /session returns a token for return=representation, which is the cookie's value", async (t) => {
    const credentials = JSON.stringify({ username: "ann", password })
    for (const prefer of ["return=representation", 'wait=5, RETURN="representation"; x=1']) {
      const response = await post(app, credentials, { ...json, prefer })
      t.equal(response.status, 200)
      t.equal(response.headers.get("preference-applied"), "return=representation")
      t.equal(response.headers.get("cache-control"), "no-store")
      const body = await response.json()
      t.strictSame(Object.keys(body), ["token", "expires"])
      const [cookie = ""] = response.headers.getSetCookie()
      t.equal(cookie.split(";")[0], `event_export_session=${body.token}`)
      const headers = { authorization: `Bearer ${body.token}` }
      t.match(await (await app.request("/session", { headers })).json(), {
        username: "ann",
        expires: body.expires,
      })
    }
    for (
      const prefer of ["return=minimal", "respond-async", "=, return", '"return=representation"']
    ) {
      const response = await post(app, credentials, { ...json, prefer })
      t.equal(response.status, 204, prefer)
      t.equal(response.headers.get("preference-applied"), null)
    }
  })

  await t.test("a bearer token is a session of its own account, and decides if a cookie is there, too", async (t) => {
    await build.account("bob")
    const [ann, bob] = [await tokenOf("ann"), await tokenOf("bob")]
    const who = async (headers: Record<string, string>) => {
      const response = await app.request("/session", { headers })
      return response.status === 200 ? (await response.json()).username : response.status
    }
    const cookie = `event_export_session=${bob}`
    t.equal(await who({ authorization: `Bearer ${ann}` }), "ann")
    t.equal(await who({ authorization: `bearer  ${ann} ` }), "ann")
    t.equal(await who({ authorization: `Bearer ${ann}`, cookie }), "ann")
    t.equal(await who({ authorization: "Bearer", cookie }), 401)
    t.equal(await who({ authorization: `Bearer ${ann.slice(0, -3)}`, cookie }), 401)
    t.equal(await who({ authorization: `Bearer ${ann} ${ann}` }), 401)
    t.equal(await who({ authorization: ann }), 401)
    t.equal(await who({ authorization: `Basic ${ann}`, cookie }), "bob", "it is for a proxy")

    const ended = await app.request("/session", {
      method: "DELETE",
      headers: { authorization: `Bearer ${ann}`, cookie },
    })
    t.equal(ended.status, 204)
    t.equal(await who({ authorization: `Bearer ${ann}` }), 401)
    t.equal(await who({ cookie }), "bob")
    await revokeSessions(app.database, "bob")
    t.equal(await who({ authorization: `Bearer ${bob}` }), 401)
  })

  await t.test("GET /session says what to send to whoever sends a password, or nothing", async (t) => {
    for (const headers of [{}, { authorization: `Basic ${btoa(`ann:${password}`)}` }]) {
      const response = await app.request("/session", { headers })
      t.equal(response.status, 401)
      t.match(response.headers.get("www-authenticate"), /^Session .*, Bearer realm=/)
      t.match((await response.json()).detail, /POST \/session.* cookie .* Authorization: Bearer/)
    }
  })

  await t.test("no list takes a token in its query", async (t) => {
    await build.grant("ann", { organization: "acme" })
    const headers = { authorization: `Bearer ${await tokenOf("ann")}` }
    const path = "/connector-b/v1/events"
    t.equal((await app.request(path, { headers })).status, 200)
    for (const name of ["token", "access_token"]) {
      const query = `${path}?${name}=${headers.authorization.slice(7)}`
      t.equal((await app.request(query)).status, 401)
      t.equal((await app.request(query, { headers })).status, 400)
    }
  })

  await t.test("DELETE /session ends only that session", async (t) => {
    const [one, other] = [await logIn("ann"), await logIn("ann")]
    const response = await one("/session", { method: "DELETE" })
    t.equal(response.status, 204)
    t.equal(response.headers.get("cache-control"), "no-store")
    t.match(
      response.headers.get("set-cookie"),
      /^event_export_session=; Max-Age=0; Path=\/; HttpOnly/,
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
    "the account is revoked": () => revokeSessions(app.database, "eve"),
    "the account is disabled": () => setDisabled(app.database, "eve", true),
    "the password is changed": async () =>
      setPassword(app.database, "eve", await hashPassword(password, cheap)),
  }
  await build.account("eve")
  for (const [name, end] of Object.entries(endings)) {
    await t.test(`GET /session returns 401 at once if ${name}, although the cookie was valid before`, async (t) => {
      await setDisabled(app.database, "eve", false)
      const get = await logIn("eve")
      t.equal((await get("/session")).status, 200)
      await end()
      t.equal((await get("/session")).status, 401)
    })
  }

  await t.test("GET /session returns 401 after the end of the session", async (t) => {
    const get = await logIn("ann")
    await app.database.writer.updateTable("session").set({ expires: 1_700_000_000 }).execute()
    t.equal((await get("/session")).status, 401)
  })

  const bodies: Record<
    string,
    [body: string, status: number, code: string, headers?: Record<string, string>]
  > = {
    "nothing": ["", 400, "invalid_body"],
    "no JSON": ["username=ann", 400, "invalid_body"],
    "truncated JSON": ['{"username":"ann","pass', 400, "invalid_body"],
    "null": ["null", 400, "invalid_body"],
    "a list": ["[]", 400, "invalid_body"],
    "a text": ['"ann"', 400, "invalid_body"],
    "no password": ['{"username":"ann"}', 400, "invalid_body"],
    "numbers": ['{"username":1,"password":2}', 400, "invalid_body"],
    "a password of 1,001 characters": [
      JSON.stringify({ username: "ann", password: "x".repeat(1001) }),
      400,
      "invalid_body",
    ],
    "a wrong password of 1,000 characters": [
      JSON.stringify({ username: "ann", password: "x".repeat(1000) }),
      401,
      "invalid_credentials",
    ],
    "a name of 201 characters": [
      JSON.stringify({ username: "x".repeat(201), password: "x" }),
      400,
      "invalid_body",
    ],
    "an unknown name of 200 characters": [
      JSON.stringify({ username: "x".repeat(200), password: "x" }),
      401,
      "invalid_credentials",
    ],
    "an unknown field": ['{"username":"ann","password":"x","admin":true}', 400, "invalid_body"],
    "__proto__ as a name": ['{"__proto__":{"username":"ann","password":"x"}}', 400, "invalid_body"],
    "constructor as a name": ['{"constructor":{"prototype":{}}}', 400, "invalid_body"],
    "4,000 nested arrays": ["[".repeat(4000), 400, "invalid_body"],
    "10,000 nested arrays": ["[".repeat(10_000) + "]".repeat(10_000), 413, "body_too_large"],
    "100 kB": [JSON.stringify({ username: "a".repeat(100_000) }), 413, "body_too_large"],
    "a form": ["username=ann&password=x", 415, "unsupported_media_type", {
      "content-type": "application/x-www-form-urlencoded",
    }],
    "no content type": ['{"username":"ann"}', 415, "unsupported_media_type", {
      "content-type": "",
    }],
    "JSON with the content type of text": ['{"username":"ann"}', 415, "unsupported_media_type", {
      "content-type": "text/plain",
    }],
  }
  for (const [name, [body, status, code, headers]] of Object.entries(bodies)) {
    await t.test(`POST /session returns ${status} for ${name}`, async (t) => {
      const response = await post(app, body, headers ?? json)
      t.match([response.status, (await response.json()).code], [status, code])
    })
  }

  await t.test("POST /session returns 400 for a body that is not UTF-8", async (t) => {
    const body = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])
    const response = await app.request("/session", { method: "POST", headers: json, body })
    t.match([response.status, (await response.json()).code], [400, "invalid_body"])
    const valid = new TextEncoder().encode('{"username":"ann","password":"?"}')
    const cut = valid.map((byte) => byte === 0x3f ? 0xff : byte)
    const other = await app.request("/session", { method: "POST", headers: json, body: cut })
    t.match([other.status, (await other.json()).code], [400, "invalid_body"])
  })

  await t.test("POST /session accepts a content type with a character set", async (t) => {
    const type = { "content-type": "Application/JSON; charset=utf-8" }
    t.equal((await post(app, JSON.stringify({ username: "ann", password }), type)).status, 204)
  })
})

t.test("POST /session sets a Secure __Host- cookie unless the public URL is http on loopback", async (t) => {
  const url = await copiedUrl(t, "sqlite")
  const database = await openFor(t, url)
  await migrate(database)
  await new Builder(database).account("ann")
  const { write } = configFolder(t)
  for (
    const [publicUrl, begin, attribute] of [
      ["https://export.example.org", /^__Host-event_export_session=/, /; Path=\/;.*; Secure/],
      ["http://export.example.org", /^__Host-event_export_session=/, /; Path=\/;.*; Secure/],
      ["https://127.0.0.1:1", /^__Host-event_export_session=/, /; Path=\/;.*; Secure/],
      ["http://127.0.0.1:1", /^event_export_session=/, /^(?!.*; Secure)/],
    ] as const
  ) {
    const file = write(
      goodConfig.replace("sqlite:test.db", url)
        .replace("port: 8080", `port: 8080\n  public_url: ${publicUrl}`),
    )
    const config = await readPlan(file, {})
    const instance = await startInstance(config, { log: silent })
    const request = (path: string, init?: RequestInit) =>
      instance.fetch(new Request(`http://x${path}`, init))
    const response = await post({ request }, JSON.stringify({ username: "ann", password }))
    const [cookie = ""] = response.headers.getSetCookie()
    t.match(cookie, begin, publicUrl)
    t.match(cookie, attribute, publicUrl)
    t.notMatch(cookie, /domain/i, publicUrl)
    const [pair = ""] = cookie.split(";")
    t.equal((await request("/session", { headers: { cookie: pair } })).status, 200)
    const planted = pair.replace("__Host-", "")
    const answered = await request("/session", { headers: { cookie: planted } })
    t.equal(answered.status, planted === pair ? 200 : 401, "the name without the prefix")
    await instance.close()
  }
})

// A seal names its secret by a number: the newest must seal whether its number is larger or not.
const secrets = [secret, "n".repeat(40)] as const
for (const [old, current] of [secrets, secrets.toReversed() as [string, string]]) {
  t.test(`GET /session accepts cookies of all listed secrets, and rejects those of a removed secret: ${old[0]} to ${current[0]}`, async (t) => {
    const url = await copiedUrl(t, "sqlite")
    const database = await openFor(t, url)
    await migrate(database)
    await new Builder(database).account("ann")
    const config = await testConfig(url)
    const withSecrets = async (secrets: string[]) => {
      const instance = await startInstance({ ...config, session: { ...config.session, secrets } }, {
        log: silent,
      })
      t.teardown(() => instance.close())
      return (path: string, init?: RequestInit) =>
        instance.fetch(new Request(`http://x${path}`, init))
    }
    const [older, both, newer] = [
      await withSecrets([old]),
      await withSecrets([current, old]),
      await withSecrets([current]),
    ]
    const cookieOf = async (request: App["request"]) => {
      const response = await post({ request }, JSON.stringify({ username: "ann", password }))
      return { cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "" }
    }
    const before = await cookieOf(older)
    t.equal((await both("/session", { headers: before })).status, 200)
    t.equal((await newer("/session", { headers: before })).status, 401)
    const fresh = await cookieOf(both)
    t.equal(
      (await newer("/session", { headers: fresh })).status,
      200,
      "new cookies use the newest secret",
    )
    t.equal((await older("/session", { headers: fresh })).status, 401)
  })
}
