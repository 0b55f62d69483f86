import { setTimeout } from "node:timers/promises"
import { recorded } from "../../support/recorded.ts"
import t from "tap"
import { Activity } from "../../../core/access/activity.ts"
import { insertSession } from "../../../core/access/sessions.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"
import { scannedLog } from "../../support/scanned-log.ts"

await onEveryEngine(t, async (t, engine) => {
  const statements: string[] = []
  const onStatement = (sql: string) => void statements.push(sql)
  const database = await freshDatabase(t, engine, { onStatement })
  const build = new Builder(database)
  const [ann, bob] = [await build.account("ann"), await build.account("bob")]
  const activity = recorded(
    { log: scannedLog(t, []) },
    (recorders) => new Activity(database, recorders),
  )

  await t.test("Activity writes one use for the requests of a session in a minute, marks it in use, and tells log-ins from polls", async (t) => {
    const [used, elsewhere, unused] = [
      await insertSession(database, ann, 60),
      await insertSession(database, ann, 60),
      await insertSession(database, ann, 60),
    ]
    const account = { id: ann, username: "ann", role: "partner" } as const
    const requests = [[used, 1, 1], [used, 2, 1], ["another", 1, 2], [elsewhere, 2, 3]] as const
    for (const [id, host, waiting] of requests) {
      activity.recordRequest({ id, account, expires: 0, now: 0 }, `192.0.2.${host}`)
      t.equal(activity.numbers.waiting, waiting)
    }
    activity.recordLogIn(bob)
    await activity.close()
    t.equal(statements.filter((sql) => /insert into .account_activity/.test(sql)).length, 2)
    const sessions = await database.writer.selectFrom("session").select(["id", "used", "address"])
      .execute()
    const last = (id: string) => sessions.find((each) => each.id === id)
    t.match(last(used), { used: Number, address: "192.0.2.1" })
    t.match(last(elsewhere), { used: Number, address: "192.0.2.2" })
    t.match(last(unused), { used: null, address: null })
    const rows = await database.writer.selectFrom("account_activity").selectAll().execute()
    t.match(
      new Map(rows.map((row) => [row.account_id, row])),
      new Map([
        [ann, { last_poll: Number, last_log_in: null }],
        [bob, { last_poll: null, last_log_in: Number }],
      ]),
    )
  })

  await t.test("Activity writes the use of a session again after a minute", async (t) => {
    const activity = recorded(
      { log: scannedLog(t, []), every: 1e9 },
      (recorders) => new Activity(database, recorders),
    )
    let time = performance.now()
    t.intercept(performance, "now", { value: () => time })
    const account = { id: ann, username: "ann", role: "partner" } as const
    const waitingAfter = async (seconds: number) => {
      time += seconds * 1000
      // The cache reads the clock once a millisecond.
      await setTimeout(5)
      activity.recordRequest({ id: "a", account, expires: 0, now: 0 }, "192.0.2.1")
      return activity.numbers.waiting
    }
    t.equal(await waitingAfter(0), 1)
    t.equal(await waitingAfter(59), 1)
    t.equal(await waitingAfter(2), 2)
    await activity.close()
  })
})
