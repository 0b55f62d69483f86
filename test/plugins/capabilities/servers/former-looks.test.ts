import t from "tap"
import type { ChangeLog } from "../../../../core/change-log/change-log.ts"
import type { Look } from "../../../../core/change-log/watermark.ts"
import { reportLosses } from "../../../../plugins/capabilities/servers/former-looks.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

t.test("reportLosses reports what the primary lacks of the latest heartbeat that any server has shown, and a split", (t) => {
  const logs = [{ heartbeatTime: 100 }, { heartbeatTime: undefined }, {
    heartbeatTime: 110,
  }] as ChangeLog[]
  const look = { clock: 120, watermark: 118, steps: [], oldestOpen: 0 }
  const reported = (former: Look["former"], split = false) => {
    const entries: Record<string, unknown>[] = []
    const log = scannedLog(t, entries)
    reportLosses({ ...look, former }, split ? { reached: 1, backTo: 0 } : undefined, { log, logs })
    return entries
  }
  t.strictSame(reported(undefined), [], "it was the primary before")
  t.strictSame(reported(110), [], "it has everything")
  const lost = { level: "error", seconds: 3, message: /lacks commits of the former primary/ }
  t.match(reported(107), [lost])
  t.match(reported(107, true), [{ level: "error", message: /a former primary took writes/ }, lost])
  t.end()
})
