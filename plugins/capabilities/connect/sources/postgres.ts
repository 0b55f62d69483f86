import { UserError } from "../../../../core/capability.ts"
import type { SourceValue } from "../values.ts"
import {
  portionOfRows,
  type Selection,
  type Source,
  type SourceReader,
  type SourceRow,
} from "./source.ts"

/** The part of the package `pg` that is used here: the package is optional. */
interface Client {
  connect(): Promise<void>
  end(): Promise<void>
  on(event: "error", listener: () => void): void
  query(query: {
    readonly text: string
    readonly values?: readonly (string | number)[]
    readonly rowMode: "array"
    readonly types: { getTypeParser(): (text: string) => string }
  }): Promise<
    { readonly rows: SourceValue[][]; readonly fields: readonly { readonly name: string }[] }
  >
}

/** Opens a Postgres database as a source. @throws {UserError} without the package `pg`. */
export async function openPostgresSource(url: string): Promise<Source> {
  const Client = await loadClient()
  const withClient = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
    client.on("error", () => {})
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
  return {
    name: "postgres",
    snapshot: (work) =>
      withClient(async (client) => {
        await run(client, "begin isolation level repeatable read read only")
        return await work(readerOf(client))
      }),
    change: (statements) =>
      withClient(async (client) => {
        await run(client, "set lock_timeout = '2s'")
        for (const statement of statements) await run(client, statement)
      }),
  }
}

async function loadClient(): Promise<new (options: object) => Client> {
  try {
    const name = "pg"
    const { default: pg } = await import(name) as {
      readonly default: { readonly Client: new (options: object) => Client }
    }
    return pg.Client
  } catch {
    throw new UserError(
      'A source in Postgres needs the package "pg" beside event-export: npm install pg.',
    )
  }
}

/** All values come as the texts that Postgres writes: no number loses digits, and no time its offset. */
const asText = { getTypeParser: () => (text: string) => text }

async function run(client: Client, text: string, values: readonly (string | number)[] = []) {
  return await client.query({ text, values, rowMode: "array", types: asText })
}

function readerOf(client: Client): SourceReader {
  return {
    async select(sql, values = []): Promise<Selection> {
      if (values.length > 0) {
        // A cursor takes no values.
        let number = 0
        const { fields, rows } = await run(
          client,
          sql.replaceAll("?", () => `$${++number}`),
          values,
        )
        return { columns: fields.map(({ name }) => name), rows: once(rows) }
      }
      await run(client, `declare portion no scroll cursor for ${sql}`)
      const fetch = () => run(client, `fetch ${portionOfRows} from portion`)
      const first = await fetch()
      async function* portions(): AsyncGenerator<readonly SourceRow[]> {
        try {
          for (let { rows } = first; rows.length > 0; { rows } = await fetch()) yield rows
        } finally {
          await run(client, "close portion")
        }
      }
      return { columns: first.fields.map(({ name }) => name), rows: portions() }
    },
  }
}

async function* once(rows: readonly SourceRow[]): AsyncGenerator<readonly SourceRow[]> {
  if (rows.length > 0) yield await Promise.resolve(rows)
}
