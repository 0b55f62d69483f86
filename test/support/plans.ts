import { CompiledQuery } from "kysely"
import type { Database, Runnable, Snapshot } from "../../core/data/database.ts"

/** Runs something in a snapshot, and returns the plan of each statement that it sent, a line per table. */
export async function plansOf(
  database: Database,
  read: (snapshot: Snapshot) => Promise<unknown>,
): Promise<readonly string[]> {
  const isMysql = database.dialect.name === "mysql"
  const plans: string[] = []
  await database.snapshot(async (snapshot) => {
    const run = async <Row>(query: Runnable<Row>) => {
      const { sql, parameters } = (query as unknown as { compile(): CompiledQuery }).compile()
      const how = isMysql ? "explain format=traditional" : "explain query plan"
      const { rows } = await snapshot.db.executeQuery<Record<string, unknown>>(
        CompiledQuery.raw(`${how} ${sql}`, [...parameters]) as never,
      )
      for (const { table, type, key, rows: count, detail } of rows) {
        plans.push(String(detail ?? `${table} ${type} ${key} ${count}`))
      }
      return await query.execute()
    }
    await read({ ...snapshot, run: run as Snapshot["run"] })
  })
  return plans
}
