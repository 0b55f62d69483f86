import { randomUUID } from "node:crypto"
import mysql from "mysql2/promise"
import { guestCount, type Schema } from "./schemas.ts"

/** What one turn of a load did. */
export interface LoadResult {
  /** Committed rows per second. */
  readonly rate: number
  readonly deadlocks: number
}

/** Writers that all schemas are measured with. */
export interface Load {
  readonly name: string
  run(schema: Schema, seconds: number): Promise<LoadResult>
}

/** Makes one transaction of a writer, as one packet, so that the client costs little. Returns its rows. */
type Transaction = (
  schema: Schema,
  writer: number,
) => { readonly sql: string; readonly rows: number }

const rowsEach = 20

/** All loads, in the order of measurement. */
export const loads: readonly Load[] = [
  ...[1, 8, 32].flatMap((writers) => [
    loadOf(
      `insert guest, ${writers} writers`,
      writers,
      (schema) => together(() => insertGuest(schema)),
    ),
    loadOf(
      `update guest, ${writers} writers`,
      writers,
      (schema, writer) =>
        together((place) => updateGuest(schema, own(schema, writer, writers, place))),
    ),
    loadOf(
      `update consent, ${writers} writers`,
      writers,
      (schema, writer) =>
        together((place) => updateConsent(schema, own(schema, writer, writers, place))),
    ),
  ]),
  bulk(
    "all guests at once",
    ({ event }, value) => `update guest set mobile = '${value}' where event_id = '${event}'`,
  ),
  bulk(
    "all consents at once",
    ({ event }, value) => `update consent set channels = '${value}' where event_id = '${event}'`,
  ),
  loadOf("32 writers on 20 guests", 32, (schema, writer) => {
    const guest = any(schema.guests.slice(0, 20))
    return writer % 2 === 0
      ? {
        sql: `begin; ${updateGuest(schema, guest)}; ${updateConsent(schema, guest)}; commit`,
        rows: 2,
      }
      : { sql: updateConsent(schema, guest), rows: 1 }
  }),
]

function together(statement: (place: number) => string): ReturnType<Transaction> {
  const statements = Array.from({ length: rowsEach }, (_, place) => statement(place))
  return { sql: ["begin", ...statements, "commit"].join("; "), rows: rowsEach }
}

/** Returns a guest whom no other writer changes; different ones for the places of a transaction. */
function own({ guests }: Schema, writer: number, writers: number, place: number): string {
  const share = Math.floor(guestCount / writers)
  const part = Math.floor(share / rowsEach)
  return guests[writer * share + place * part + Math.floor(Math.random() * part)] ?? ""
}

function any<T>(values: readonly T[]): T {
  return values[Math.floor(Math.random() * values.length)] as T
}

function insertGuest({ event }: Schema): string {
  const id = randomUUID()
  return `insert into guest (event_id, id, first_name, last_name, email, mobile, external_id, sms_opt_in)
    values ('${event}', '${id}', 'Ada', 'Byron', '${id}@example.org', '', '${id}', 0)`
}

function updateGuest({ event }: Schema, id: string): string {
  return `update guest set mobile = '${newValue()}' where event_id = '${event}' and id = '${id}'`
}

function updateConsent({ event }: Schema, id: string): string {
  return `update consent set channels = '${newValue()}'
    where event_id = '${event}' and guest_id = '${id}'`
}

let values = 0

/** Returns a value that no row has. */
function newValue(): string {
  return `v${values++}`
}

/** Lets writers write for some seconds. A writer goes on after a deadlock. */
function loadOf(name: string, writers: number, transaction: Transaction): Load {
  return {
    name,
    async run(schema, seconds) {
      const connections = await connect(schema, writers)
      let [rows, deadlocks] = [0, 0]
      const began = performance.now()
      const write = async (connection: mysql.Connection, writer: number) => {
        while (performance.now() - began < seconds * 1000) {
          const made = transaction(schema, writer)
          try {
            await connection.query(made.sql)
            rows += made.rows
          } catch (error) {
            if ((error as { code?: string }).code !== "ER_LOCK_DEADLOCK") throw error
            deadlocks++
          }
        }
      }
      await Promise.all(connections.map(write))
      const rate = rows / (performance.now() - began) * 1000
      await Promise.all(connections.map((connection) => connection.end()))
      return { rate, deadlocks }
    },
  }
}

/** Changes all rows of the event in one statement. */
function bulk(name: string, statement: (schema: Schema, value: string) => string): Load {
  return {
    name,
    async run(schema) {
      const [connection] = await connect(schema, 1) as [mysql.Connection]
      const began = performance.now()
      const [result] = await connection.query<mysql.ResultSetHeader>(statement(schema, newValue()))
      const rate = result.affectedRows / (performance.now() - began) * 1000
      await connection.end()
      return { rate, deadlocks: 0 }
    },
  }
}

async function connect({ url }: Schema, count: number): Promise<mysql.Connection[]> {
  return await Promise.all(
    Array.from(
      { length: count },
      () => mysql.createConnection({ uri: url, multipleStatements: true }),
    ),
  )
}
