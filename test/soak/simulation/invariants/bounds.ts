import process from "node:process"
import { type Simulation, Violation } from "../simulation.ts"
import type { SimulatedService } from "../service.ts"
import type { World } from "../world.ts"

/**
 * The most timers of a service while nobody uses it, and the most connections that it has to the database. Time limits of
 * what is over already stay until they would end it: such timers are short. Quotas of an account stay for their hour, in
 * each configuration in which it has asked for something.
 */
const mostTimers = 30
const short = 130_000
const mostConnections = 12
/** The most bytes that the memory of the process may grow by from its first full day on. */
const mostGrowth = 120 * 2 ** 20
const hour = 3600
const day = 86_400

/** What a service has grows no further: timers, connections and memory. */
export default function simulate(world: World): Simulation {
  const { time, machine, services } = world
  let heapOfFirstDay: number | undefined
  let nextHeap = 1
  const seen = new Map<SimulatedService, SimulatedService["leftovers"]>()
  /** When each configuration of a process last answered something, on the steady clock. */
  const used = new Map<unknown, { readonly process: string; readonly at: number }>()
  const configurations = ({ name, lives }: SimulatedService) => {
    for (const [instance, { at }] of used) {
      if (time.steady - at > hour * 1000) used.delete(instance)
    }
    const process = `${name} ${lives}`
    return [...used.values()].filter((each) => each.process === process).length
  }
  const checkProcesses = () => {
    for (const service of services) {
      const { life } = service
      const most = mostTimers * Math.max(1, configurations(service))
      const timers = life ? time.timers(life, short) : 0
      const connections = life ? machine.statements.connections(life) : 0
      if (timers > most) throw new Violation(`${service.name} has ${timers} timers`)
      if (connections > mostConnections) {
        throw new Violation(`${service.name} has ${connections} connections to the database`)
      }
      const { leftovers } = service
      if (leftovers === seen.get(service)) continue
      seen.set(service, leftovers)
      const { timers: left = 0, connections: open = 0 } = leftovers ?? {}
      if (left + open > 0) {
        throw new Violation(
          `${service.name} has ended, and has ${left} timers and ${open} connections left`,
        )
      }
    }
  }
  const checkMemory = () => {
    if (time.steady / 1000 / day < nextHeap || !globalThis.gc) return
    nextHeap++
    globalThis.gc()
    const { heapUsed } = process.memoryUsage()
    heapOfFirstDay ??= heapUsed
    if (heapUsed > heapOfFirstDay + mostGrowth) {
      throw new Violation(`the memory has grown to ${Math.round(heapUsed / 2 ** 20)} MiB`)
    }
  }
  return {
    observe: ({ instance, service, life, ended }) =>
      void used.set(instance, { process: `${service} ${life}`, at: ended }),
    invariants: [{
      name: "what services have is bounded",
      atRest() {
        checkProcesses()
        checkMemory()
        return Promise.resolve()
      },
      atEnd: () => Promise.resolve(checkProcesses()),
      afterEnd: () => Promise.resolve(checkProcesses()),
    }],
  }
}
