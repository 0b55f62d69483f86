import { setTimeout } from "node:timers/promises"
import type { Database } from "../data/database.ts"
import { migrationState } from "../data/migration-state.ts"
import type { Nodes } from "../request/nodes.ts"
import type { Readiness, ReloadOutcome } from "../routes/contract.ts"
import type { Plan } from "../routes/plan.ts"
import type { Recorders } from "./recorders.ts"
import { remember } from "./remember.ts"

interface ReadinessOptions {
  readonly lastReload: () => ReloadOutcome | null
  /** Aborts when the process is asked to end. */
  readonly draining: AbortSignal
  readonly recorders: Pick<Recorders, "state" | "isRefusing">
  readonly nodes: Pick<Nodes, "areMany" | "isCutOff" | "assertAnyFit"> & {
    readonly changes: Pick<Nodes["changes"], "isBlind">
  }
  /** Milliseconds that the database may take to respond. */
  readonly patience?: number
  /** Milliseconds that a result is reused. */
  readonly memory?: number
}

type CheckedPlan = Pick<Plan, "plugins" | "failed">
type DatabaseState = Pick<Readiness, "database" | "primary" | "migrations">

/**
 * Checks whether a service is ready. However many probes come, it queries the database at most once
 * per second, and its migrations at most once per half minute.
 */
export class ReadinessCheck {
  readonly #database: Database
  readonly #config: CheckedPlan
  readonly #options: Required<ReadinessOptions>
  /** All callers share the check that is running. */
  readonly #current: () => Promise<DatabaseState | undefined>
  #migrations: { readonly at: number; readonly state: "ok" | "pending" } | undefined

  constructor(database: Database, config: CheckedPlan, options: ReadinessOptions) {
    this.#database = database
    this.#config = config
    this.#options = { patience: 2000, memory: 1000, ...options }
    this.#current = remember(() => this.#check(), { fresh: this.#options.memory })
  }

  /** Never fails, and returns within `patience`. */
  async readiness(): Promise<Readiness> {
    const { database, primary, migrations } = await this.#current() ?? away
    const { draining: { aborted: draining }, nodes, lastReload } = this.#options
    const { state: audit, isRefusing } = this.#options.recorders
    const { plugins, failed } = this.#config
    return {
      ready: database === "ok" && primary === "ok" && migrations !== "pending" && !draining &&
        !isRefusing,
      draining,
      database,
      primary,
      migrations,
      audit,
      triggers: nodes.changes.isBlind ? "faulty" : "ok",
      config: lastReload()?.result === "refused" ? "refused" : "ok",
      families: Object.fromEntries([
        ...failed.map(({ use }) => [use, "failed"] as const),
        ...plugins.map(({ plugin: { name } }) => [name, "ok"] as const),
      ]),
    }
  }

  async #check(): Promise<DatabaseState> {
    const late = setTimeout(this.#options.patience, away, { ref: false })
    return await Promise.race([this.#query().catch(() => away), late])
  }

  async #query(): Promise<DatabaseState> {
    const { nodes } = this.#options
    await nodes.assertAnyFit()
    const primary = nodes.isCutOff ? "cut off" : "ok"
    const known = this.#migrations
    const age = performance.now() - (known?.at ?? -Infinity)
    // A primary that is frozen holds up only those who look for the first time.
    const looking = age < halfAMinute ? known?.state : this.#lookAtMigrations()
    const migrations = known?.state ?? await looking ?? "unknown"
    return { database: "ok", primary, migrations }
  }

  /** Only the primary says how far it has been migrated. Without one, the other servers can be read. */
  async #lookAtMigrations(): Promise<"ok" | "pending" | undefined> {
    try {
      const { applied, pending } = await migrationState(this.#database)
      // No applied migration: the tables are the operator's own views.
      const state = applied.length > 0 && pending.length > 0 ? "pending" : "ok"
      this.#migrations = { at: performance.now(), state }
    } catch (error) {
      if (!this.#options.nodes.areMany && !this.#migrations) throw error
    }
    return this.#migrations?.state
  }
}

const halfAMinute = 30_000

const away: DatabaseState = { database: "away", primary: "ok", migrations: "unknown" }
