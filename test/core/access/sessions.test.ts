import t from "tap"
import { insertSession, pruneSessions, Sessions } from "../../../core/access/sessions.ts"
import { secret } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer, dialect } = database
  const ann = await new Builder(database).account("ann")

  await t.test("read rejects a cookie whose time has passed, whatever its row says", async (t) => {
    const settings = { secrets: [secret], lifetime: 3600, cookie: "session", secure: false }
    const openAt = async (seconds: number) => {
      const { now } = Date
      Date.now = () => now() + seconds * 1000
      try {
        return (await new Sessions(database, settings).open({ id: ann, epoch: 0 })).split(";")[0]
      } finally {
        Date.now = now
      }
    }
    const sessions = new Sessions(database, settings)
    t.match(await sessions.read(await openAt(-3000) ?? null), { epoch: 0 })
    t.equal(await sessions.read(await openAt(-4000) ?? null), undefined)
    await writer.deleteFrom("session").execute()
  })

  await t.test("pruneSessions deletes all expired sessions, and no others", async (t) => {
    const live = await insertSession(database, ann, 3600)
    const values = Array.from({ length: 2001 }, () => ({
      id: crypto.randomUUID(),
      account_id: ann,
      created: 0,
      expires: dialect.now,
    }))
    await writer.insertInto("session").values(values).execute()
    await pruneSessions(database)
    const left = await writer.selectFrom("session").select("id").execute()
    t.strictSame(left.map(({ id }) => id), [live])
  })
})
