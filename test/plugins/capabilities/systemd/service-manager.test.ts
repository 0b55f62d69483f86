import { setTimeout } from "node:timers/promises"
import t from "tap"
import { ServiceManager } from "../../../../plugins/capabilities/systemd/service-manager.ts"
import type { ServiceEvent } from "../../../../core/kernel/capability.ts"
import type { Log } from "../../../../core/log.ts"
import { fakeNotify } from "../../../support/fake-notify.ts"

function refused(reason: string): ServiceEvent {
  const outcome = { at: 1, result: "refused", trigger: "SIGHUP", reason } as const
  return { kind: "reloaded", outcome }
}

const applied: ServiceEvent = {
  kind: "reloaded",
  outcome: { at: 1, result: "applied", trigger: "SIGHUP", reason: null },
}

t.test("ServiceManager sends nothing without NOTIFY_SOCKET", async (t) => {
  const { environment, until } = fakeNotify(t)
  for (const socket of [{}, { NOTIFY_SOCKET: "/run/notify" }]) {
    const manager = new ServiceManager({ PATH: environment.PATH, ...socket }, () => undefined)
    manager.serving("http://127.0.0.1:8080", () => "hash")
    manager.tell(applied)
  }
  const messages = await until(2)
  t.ok(messages.every((message) => message.startsWith("/run/notify: READY=1")))
})

t.test("ServiceManager keeps the order, and says nothing of the content of a file", async (t) => {
  // The first message takes the longest.
  const { environment, until } = fakeNotify(
    t,
    `[ "$1" != "STATUS=Waits for the database" ] || sleep 0.3`,
  )
  const secret = { DATABASE_URL: "mysql://a:b@db.example/export" }
  const manager = new ServiceManager({ ...environment, ...secret }, () => undefined)
  manager.tell({ kind: "waiting for the database" })
  // Before it serves, READY would be too early.
  manager.tell({ kind: "reloading" })
  manager.tell(applied)
  let hash = "abc"
  manager.serving("http://127.0.0.1:8080", () => hash)
  manager.tell({ kind: "reloading" })
  manager.tell(refused("config.yaml:3:5: the account ada is unknown\n  3 | ada"))
  manager.tell(
    refused("The file changes server.port (8080 becomes 9090), which only a restart can."),
  )
  hash = "def"
  manager.tell(applied)
  manager.tell({ kind: "stopping", drain: 1 })
  manager.tell(applied)
  const serves = "/run/notify: READY=1|STATUS=Serves http://127.0.0.1:8080 with configuration"
  const [waits, first, reloading, ...others] = await until(7)
  t.equal(waits, "/run/notify: STATUS=Waits for the database")
  t.equal(first, `${serves} abc`)
  t.match(reloading, /^\/run\/notify: RELOADING=1\|MONOTONIC_USEC=\d{6,}$/)
  t.strictSame(others, [
    `${serves} abc. A new one was refused: see config.yaml:3:5 and the log`,
    `${serves} abc. A new one was refused: the log says why`,
    `${serves} def`,
    "/run/notify: STOPPING=1|STATUS=Stops in 1 s, after the running requests",
  ])
  // By then, a message of the one that has stopped would be there.
  new ServiceManager(environment, () => undefined).tell({ kind: "waiting for the database" })
  t.equal((await until(8))[7], waits)
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
