import { type Compilable, CompiledQuery, type RawBuilder, sql } from "kysely"
import type { Dialect } from "./dialect.ts"
import type { Reader, Runnable } from "./database.ts"

/** Placeholder in a query for a value that is known when the query runs. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Creates the placeholder of a value. */
type Slots<Name extends string> = (name: Name) => RawBuilder<never>

/**
 * A query that is built once per dialect and then run with different values. For queries of every
 * request: building one takes as long as running it.
 */
export class Compiled<Name extends string, Row> {
  readonly #build: (db: Pick<Reader, "db" | "dialect">, slots: Slots<Name>) => Compilable<Row>
  readonly #queries = new WeakMap<Dialect, CompiledQuery<Row>>()

  constructor(
    build: (snapshot: Pick<Reader, "db" | "dialect">, slots: Slots<Name>) => Compilable<Row>,
  ) {
    this.#build = build
  }

  /** Returns the query with its values, ready to run in a snapshot. */
  with(
    { db, dialect }: Reader,
    values: Readonly<Record<Name, unknown>>,
  ): Runnable<Row> & { readonly query: CompiledQuery<Row> } {
    const query = this.#queries.get(dialect) ?? this.#compile({ db, dialect })
    const parameters = query.parameters.map((each) =>
      each instanceof Slot ? values[each.name as Name] : each
    )
    const ready = { ...query, parameters }
    return {
      query: ready,
      execute: async (options) => (await db.executeQuery(ready as never, options)).rows as Row[],
    }
  }

  #compile(snapshot: Pick<Reader, "db" | "dialect">): CompiledQuery<Row> {
    const query = this.#build(snapshot, (name) => sql<never>`${new Slot(name)}`).compile()
    this.#queries.set(snapshot.dialect, query)
    return query
  }
}
