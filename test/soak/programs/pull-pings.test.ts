import { once } from "node:events"
import { join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { writeFileSync } from "node:fs"
import t from "tap"
import { program } from "../../../plugins/documents/pull/program.ts"
import { Builder, password } from "../../support/builder.ts"
import { differences } from "../../support/pull/copies.ts"
import { Partner } from "../../support/pull/partner.ts"
import { openStage } from "../../support/pull/stage.ts"
import { readTables } from "../../support/pull/tables.ts"
import { commandOf, runtimes, withoutRuntime } from "../../support/runtimes.ts"
import { findStablePort } from "../../support/stable-port.ts"

t.setTimeout(20 * 60_000)

const { database, base } = await openStage(t, "sqlite")
const build = new Builder(database)
const organization = await build.organization("acme")
const event = await build.event(organization)
await build.guests(event, 20)
await build.account("acme-export", "service")
await build.grant("acme-export", { organization: "acme" })
const file = join(t.testdir(), "pull.mjs")
writeFileSync(
  file,
  await program({ base, user: "acme-export", families: ["/acme/v1"], cookie: "" }),
)

const type = { "content-type": "application/json" }
const logIn = JSON.stringify({ username: "acme-export", password })
const session = await fetch(`${base}/session`, { method: "POST", headers: type, body: logIn })
const headers = { ...type, cookie: session.headers.getSetCookie()[0]?.split(";")[0] ?? "" }

async function pings(method: string, path = "", body: string | null = null) {
  const response = await fetch(`${base}/session/pings${path}`, { method, headers, body })
  return response.headers.has("content-type") ? await response.json() : undefined
}

function change() {
  return build.guest(event, { updated: Math.floor(Date.now() / 1000) })
}

// Everyday tests send it signatures of all kinds.
for (const runtime of runtimes) {
  t.test(
    `pull --listen on ${runtime} has a change because the service tells it, also after it was killed`,
    {
      skip: withoutRuntime(runtime),
    },
    async (t) => {
      const port = await findStablePort()
      const url = `http://127.0.0.1:${port}/pings`
      const { id, secret } = await pings("POST", "", JSON.stringify({ url }))
      const receiver = async () =>
        (await pings("GET")).find((each: { readonly id: string }) => each.id === id)
      const permissions = ["--allow-net", "--allow-env", "--allow-read", "--allow-write"]
      const partner = new Partner("sqlite", {
        base,
        program: [...commandOf(runtime, permissions), file],
        env: { EXPORT_PING_SECRETS: secret },
      })
      t.teardown(() => partner.remove())
      const codes: number[] = []
      const start = async () => {
        const child = partner.start(["--json", "--every", "3600", "--listen", String(port)])
        child.stderr?.pipe(process.stderr)
        t.teardown(() => child.kill("SIGKILL"))
        const lines = createInterface({ input: child.stdout ?? process.stdin })
        lines.on("line", (line) => codes.push(JSON.parse(line).exitCode))
        await once(lines, "line")
        return child
      }
      const hasAll = async () => {
        // Long before --every.
        const copy = { format: "sqlite", place: partner.place } as const
        while (differences(copy, event, await readTables(database, event)).length > 0) {
          await sleep(50)
        }
      }
      const first = await start()
      const forged = await fetch(url, { method: "POST", headers: type, body: "{}" })
      t.equal(forged.status, 401)
      await pings("POST", `/${id}/challenge`)
      while ((await receiver()).state !== "on") await sleep(50)
      await change()
      await hasAll()
      first.kill("SIGKILL")
      await once(first, "exit")
      await change()
      while ((await receiver()).failingSince === null) await sleep(50)
      const second = await start()
      await hasAll()
      await change()
      await hasAll()
      t.ok(codes.every((code) => code === 0))
      second.kill("SIGTERM")
      t.strictSame(await once(second, "exit"), [0, null])
      await pings("DELETE", `/${id}`)
    },
  )
}
