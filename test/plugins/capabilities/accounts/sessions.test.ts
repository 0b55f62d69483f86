import { recordChange } from "../../../../plugins/capabilities/audit/audit-log.ts"
import t from "tap"
import { findDemonstrationAccounts } from "../../../../core/access/accounts.ts"
import {
  revokeSessions,
  setDisabled,
  setPassword,
} from "../../../../plugins/capabilities/accounts/change-account.ts"
import { endSessionsOf } from "../../../../core/access/session-ends.ts"
import { endSession } from "../../../../plugins/capabilities/accounts/end-session.ts"
import {
  listSessions,
  sessionPages,
} from "../../../../plugins/capabilities/accounts/session-list.ts"
import { insertSession } from "../../../../core/access/sessions.ts"
import { UserError } from "../../../../core/errors.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { isLive } from "../../../support/live-session.ts"
import { withinOneSecond } from "../../../support/one-second.ts"

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
  const now = Math.floor(Date.now() / 1000)
  const insert = async (id: string, values = {}) => {
    const row = { id, account_id: ann, created: 0, expires: 4_000_000_000, ...values }
    await writer.insertInto("session").values(row).execute()
  }

  await t.test("listSessions shows as live what the admission statement lets through", async (t) => {
    for (const expires of [-10, 10_000]) {
      for (const created of [-2000, -100]) {
        for (const used of [null, -1500, -50]) {
          const id = crypto.randomUUID()
          const times = { expires: now + expires, created: now + created }
          await insert(id, { ...times, account_id: bob, used: used === null ? null : now + used })
          for (const idle of [0, 1000]) {
            const found = (await listSessions(database, { username: "bob", idle }))
              .find((it) => it.id === id)
            const live = await isLive(database, { session: id, epoch: 0, account: bob }, idle)
            t.equal(found?.state === "live", live, JSON.stringify(found))
            t.equal((found?.ends ?? 0) > now, live, "what has ended did so in the past")
          }
        }
      }
    }
  })

  await t.test("sessionPages has all sessions once and in order, also those that end together", async (t) => {
    for (let n = 0; n < 9; n++) {
      await insert(crypto.randomUUID(), { expires: now - 10 + n % 2 * 1000 })
    }
    await insert(crypto.randomUUID(), { account_id: bob })
    for (const query of [{}, { username: "ann" }, { username: "bob" }, { isRunning: true }]) {
      const all = await listSessions(database, query)
      t.ok(all.every(({ ends }, n) => n === 0 || ends <= (all[n - 1]?.ends ?? 0)), "in order")
      for (const most of [1, 3, all.length]) {
        t.strictSame((await Array.fromAsync(sessionPages(database, query, most))).flat(), all)
      }
      t.strictSame(await listSessions(database, { ...query, most: 2 }), all.slice(0, 2))
    }
    t.equal((await listSessions(database, { username: "ann" })).length, 9)
    t.equal((await listSessions(database, { username: "ann", isRunning: true })).length, 4)
  })

  await t.test("listSessions shows as live what the admission statement lets through, to the second", async (t) => {
    const [id, idle] = [crypto.randomUUID(), 1000]
    await insert(id, { account_id: bob })
    for (const [column, ago] of [["used", idle], ["created", idle], ["expires", 0]] as const) {
      for (const [seconds, live] of [[0, false], [1, true]] as const) {
        const found = await withinOneSecond(database, async (now) => {
          const usual = { created: now, used: null, expires: now + 9 }
          const times = { ...usual, [column]: now - ago + seconds }
          await writer.updateTable("session").set(times).where("id", "=", id).execute()
          const listed = await listSessions(database, { username: "bob", idle })
          return [
            listed.find((each) => each.id === id)?.state === "live",
            await isLive(database, { session: id, epoch: 0, account: bob }, idle),
          ]
        })
        t.strictSame(found, [live, live], `${column}, ${seconds}`)
      }
    }
  })

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
      const states = [await stateOf(mine), await stateOf(expired), await stateOf(others)]
      t.strictSame(states, [state, "expired", "live"])
      // A log-in that began before may insert a row after.
      t.strictSame(await epochs(), { ...before, ann: Number(before["ann"]) + 1 })
    })
  }

  await t.test("an account is no demonstration any more once it has a password of its own", async (t) => {
    await writer.updateTable("account").set({ demonstration: 1 }).where("id", "=", ann).execute()
    await revokeSessions(database, "ann")
    t.strictSame(await findDemonstrationAccounts(database), ["ann"])
    await setPassword(database, "ann", "another hash")
    t.strictSame(await findDemonstrationAccounts(database), [])
  })

  await t.test("sessions survive a disabled account only if they are kept both times", async (t) => {
    for (const [first, second] of [[true, true], [true, false], [false, true]] as const) {
      const epoch = (await epochs())["ann"] as number
      const session = await insertSession(database, ann, 3600)
      const key = { session, epoch, account: ann }
      await setDisabled(database, "ann", true, { keepSessions: first })
      t.equal(await isLive(database, key), false, "no session of a disabled account counts")
      if (first) t.equal(await stateOf(session), "paused")
      await setDisabled(database, "ann", false, { keepSessions: second })
      t.equal(await isLive(database, key), first && second)
    }
  })

  await t.test("endSession ends and records the one session that begins so, and else changes nothing", async (t) => {
    const [other, id, third] = ["aaaa", "aaaabbbb", "aaaacccc"].map((start) =>
      start.padEnd(8, "0") + "-0000-4000-8000-000000000000"
    ) as [string, string, string]
    for (const each of [other, id, third]) await insert(each)
    const by = { actor: "someone", address: "office", record: recordChange }
    t.match(await endSession(database, "AAAAB", "revoked", by), { id, username: "ann" })
    t.strictSame([await stateOf(id), await stateOf(other)], ["revoked", "live"])
    t.match(await writer.selectFrom("audit_log").selectAll().execute(), [{
      ...{ action: "session-end", account: "ann", actor: "someone", address: "office" },
      detail: `${id}, revoked`,
    }])
    const refusals: Record<string, RegExp> = {
      "aaaa": /2 live sessions begin with aaaa/,
      "aaaabbbb": /has ended already/,
      "ffffffffff": /There is no session/,
      ...{ "zzzz": /not the beginning/, "": /not the beginning/, "%%%%": /not the beginning/ },
    }
    const rows = () => writer.selectFrom("session").selectAll().orderBy("id").execute()
    const before = await rows()
    for (const [prefix, message] of Object.entries(refusals)) {
      const error = await endSession(database, prefix, "revoked", by).catch((error) => error)
      t.ok(error instanceof UserError)
      t.match(error.message, message, prefix)
    }
    t.strictSame(await rows(), before)
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
    const found = new Map(
      (await listSessions(database, { username: "ann" })).map((each) => [each.id, each]),
    )
    const expected = [[long, true, 3600], [short, false, 600], [fresh, false, 86_400]] as const
    for (const [id, replaced, seconds] of expected) {
      const { began = 0, ends = 0, ...session } = found.get(id) ?? {}
      t.match(session, { state: "live", replaced })
      t.ok(Math.abs(ends - began - seconds) <= 5)
    }
  })
})
