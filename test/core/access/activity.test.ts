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
  const start = () =>
    recorded({ log: scannedLog(t, []) }, (recorders) => new Activity(database, recorders))
  const sessionOf = (id: string) => {
    const account = { id: ann, username: "ann", role: "partner" } as const
    return { id, account, expires: 0, now: 0 }
  }
  const uses = async () => {
    const rows = await database.writer.selectFrom("account_activity").selectAll().execute()
    return new Map(rows.map(({ account_id, ...use }) => [account_id, use]))
  }

  await t.test("Activity writes one use for the requests of a session in a minute", async (t) => {
    const activity = start()
    for (const [id, waiting] of [["a", 1], ["a", 1], ["b", 2]] as const) {
      activity.recordRequest(sessionOf(id))
      t.equal(activity.numbers.waiting, waiting)
    }
    await activity.close()
    t.match(await uses(), new Map([[ann, { last_poll: Number, last_log_in: null }]]))
    t.equal(statements.filter((sql) => /insert into .account_activity/.test(sql)).length, 1)
  })

  await t.test("Activity marks a session in use and no other, and tells log-ins from polls", async (t) => {
    const [used, unused] = [
      await insertSession(database, ann, 60),
      await insertSession(database, ann, 60),
    ]
    const activity = start()
    activity.recordRequest(sessionOf(used))
    activity.recordLogIn(bob)
    await activity.close()
    const rows = await database.writer.selectFrom("session").select(["id", "used"]).execute()
    const times = new Map(rows.map(({ id, used }) => [id, used]))
    t.equal(times.get(unused), null)
    t.ok(times.get(used))
    const found = await uses()
    t.match(found.get(ann), { last_poll: Number, last_log_in: null })
    t.match(found.get(bob), { last_poll: null, last_log_in: Number })
  })
})
