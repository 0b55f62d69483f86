import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { fakeNotify } from "../../support/fake-notify.ts"

t.test("serve tells systemd when it is ready, reloads and stops, and nobody else anything", async (t) => {
  const url = await copiedUrl(t, "sqlite")
  await migrate(await openFor(t, url))
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const config = join(folder, "config.yaml")
  const text = readFileSync("config/event-export.yaml", "utf8")
    .replace("./demo", join(process.cwd(), "config/demo"))
  writeFileSync(config, text)
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

  writeFileSync(config, text.replace("drain: 0", "drian: 0 # as Jo wants"))
  child.kill("SIGHUP")
  const refusal = (await until(3)).slice(1)
  t.match(refusal, [
    /^\/run\/notify: RELOADING=1\|MONOTONIC_USEC=\d{6,}$/,
    /\. A new one was refused: see \S+config\.yaml:\d+:3 and the log$/,
  ])
  t.ok(refusal[1]?.startsWith(`/run/notify: READY=1|${serves} ${hash}.`))

  writeFileSync(config, text.replace("drain: 0", "drain: 1"))
  child.kill("SIGHUP")
  const [, last = ""] = (await until(5)).slice(3)
  t.ok(last.startsWith(`/run/notify: READY=1|${serves} `))
  t.notOk(last.includes(hash), "the new configuration has another hash")
  t.notMatch(last, /refused/)

  child.kill("SIGTERM")
  const stopping = "/run/notify: STOPPING=1|STATUS=Stops in 1 s, after the running requests"
  t.strictSame((await until(6)).slice(5), [stopping])
})
