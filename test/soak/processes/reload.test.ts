import { writeFileSync } from "node:fs"
import { createInterface } from "node:readline"
import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { runtimes, withoutRuntime } from "../../support/runtimes.ts"

for (const runtime of runtimes) {
  t.test(`serve on ${runtime} reloads on SIGHUP, and with watch: true on a change of the file`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const url = await copiedUrl(t, "sqlite")
    await migrate(await openFor(t, url))
    const file = `${t.testdir({})}/config.yaml`
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
