import { readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { configFolder } from "../../support/config-folder.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { fakeNotify } from "../../support/fake-notify.ts"

t.test("serve tells systemd when it is ready, reloads and stops, and nobody else anything", async (t) => {
  const url = await copiedUrl(t, "sqlite")
  await migrate(await openFor(t, url))
  const text = readFileSync("config/event-export.yaml", "utf8")
    .replace("./demo", join(process.cwd(), "config/demo"))
  const { write } = configFolder(t)
  const config = write(text)
  const { environment, until } = fakeNotify(t)
  const { child, url: served, entry } = await startProcess(t, "node", {
    ...environment,
    DATABASE_URL: url,
    SESSION_SECRET: secret,
    PORT: "0",
    CONFIG: config,
  })
  const { hash } = entry["config"] as { hash: string }
  const serves = `STATUS=Serves ${served} with configuration`
  t.strictSame(await until(1), [`/run/notify: READY=1|${serves} ${hash}`])

  write(text.replace("drain: 0", "drain: 1"))
  child.kill("SIGHUP")
  const [, last = ""] = (await until(3)).slice(1)
  t.ok(last.startsWith(`/run/notify: READY=1|${serves} `))
  t.notOk(last.includes(hash), "the new configuration has another hash")

  child.kill("SIGTERM")
  const stopping = "/run/notify: STOPPING=1|STATUS=Stops in 1 s, after the running requests"
  t.strictSame((await until(4)).slice(3), [stopping])
})
