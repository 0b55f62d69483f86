import { connect } from "node:net"
import { text } from "node:stream/consumers"
import fc from "fast-check"
import t from "tap"
import { listAudit } from "../../plugins/capabilities/audit/audit-log.ts"
import { serve } from "../../core/http/serve.ts"
import { startInstance } from "../conformance/instance.ts"
import { anyText } from "../support/any-text.ts"
import { generous, testConfig } from "../support/app.ts"
import { Builder, password } from "../support/builder.ts"
import { copiedUrl, onEveryEngine, openFor } from "../support/database.ts"

/** Names that the partner must never see, and names that no log may contain. */
const others = "Zyxwvut"
const mine = { first_name: "Qwertyname", last_name: "Uiopname", email: "qwerty@uiop.example" }

const injections = [
  "' or '1'='1",
  `" or ""="`,
  "1; drop table guest; --",
  "'; update account set role='operator'; --",
  "') union select password from account -- ",
  "\\' or 1=1 #",
  "%' or '%'='",
  "`; select sleep(5); --",
  "/**/or/**/1=1",
  "0x27206f722031",
  "\u02bc or 1=1",
  "?",
  ":1",
  "$1",
  "%_|",
  "\u{1f4a5}\u0800",
]

await onEveryEngine(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  const foreign = await build.event(await build.organization("borealis"))
  await build.guest(event, mine)
  await build.guest(foreign, { last_name: others, email: `${others}@example.org` })
  await build.item("tickets", foreign, { name: others })
  await build.account("ann")
  await build.grant("ann", { event })
  const lines: unknown[] = []
  const record = (fields: object, message: string) => void lines.push({ ...fields, message })
  const log = { debug: record, info: record, warn: record, error: record }
  const config = { ...await testConfig(url), limits: generous }
  const instance = await startInstance(config, { log })
  const listening = await serve(instance.answer, {
    host: "127.0.0.1",
    port: 0,
    publicUrl: undefined,
    log,
  })
  const address = (n: number) => `2001:db8:${(n >> 8).toString(16)}:${(n & 255).toString(16)}::1`
  let calls = 0
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await instance.fetch(new Request(`http://localhost${path}`, init), {
      address: address(calls++),
    })
    return { status: response.status, text: await response.text(), response }
  }
  const logIn = (username: unknown, word: unknown) =>
    send("/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, password: word }),
    })
  const { response } = await logIn("ann", password)
  const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";")
  const headers = { cookie }
  const path = `/connector-b/v1/events/${event}`

  const isSafe = ({ status, text }: { status: number; text: string }) =>
    status < 500 && !text.includes(others)

  await t.test("lists return neither 5xx nor another's data for any parameters", async (t) => {
    const value = fc.oneof(
      anyText(),
      fc.constantFrom("-1", "0", "1", "1000", "1e3", "NaN", "9".repeat(40), foreign, ...injections),
    )
    const names = ["q", "since", "offset", "limit", "cursor", "bucket", "hash", "mine", "after"]
    const name = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...names) },
      anyText(20),
    )
    const pairs = fc.array(fc.tuple(name, value, fc.boolean()), { maxLength: 5 })
    const list = fc.constantFrom(`${path}/guests`, `${path}/items`, "/connector-b/v1/events")
    await fc.assert(
      fc.asyncProperty(list, pairs, async (list, pairs) => {
        const query = pairs.map(([name, value, plain]) =>
          [name, value].map((part) => plain ? part.replace(/[#\s]/g, "+") : encode(part)).join("=")
        )
        return isSafe(await send(`${list}?${query.join("&")}`, { headers }))
      }),
      { numRuns: 40 },
    )
    t.pass()
  })

  await t.test("the service returns neither 5xx nor another's data for any path, method, headers and cookies", async (t) => {
    const segment = fc.oneof(
      fc.constantFrom(...path.split("/"), foreign, "guests", "items", "..", "%00", "%ff", "%zz"),
      anyText(30).map(encode),
    )
    const cookieHeader = fc.oneof(
      fc.constant(cookie),
      fc.nat(cookie.length).map((cut) => cookie.slice(0, cut)),
      fc.nat(cookie.length - 1).map((at) => cookie.slice(0, at) + "x" + cookie.slice(at + 1)),
      fc.stringMatching(/^[ -~]{0,60}$/).map((rest) => `${config.session.cookie}=${rest}`),
    )
    const names = ["accept", "x-request-id", "if-none-match", "range", "x-forwarded-for", "origin"]
    const header = fc.tuple(fc.constantFrom(...names), fc.stringMatching(/^[!-~]{0,80}$/))
    const method = fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { maxLength: 6 }),
        method,
        cookieHeader,
        fc.array(header),
        async (segments, method, cookie, headers) =>
          isSafe(
            await send(`/${segments.join("/")}`, {
              method,
              headers: [["cookie", cookie], ...headers],
            }),
          ),
      ),
      { numRuns: 40 },
    )
    t.pass()
  })

  await t.test("POST /session returns neither 5xx nor another's data for any body", async (t) => {
    const body = fc.oneof(
      fc.json({ maxDepth: 3 }),
      anyText(200),
      fc.uint8Array({ maxLength: 200 }),
      fc.nat(3000).map((depth) => "[".repeat(depth)),
      fc.constantFrom('{"__proto__":{"username":"ann"}}', '{"username":["ann"],"password":{}}'),
    )
    const type = fc.constantFrom(
      "application/json",
      "text/plain",
      "application/json; charset=x",
      "",
    )
    await fc.assert(
      fc.asyncProperty(body, type, async (body, type) =>
        isSafe(
          await send("/session", {
            method: "POST",
            headers: { "content-type": type },
            body: body as string,
          }),
        )),
      { numRuns: 40 },
    )
    t.pass()
  })

  await t.test("the service returns neither 5xx nor another's data for any bytes on a socket", async (t) => {
    const port = Number(new URL(listening.url).port)
    const line = fc.oneof(
      fc.stringMatching(/^[\x20-\x7e]{0,60}$/),
      fc.constantFrom(
        "Host: localhost",
        "Content-Length: 5",
        "Transfer-Encoding: chunked",
        `Cookie: ${cookie}`,
      ),
    )
    const begin = fc.constantFrom(
      "GET / HTTP/1.1",
      `GET ${path}/guests HTTP/1.1`,
      "GET * HTTP/1.1",
      "PRI * HTTP/2.0",
      "GET /\u0000 HTTP/1.1",
      "get / http/9",
    )
    await fc.assert(
      fc.asyncProperty(begin, fc.array(line, { maxLength: 5 }), async (begin, lines) => {
        const socket = connect(port, "127.0.0.1")
        socket.on("error", () => {})
        socket.end(`${[begin, ...lines, "Connection: close"].join("\r\n")}\r\n\r\n`)
        const response = await text(socket).catch(() => "")
        return !/^HTTP\/1.1 5/.test(response) && !response.includes(others)
      }),
      { numRuns: 15 },
    )
    t.pass()
  })

  await t.test("the service treats SQL in any input as text", async (t) => {
    const count = async () => ({
      guests: (await database.writer.selectFrom("guest").select("id").execute()).length,
      operators: (await database.writer.selectFrom("account").select("id")
        .where("role", "=", "operator").execute()).length,
    })
    const before = await count()
    for (const injection of injections) {
      const text = encode(injection)
      for (const name of ["q", "since", "cursor"]) {
        const found = await send(`${path}/guests?${name}=${text}`, { headers })
        t.ok(isSafe(found), `${name}=${injection}`)
        if (name === "q" && found.status === 200) t.equal(found.text, "[]", `q=${injection}`)
      }
      t.ok(isSafe(await send(`/connector-b/v1/events/${text}/guests`, { headers })))
      t.ok(isSafe(await send(`/${text}/v1/events/${event}/guests`, { headers })))
      const cookies = { cookie: `${config.session.cookie}=${encode(injection)}` }
      t.equal((await send(`${path}/guests`, { headers: cookies })).status, 401)
    }
    // Each computes a hash that is costly.
    for (const injection of injections.slice(0, 2)) {
      t.equal((await logIn(injection, "wrong")).status, 401)
      t.not((await logIn("ann", injection)).status, 204)
    }
    t.strictSame(await count(), before, "nothing was changed")
  })

  await t.test("log and audit entries contain no name, e-mail, cookie or password", async (t) => {
    await send(`${path}/guests?since=-1&q=${mine.email}`, { headers })
    await send(`${path}/guests?since=${mine.email}&${mine.last_name}=1`, { headers })
    await send(`/${mine.email}/v1/events/${mine.first_name}/guests`, { headers })
    await logIn(mine.email, password)
    await logIn(password, mine.first_name)
    await listening.close()
    await instance.close()
    const all = JSON.stringify([lines, await listAudit(database, { limit: 100_000 })])
    t.ok(lines.length > 100, `${lines.length} lines`)
    const seal = cookie.split("=").slice(1).join("=")
    const [secret = ""] = config.session.secrets
    for (const personal of [...Object.values(mine), others, password, seal, secret]) {
      t.notOk(all.includes(personal), personal)
    }
  })
})

/** Percent-encodes a text, including lone surrogates. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
