import { UserError } from "../../../../core/capability.ts"
import { portions, Source, type SourceConnection, type SourceRow } from "./source.ts"

/** The part of the optional package `pg` that is used here. */
interface Client {
  connect(): Promise<void>
  end(): Promise<void>
  on(event: "error", listener: () => void): void
  query(query: object): Promise<{
    readonly rows: SourceRow[]
    readonly fields: readonly { readonly name: string }[]
  }>
}

/** Opens a Postgres database as a source. @throws {UserError} without the package `pg`. */
export async function openPostgresSource(url: string): Promise<Source> {
  const Client = await loadClient()
  return new Source({
    name: "postgres",
    begin: "begin isolation level repeatable read read only",
    async connect() {
      const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
      client.on("error", () => {})
      await client.connect()
      const connection = connectionOf(client)
      await connection.run("set lock_timeout = '2s'")
      return connection
    },
  })
}

async function loadClient(): Promise<new (options: object) => Client> {
  try {
    const name = "pg"
    return (await import(name)).default.Client
  } catch {
    throw new UserError(
      'A source in Postgres needs the package "pg" beside event-export: npm install pg.',
    )
  }
}

/** Values stay the texts that Postgres writes: no number loses digits, and no time its offset. */
const types = { getTypeParser: () => (text: string) => text }

function connectionOf(client: Client): SourceConnection {
  const query = (text: string, values: readonly string[] = []) =>
    client.query({ text, values, rowMode: "array", types })
  return {
    async select(sql, values = []) {
      let number = 0
      const named = (fields: readonly { readonly name: string }[]) => fields.map(({ name }) => name)
      if (values.length > 0) {
        // A cursor takes no values.
        const { fields, rows } = await query(sql.replaceAll("?", () => `$${++number}`), values)
        return { columns: named(fields), rows: portions(rows) }
      }
      await query(`declare portion no scroll cursor for ${sql}`)
      const first = await query(fetch)
      async function* all() {
        for (let { rows } = first; rows.length > 0; { rows } = await query(fetch)) yield rows
        await query("close portion")
      }
      return { columns: named(first.fields), rows: all() }
    },
    run: (statement) => query(statement),
    close: () => client.end().catch(() => {}),
  }
}

const fetch = "fetch 500 from portion"
