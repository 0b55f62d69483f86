import { isUtf8 } from "node:buffer"
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

/** What stands in a text for bytes that are not UTF-8. It may also have been written. */
const replacement = "\ufffd"

/** Returns rows, with the bytes of each text that is not UTF-8. `asBytes` reads all values again as bytes. */
function* withBrokenTexts(
  rows: Iterable<SourceRow>,
  asBytes: () => Iterable<SourceRow>,
): Generator<SourceRow> {
  let again: Iterator<SourceRow> | undefined
  let [count, place] = [0, 0]
  for (const row of rows) {
    count++
    if (!row.some((value) => typeof value === "string" && value.includes(replacement))) {
      yield row
      continue
    }
    again ??= asBytes()[Symbol.iterator]()
    for (; place < count - 1; place++) again.next()
    const bytes = again.next().value as readonly (Uint8Array | null)[]
    place = count
    yield row.map((value, at) => {
      const own = bytes[at]
      return typeof value === "string" && own && !isUtf8(own) ? own : value
    })
  }
}

function connectionOf(database: DatabaseSync, assertFile: () => void): SourceConnection {
  return {
    select(sql, keys = []) {
      const text = withKeys(sql, keys.map(() => "?"))
      const columns = database.prepare(text).columns().map(({ name }) => name)
      const read = (sql: string) => {
        const statement = database.prepare(sql)
        statement.setReadBigInts(true)
        statement.setReturnArrays(true)
        return statement.iterate(...keys) as Iterable<unknown> as Iterable<SourceRow>
      }
      const asBytes = () => {
        const names = columns.map((_, index) => `c${index}`)
        const bytes = names.map((name) => `cast(${name} as blob)`)
        return read(`with texts (${names}) as (${text}\n) select ${bytes} from texts`)
      }
      return Promise.resolve({ columns, rows: portions(withBrokenTexts(read(text), asBytes)) })
    },
    async run(statement) {
      assertFile()
      await runPatiently(database, statement)
    },
    close: () => Promise.resolve(database.close()),
  }
}
