// Runs worlds for simulate.ts, one after another. Its process has the clock of the simulation.
import { existsSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import type { Plan } from "./plan.ts"
import type { Outcome } from "./run.ts"
import { shrink } from "./shrink.ts"
import { installMachine } from "./virtual/machine.ts"

/** A world to run. */
export interface Order {
  readonly seed: number
  readonly days: number
  readonly plan?: Plan
  /** Seconds of real time to look for a smaller plan that fails, if this one does. */
  readonly shrinks?: number
}

/** What came of it. */
export interface Report extends Outcome {
  readonly seed: number
  /** Seconds of real time, without shrinking. */
  readonly took: number
}

const now = performance.now.bind(performance)
const { loaded, ...machine } = await installMachine(async () => {
  await import("../../support/clean-environment.ts")
  const { loadEverything } = await import("./load.ts")
  return await loadEverything()
})
// In memory, if the machine has room there: worlds write, sync and open files all the time.
const memory = "/dev/shm"
const hasRoom = existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > 1e9
const folder = join(
  hasRoom ? memory : tmpdir(),
  // Pages show it: each process has one of the same length.
  `event-export-simulation-${String(process.ppid).padStart(7, "0")}-${process.argv[2]}`,
)
await loaded.makeTemplate(machine)

process.on("message", async (order: Order) => {
  const { seed, days, shrinks = 0 } = order
  const { runWorld, simulations } = loaded
  const run = (plan?: Plan) =>
    runWorld(machine, { seed, days, folder, simulations, ...plan && { plan } })
  const began = now()
  let outcome = await run(order.plan)
  const took = (now() - began) / 1000
  if (outcome.violation !== undefined && shrinks > 0) {
    const until = now() + shrinks * 1000
    const isOver = () => now() > until
    const smallest = await shrink(outcome.plan, async (plan) => (await run(plan)).violation, isOver)
    outcome = await run(smallest)
  }
  const report: Report = { ...outcome, seed, took }
  process.send?.(report)
})
process.once("disconnect", () => process.exit(0))
process.send?.("ready")
