import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { findStablePort } from "../../support/stable-port.ts"
import { copiedUrl } from "../../support/database.ts"
import { runCommand } from "../../support/run-command.ts"

async function environmentOf(t: Test): Promise<Record<string, string>> {
  const url = await copiedUrl(t, "sqlite")
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

// As the page about systemd does it: nothing but /readyz, on an address of its own, tells when a process serves. The system
// resets connections that a process has not accepted, unless net.ipv4.tcp_migrate_req is set.
t.test("processes on one port are restarted one after the other, and none is refused", async (t) => {
  const environment = { ...await environmentOf(t), REUSE_PORT: "true" }
  const adminPorts = [await findStablePort(), await findStablePort()]
  const start = (admin: number, port = "0") =>
    startProcess(t, "node", { ...environment, ADMIN_PORT: String(admin), PORT: port })
  const [first = 0, second = 0] = adminPorts
  const { url, child } = await start(first)
  const { port } = new URL(url)
  const running = [child, (await start(second, port)).child]
  let isOver = false
  let count = 0
  const poll = async () => {
    for (; !isOver; count++) {
      const response = await fetch(`${url}/livez`).catch(({ cause }) => {
        if (["ECONNRESET", "UND_ERR_SOCKET"].includes(cause?.code)) return fetch(`${url}/livez`)
        throw cause
      })
      t.equal(response.status, 200)
      await response.arrayBuffer()
    }
  }
  const polls = Array.from({ length: 4 }, poll)
  for (const [at, admin] of adminPorts.entries()) {
    const old = running[at] as typeof child
    const ended = once(old, "exit")
    old.kill("SIGTERM")
    await ended
    void start(admin, port)
    const isReady = () =>
      fetch(`http://127.0.0.1:${admin}/readyz`).then(({ ok }) => ok, () => false)
    while (!await isReady()) await setTimeout(50)
    const before = count
    while (count < before + 100) await setTimeout(5)
  }
  isOver = true
  await Promise.all(polls)
})

t.test("serve refuses another process's port without server.reuse_port", async (t) => {
  const environment = { ...await environmentOf(t), ADMIN_PORT: "0" }
  const { url } = await startProcess(t, "node", environment)
  const env = { ...environment, PORT: new URL(url).port }
  const { code, err } = await runCommand("serve", { env })
  t.equal(code, 1)
  t.match(err, /EADDRINUSE.*Nothing is served/)
})
