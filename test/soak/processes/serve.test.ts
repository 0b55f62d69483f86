import { once } from "node:events"
import t, { type Test } from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { runCommand } from "../../support/run-command.ts"

async function environmentOf(t: Test): Promise<Record<string, string>> {
  const url = await copiedUrl(t, "sqlite")
  await migrate(await openFor(t, url))
  return { DATABASE_URL: url, SESSION_SECRET: secret, PORT: "0" }
}

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
