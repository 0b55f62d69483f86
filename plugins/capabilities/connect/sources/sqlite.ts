import { accessSync, constants, existsSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { UserError } from "../../../../core/capability.ts"
import { portions, Source, type SourceConnection, type SourceRow, withKeys } from "./source.ts"

/** Opens a SQLite file as a source. */
export function openSqliteSource(url: string): Source {
  const path = url.slice("sqlite:".length)
  return new Source({
    name: "sqlite",
    begin: "begin",
    connect() {
      if (!existsSync(path)) {
        throw new UserError("The file of the source does not exist: check its path.")
      }
      const readOnly = !isWritable(path)
      return Promise.resolve(connectionOf(new DatabaseSync(path, { readOnly, timeout: 2000 })))
    },
  })
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function connectionOf(database: DatabaseSync): SourceConnection {
  return {
    select(sql, keys = []) {
      const statement = database.prepare(withKeys(sql, keys.map(() => "?")))
      statement.setReadBigInts(true)
      const columns = statement.columns().map(({ name }) => name)
      statement.setReturnArrays(true)
      const rows = statement.iterate(...keys) as Iterable<unknown> as Iterable<SourceRow>
      return Promise.resolve({ columns, rows: portions(rows) })
    },
    run: (statement) => Promise.resolve(database.exec(statement)),
    close: () => Promise.resolve(database.close()),
  }
}
