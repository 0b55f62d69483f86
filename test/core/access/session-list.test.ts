import t from "tap"
import { listSessions } from "../../../core/access/session-list.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"
import { isLive } from "../../support/live-session.ts"

const aDay = 86_400

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database)
  const ids: Record<string, string> = {
    ann: await build.account("ann", "partner"),
    bob: await build.account("bob", "service"),
    op: await build.account("op", "operator"),
  }
  const now = Math.floor(Date.now() / 1000)
  let next = 0
  /** Adds a session; times are relative to now. */
  const add = async (
    name: string,
    times: { created?: number; expires: number; used: number | null },
  ) => {
    const id = `00000000-0000-4000-8000-${String(++next).padStart(12, "0")}`
    const { created = -23 * aDay, expires, used } = times
    const row = { created: now + created, expires: now + expires }
    const account_id = ids[name] ?? ""
    await database.writer.insertInto("session")
      .values({ id, account_id, ...row, used: used === null ? null : now + used }).execute()
    return id
  }

  await t.test("listSessions shows as live what the admission statement lets through", async (t) => {
    const idle = 1000
    for (const expires of [-10, 10_000]) {
      for (const created of [-2000, -100]) {
        for (const used of [null, -1500, -50]) {
          const id = await add("bob", { created, expires, used })
          const key = { session: id, epoch: 0, account: ids["bob"] ?? "" }
          for (const allowed of [0, idle]) {
            const found = (await listSessions(database, "bob", { idle: allowed }))
              .find((session) => session.id === id)
            const live = await isLive(database, key, allowed)
            t.equal(found?.state === "live", live, JSON.stringify(found))
            t.equal((found?.ends ?? 0) > now, live, "what has ended did so in the past")
          }
        }
      }
    }
    await database.writer.deleteFrom("session").execute()
  })
})
