import t from "tap"
import type { ChangeLog } from "../../../../core/change-log/change-log.ts"
import type { Host } from "../../../../core/capability.ts"
import { oneNode } from "../../../../core/request/nodes.ts"
import { startSending } from "../../../../plugins/capabilities/ping/sending.ts"
import type { PingSettings } from "../../../../plugins/capabilities/ping/settings.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { valueOf } from "../../../support/metrics.ts"
import { openStage } from "../../../support/ping/stage.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("receivers are counted by state, without those of disabled accounts", async (t) => {
    const stage = await openStage(t, engine)
    const { build, database, plan } = stage
    await build.account("left")
    const soon = 4_000_000_000
    const failing = { attempts: 3, failing_since: 1, next_at: soon }
    await stage.register("partner", "http://127.0.0.1:1/on")
    for (const name of ["partner", "left"]) {
      await stage.register(name, "http://127.0.0.1:1/failing", failing)
      await stage.register(name, "http://127.0.0.1:1/off", { state: "off", reason: "gone" })
    }
    await database.writer.updateTable("account").set({ disabled: 1 })
      .where("username", "=", "left").execute()
    const closing = new AbortController()
    const host = {
      ...{ database, plan, closing: closing.signal, log: scannedLog(t, stage.entries) },
      settings: { ports: [], loopback: true },
      nodes: oneNode(database, { common: "1" } as ChangeLog),
      kept: <T>(_: string, make: () => T) => make(),
    } as unknown as Host<PingSettings>
    const { metrics, close } = startSending(host)
    const all = await metrics?.() ?? []
    closing.abort()
    await close?.()
    const counted = ["on", "failing", "off", "unconfirmed"].map((state) =>
      valueOf(all, "ping_receivers", { state })
    )
    t.strictSame(counted, [1, 1, 1, 0])
  })
})
