import mysql from "mysql2/promise"

/** Runs `work` on a connection of its own, and closes it. `limitMs` is for connecting. */
export async function connectedTo<T>(
  url: string,
  work: (connection: mysql.Connection) => Promise<T>,
  limitMs = 10_000,
): Promise<T> {
  const connection = await mysql.createConnection({
    uri: url,
    decimalNumbers: true,
    connectTimeout: limitMs,
  })
  connection.on("error", () => {})
  try {
    return await work(connection)
  } finally {
    connection.destroy()
  }
}

/** Runs statements one after the other on a connection. Returns the rows of the last one that has any. */
export async function runAll(
  connection: mysql.Connection,
  statements: readonly string[],
): Promise<mysql.RowDataPacket[]> {
  let rows: mysql.RowDataPacket[] = []
  for (const statement of statements) {
    const [result] = await connection.query(statement)
    if (Array.isArray(result)) rows = result as mysql.RowDataPacket[]
  }
  return rows
}
