import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import mysql from "mysql2/promise"
import t, { type Test } from "tap"
import { migrate } from "../../core/data/migrate.ts"
import { secret } from "../support/app.ts"
import { startProcess } from "../soak/support/service-process.ts"
import { copiedUrl, openFor, withoutMysql } from "../support/database.ts"
import { blockedOf, processesOf } from "../support/mysql/processes.ts"
import { withoutProcesses } from "../support/quick.ts"
import { freshWorkshop, logInto, type Workshop } from "../support/service.ts"

const family = "  - use: connector-b\n    with: { segment: b, organizations: [acme] }"
const limits = "limits: { burst: 10000, concurrent: 100 }"

/** A service with eight events that a transaction of the platform is changing. */
async function stageWith(t: Test) {
  const workshop = await freshWorkshop(t, "mysql")
  const { build, database, url } = workshop
  const organization = await build.organization("acme")
  const events = await Promise.all(Array.from({ length: 8 }, () => build.event(organization)))
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  workshop.write(family, limits)
  const platform = await mysql.createConnection(url)
  t.teardown(() => platform.end())
  await platform.query("begin")
  for (const event of events) {
    await platform.query(
      `insert into event_change (event_id, at, mark) values ('${event}', unix_timestamp(), 1)`,
    )
  }
  for (const event of events) await build.guests(event, 120)
  // The connections of the test itself.
  await database.ping()
  return { ...workshop, events, platform }
}

/** Returns the connections to the test's database, and how many of them wait for a row's lock. */
async function findConnections({ database: { writer }, url }: Workshop) {
  return {
    ids: (await processesOf(writer, url)).map(({ id }) => id),
    waiting: (await blockedOf(writer, url)).length,
  }
}

t.test(
  "on MySQL, while a transaction of the platform is open",
  { skip: withoutMysql },
  async (t) => {
    await t.test("polls, log-ins and the audit log do not wait for it", async (t) => {
      const stage = await stageWith(t)
      const { database: { writer }, entries, events } = stage
      const service = await stage.start()
      const get = await logInto(service.fetch, "partner")
      let mostWaiting = 0
      // Attempts to fold the log have ended in vain before it ends.
      while (!entries.some(({ message }) => /nothing can be folded/.test(String(message)))) {
        const polls = events.map((event) => get(`/b/v1/events/${event}/guests?since=0&limit=1`))
        for (const { status } of await Promise.all(polls)) t.equal(status, 200)
        const isIn = await logInto(service.fetch, "partner")
        t.equal((await isIn("/session")).status, 200)
        mostWaiting = Math.max(mostWaiting, (await findConnections(stage)).waiting)
        await setTimeout(150)
      }
      t.ok(mostWaiting <= 1, `${mostWaiting} connections waited for locks`)
      const logIns = () =>
        writer.selectFrom("audit_log").select("seq").where("action", "=", "log-in").execute()
      while ((await logIns()).length === 0) await setTimeout(50)
      t.pass("log-ins are in the audit log")
    })

    await t.test("thirty reloads open no more connections than one configuration has", async (t) => {
      const stage = await stageWith(t)
      const own = new Set((await findConnections(stage)).ids)
      const service = await stage.start()
      const get = await logInto(service.fetch, "partner")
      const seen = new Set<number>()
      for (let turn = 0; turn < 30; turn++) {
        const polls = stage.events.map((event) => get(`/b/v1/events/${event}/guests?since=0`))
        t.equal((await service.reload("a test")).result, "applied")
        for (const { status } of await Promise.all(polls)) t.equal(status, 200)
        for (const id of (await findConnections(stage)).ids) if (!own.has(id)) seen.add(id)
      }
      // For reading, for writing, and in the background.
      t.ok(seen.size <= 10 + 3 + 1, `${seen.size} connections`)
    })
  },
)

t.test("serve ends on SIGTERM while it prunes a long log, and leaves the rest", {
  skip: withoutMysql || withoutProcesses,
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
