import { Buffer } from "node:buffer"
import { UserError } from "../../../../core/capability.ts"
import {
  portions,
  Source,
  type SourceConnection,
  type SourceKey,
  type SourceRow,
  withKeys,
} from "./source.ts"

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
    begin: `begin isolation level repeatable read read only; ${pin}`,
    async connect() {
      const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
      client.on("error", () => {})
      await client.connect()
      const connection = connectionOf(client)
      await connection.run("set lock_timeout = '2s'; set default_transaction_read_only = off")
      return connection
    },
  })
}

/**
 * What values depend on besides their columns, and how long a snapshot may rest while its rows are written: for the
 * transaction only, as a pool may give the connection to others. No server knows all of it, and roles have settings of their own.
 */
const settings = {
  ...{ DateStyle: "ISO", IntervalStyle: "postgres", TimeZone: "UTC", extra_float_digits: "1" },
  ...{ bytea_output: "hex", idle_in_transaction_session_timeout: "0", transaction_timeout: "0" },
}

const pin = `select set_config(name, value, true) from pg_settings join (values ${
  Object.entries(settings).map((setting) => `('${setting.join("', '")}')`).join(", ")
}) pinned (name, value) using (name)`

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

/** The numbers of types. */
const [bytea, bpchar] = [17, 1042]

/** Values stay the texts that Postgres writes: no number loses digits, and no time its offset. */
const types = {
  getTypeParser: (type: number) => (text: string) => {
    if (type === bytea) return Buffer.from(text.slice(2), "hex")
    return type === bpchar ? text.trimEnd() : text
  },
}

function connectionOf(client: Client): SourceConnection {
  const query = (text: string, values: readonly SourceKey[] = []) =>
    client.query({ text, values, rowMode: "array", types })
  return {
    async select(sql, keys = []) {
      const named = (fields: readonly { readonly name: string }[]) => fields.map(({ name }) => name)
      if (keys.length > 0) {
        // A cursor takes no values.
        const marks = keys.map((_, index) => `$${index + 1}`)
        const { fields, rows } = await query(withKeys(sql, marks), keys)
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
