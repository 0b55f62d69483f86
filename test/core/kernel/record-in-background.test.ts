import { setTimeout } from "node:timers/promises"
import t from "tap"
import { recordInBackground } from "../../../core/kernel/capabilities.ts"
import type { Capability } from "../../../core/kernel/capability.ts"
import { Recorders } from "../../../core/kernel/recorders.ts"
import { listAudit, recordChange } from "../../../plugins/capabilities/audit/audit-log.ts"
import { freshDatabase, onEmbedded } from "../../support/database.ts"
import { scannedLog } from "../../support/scanned-log.ts"

await onEmbedded(t, async (t, engine) => {
  await t.test("recordInBackground records each change once, if recording fails in the middle of several", async (t) => {
    const database = await freshDatabase(t, engine)
    const recorders = new Recorders(scannedLog(t, []), new Map(), { every: 1 })
    let failures = 2
    const capability: Capability = {
      name: "record",
      summary: "Records changes, and fails at first",
      async record(db, change) {
        if (change.detail === "second" && failures-- > 0) {
          throw Object.assign(new Error("a lock"), { code: "ER_LOCK_WAIT_TIMEOUT" })
        }
        await recordChange(db, change)
      },
    }
    const on = [{ capability, settings: undefined }]
    const record = recordInBackground(on, { database, batch: recorders.batch })
    for (const detail of ["first", "second", "third"]) record({ action: "reload", detail })
    const details = async () =>
      (await listAudit(database, { limit: 9 })).map(({ detail }) => detail)
    while (!(await details()).includes("third")) await setTimeout(10)
    await recorders.close()
    t.strictSame((await details()).toSorted(), ["first", "second", "third"])
  })
})
