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
    const [used, unused] = [
      await insertSession(database, ann, 60),
      await insertSession(database, ann, 60),
    ]
    const account = { id: ann, username: "ann", role: "partner" } as const
    for (const [id, waiting] of [[used, 1], [used, 1], ["another", 2]] as const) {
      activity.recordRequest({ id, account, expires: 0, now: 0 }, "192.0.2.1")
      t.equal(activity.numbers.waiting, waiting)
    }
    activity.recordLogIn(bob)
    await activity.close()
    t.equal(statements.filter((sql) => /insert into .account_activity/.test(sql)).length, 2)
    const sessions = await database.writer.selectFrom("session").select(["id", "used", "address"])
      .execute()
    const last = (id: string) => sessions.find((each) => each.id === id)
    t.match(last(used), { used: Number, address: "192.0.2.1" })
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
})
