import process from "node:process"
import { sql } from "kysely"
import { categories } from "../../../../core/records/categories.ts"
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
/** The most listeners of one signal, at rest. */
const mostListeners = 20
/** The most bytes that the memory of the process may grow by from its first full day on. */
const mostGrowth = 120 * 2 ** 20
const hour = 3600
const day = 86_400

/** What a service has grows no further: timers, connections, memory, and the rows of its tables. */
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
  const checkListeners = () => {
    const most = machine.listeners.most
    if (most > mostListeners) throw new Violation(`a signal has ${most} listeners`)
  }
  const rows = new RowsBound(world)
  return {
    observe: ({ instance, service, life, ended }) =>
      void used.set(instance, { process: `${service} ${life}`, at: ended }),
    invariants: [{
      name: "what services have is bounded",
      async atRest() {
        checkProcesses()
        checkMemory()
        checkListeners()
        await rows.check()
      },
      atEnd: () => Promise.resolve(checkProcesses()),
      afterEnd: () => Promise.resolve(checkProcesses()),
    }],
  }
}

/** Tables whose rows are deleted once they are old: the column of their age, and for how long they are kept. */
const kept: readonly {
  readonly table: string
  /** Selects the time from which a row may be deleted. */
  readonly expires: (retentions: Retentions) => string
  /** The rows that stay whatever their age is. */
  readonly but?: string
  /** The capability that deletes them, if it is not the kernel. */
  readonly capability?: string
}[] = [
  {
    table: "event_change",
    expires: ({ polling }) => `at + ${polling + hour}`,
    but: "seq > (select settled from change_state)",
  },
  { table: "vacant_position", expires: () => `at + ${day}` },
  { table: "audit_log", expires: ({ audit }) => `at + ${audit}`, capability: "audit" },
  { table: "session", expires: () => `expires + ${90 * day}` },
  { table: "rate_limit", expires: () => "expires" },
]

interface Retentions {
  readonly polling: number
  readonly audit: number
}

/** Rows that should have been deleted hours ago are gone, if one process has run all the time. */
class RowsBound {
  readonly #world: World
  /** Since when nothing was in its way, on the steady clock, by the life of a service and its configuration. */
  #calm = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
  }

  async check(): Promise<void> {
    const { time, services, database, configuration } = this.#world
    // A clock that is set makes rows old at once.
    const offset = time.wall - time.steady
    const lives = services.filter(({ isUp }) => isUp)
      .map(({ name, lives, service }) =>
        `${name} ${lives} ${service.instance.config.hash} ${offset}`
      )
    this.#calm = new Map(lives.map((life) => [life, this.#calm.get(life) ?? time.steady]))
    const since = Math.min(...this.#calm.values())
    // Housekeeping works once an hour, and may have failed once.
    if (!(time.steady - since > 3 * hour * 1000)) return
    const retentions = {
      polling: Number(configuration.get("polling.retention")) * day,
      audit: Number(configuration.get("audit.retention")) * day,
    }
    await this.#checkStarts()
    for (const { table, expires, but = "false", capability } of kept) {
      if (capability !== undefined && !configuration.capabilities.includes(capability)) continue
      const { rows: [row] } = await sql<{ oldest: number | null }>`
        select min(${sql.raw(expires(retentions))}) as oldest
        from ${sql.table(table)} where not (${sql.raw(but)})`.execute(database.writer)
      const age = time.now - (row?.oldest ?? Infinity)
      if (age > 3 * hour) {
        throw new Violation(`${table} has rows that should have gone ${age} s ago`)
      }
    }
  }

  /** The ledger's starts of records go with the record, or with what is remembered of its deletion. */
  async #checkStarts(): Promise<void> {
    const { configuration, database } = this.#world
    if (!configuration.capabilities.includes("disclosures")) return
    const { rows: [row] } = await sql<{ left: number }>`
      select count(*) as left from record_start as start
      where start.event_id <> '' and not exists (select 1 from deletion where deletion.event_id = start.event_id
        and deletion.category = start.category and deletion.record_id = start.record_id)
      and ${
      sql.join(
        Object.entries(categories).map(([category, table]) =>
          sql`not (start.category = ${category} and exists (select 1 from ${
            sql.table(table)
          } where id = start.record_id))`
        ),
        sql` and `,
      )
    }`.execute(database.writer)
    if (row?.left) throw new Violation(`record_start has ${row.left} rows of what nobody remembers`)
  }
}
