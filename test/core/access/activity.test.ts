import { recorded } from "../../support/recorded.ts"
import t from "tap"
import { Activity } from "../../../core/access/activity.ts"
import { insertSession } from "../../../core/access/sessions.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { Builder } from "../../support/builder.ts"
import { copiedUrl, freshDatabase, onEveryEngine, openFor } from "../../support/database.ts"
import { scannedLog } from "../../support/scanned-log.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("Activity writes one use for the requests of a session in a minute", async (t) => {
    const url = await copiedUrl(t, engine)
    const statements: string[] = []
    const database = await openFor(t, url, { onStatement: (sql) => void statements.push(sql) })
    await migrate(database)
    const id = await new Builder(database).account("ann")
    const account = { id, username: "ann", role: "partner", epoch: 0 } as const
    const activity = recorded(
      { log: scannedLog(t, []) },
      (recorders) => new Activity(database, recorders),
    )
    const [one, other] = ["a", "b"].map((id) => ({ id, account, expires: 0, now: 0 }))
    if (!one || !other) throw new Error("there are no sessions")
    activity.recordRequest(one)
    t.equal(activity.numbers.waiting, 1)
    activity.recordRequest(one)
    t.equal(activity.numbers.waiting, 1)
    activity.recordRequest(other)
    t.equal(activity.numbers.waiting, 2)
    await activity.close()
    const found = await database.writer.selectFrom("account_activity").selectAll().execute()
    t.match(found, [{ account_id: id, last_poll: Number, last_log_in: null }])
    t.equal(statements.filter((sql) => /insert into .account_activity/.test(sql)).length, 1)
  })

  await t.test("Activity marks a session in use and no other, and tells log-ins from polls", async (t) => {
    const database = await freshDatabase(t, engine)
    const build = new Builder(database)
    const [ann, bob] = [await build.account("ann"), await build.account("bob")]
    const activity = recorded(
      { log: scannedLog(t, []) },
      (recorders) => new Activity(database, recorders),
    )
    const used = await insertSession(database, ann, 60)
    const unused = await insertSession(database, ann, 60)
    const account = { id: ann, username: "ann", role: "partner" } as const
    activity.recordRequest({ id: used, account, expires: 0, now: 0 })
    activity.recordLogIn(bob)
    await activity.close()
    const sessions = await database.writer.selectFrom("session").select(["id", "used"]).execute()
    t.equal(sessions.find(({ id }) => id === unused)?.used, null)
    t.ok(sessions.find(({ id }) => id === used)?.used)
    const uses = await database.writer.selectFrom("account_activity").selectAll().execute()
    t.match(uses.find(({ account_id }) => account_id === ann), {
      last_poll: Number,
      last_log_in: null,
    })
    t.match(uses.find(({ account_id }) => account_id === bob), {
      last_poll: null,
      last_log_in: Number,
    })
  })
})
