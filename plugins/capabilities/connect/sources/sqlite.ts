import { existsSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { setImmediate as turn } from "node:timers/promises"
import { UserError } from "../../../../core/capability.ts"
import type { SourceValue } from "../values.ts"
import {
  portionOfRows,
  type Selection,
  type Source,
  type SourceReader,
  type SourceRow,
} from "./source.ts"

/** Opens a SQLite file as a source. */
export function openSqliteSource(url: string): Source {
  const path = url.slice("sqlite:".length)
  const open = (readOnly: boolean) => {
    if (!existsSync(path)) {
      throw new UserError("The file of the source does not exist: check its path.")
    }
    return new DatabaseSync(path, { readOnly, timeout: 2000 })
  }
  return {
    name: "sqlite",
    async snapshot(work) {
      const database = open(true)
      try {
        database.exec("begin")
        return await work(readerOf(database))
      } finally {
        database.close()
      }
    },
    change(statements) {
      const database = open(false)
      try {
        for (const statement of statements) database.exec(statement)
        return Promise.resolve()
      } finally {
        database.close()
      }
    },
  }
}

function readerOf(database: DatabaseSync): SourceReader {
  return {
    select(sql, values = []): Promise<Selection> {
      const statement = database.prepare(sql)
      statement.setReadBigInts(true)
      const columns = statement.columns().map(({ name }) => name)
      statement.setReturnArrays(true)
      return Promise.resolve({ columns, rows: portions(statement.iterate(...values)) })
    },
  }
}

/** The driver reads without waiting, so requests get their turn between portions. */
async function* portions(rows: Iterable<unknown>): AsyncGenerator<readonly SourceRow[]> {
  let portion: SourceValue[][] = []
  for (const row of rows) {
    portion.push(row as SourceValue[])
    if (portion.length < portionOfRows) continue
    yield portion
    portion = []
    await turn()
  }
  if (portion.length > 0) yield portion
}
