import { recordChange } from "../../../plugins/capabilities/audit/audit-log.ts"
import t from "tap"
import { revokeSessions, setDisabled, setPassword } from "../../../core/access/accounts.ts"
import { endSession, endSessionsOf } from "../../../core/access/session-ends.ts"
import { listSessions } from "../../../core/access/session-list.ts"
import { insertSession } from "../../../core/access/sessions.ts"
import { UserError } from "../../../core/errors.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"
import { isLive } from "../../support/live-session.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer } = database
  const build = new Builder(database)
  const ann = await build.account("ann")
  const bob = await build.account("bob")
  const stateOf = async (id: string) =>
    (await listSessions(database)).find((session) => session.id === id)?.state
  const epochs = async () => {
    const rows = await writer.selectFrom("account").select(["username", "epoch"]).execute()
    return Object.fromEntries(rows.map(({ username, epoch }) => [username, epoch]))
  }
  const by = { actor: "someone", address: "office", record: recordChange }
  const insert = (id: string) =>
    writer.insertInto("session")
      .values({ id, account_id: ann, created: 0, expires: 4_000_000_000 }).execute()

  const endings: Record<string, [end: () => Promise<unknown>, state: string]> = {
    revokeSessions: [() => revokeSessions(database, "ann"), "revoked"],
    setPassword: [() => setPassword(database, "ann", "a hash"), "password"],
    "setDisabled, true,": [() => setDisabled(database, "ann", true), "disabled"],
    "setDisabled, false,": [() => setDisabled(database, "ann", false), "disabled"],
  }
  for (const [name, [end, state]] of Object.entries(endings)) {
    await t.test(`${name} keeps the rows of the sessions, says why they ended, and ends those that are still to be opened`, async (t) => {
      const [mine, expired] = [
        await insertSession(database, ann, 3600),
        await insertSession(database, ann, -5),
      ]
      const others = await insertSession(database, bob, 3600)
      const before = await epochs()
      await end()
      t.equal(await stateOf(mine), state)
      t.equal(await stateOf(expired), "expired", "it had ended before")
      t.equal(await stateOf(others), "live")
      // A log-in that began before may insert a row after.
      t.strictSame(await epochs(), { ...before, ann: Number(before["ann"]) + 1 })
    })
  }

  await t.test("sessions survive a disabled account only if they are kept both times", async (t) => {
    for (
      const [first, second, survives] of [
        [true, true, true],
        [true, false, false],
        [false, true, false],
      ] as const
    ) {
      const { epoch } = await writer.selectFrom("account").select("epoch")
        .where("id", "=", ann).executeTakeFirstOrThrow()
      const session = await insertSession(database, ann, 3600)
      const key = { session, epoch, account: ann }
      await setDisabled(database, "ann", true, { keepSessions: first })
      t.equal(await isLive(database, key), false, "no session of a disabled account counts")
      if (first) t.equal(await stateOf(session), "paused")
      await setDisabled(database, "ann", false, { keepSessions: second })
      t.equal(await isLive(database, key), survives)
    }
  })

  await t.test("endSession ends the one session that begins so, and records it", async (t) => {
    await insert("aaaaaaaa-0000-4000-8000-000000000001")
    await insert("aaaabbbb-0000-4000-8000-000000000002")
    t.match(await endSession(database, "AAAAB", "revoked", by), {
      id: /^aaaabbbb/,
      username: "ann",
    })
    t.equal(await stateOf("aaaabbbb-0000-4000-8000-000000000002"), "revoked")
    t.equal(await stateOf("aaaaaaaa-0000-4000-8000-000000000001"), "live")
    const recorded = await writer.selectFrom("audit_log").selectAll().execute()
    t.match(recorded, [{
      action: "session-end",
      account: "ann",
      actor: "someone",
      address: "office",
      detail: /aaaabbbb-0000-4000-8000-000000000002, revoked/,
    }])
  })

  await t.test("endSession changes nothing if the session is unknown, has ended, or is one of several", async (t) => {
    await insert("aaaacccc-0000-4000-8000-000000000003")
    const refusals: Record<string, RegExp> = {
      "aaaa": /2 live sessions begin with aaaa/,
      "aaaabbbb": /has ended already/,
      "ffffffffff": /There is no session/,
      "zzzz": /not the beginning/,
      "": /not the beginning/,
      "%%%%": /not the beginning/,
    }
    const before = await listSessions(database)
    for (const [prefix, message] of Object.entries(refusals)) {
      await t.rejects(endSession(database, prefix, "revoked", by), { message }, prefix)
      await t.rejects(endSession(database, prefix, "revoked", by), UserError)
    }
    t.strictSame(await listSessions(database), before)
  })

  await t.test("endSessionsOf leaves older sessions for an overlap, never longer than they had", async (t) => {
    await writer.deleteFrom("session").execute()
    const [long, short, fresh] = [
      await insertSession(database, ann, 86_400),
      await insertSession(database, ann, 600),
      await insertSession(database, ann, 86_400),
    ]
    const options = { reason: "replaced", overlap: 3600, except: [fresh] } as const
    t.equal(await endSessionsOf(database, ann, options), 1)
    const found = new Map((await listSessions(database, "ann")).map((each) => [each.id, each]))
    const lasts = (id: string) => {
      const { began = 0, ends = 0 } = found.get(id) ?? {}
      return ends - began
    }
    t.match(found.get(long), { state: "live", replaced: true })
    t.ok(Math.abs(lasts(long) - 3600) <= 5)
    t.match(found.get(short), { state: "live", replaced: false })
    t.equal(lasts(short), 600)
    t.match(found.get(fresh), { state: "live", replaced: false })
    t.equal(lasts(fresh), 86_400)
  })
})
