import mysql from "mysql2/promise"
import t, { type Test } from "tap"
import { readState } from "../../../plugins/capabilities/connect/state.ts"
import { openSource } from "../../../plugins/capabilities/connect/sources/open.ts"
import { allRows, keysMark } from "../../../plugins/capabilities/connect/sources/source.ts"
import { assertOutcome, takeOver } from "../../../plugins/capabilities/connect/take-over.ts"
import { findDatabaseWarnings } from "../../../plugins/capabilities/check/database-warnings.ts"
import { findTriggerFaults } from "../../../core/data/triggers.ts"
import { migrate } from "../../../core/data/migrate.ts"
import {
  fillStatements,
  freshPlatform,
  mappingOf,
  openPlatform,
} from "../../support/connect/platform.ts"
import { openFor } from "../../support/database.ts"
import { ownMysql, startOwnMysql } from "../../support/mysql/own-server.ts"

const program = await ownMysql()
const skip = typeof program === "string" && program

/** Starts a server, and returns its URL and what runs statements as its owner. */
async function startServer(t: Test) {
  if (typeof program === "string") throw new Error(program)
  const url = await startOwnMysql(t, program)
  const owner = await mysql.createConnection(url)
  t.teardown(() => owner.end())
  return { url, run: (statement: string) => owner.query(statement) }
}

t.test(
  "connect reads all rows and letters, whatever sessions of the source begin with",
  { skip },
  async (t) => {
    const { url, run } = await startServer(t)
    await run("create database platform character set utf8mb4")
    const platform = await openPlatform(`${url}/platform`)
    t.teardown(() => platform.close())
    await platform.run(...fillStatements(30), ...[
      "update person set forename = 'Łukasz 🎉'",
      "alter table person modify surname char(150)",
    ])
    await run("create user reader identified by 'long-password-7'")
    await run("grant select on platform.* to reader")
    const database = await openFor(t, await databaseOn(run, url))
    await migrate(database)
    const read = async () => {
      const reader = `${url.replace(/\/\/[^@]*@/, "//reader:long-password-7@")}/platform`
      const source = await openSource(reader)
      t.teardown(() => source.close())
      const mapping = mappingOf(reader)
      const outcome = await takeOver({
        database,
        source,
        mapping,
        owner: "a",
        acceptsMapping: true,
      })
      assertOutcome(outcome)
      return outcome
    }
    t.match(await read(), { difference: { rows: 36, added: 36 } })
    for (
      const setting of [
        ...["sql_select_limit = 29", "max_join_size = 1", "sql_mode = 'PAD_CHAR_TO_FULL_LENGTH'"],
        ...["init_connect = 'set names latin1'", "init_connect = 'set sql_select_limit = 1'"],
        "autocommit = 0",
      ]
    ) {
      await run(`set global ${setting}`)
      const { difference, removed } = await read()
      t.match({ ...difference, removed }, { rows: 36, added: 0, changed: 0, removed: 0 }, setting)
      await run(
        `set global ${setting.replace(/=.*/, setting.startsWith("init") ? "= ''" : "= default")}`,
      )
    }
    await run("set global sql_mode = 'NO_BACKSLASH_ESCAPES', max_execution_time = 1")
    const source = await openSource(`${url}/platform`)
    t.teardown(() => source.close())
    const found = await source.snapshot((reader) =>
      allRows(reader, `select 'found', sleep(0.1) where 'o''brien' in ${keysMark}`, [
        "o'brien",
        "\\",
      ])
    )
    t.match(found, [["found", 0]], "no key ends its text, and slow statements come to their end")
  },
)

t.test(
  "a record that is too large for the server is refused, by itself, and check names the limit",
  { skip },
  async (t) => {
    const { url, run } = await startServer(t)
    const to = await databaseOn(run, url)
    await migrate(await openFor(t, to))
    const platform = await freshPlatform(t, "sqlite")
    await platform.run(...fillStatements(300))
    await run("set global max_allowed_packet = 16384")
    const database = await openFor(t, to)
    const mapping = mappingOf(platform.url, {
      ticket:
        `select 1001 + n as id, gala_id as event, title as name, state as status, price, 1 as admits,
      case n when 0 then hex(zeroblob(12000)) else 'short' end as description
      from thing, (select 0 as n union select 1) as numbers where sort = 'ticket'`,
    })
    const source = await openSource(platform.url)
    t.teardown(() => source.close())
    const outcome = await takeOver({ database, source, mapping, owner: "a", acceptsMapping: true })
    assertOutcome(outcome)
    t.match(outcome.difference, { refusedCount: 1, refused: [{ kind: "ticket", key: "1001" }] })
    t.equal((await database.writer.selectFrom("guest").select("id").execute()).length, 300)
    t.equal((await readState(database)).failure, null)
    const [warning] = await findDatabaseWarnings(database)
    t.match(warning?.message, /^max_allowed_packet is 16384, so long records/)
    await run("set global max_allowed_packet = 1024")
    t.strictSame(await findTriggerFaults(await openFor(t, to)), [], "long triggers can be compared")
  },
)

async function databaseOn(
  run: (statement: string) => Promise<unknown>,
  url: string,
): Promise<string> {
  await run("create database event_export character set utf8mb4")
  return `${url}/event_export`
}
