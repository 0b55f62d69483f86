import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import type { Database } from "../../core/data/database.ts"
import { SourceFollower } from "../../plugins/capabilities/connect/connecting.ts"
import { idOf } from "../../plugins/capabilities/connect/ids.ts"
import { readMapping } from "../../plugins/capabilities/connect/mapping.ts"
import { noteState } from "../../plugins/capabilities/connect/state.ts"
import { openSource } from "../../plugins/capabilities/connect/sources/open.ts"
import { planOf, watchedTables } from "../../plugins/capabilities/connect/triggers.ts"
import { mappingOf, mappingText, type Platform } from "../support/connect/platform.ts"
import { median, percentile } from "./statistics.ts"

const rounds = 10
const changes = 2000
const changesPerSecond = 100

/** Measures what triggers cost the platform, and how soon a change that they tell is in the service's table. */
export async function measureTriggers(database: Database, platform: Platform): Promise<string> {
  const source = await openSource(platform.url)
  const steps = planOf(source.name, watchedTables(mappingOf(platform.url)))
  const apply = () => source.change(steps.flatMap(({ apply }) => apply))
  const undo = () => source.change(steps.toReversed().flatMap(({ undo }) => undo))
  const bare: number[] = []
  const told: number[] = []
  for (let round = 0; round < rounds; round++) {
    bare.push(...await timeUpdates(platform))
    await apply()
    told.push(...await timeUpdates(platform))
    await undo()
  }
  await apply()
  const latencies = await timeServing(database, platform)
  await source.close()
  const figures = [50, 99, 100].map((percent) =>
    `p${percent} ${Math.round(percentile(latencies, percent))} ms`
  )
  return `an update of a row takes ${median(bare).toFixed(3)} ms, and ${
    median(told).toFixed(3)
  } ms with triggers\n` +
    `${latencies.length} changes, ${changesPerSecond} a second, from the commit to the table: ${
      figures.join(", ")
    }`
}

/** Returns the milliseconds of each of 200 updates of a row. */
async function timeUpdates(platform: Platform): Promise<readonly number[]> {
  const times: number[] = []
  for (let id = 1; id <= 200; id++) {
    const begun = performance.now()
    await platform.run(`update person set phone = '${randomUUID().slice(0, 18)}' where id = ${id}`)
    times.push(performance.now() - begun)
  }
  return times
}

/** Changes rows while a service follows. Returns the milliseconds from each commit until the change is in its table. */
async function timeServing(database: Database, platform: Platform): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), "event-export-bench-"))
  writeFileSync(join(folder, "platform-url"), platform.url, { mode: 0o600 })
  writeFileSync(join(folder, "platform.yaml"), mappingText({ file: "platform-url" }))
  const host = { database, plan: { file: join(folder, "config.yaml") }, log: { info: () => {} } }
  const { hash } = readMapping(join(folder, "platform.yaml"), {})
  await noteState(database, { mapping: hash })
  const connection = new SourceFollower(host as never, "platform.yaml")
  // It compares the whole source first.
  while (await connection.step() === 0);
  let isOver = false
  const following = (async () => {
    while (!isOver) {
      const begun = performance.now()
      await pause(Math.max(0, await connection.step() + begun - performance.now()))
    }
  })()
  const waiting = new Map<string, { readonly name: string; readonly at: number }>()
  const latencies: number[] = []
  const looking = (async () => {
    while (!isOver) {
      await pause(20)
      const rows = await database.writer.selectFrom("guest").select(["id", "first_name"])
        .where("id", "in", ["", ...waiting.keys()]).execute()
      for (const { id, first_name } of rows) {
        const change = waiting.get(id)
        if (change?.name !== first_name) continue
        latencies.push(performance.now() - change.at)
        waiting.delete(id)
      }
    }
  })()
  const begun = performance.now()
  for (let id = 1; id <= changes; id++) {
    await pause(Math.max(0, begun + id * 1000 / changesPerSecond - performance.now()))
    const name = `change ${id}`
    await platform.run(`update person set forename = '${name}' where id = ${id}`)
    waiting.set(idOf("guest", String(id)), { name, at: performance.now() })
  }
  while (waiting.size > 0) await pause(100)
  isOver = true
  await Promise.all([following, looking])
  await connection.close()
  rmSync(folder, { recursive: true })
  return latencies
}
