import t from "tap"
import { insertSession, pruneSessions } from "../../../core/access/sessions.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer, dialect } = database
  const ann = await new Builder(database).account("ann")

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
