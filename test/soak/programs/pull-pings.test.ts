import type { ChildProcess } from "node:child_process"
import { createHmac, randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import t, { type Test } from "tap"
import { program } from "../../../plugins/documents/pull/program.ts"
import { Builder, password } from "../../support/builder.ts"
import { differences } from "../../support/pull/copies.ts"
import { Partner } from "../../support/pull/partner.ts"
import { openStage } from "../../support/pull/stage.ts"
import { readTables } from "../../support/pull/tables.ts"
import { commandOf, type Runtime, runtimes, withoutRuntime } from "../../support/runtimes.ts"
import { findStablePort } from "../../support/stable-port.ts"

t.setTimeout(20 * 60_000)

const { database, base } = await openStage(t, "sqlite")
const build = new Builder(database)
const organization = await build.organization("acme")
const event = await build.event(organization)
await build.guests(event, 20)
await build.account("acme-export", "service")
await build.grant("acme-export", { organization: "acme" })

const key = randomBytes(32)
const secret = `whsec_${key.toString("base64")}`
const changed = JSON.stringify({ type: "changed", event, list: "guests", changed: 1_700_000_000 })
const now = () => Math.floor(Date.now() / 1000)

/** A line that the client writes about a run. */
interface Run {
  readonly exitCode: number
  readonly changed: number
  readonly requests: number
}

/** Signs a body as Standard Webhooks says. */
function sign(body: string) {
  const [id, at] = ["msg_1", String(now())]
  const signature = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64")
  const signed = {
    "webhook-id": id,
    "webhook-timestamp": at,
    "webhook-signature": `v1,${signature}`,
  }
  return { "content-type": "application/json", ...signed }
}

/** Starts a client that listens, and waits for its first run. */
async function startListener(
  t: Test,
  { runtime = "node" as Runtime, secrets = secret, port = 0 } = {},
) {
  port ||= await findStablePort()
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  const file = join(folder, "pull.mjs")
  writeFileSync(file, program({ base, user: "acme-export", families: ["/acme/v1"] }))
  const permissions = ["--allow-net", "--allow-env", "--allow-read", "--allow-write"]
  const partner = new Partner("sqlite", {
    base,
    program: [...commandOf(runtime, permissions), file],
    env: { EXPORT_PING_SECRETS: secrets },
  })
  const url = `http://127.0.0.1:${port}/pings`
  const runs: Run[] = []
  let child: ChildProcess | undefined
  let news = Promise.withResolvers<void>()
  const start = async () => {
    child = partner.start(["--json", "--every", "3600", "--listen", String(port)])
    child.stderr?.pipe(process.stderr)
    const before = runs.length
    createInterface(child.stdout ?? process.stdin).on("line", (line) => {
      runs.push(JSON.parse(line))
      news.resolve()
      news = Promise.withResolvers()
    })
    await until(before + 1)
  }
  /** Waits for so many runs since the beginning. */
  const until = async (count: number) => {
    while (runs.length < count) await news.promise
  }
  const end = async (signal: NodeJS.Signals) => {
    child?.kill(signal)
    return child && child.exitCode === null ? (await once(child, "exit"))[0] : child?.exitCode
  }
  t.teardown(async () => {
    await end("SIGKILL")
    partner.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  const send = async (body: string, of = body) => {
    const response = await fetch(url, { method: "POST", headers: sign(of), body })
    return { status: response.status, text: await response.text() }
  }
  const wrong = async () =>
    differences(
      { format: "sqlite", place: partner.place },
      event,
      await readTables(database, event),
    )
  return { runs, start, until, end, send, wrong }
}

for (const runtime of runtimes) {
  t.test(`pull --listen polls at once when it is pinged, on ${runtime}`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const { send, runs, until, wrong, end } = await startListener(t, { runtime })
    const challenge = JSON.stringify({ type: "challenge", challenge: 'echo "this" ü' })
    t.strictSame(await send(challenge), { status: 200, text: 'echo "this" ü' })
    t.equal((await send(changed, `${changed} `)).status, 401, "another body was signed")
    await build.guest(event, { updated: now() })
    t.strictSame(await send(changed), { status: 204, text: "" })
    await until(2)
    t.strictSame(await wrong(), [], "long before --every")
    t.match(runs[1], { exitCode: 0, changed: 1 }, "the challenge led to no poll")
    t.equal(await end("SIGTERM"), 0)
  })
}

t.test(
  "pull --listen has a change because the service tells it, also after it was killed",
  { skip: withoutRuntime("node") },
  async (t) => {
    const type = { "content-type": "application/json" }
    const logIn = JSON.stringify({ username: "acme-export", password })
    const session = await fetch(`${base}/session`, { method: "POST", headers: type, body: logIn })
    const headers = { ...type, cookie: session.headers.getSetCookie()[0]?.split(";")[0] ?? "" }
    const pings = async (method: string, path = "", body: BodyInit | null = null) => {
      const response = await fetch(`${base}/session/pings${path}`, { method, headers, body })
      return response.status === 202 ? {} : await response.json()
    }
    const port = await findStablePort()
    const url = `http://127.0.0.1:${port}/pings`
    const { id, secret } = await pings("POST", "", JSON.stringify({ url }))
    const { runs, until, start, end, wrong } = await startListener(t, { port, secrets: secret })
    const hasAll = async () => {
      while ((await wrong()).length > 0) await until(runs.length + 1)
    }
    await pings("POST", `/${id}/challenge`)
    while ((await pings("GET"))[0].state !== "on") await sleep(50)
    await build.guest(event, { updated: now() })
    await hasAll()
    t.ok(runs.length >= 2, "long before --every")
    await end("SIGKILL")
    await build.guest(event, { updated: now() })
    while ((await pings("GET"))[0].failing_since === null) await sleep(50)
    await start()
    await hasAll()
    const before = runs.length
    await build.guest(event, { updated: now() })
    await hasAll()
    t.ok(runs.length > before, "the service has tried again")
    t.ok(runs.every(({ exitCode }) => exitCode === 0))
    t.equal(await end("SIGTERM"), 0)
  },
)
