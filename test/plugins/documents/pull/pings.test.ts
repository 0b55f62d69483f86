import { createHmac, randomBytes } from "node:crypto"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { differences } from "../../../support/pull/copies.ts"
import { PullCommand } from "../../../support/pull/command.ts"
import { openFilledStage } from "../../../support/pull/filled-stage.ts"
import { type Passed, Proxy } from "../../../support/pull/proxy.ts"
import { findStablePort } from "../../../support/stable-port.ts"

const { base, build, event, tables } = await openFilledStage(t, "sqlite")
const key = randomBytes(32)
const secret = secretOf(key)
const changed = JSON.stringify({ type: "changed", event, list: "guests", changed: 1_700_000_000 })
const now = () => Math.floor(Date.now() / 1000)

function secretOf(key: Uint8Array): string {
  return `whsec_${key.toBase64()}`
}

/** Signs a body as Standard Webhooks says. */
function sign(body: string, { id = "msg_1", at = String(now()), by = key as Uint8Array } = {}) {
  const signature = createHmac("sha256", by).update(`${id}.${at}.${body}`).digest("base64")
  return {
    "webhook-id": id,
    "webhook-timestamp": at,
    "webhook-signature": `v1,${signature}`,
  }
}

/** Starts a client that listens, and waits for its first run. */
async function startListener(
  t: Test,
  { args = [] as string[], secrets = secret, through = base, every = 3600 } = {},
) {
  const port = await findStablePort()
  const url = `http://127.0.0.1:${port}/pings`
  const pull = new PullCommand(t, through)
  const usual = ["--family", "/acme/v1", "--json", "--every", String(every)]
  const { written, end } = pull.start(
    [...usual, "--listen", String(port), ...args],
    { EXPORT_PING_SECRETS: secrets },
  )
  t.teardown(end)
  await written.until(1)
  const send = async (body: string, headers: Record<string, string> = sign(body)) => {
    const response = await fetch(url, { method: "POST", headers, body })
    return { status: response.status, text: await response.text() }
  }
  const place = join(pull.folder, "copy.db")
  const wrong = async () => differences({ format: "sqlite", place }, event, await tables())
  return { written, url, end, send, wrong }
}

t.test("pull --listen polls at once when it is pinged, and ends when it is told to end", async (t) => {
  const { send, written, wrong, end } = await startListener(t)
  const [text, at] = ['sign "this" ü', String(now())]
  const challenge = JSON.stringify({ type: "challenge", challenge: text })
  const right = sign(text, { at })["webhook-signature"]
  t.strictSame(await send(challenge, sign(challenge, { at })), { status: 200, text: right })
  await build.guest(event, { updated: now() })
  t.strictSame(await send(changed), { status: 204, text: "" })
  await written.until(2)
  t.strictSame(await wrong(), [], "long before --every")
  t.match(written.runs[1], { exitCode: 0, changed: 1 }, "the challenge led to no poll")
  // Polls are at least a second apart.
  await setTimeout(1300)
  t.equal(written.runs.length, 2, "a ping leads to one poll")
  t.equal(await end(), 0)
  await t.rejects(send(changed))
})

t.test("pull --listen refuses what is no ping, and does nothing", async (t) => {
  const { send, url, written, end } = await startListener(t)
  const signed = sign(changed)
  const signature = signed["webhook-signature"]
  const refused: Record<string, Record<string, string>> = {
    "nothing signed": {},
    "another secret": sign(changed, { by: randomBytes(32) }),
    "another body": sign(`${changed} `),
    "another id": { ...signed, "webhook-id": "msg_2" },
    "another time": { ...signed, "webhook-timestamp": String(now() - 1) },
    "another version": { ...signed, "webhook-signature": signature.replace("v1,", "v1a,") },
    "a part of a signature": { ...signed, "webhook-signature": signature.slice(0, -4) },
    "an empty signature": { ...signed, "webhook-signature": "" },
    "an old ping": sign(changed, { at: String(now() - 302) }),
    "a ping of later": sign(changed, { at: String(now() + 310) }),
    "a ping without a time": sign(changed, { at: "" }),
    "a ping of a time that is no number": sign(changed, { at: "soon" }),
  }
  for (const [name, headers] of Object.entries(refused)) {
    t.equal((await send(changed, headers)).status, 401, name)
  }
  const large = JSON.stringify({ type: "changed", more: "x".repeat(5000) })
  t.equal((await send(large)).status, 413)
  for (const text of ["", "{", "null"]) t.equal((await send(text)).status, 400, text)
  const news = await send(`{"type":"news"}`)
  t.strictSame(news, { status: 200, text: "" }, "other messages may come one day")
  for (const method of ["GET", "PUT", "DELETE"]) {
    const response = await fetch(url, { method })
    t.strictSame([response.status, response.headers.get("allow")], [405, "POST"], method)
  }
  for (const path of ["/", "/pings/", "/session"]) {
    const init = { method: "POST", body: changed, headers: signed }
    t.equal((await fetch(new URL(path, url), init)).status, 404, path)
  }
  t.equal((await send(changed)).status, 204)
  await written.until(2)
  t.equal(await end(), 0)
  t.equal(written.runs.length, 2, "only the right one led to a poll")
})

