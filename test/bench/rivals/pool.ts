import mysql, { type Pool } from "mysql2/promise"

/** Opens a pool of as many connections as the service has by default. */
export function openPool(url: string): Pool {
  return mysql.createPool({ uri: url, connectionLimit: 10, decimalNumbers: true })
}
