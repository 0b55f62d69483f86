import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { runCommand } from "../../support/run-command.ts"
import { runtimes, withoutRuntime } from "../../support/runtimes.ts"

async function environmentOf(t: Test): Promise<Record<string, string>> {
  const url = await copiedUrl(t, "sqlite")
  await migrate(await openFor(t, url))
  return { DATABASE_URL: url, SESSION_SECRET: secret, PORT: "0" }
}

for (const runtime of runtimes) {
  t.test(`serve on ${runtime} logs what it serves as JSON if there is no terminal`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const { entry } = await startProcess(t, runtime, await environmentOf(t))
    t.match(entry, {
      msg: "serving",
      url: /^http:/,
      database: /^SQLite/,
      config: { file: "config/event-export.yaml", hash: /^[0-9a-f]{16}$/ },
      plugins: { session: 11 },
    })
  })
}

t.test(
  "serve applies changes of its file by itself while watch is true, which a reload may change",
  async (t) => {
    const text = readFileSync("config/event-export.yaml", "utf8")
    const file = `${t.testdir({ "config.yaml": text })}/config.yaml`
    const environment = { ...await environmentOf(t), CONFIG: file }
    const { child, entries } = await startProcess(t, "node", environment)
    const applied = () => entries.filter(({ msg }) => msg === "configuration applied")
    const change = (from: string, to: string) =>
      writeFileSync(file, readFileSync(file, "utf8").replace(from, to))
    change("watch: false", "watch: true")
    await setTimeout(1500)
    t.equal(applied().length, 0, "it is not watched yet")
    child.kill("SIGHUP")
    while (applied().length === 0) await setTimeout(20)
    change("watch: true", "watch: true # still")
    while (applied().length === 1) await setTimeout(20)
    t.match(applied(), [{ trigger: "SIGHUP" }, { trigger: "a change of the file" }])
  },
)

t.test("several processes serve one port with server.reuse_port, each on its own", async (t) => {
  const environment = { ...await environmentOf(t), REUSE_PORT: "true", ADMIN_PORT: "0" }
  const first = await startProcess(t, "node", environment)
  const { port } = new URL(first.url)
  const second = await startProcess(t, "node", { ...environment, PORT: port })
  t.equal(second.url, first.url)

  const statusOf = async () => (await fetch(`${first.url}/livez`)).status
  const requests = (entries: readonly Record<string, unknown>[]) =>
    entries.filter(({ msg }) => msg === "request").length
  // Each request has its own connection, which the system assigns to either process.
  while (requests(first.entries) === 0 || requests(second.entries) === 0) {
    const response = await fetch(`${first.url}/nothing`, { headers: { connection: "close" } })
    t.equal(response.status, 404)
    await response.arrayBuffer()
  }
  const ended = once(first.child, "exit")
  first.child.kill("SIGTERM")
  await ended
  t.equal(await statusOf(), 200)
})

t.test("serve refuses another process's port without server.reuse_port", async (t) => {
  const environment = { ...await environmentOf(t), ADMIN_PORT: "0" }
  const { url } = await startProcess(t, "node", environment)
  const env = { ...environment, PORT: new URL(url).port }
  const { code, err } = await runCommand("serve", { env })
  t.equal(code, 1)
  t.match(err, /EADDRINUSE.*Nothing is served/)
})
