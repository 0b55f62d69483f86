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

type DatabaseState = Pick<Readiness, "database" | "primary" | "migrations">

/**
 * Returns what checks whether a service is ready. It never fails, and returns within `patience`. However many probes
 * come, it queries the database at most once per second, and its migrations at most once per half minute.
 */
export function readinessCheck(
  database: Database,
  { plugins }: Pick<Plan, "plugins">,
  { lastReload, draining, recorders, nodes, patience = 2000, memory = 1000 }: ReadinessOptions,
): () => Promise<Readiness> {
  const families = Object.fromEntries(plugins.map(({ plugin }) => [plugin.name, "ok" as const]))
  const migrations = migrationsOf(database, nodes)
  const query = async (): Promise<DatabaseState> => {
    await nodes.assertAnyFit()
    const primary = nodes.isCutOff ? "cut off" : "ok"
    return { database: "ok", primary, migrations: await migrations() }
  }
  const late = () => setTimeout(patience, away, { ref: false })
  const current = remember(() => Promise.race([query().catch(() => away), late()]), {
    fresh: memory,
  })
  return async () => {
    const { database, primary, migrations } = await current() ?? away
    const isFit = database === "ok" && primary === "ok" && migrations !== "pending"
    return {
      ready: isFit && !draining.aborted && !recorders.isRefusing,
      draining: draining.aborted,
      database,
      primary,
      migrations,
      audit: recorders.state,
      triggers: nodes.changes.isBlind ? "faulty" : "ok",
      config: lastReload()?.result === "refused" ? "refused" : "ok",
      families,
    }
  }
}

/**
 * Returns what says whether migrations are pending. Only the primary knows; without one, the other servers can be read.
 * A frozen primary delays only the first check.
 */
function migrationsOf(
  database: Database,
  { areMany }: Pick<Nodes, "areMany">,
): () => Promise<DatabaseState["migrations"]> {
  let known: { readonly at: number; readonly state: "ok" | "pending" } | undefined
  const look = async () => {
    try {
      const { pending } = await migrationState(database)
      known = { at: performance.now(), state: pending.length > 0 ? "pending" : "ok" }
    } catch (error) {
      if (!areMany && !known) throw error
    }
    return known?.state
  }
  return async () => {
    const former = known
    const isFresh = former && performance.now() - former.at < halfAMinute
    const looking = isFresh ? undefined : look()
    return former?.state ?? await looking ?? "unknown"
  }
}

const halfAMinute = 30_000

const away: DatabaseState = { database: "away", primary: "ok", migrations: "unknown" }
