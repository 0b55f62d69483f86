import { setTimeout as sleep } from "node:timers/promises"
import t, { type Test } from "tap"
import type { ChangeLog } from "../../../../core/change-log/change-log.ts"
import { Tail } from "../../../../core/change-log/tail.ts"
import type { CapabilityHost, Metric } from "../../../../core/capability.ts"
import { ProcessState } from "../../../../core/kernel/capabilities.ts"
import { oneNode } from "../../../../core/request/nodes.ts"
import { startSending } from "../../../../plugins/capabilities/ping/sending.ts"
import type { PingSettings } from "../../../../plugins/capabilities/ping/settings.ts"
import { onEmbedded } from "../../../support/database.ts"
import { valueOf } from "../../../support/metrics.ts"
import { openStage, type Stage } from "../../../support/ping/stage.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

/** Sends pings, as one configuration of a process, until its metrics are as wanted. Returns them. */
async function startUntil(
  t: Test,
  { database, plan, entries }: Stage,
  isWanted: (all: readonly Metric[]) => boolean,
  kept = new ProcessState(),
) {
  const closing = new AbortController()
  const tail = new Tail(database, { log: scannedLog(t, entries), common: () => "1" })
  t.teardown(() => tail.close())
  const host = {
    ...{ database, plan, closing: closing.signal, log: scannedLog(t, entries) },
    settings: { ports: [], loopback: true },
    nodes: oneNode(database, { tail } as ChangeLog),
    keep: <T>(key: string, make: () => T) => kept.get(key, make),
  } as unknown as CapabilityHost<PingSettings>
  const { metrics, close } = startSending(host)
  let all = await metrics?.() ?? []
  while (!isWanted(all)) {
    await sleep(20)
    all = await metrics?.() ?? []
  }
  closing.abort()
  await close?.()
  return { all, kept }
}

await onEmbedded(t, async (t, engine) => {
  await t.test("receivers are counted by state, without those of disabled accounts", async (t) => {
    const stage = await openStage(t, engine)
    const { build, database } = stage
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
    const { all } = await startUntil(t, stage, () => true)
    const counted = ["on", "failing", "off", "unconfirmed"].map((state) =>
      valueOf(all, "ping_receivers", { state })
    )
    t.strictSame(counted, [1, 1, 1, 0])
  })

  await t.test("pings are counted on after a reload", async (t) => {
    const stage = await openStage(t, engine)
    await stage.register("partner", "http://127.0.0.1:1/", { state: "unconfirmed" })
    const failed = (all: readonly Metric[]) =>
      valueOf(all, "pings_total", { outcome: "failed" }) ?? 0
    const { all, kept } = await startUntil(t, stage, (all) => failed(all) > 0)
    const { all: next } = await startUntil(t, stage, () => true, kept)
    t.ok(failed(next) >= failed(all))
  })
})
