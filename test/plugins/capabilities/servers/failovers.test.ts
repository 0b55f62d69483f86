import t from "tap"
import type { AuditChange } from "../../../../core/access/audit-changes.ts"
import type { Servers } from "../../../../plugins/capabilities/servers/servers.ts"
import type { Server } from "../../../../plugins/capabilities/servers/server.ts"
import { Failovers } from "../../../../plugins/capabilities/servers/failovers.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

type Listener = Parameters<Servers["onPrimary"]>[0]

const [one, two] = ["db1:3306", "db2:3306"].map((name) => ({ name }) as Server) as [Server, Server]

t.test("Failovers logs each change of the primary, and records and counts those to another server", async (t) => {
  const listeners = new Set<Listener>()
  const servers: Pick<Servers, "primary" | "onPrimary"> = {
    primary: one,
    onPrimary(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const entries: Record<string, unknown>[] = []
  const recorded: Pick<AuditChange, "action" | "detail">[] = []
  const log = scannedLog(t, entries)
  const failovers = new Failovers(servers, {
    log,
    recordChange: (change) => recorded.push(change),
  })
  const become = (to: Server | undefined, from: Server | undefined) => {
    for (const listener of listeners) listener(to, from)
    return entries.splice(0)
  }
  t.match(become(undefined, one), [{
    level: "warn",
    from: "db1:3306",
    message: /^no server .* takes writes/,
  }])
  t.match(become(one, undefined), [{
    level: "info",
    to: "db1:3306",
    message: /takes writes again/,
  }])
  t.strictSame([failovers.count, recorded.length], [0, 0], "it is the same server")

  become(undefined, one)
  const failover = { level: "warn", from: "db1:3306", to: "db2:3306", message: /^failover: / }
  t.match(become(two, undefined), [failover], "after a while without one")
  t.match(become(one, two), [{ ...failover, from: "db2:3306", to: "db1:3306" }], "at once")
  t.equal(failovers.count, 2)
  t.strictSame(
    recorded,
    ["db1:3306 to db2:3306", "db2:3306 to db1:3306"].map((detail) => ({
      action: "failover",
      detail,
    })),
  )

  failovers.stop()
  t.strictSame(become(two, one), [])
  t.equal(listeners.size, 0)
})
