import mysql from "mysql2/promise"
import { sql } from "kysely"
import type { ClockedDatabase } from "../../support/polling/clocked.ts"

/** Lets time pass. */
export interface ClockTable {
  wait(seconds: number): Promise<void>
  close(): Promise<void>
}

/**
 * Keeps the clock of the test in a table, where the service reads it. So its statements stay the same from
 * one second to the next, and the server need not prepare them again. Triggers read no table: in a
 * transaction with a snapshot the time would stand still.
 */
export async function openClockTable(world: ClockedDatabase, url: string): Promise<ClockTable> {
  const connection = await mysql.createConnection(url)
  await connection.query("create table test_clock (now bigint not null)")
  await connection.query("insert into test_clock values (?)", [world.clock.now])
  const dialect = { ...world.database.dialect, now: sql<number>`(select now from test_clock)` }
  Object.defineProperty(world.database, "dialect", { value: dialect })
  return {
    async wait(seconds) {
      if (seconds === 0) return
      world.clock.now += seconds
      await connection.query("update test_clock set now = ?", [world.clock.now])
    },
    close: () => connection.end(),
  }
}
