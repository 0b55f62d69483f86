import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { ServiceManager } from "../../../../plugins/capabilities/systemd/service-manager.ts"
import { migrate } from "../../../../core/data/migrate.ts"
import type { ServiceEvent } from "../../../../core/kernel/capability.ts"
import type { Log } from "../../../../core/log.ts"
import { secret } from "../../../support/app.ts"
import { startProcess } from "../../../soak/support/service-process.ts"
import { copiedUrl, openFor } from "../../../support/database.ts"
import { withoutProcesses } from "../../../support/quick.ts"

/** Puts a program `systemd-notify` into a folder, which notes its arguments. */
function fakeProgram(t: Test, commands = "") {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "messages")
  writeFileSync(file, "")
  const program = join(folder, "systemd-notify")
  // One line per message, and what else of the environment it got.
  writeFileSync(
    program,
    `#!/bin/sh\n${commands}\n(IFS='|'; echo "$NOTIFY_SOCKET: $*\${DATABASE_URL+ $DATABASE_URL}") >>"${file}"\n`,
  )
  chmodSync(program, 0o755)
  const messages = () => readFileSync(file, "utf8").split("\n").slice(0, -1)
  return {
    environment: { NOTIFY_SOCKET: "/run/notify", PATH: `${folder}:${process.env["PATH"]}` },
    messages,
    /** Waits until there are so many. */
    async until(count: number): Promise<string[]> {
      while (messages().length < count) await setTimeout(10)
      return messages()
    },
  }
}

function refused(reason: string, retrying = false): ServiceEvent {
  const outcome = { at: 1, result: "refused", trigger: "SIGHUP", reason, retrying } as const
  return { kind: "reloaded", outcome }
}

const applied: ServiceEvent = {
  kind: "reloaded",
  outcome: { at: 1, result: "applied", trigger: "SIGHUP", reason: null, retrying: false },
}

t.test("serve tells systemd when it is ready, reloads and stops, and nobody else anything", {
  skip: withoutProcesses,
}, async (t) => {
  const url = await copiedUrl(t, "sqlite")
  await migrate(await openFor(t, url))
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const config = join(folder, "config.yaml")
  const text = readFileSync("config/event-export.yaml", "utf8")
    .replace("./demo", join(process.cwd(), "config/demo"))
  writeFileSync(config, text)
  const { environment, until } = fakeProgram(t)
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

t.test("ServiceManager sends nothing without NOTIFY_SOCKET", async (t) => {
  const { environment: { PATH }, messages } = fakeProgram(t)
  const manager = new ServiceManager({ PATH }, () => undefined)
  manager.serving("http://127.0.0.1:8080", () => "hash")
  manager.tell(applied)
  await setTimeout(200)
  t.strictSame(messages(), [])
})

t.test("ServiceManager keeps the order, and says nothing of the content of a file", async (t) => {
  // The first message takes the longest.
  const { environment, until } = fakeProgram(
    t,
    `[ "$1" != "STATUS=Waits for the database" ] || sleep 0.3`,
  )
  const manager = new ServiceManager(environment, () => undefined)
  manager.tell({ kind: "waiting for the database" })
  // Before it serves, READY would be too early.
  manager.tell({ kind: "reloading" })
  manager.tell(applied)
  manager.serving("http://127.0.0.1:8080", () => "abc")
  manager.tell(refused("config.yaml:3:5: the account ada is unknown\n  3 | ada"))
  manager.tell(refused("The database is away: connect ECONNREFUSED 10.0.0.1:3306", true))
  manager.tell(refused("server.port is 8080 in force and 9090 in the file"))
  manager.tell({ kind: "stopping", drain: 0 })
  manager.tell(applied)
  const serves = "/run/notify: READY=1|STATUS=Serves http://127.0.0.1:8080 with configuration abc"
  t.strictSame(await until(6), [
    "/run/notify: STATUS=Waits for the database",
    serves,
    `${serves}. A new one was refused: see config.yaml:3:5 and the log`,
    `${serves}. A new one was refused: the database is away; it is tried again`,
    `${serves}. A new one was refused: the log says why`,
    "/run/notify: STOPPING=1|STATUS=Stops, after the running requests",
  ])
})

t.test("ServiceManager logs once that systemd-notify cannot be run, and goes on", async (t) => {
  const warnings: string[] = []
  const log = { warn: (_: object, message: string) => void warnings.push(message) } as Log
  const environment = { NOTIFY_SOCKET: "/run/notify", PATH: "/nowhere" }
  const manager = new ServiceManager(environment, () => log)
  manager.serving("http://127.0.0.1:8080", () => "abc")
  manager.tell(applied)
  while (warnings.length === 0) await setTimeout(10)
  await setTimeout(50)
  t.strictSame(warnings, ["cannot tell systemd: systemd-notify failed"])
})
