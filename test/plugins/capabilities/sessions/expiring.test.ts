import t from "tap"
import { setDisabled } from "../../../../plugins/capabilities/accounts/change-account.ts"
import { endSessionsOf } from "../../../../core/access/session-ends.ts"
import {
  findSessionEnds,
  listExpiring,
} from "../../../../plugins/capabilities/sessions/expiring.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"

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
    times: { created?: number; expires: number; used: number | null; lasting?: 0 | 1 },
  ) => {
    const id = `00000000-0000-4000-8000-${String(++next).padStart(12, "0")}`
    const { created = -23 * aDay, expires, used, lasting = 0 } = times
    const row = { created: now + created, expires: now + expires, lasting }
    const account_id = ids[name] ?? ""
    await database.writer.insertInto("session")
      .values({ id, account_id, ...row, used: used === null ? null : now + used }).execute()
  }

  await t.test("listExpiring returns long sessions in use that end soon, the first one first", async (t) => {
    await add("ann", { expires: 8 * aDay, used: -60 })
    await add("ann", { expires: 6 * aDay, used: -60 })
    await add("bob", { expires: 5 * aDay, used: -aDay + 600 })
    await add("op", { expires: 6 * aDay + 60, used: -60 })
    await add("ann", { created: -aDay, expires: 6 * aDay, used: -60 })
    await add("ann", { expires: 6 * aDay, used: -aDay - 600 })
    await add("ann", { expires: 6 * aDay, used: null })
    await add("ann", { expires: -60, used: -120 })
    const listed = await listExpiring(database, 7 * aDay)
    t.strictSame(listed.map(({ username, ends }) => [username, ends - now]), [
      ["bob", 5 * aDay],
      ["ann", 6 * aDay],
      ["op", 6 * aDay + 60],
    ])
  })

  await t.test("findSessionEnds returns the first session and token of each program to end, until it is replaced", async (t) => {
    await add("ann", { expires: 9 * aDay, used: -60, lasting: 1 })
    const ends = async () =>
      (await findSessionEnds(database)).map(({ username, lasting, ends }) => [
        `${lasting === 1 ? "token" : "session"} of ${username}`,
        ends - now,
      ])
    const ofAnn = [["session of ann", 6 * aDay], ["token of ann", 9 * aDay]]
    t.strictSame(await ends(), [["session of bob", 5 * aDay], ...ofAnn])
    await endSessionsOf(database, ids["bob"] ?? "", { reason: "replaced", overlap: 3600 })
    t.strictSame(await ends(), ofAnn)
    await setDisabled(database, "ann", true, { keepSessions: true })
    t.strictSame(await ends(), [])
    t.strictSame((await listExpiring(database, 7 * aDay)).map(({ username }) => username), ["op"])
  })
})