t.test("pull --listen polls once more after the pings of a poll", async (t) => {
  const proxy = await Proxy.open(base)
  t.teardown(() => proxy.close())
  const { send, written, wrong } = await startListener(t, { through: proxy.url })
  const isHeld = Promise.withResolvers<() => void>()
  const held = (response: ServerResponse, { status, headers, body }: Passed) =>
    isHeld.resolve(() => response.writeHead(status, headers).end(body))
  proxy.own = { held }
  proxy.choose = (path) => path.includes("/events?") ? "held" : undefined
  await send(changed)
  const release = await isHeld.promise
  for (let pings = 0; pings < 5; pings++) await send(changed)
  await build.guest(event, { updated: now() })
  proxy.choose = () => undefined
  release()
  await written.until(3)
  t.match(written.runs[2], { exitCode: 0 })
  t.strictSame(await wrong(), [])
})

t.test("pull --listen waits as long as the service asks, whoever pings", async (t) => {
  const proxy = await Proxy.open(base)
  t.teardown(() => proxy.close())
  const { send, written } = await startListener(t, {
    through: proxy.url,
    args: ["--patience", "0"],
  })
  let [asked, next] = [0, Infinity]
  const busy = (response: ServerResponse) => {
    asked = performance.now()
    response.writeHead(503, { "retry-after": "2" }).end()
  }
  proxy.own = { busy }
  proxy.choose = () => "busy"
  await send(changed)
  await written.until(2)
  proxy.choose = () => {
    next = Math.min(next, performance.now())
    return undefined
  }
  await send(changed)
  await written.until(3)
  t.match(written.runs.slice(1), [{ exitCode: 1 }, { exitCode: 0 }])
  t.ok(next - asked >= 1990)
})

t.test("pull --listen polls every so often without a ping as well", async (t) => {
  const { written, wrong } = await startListener(t, { every: 1 })
  await build.guest(event, { updated: now() })
  await written.until(3)
  t.strictSame(await wrong(), [])
})

t.test("pull --listen takes pings of any of its secrets, with any of their signatures, also of a file", async (t) => {
  const former = randomBytes(24)
  const folder = t.testdir({})
  const file = join(folder, "secrets")
  writeFileSync(file, `${secret}\n${secretOf(former)}\n`, { mode: 0o600 })
  const { send } = await startListener(t, { secrets: "unused", args: ["--secrets", file] })
  const statusOf = async (...signatures: string[]) =>
    (await send(changed, { ...sign(changed), "webhook-signature": signatures.join(" ") })).status
  const by = (key?: Uint8Array) => sign(changed, key ? { by: key } : {})["webhook-signature"]
  t.equal(await statusOf(by()), 204)
  t.equal(await statusOf(by(former)), 204)
  t.equal(await statusOf(by(randomBytes(32)), by()), 204)
  t.equal(await statusOf(by(randomBytes(32)), "v1a,x"), 401)
})

t.test("pull --listen ends with 2 if it cannot listen, and says why", async (t) => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const file = join(t.testdir({ secrets: secret }), "secrets")
  const all = ["--every", "60", "--listen", String(port)]
  const wrong: readonly [secrets: string, args: readonly string[], message: RegExp][] = [
    [secret, all, /--listen is not possible: .*in use/],
    ["", all, /--listen needs EXPORT_PING_SECRETS or --secrets/],
    ["whsec_short", all, /--listen needs EXPORT_PING_SECRETS or --secrets/],
    [`${secret} password`, all, /--listen needs EXPORT_PING_SECRETS or --secrets/],
    [secret, [...all, "--secrets", file], /others may read .*chmod 600/],
    [secret, [...all, "--secrets", "/nowhere"], /no such file/],
    [secret, ["--listen", "9000"], /--listen must be .* with --every/],
    [secret, [...all, "--once"], /--listen must be .* without --once/],
    [secret, ["--every", "60", "--listen", "70000"], /--listen is not possible: .*port/],
    [secret, ["--every", "60", "--listen", "localhost"], /--listen must be PORT or HOST:PORT/],
  ]
  for (const [secrets, args, message] of wrong) {
    const pull = new PullCommand(t, base)
    const { code, errors } = await pull.run(args, { EXPORT_PING_SECRETS: secrets })
    t.equal(code, 2, errors)
    t.match(errors, message)
    t.notMatch(errors, secret.slice(6, 14), "secrets are not shown")
  }
})
