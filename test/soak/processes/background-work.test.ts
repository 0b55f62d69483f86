import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { copiedUrl, openFor, withoutMysql } from "../../support/database.ts"

t.test("serve ends on SIGTERM while it prunes a long log, and leaves the rest", {
  skip: withoutMysql,
}, async (t) => {
  const url = await copiedUrl(t, "mysql")
  const database = await openFor(t, url)
  await migrate(database)
  await sql`insert into event_change (event_id, at, mark)
    with recursive numbers as (select 1 as n union all select n + 1 from numbers where n < 1000)
    select 'none', 1, 1
    from numbers as a join numbers as b on b.n <= 50`.execute(database.migrator)
  const count = async () => {
    const { rows } = await sql<{ number: number }>`select count(*) as number from event_change`
      .execute(database.writer)
    return Number(rows[0]?.number)
  }
  const all = await count()
  const { child, entries } = await startProcess(t, "node", {
    DATABASE_URL: url,
    SESSION_SECRET: secret,
    PORT: "0",
  })
  while (await count() === all) await setTimeout(20)
  child.kill("SIGTERM")
  await once(child, "exit")
  t.equal(child.exitCode, 0)
  t.ok(await count() > 0, "it has not waited for the end of the pruning")
  t.strictSame(entries.filter(({ level }) => Number(level) >= 50), [])
})
