import { type Compilable, CompiledQuery, type RawBuilder, sql } from "kysely"
import type { Dialect } from "./dialect.ts"
import type { Reader, Runnable } from "./database.ts"

/** Placeholder in a query for a value that is known when the query runs. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Builds a query; `slot` creates the placeholder of a value. */
type Build<Name extends string, Row> = (
  context: Pick<Reader, "db" | "dialect">,
  slot: (name: Name) => RawBuilder<never>,
) => Compilable<Row>

/**
 * A statement that is built once per dialect and then run with different values. For statements of
 * every request: building one takes as long as running it.
 */
export class CompiledStatement<Name extends string, Row> {
  readonly #build: Build<Name, Row>
  readonly #queries = new WeakMap<Dialect, CompiledQuery<Row>>()

  constructor(build: Build<Name, Row>) {
    this.#build = build
  }

  /** Returns the query with its values, ready for `reader.run`. */
  with(
    { db, dialect }: Reader,
    values: Readonly<Record<Name, unknown>>,
  ): Runnable<Row> & { readonly query: CompiledQuery<Row> } {
    let query = this.#queries.get(dialect)
    if (!query) {
      query = this.#build({ db, dialect }, (name) => sql<never>`${new Placeholder(name)}`).compile()
      this.#queries.set(dialect, query)
    }
    const parameters = query.parameters.map((each) =>
      each instanceof Placeholder ? values[each.name as Name] : each
    )
    const ready = { ...query, parameters }
    return {
      query: ready,
      execute: async (options) => (await db.executeQuery(ready as never, options)).rows as Row[],
    }
  }
}
