import { accessSync, constants, statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as pause } from "node:timers/promises"
import { isLocked, UserError } from "../../../../core/capability.ts"
import { portions, Source, type SourceConnection, type SourceRow, withKeys } from "./source.ts"

/** Opens a SQLite file as a source. */
export function openSqliteSource(url: string): Source {
  const path = url.slice("sqlite:".length)
  return new Source({
    name: "sqlite",
    // A snapshot begins with the first row that is read.
    begin: "begin; select 1 from sqlite_schema",
    async connect() {
      const file = fileAt(path)
      if (file === undefined) {
        throw new UserError("The file of the source does not exist: check its path.")
      }
      return connectionOf(new DatabaseSync(path, { readOnly: !isWritable(path) }), () => {
        // What is opened anew is the file that is there now.
        if (fileAt(path) !== file) throw new Error("The file of the source was replaced.")
      })
    },
  })
}

/** Returns what stands for the file at a path, and for no other; undefined if there is none. */
function fileAt(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat && `${stat.dev} ${stat.ino}`
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Milliseconds for which a statement waits for a lock. */
const patience = 2000

/** SQLite itself would wait for locks in this thread, which then answers nobody. */
async function runPatiently(database: DatabaseSync, statement: string): Promise<void> {
  const end = performance.now() + patience
  for (;;) {
    try {
      return database.exec(statement)
    } catch (error) {
      if (database.isTransaction) database.exec("rollback")
      if (!isLocked(error) || performance.now() > end) throw error
    }
    await pause(20)
  }
}

function connectionOf(database: DatabaseSync, assertFile: () => void): SourceConnection {
  return {
    select(sql, keys = []) {
      const text = withKeys(sql, keys.map(() => "?"))
      const statement = database.prepare(text)
      const columns = statement.columns().map(({ name }) => name)
      statement.setReadBigInts(true)
      statement.setReturnArrays(true)
      const rows = statement.iterate(...keys) as Iterable<unknown> as Iterable<SourceRow>
      return Promise.resolve({ columns, rows: portions(rows) })
    },
    async run(statement) {
      assertFile()
      await runPatiently(database, statement)
    },
    close: () => Promise.resolve(database.close()),
  }
}
