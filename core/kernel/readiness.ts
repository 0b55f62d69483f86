import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import type { Database } from "../data/database.ts"
import { migrationState } from "../data/migration-state.ts"
import { tablesOf } from "../data/storage.ts"
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

type DatabaseState = Pick<Readiness, "database" | "primary" | "migrations" | "missingTable">

/**
 * Returns what checks whether a service is ready. It never fails, and returns within `patience`. However many probes
 * come, it queries the database at most once per second, its tables once per three seconds, and its migrations once per
 * half minute.
 */
export function readinessCheck(
  database: Database,
  { plugins }: Pick<Plan, "plugins">,
  { lastReload, draining, recorders, nodes, patience = 2000, memory = 1000 }: ReadinessOptions,
): () => Promise<Readiness> {
  const families = Object.fromEntries(plugins.map(({ plugin }) => [plugin.name, "ok" as const]))
  const migrations = looked(async () => {
    const { pending } = await migrationState(database)
    return pending.length > 0 ? "pending" : "ok"
  }, { period: 30_000, nodes })
  const missing = looked(() => missingTable(database), { period: 3000, nodes })
  const query = async (): Promise<DatabaseState> => {
    await nodes.assertAnyFit()
    const primary = nodes.isCutOff ? "cut off" : "ok"
    const missingTable = await missing()
    return { database: "ok", primary, migrations: await migrations() ?? "unknown", missingTable }
  }
  const late = () => setTimeout(patience, away, { ref: false })
  const current = remember(() => Promise.race([query().catch(() => away), late()]), {
    fresh: memory,
  })
  return async () => {
    const { database, primary, migrations, missingTable } = await current() ?? away
    const isFit = database === "ok" && primary === "ok" && migrations !== "pending" && !missingTable
    return {
      ready: isFit && !draining.aborted && !recorders.isRefusing,
      draining: draining.aborted,
      database,
      primary,
      migrations,
      missingTable,
      audit: recorders.state,
      triggers: nodes.changes.isBlind ? "faulty" : "ok",
      config: lastReload()?.result === "refused" ? "refused" : "ok",
      families,
    }
  }
}

/**
 * Returns what `look` has found at the primary, at most `period` milliseconds and one call ago. Only the primary knows;
 * without one, the other servers can be read. A frozen primary delays only the first call.
 */
function looked<T>(
  look: () => Promise<T>,
  { period, nodes }: { readonly period: number; readonly nodes: Pick<Nodes, "areMany"> },
): () => Promise<T | undefined> {
  let known: { readonly at: number; readonly found: T } | undefined
  const lookAgain = async () => {
    try {
      const found = await look()
      known = { at: performance.now(), found }
    } catch (error) {
      if (!nodes.areMany && !known) throw error
    }
    return known?.found
  }
  return async () => {
    const former = known
    const isFresh = former && performance.now() - former.at < period
    const looking = isFresh ? undefined : lookAgain()
    return former ? former.found : await looking
  }
}

/** Returns the name of a table or view that is missing or reads a missing one, if there is one. Reads no row. */
async function missingTable({ writer, storages }: Database): Promise<string | undefined> {
  const parts = Object.keys(tablesOf(storages)).map((name) =>
    sql`select 1 from ${sql.table(name)} where 1 = 0`
  )
  try {
    await sql.join(parts, sql` union all `).execute(writer)
    return undefined
  } catch (error) {
    return aboutMissing.exec((error as Error).message)?.[1]
  }
}

/** The messages of SQLite and MySQL. */
const aboutMissing = /^(?:no such table: (?:main\.)?|(?:Table|View) '[^']*\.)(\w+)/

const away: DatabaseState = { database: "away", primary: "ok", migrations: "unknown" }
