import { writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { listAudit } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { freshWorkshop } from "../../../support/service.ts"

await onEveryEngine(t, async (t, engine) => {
  const { file, database, write, start } = await freshWorkshop(t, engine)
  write("  - use: health")
  const service = await start()

  await t.test("reloads are in the audit log, applied and refused, with the hash and the trigger", async (t) => {
    write("  - use: docs")
    t.match(await service.reload("SIGHUP"), { result: "applied" })
    const { hash } = service.instance.config
    writeFileSync(file, "nonsense")
    t.match(await service.reload("a change of the file"), { result: "refused" })
    const entries = () => listAudit(database, { action: "reload", limit: 10 })
    while ((await entries()).length < 2) await setTimeout(20)
    const by = { actor: "service", address: hostname(), account: null, request_id: "", status: 0 }
    t.match(await entries(), [
      { ...by, code: null, detail: `SIGHUP: configuration ${hash} applied` },
      { ...by, code: "refused", detail: /^a change of the file: .*; \w+ stays in force$/s },
    ])
  })
})
