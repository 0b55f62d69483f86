import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import t, { type Test } from "tap"
import { runCommand } from "../../../support/run-command.ts"

t.test("demo says how to choose a port if its own is taken", async (t) => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  t.teardown(() => server.close())
  const port = String((server.address() as AddressInfo).port)
  const { code, err } = await runCommand(`demo ${freshFolder(t)}`, {
    env: { PORT: port, ADMIN_PORT: "0", DEMO_LIVE: "false" },
  })
  t.equal(code, 1)
  t.match(err, /^Cannot listen on http:\/\/127\.0\.0\.1:\d+: .*PORT=0 chooses a free one\.$/)
})

t.test("demo names the file of a secret that it cannot use", async (t) => {
  const folder = freshFolder(t)
  const file = join(folder, "session-secret")
  writeFileSync(file, "")
  for (const [mode, reason] of [[0o644, "every user"], [0o600, "the file is empty"]] as const) {
    chmodSync(file, mode)
    const { code, err } = await runCommand(`demo ${folder}`)
    t.equal(code, 1)
    t.ok(err.startsWith(`Cannot use ${file}: ${reason}`), err)
  }
})

function freshFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), "event-export-demo-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
