import { type Simulation, Violation } from "../simulation.ts"
import type { Instance } from "../../../../core/kernel/instance.ts"
import { Crash } from "../life.ts"
import type { World } from "../world.ts"

/** Numbers that only grow: those of the change log, and the counters of metrics. */
export default function simulate(world: World): Simulation {
  const log = { top: 0, settled: 0 }
  const counters = new WeakMap<Instance, Map<string, number>>()
  const checkLog = async () => {
    const row = await world.database.writer.selectFrom("change_state")
      .select((eb) => [
        "settled",
        eb.selectFrom("event_change").select(({ fn }) => fn.max<number | null>("seq").as("top"))
          .as("top"),
      ]).executeTakeFirstOrThrow()
    const { settled } = row
    const top = row.top ?? log.top
    if (top < log.top) throw new Violation(`the log ends at ${top} after ${log.top}`)
    if (settled < log.settled) throw new Violation(`settled is ${settled} after ${log.settled}`)
    Object.assign(log, { top, settled })
  }
  const checkCounters = async () => {
    for (const service of world.running) {
      const { instance } = service.service
      const before = counters.get(instance) ?? new Map<string, number>()
      const metrics = await service.run(() => instance.metrics()).catch((error) => {
        if (error instanceof Crash) return []
        throw error
      })
      for (const { name, kind, values } of metrics) {
        if (kind !== "counter") continue
        for (const { labels = {}, value } of values) {
          const key = `${name} ${JSON.stringify(labels)}`
          const former = before.get(key) ?? 0
          if (value < former) throw new Violation(`${service.name}: ${key} fell to ${value}`)
          before.set(key, value)
        }
      }
      counters.set(instance, before)
    }
  }
  return {
    invariants: [{
      name: "numbers that only grow do not fall",
      async atRest() {
        await checkLog()
        await checkCounters()
      },
    }],
  }
}
