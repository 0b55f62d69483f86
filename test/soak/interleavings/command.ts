import process from "node:process"
import { freshUrl } from "../../support/database.ts"
import { startMysql } from "../../support/mysql-server.ts"
import { commandOf, explain, format } from "./replay.ts"
import { realDesign } from "./designs.ts"
import { findDesign, playAll } from "./play-all.ts"
import { interleavings } from "./plan.ts"
import { openStage } from "./stage.ts"

/** What to play. */
export interface MysqlPlay {
  /** By default this service. */
  readonly design?: string | undefined
  /** By default all, until one fails. */
  readonly index?: number | undefined
}

/**
 * Plays interleavings on MySQL, and prints what happens. Starts a server as `make test` does, unless
 * TEST_MYSQL_URL names one. Returns the exit code.
 */
export async function playOnMysql({ design = realDesign, index }: MysqlPlay): Promise<number> {
  const found = findDesign(design)
  const ends: (() => unknown)[] = []
  const teardown = (end: () => unknown) => void ends.unshift(end)
  try {
    if (!process.env["TEST_MYSQL_URL"]) {
      const mysql = await startMysql(new AbortController().signal)
      if (!mysql) return 2
      teardown(() => mysql.stop())
      process.env["TEST_MYSQL_URL"] = mysql.url
    }
    const stage = await openStage(await freshUrl({ teardown }, "mysql"), found)
    teardown(() => stage.close())
    if (index !== undefined) {
      const { problem, table } = await stage.play(found, index)
      const command = commandOf({ design, index })
      console.log(problem === undefined ? table() : explain(problem, table(), command))
      return problem === undefined ? 0 : 1
    }
    const { played, loss } = await playAll([stage], found)
    console.log(`${format(played)} of ${format(interleavings)} interleavings`)
    if (!loss) return 0
    console.log(explain(loss.problem, loss.table, commandOf({ design, index: loss.index })))
    return 1
  } finally {
    for (const end of ends) await end()
  }
}
