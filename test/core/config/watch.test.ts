import { mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import t, { type Test } from "tap"
import { watchFile } from "../../../core/config/watch.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { secret, startProcess } from "../../support/app.ts"
import { freshUrl, openFor } from "../../support/database.ts"
import { runtimes, withoutRuntime } from "../../support/runtimes.ts"

const changes: Record<string, (file: string, folder: string) => void> = {
  "written": (file) => writeFileSync(file, "two"),
  "truncated and written again": (file) => {
    truncateSync(file)
    writeFileSync(file, "two")
  },
  "replaced by a rename": (file, folder) => {
    writeFileSync(join(folder, "next"), "two")
    renameSync(join(folder, "next"), file)
  },
  "replaced by a link": (file, folder) => {
    writeFileSync(join(folder, "target"), "two")
    symlinkSync("target", join(folder, "link"))
    renameSync(join(folder, "link"), file)
  },
}
for (const [name, change] of Object.entries(changes)) {
  t.test(`watchFile calls back once when the file is ${name}`, async (t) => {
    const folder = temporaryFolder(t)
    const file = join(folder, "file")
    writeFileSync(file, "one")
    let calls = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = watchFile(file, () => {
      calls++
      resolve()
    })
    t.teardown(stop)
    change(file, folder)
    await promise
    t.equal(calls, 1)
  })
}

for (const runtime of runtimes) {
  t.test(`serve on ${runtime} reloads on SIGHUP, and with watch: true on a change of the file`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const folder = temporaryFolder(t)
    const url = await freshUrl(t, "sqlite")
    await migrate(await openFor(t, url))
    const file = join(folder, "config.yaml")
    const write = (organizations: string) =>
      writeFileSync(
        file,
        `server: { host: 127.0.0.1, port: 0 }
database: { url: "${url}" }
session: { secrets: ["${secret}"] }
watch: true
plugins: [{ use: connector-b, with: { segment: b, organizations: ${organizations} } }]
`,
      )
    write("[acme]")
    const { child } = await startProcess(t, runtime, { CONFIG: file })
    const messages = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
    const next = async (message: RegExp): Promise<Record<string, unknown>> => {
      for (;;) {
        const { value } = await messages.next()
        const entry = JSON.parse(String(value))
        if (message.test(entry.msg)) return entry
      }
    }
    child.kill("SIGHUP")
    t.match(await next(/applied|refused/), { msg: /applied/, trigger: "SIGHUP" })
    write("{")
    t.match(await next(/applied|refused/), { msg: /refused/, trigger: "a change of the file" })
    write("[acme, beta]")
    t.match(await next(/applied|refused/), { msg: /applied/, trigger: "a change of the file" })
  })
}

function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  return folder
}
