import mysql, { type Pool } from "mysql2/promise"

/** As many connections as the service opens by default. */
export function openPool(url: string): Pool {
  return mysql.createPool({ uri: url, connectionLimit: 10, decimalNumbers: true })
}
