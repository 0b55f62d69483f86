import mysql from "mysql2/promise"

/** The tables whose rows a change of a guest touches. */
const tables = ["guest", "event_change", "deletion", "vacant_position"] as const

/** Rows of a database, to which a server goes back that takes over without the last commits. */
export class EarlierServer {
  readonly #connection: mysql.Connection
  readonly #rows: ReadonlyMap<string, readonly mysql.RowDataPacket[]>
  readonly #next: number

  private constructor(
    connection: mysql.Connection,
    rows: ReadonlyMap<string, readonly mysql.RowDataPacket[]>,
    next: number,
  ) {
    this.#connection = connection
    this.#rows = rows
    this.#next = next
  }

  /** Remembers all rows. */
  static async remember(connection: mysql.Connection): Promise<EarlierServer> {
    const rows = new Map<string, readonly mysql.RowDataPacket[]>()
    for (const table of tables) {
      const [found] = await connection.query<mysql.RowDataPacket[]>("select * from ??", [table])
      rows.set(table, found)
    }
    const last = rows.get("event_change")?.map(({ seq }) => Number(seq)) ?? []
    return new EarlierServer(connection, rows, Math.max(0, ...last) + 1)
  }

  /** Makes the database as it was. It hands out the numbers of the lost changes again. */
  async takeOver(): Promise<void> {
    const connection = this.#connection
    await connection.query("set @event_export_history = 1")
    // The log comes last: putting back the guests appends to it.
    for (const table of tables) {
      await connection.query("delete from ??", [table])
      for (const row of this.#rows.get(table) ?? []) {
        await connection.query("insert into ?? set ?", [table, row])
      }
    }
    await connection.query("alter table event_change auto_increment = ?", [this.#next])
    await connection.query("set @event_export_history = null")
  }
}
