import type { KyselyPlugin } from "kysely"
import type { Database } from "../../core/data/database.ts"

/**
 * Returns the same database, except that `work` runs between its first background statement and the
 * next: what another process may do then.
 */
export function afterFirst(database: Database, work: () => Promise<unknown>): Database {
  let isFirst = true
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isFirst) {
        isFirst = false
        await work()
      }
      return result
    },
  }
  const background = database.background.withPlugin(plugin)
  return Object.create(database, { background: { value: background } }) as Database
}
