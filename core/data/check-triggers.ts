import type { RawBuilder } from "kysely"
import type { Database } from "./database.ts"

/**
 * Returns the triggers that are missing, as `guest_log_insert on guest`, of those that statements
 * create. `statements` has them by table; a view needs none.
 */
export async function findMissingTriggers(
  { writer, dialect }: Database,
  statements: ReadonlyMap<string, readonly RawBuilder<unknown>[]>,
): Promise<string[]> {
  const found = await writer.introspection.getTables()
  const real = new Set(found.flatMap(({ name, isView }) => isView ? [] : [name]))
  const expected = [...statements].filter(([table]) => real.has(table)).flatMap((
    [table, creating],
  ) =>
    creating.map((statement) => {
      const [, name = ""] = /^create trigger if not exists (\w+)/.exec(
        statement.compile(writer).sql,
      ) ?? []
      return { name, table }
    })
  )
  const missing = await dialect.inspection.findMissingTriggers(writer, expected)
  return missing.map(({ name, table }) => `${name} on ${table}`)
}
