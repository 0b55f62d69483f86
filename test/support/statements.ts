import { CompiledQuery, type Kysely, type KyselyPlugin, type RootOperationNode } from "kysely"
import type { Database, Runnable, Snapshot } from "../../core/data/database.ts"
import type { Schema } from "../../core/data/schema.ts"
import type { Engine } from "./database.ts"

/** The same database; what is sent outside snapshots is added to `statements`. */
export function watched(database: Database, statements: CompiledQuery[]): Database {
  return Object.create(database, {
    writer: { value: watch(database.writer, statements) },
    background: { value: watch(database.background, statements) },
  }) as Database
}

function watch(db: Kysely<Schema>, statements: CompiledQuery[]): Kysely<Schema> {
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(db.getExecutor().compileQuery(node, queryId))
      return node as RootOperationNode
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  return db.withPlugin(plugin)
}

/** How a database runs a statement. */
export interface StatementPlan {
  readonly sql: string
  /** A line per table. On MySQL its name in the statement, the type of access, the index and the number of rows. */
  readonly steps: readonly string[]
}

/** Runs some work, and returns the plans of all statements that it sent, in snapshots or not, except rows to insert. */
export async function plansOf(
  database: Database,
  engine: Engine,
  work: (database: Database) => Promise<unknown>,
): Promise<StatementPlan[]> {
  const statements: CompiledQuery[] = []
  /** A reader whose statements are noted: those that were built before by themselves, and others as they are built. */
  const noted = (reader: Snapshot): Snapshot => {
    const run = <Row>(query: Runnable<Row> & { readonly query?: CompiledQuery }) => {
      if (query.query) statements.push(query.query)
      return reader.run(query)
    }
    return { ...reader, db: watch(reader.db as never, statements) as never, run }
  }
  const snapshot: Database["snapshot"] = (read, ...rest) =>
    database.snapshot((snapshot) => read(noted(snapshot)), ...rest)
  const readOnce: Database["readOnce"] = (read) =>
    database.readOnce((reader) => read(noted(reader)))
  const reading = { snapshot: { value: snapshot }, readOnce: { value: readOnce } }
  await work(Object.create(watched(database, statements), reading))
  const how = engine === "mysql" ? "explain format=traditional" : "explain query plan"
  const plans: StatementPlan[] = []
  for (const { sql, parameters } of statements) {
    if (/^insert into \S+ \(.*\) values/.test(sql)) continue
    // It is sent with values in place of these.
    if (parameters.some((each) => typeof each === "object" && each !== null)) continue
    const { rows } = await database.writer.executeQuery<Record<string, unknown>>(
      CompiledQuery.raw(`${how} ${sql}`, [...parameters]),
    )
    const steps = rows.map(({ table, type, key, rows: count, Extra, detail }) =>
      String(detail ?? `${table} ${type} ${key} ${count} ${Extra ?? ""}`)
    )
    plans.push({ sql, steps })
  }
  return plans
}
