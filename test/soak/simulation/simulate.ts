// Simulates worlds, each decided by one seed: make simulate, or node test/soak/simulation/simulate.ts --help.
import process from "node:process"
import { addToCorpus, readCorpus } from "./corpus.ts"
import { readOptions, type SimulateOptions } from "./options.ts"
import { tellFailure } from "./tell-failure.ts"
import type { Order, Report } from "./worker.ts"
import { Workers } from "./workers.ts"

const options = readOptions(process.argv.slice(2))
if (typeof options === "string") console.log(options)
else process.exitCode = await simulate(options)

/** Returns the exit code: 0 if everything holds, else 1. */
async function simulate(options: SimulateOptions): Promise<number> {
  const { twice, isReplay } = options
  const began = performance.now()
  const workers = await Workers.start(isReplay ? 1 : undefined)
  const totals = { worlds: 0 }
  const failures: string[] = []
  const runOne = async (order: Order) => {
    const report = await workers.run(order)
    count(totals, report)
    const { violation: found, seed, plan } = report
    if (found !== undefined) {
      failures.push(tellFailure(report, order))
      if (options.keep !== undefined) addToCorpus(options.keep, { found, seed, plan })
    }
    if (!twice) return
    const again = await workers.run(order)
    if (again.trace !== report.trace) {
      failures.push(`seed ${order.seed} did different things when it was run again`)
    }
  }
  const orders = ordersOf(
    options,
    () => failures.length > 0 || performance.now() - began > options.seconds * 1000,
  )
  const work = async () => {
    for (const order of orders) await runOne(order)
  }
  await Promise.all(Array.from({ length: workers.count }, work))
  workers.stop()
  const seconds = (performance.now() - began) / 1000
  for (const failure of failures) console.log(`${failure}\n`)
  console.log(summaryOf(totals, seconds))
  return failures.length > 0 ? 1 : 0
}

/** Returns the worlds to run. All workers take from the same. */
function* ordersOf(options: SimulateOptions, isOver: () => boolean): Generator<Order, void> {
  const { seed, days, isReplay, corpus, shrink: shrinks } = options
  if (corpus) {
    for (const { seed, plan } of readCorpus()) yield { shrinks, seed, plan, days: 0 }
    return
  }
  const seeds = isReplay ? 1 : options.seeds
  for (let index = 0; index < seeds && !isOver(); index++) {
    yield { shrinks, seed: seed + index, days }
  }
}

function count(totals: Record<string, number>, { counts }: Report): void {
  totals["worlds"] = (totals["worlds"] ?? 0) + 1
  for (const [name, value] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + value
}

function summaryOf(totals: Readonly<Record<string, number>>, seconds: number): string {
  const parts = Object.entries(totals).map(([name, value]) =>
    `${name === "days" ? value.toFixed(1) : value.toLocaleString("en")} ${name}`
  )
  return `${parts.join(", ")} in ${seconds.toFixed(0)} s`
}
