import type { Database } from "../data/database.ts"
import { migrationState } from "../data/migrate.ts"
import type { Readiness, ReloadOutcome } from "../routes/contract.ts"
import type { Plan } from "../routes/plan.ts"

interface ReadinessOptions {
  readonly lastReload: () => ReloadOutcome | null
  readonly draining: () => boolean
  /** Milliseconds that the database may take to answer. */
  readonly patience?: number
  /** Milliseconds that what the database answered is remembered. */
  readonly memory?: number
}

type Judged = Pick<Readiness, "database" | "migrations">

/**
 * Finds out whether a service is ready. However many ask, the database is asked once a second, and
 * for its migrations once in half a minute.
 */
export class ReadinessCheck {
  readonly #database: Database
  readonly #config: Pick<Plan, "plugins" | "failed">
  readonly #options: Required<ReadinessOptions>
  #judging: Promise<Judged> | undefined
  #judgedAt = -Infinity
  #migrations: { readonly at: number; readonly state: "ok" | "pending" } | undefined

  constructor(
    database: Database,
    config: Pick<Plan, "plugins" | "failed">,
    options: ReadinessOptions,
  ) {
    this.#database = database
    this.#config = config
    this.#options = { patience: 2000, memory: 1000, ...options }
  }

  /** Never fails, and answers within the patience. */
  async readiness(): Promise<Readiness> {
    const { database, migrations } = await this.#remembered()
    const draining = this.#options.draining()
    const { plugins, failed } = this.#config
    return {
      ready: database === "ok" && migrations !== "pending" && !draining,
      draining,
      database,
      migrations,
      config: this.#options.lastReload()?.result === "refused" ? "refused" : "ok",
      families: Object.fromEntries([
        ...failed.map(({ use }) => [use, "failed"] as const),
        ...plugins.map(({ plugin: { name } }) => [name, "ok"] as const),
      ]),
    }
  }

  #remembered(): Promise<Judged> {
    if (!this.#judging || performance.now() - this.#judgedAt > this.#options.memory) {
      // Until this one has ended it is the one that all wait for.
      this.#judgedAt = Infinity
      this.#judging = this.#judge().finally(() => (this.#judgedAt = performance.now()))
    }
    return this.#judging
  }

  async #judge(): Promise<Judged> {
    const { promise: late, resolve } = Promise.withResolvers<Judged>()
    const away: Judged = { database: "away", migrations: "unknown" }
    const timer = setTimeout(() => resolve(away), this.#options.patience)
    try {
      return await Promise.race([this.#ask(), late])
    } catch {
      return away
    } finally {
      clearTimeout(timer)
    }
  }

  async #ask(): Promise<Judged> {
    await this.#database.ping()
    const known = this.#migrations
    if (known && performance.now() - known.at < halfAMinute) {
      return { database: "ok", migrations: known.state }
    }
    const { applied, pending } = await migrationState(this.#database)
    // Without any that were applied, the tables are views of the operator's own.
    const state = applied.length > 0 && pending.length > 0 ? "pending" : "ok"
    this.#migrations = { at: performance.now(), state }
    return { database: "ok", migrations: state }
  }
}

const halfAMinute = 30_000
