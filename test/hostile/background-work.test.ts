import { setTimeout } from "node:timers/promises"
import mysql from "mysql2/promise"
import t, { type Test } from "tap"
import { withoutMysql } from "../support/database.ts"
import { blockedOf, processesOf } from "../support/mysql/processes.ts"
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
      const { database: { writer }, events } = stage
      const service = await stage.start()
      const get = await logInto(service.fetch, "partner")
      let mostWaiting = 0
      // There are some looks meanwhile, and each tries to fold the log.
      for (let round = 0; round < 20; round++) {
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
  },
)
