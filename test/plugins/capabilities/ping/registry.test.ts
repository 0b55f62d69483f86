import { randomUUID } from "node:crypto"
import t from "tap"
import {
  revokeSessions,
  setDisabled,
  setPassword,
} from "../../../../plugins/capabilities/accounts/change-account.ts"
import type { AuditChange, Writer } from "../../../../core/access/audit-changes.ts"
import { endNow } from "../../../../core/access/session-ends.ts"
import { insertSession } from "../../../../core/access/sessions.ts"
import { listAudit, recordChange } from "../../../../plugins/capabilities/audit/audit-log.ts"
import {
  removeAccount,
  renameAccount,
} from "../../../../plugins/capabilities/accounts/change-names.ts"
import ping from "../../../../plugins/capabilities/ping/capability.ts"
import {
  type Acting,
  addReceiver,
  challengeReceiver,
  confirmReceiver,
  findReceiver,
  listOwnReceivers,
  listReceivers,
  pruneReceivers,
  removeReceiver,
  renewSecret,
} from "../../../../plugins/capabilities/ping/receivers.ts"
import { challengeOf } from "../../../../plugins/capabilities/ping/signature.ts"
import { Builder } from "../../../support/builder.ts"
import { testConfig } from "../../../support/app.ts"
import { copiedUrl, onEveryEngine, openFor } from "../../../support/database.ts"

const rules = { ports: [], hosts: undefined, loopback: false }
const anHour = 3600
const aDay = 86_400

await onEveryEngine(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const { writer } = database
  const build = new Builder(database)
  const now = () => Math.floor(Date.now() / 1000)
  let people = 0

  /** Adds an account that acts by a session of its own, and the same for an operator who acts for it. */
  const anyone = async (role: "partner" | "service" | "operator" | "viewer" = "partner") => {
    const username = `person${++people}`
    const id = await build.account(username, role)
    const session = await insertSession(database, id, anHour)
    const account = { id, username, role }
    const by = { actor: username, address: "192.0.2.1", record: recordChange }
    const caller = { id: session, account, expires: 0, now: now() }
    return { acting: { account, by, caller }, operated: { account, by: { ...by, actor: "op" } } }
  }
  const add = (acting: Acting, text = `https://hooks.invalid/${randomUUID()}`) =>
    addReceiver(database, text, { ...acting, rules })
  const rowOf = (id: string) =>
    writer.selectFrom("ping_receiver").selectAll().where("id", "=", id).executeTakeFirstOrThrow()
  const set = (id: string, values: Partial<Awaited<ReturnType<typeof rowOf>>>) =>
    writer.updateTable("ping_receiver").set(values).where("id", "=", id).execute()

  await t.test("an account has at most five receivers, and one of each URL, also if it asks for them at once", async (t) => {
    const { acting, operated } = await anyone()
    const wanted = [...Array(8).keys()].map((n) => `https://hooks.invalid/${n % 7}`)
    const outcomes = await Promise.allSettled(wanted.map((each) => add(acting, each)))
    const listed = await listOwnReceivers(database, acting.caller)
    t.equal(listed.length, 5)
    t.equal(new Set(listed.map(({ url }) => url)).size, 5)
    t.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 5)
    await t.rejects(add(acting), { message: /has 5 receivers. Remove one first/ })
    await t.rejects(add(operated), { message: /has 5 receivers/ })
    await removeReceiver(database, listed[0]?.id ?? "", acting)
    const same = listed[1]?.url ?? ""
    await t.rejects(add(acting, same.replace("hooks", "HOOKS")), { message: /with this URL/ })
    await add((await anyone()).acting, same)
  })

  await t.test("an account asks for at most ten challenges in an hour, by whatever it does", async (t) => {
    const { acting, operated } = await anyone()
    for (let n = 0; n < 4; n++) {
      const { receiver } = await add(acting)
      await removeReceiver(database, receiver.id, acting)
    }
    const { receiver } = await add(acting)
    for (let n = 0; n < 5; n++) await challengeReceiver(database, receiver.id, acting)
    await set(receiver.id, { state: "on" })
    await t.rejects(challengeReceiver(database, receiver.id, acting), {
      code: "too_many_requests",
      headers: { "retry-after": /^3[56]\d\d$/ },
    })
    t.match(await rowOf(receiver.id), { state: "on" })
    await t.rejects(add(acting), { code: "too_many_requests" })
    t.equal((await listOwnReceivers(database, acting.caller)).length, 1)
    await challengeReceiver(database, receiver.id, operated)
    t.match(await rowOf(receiver.id), { state: "unconfirmed" }, "operators are not bound by it")
    await writer.updateTable("ping_challenge").set({ since: now() - anHour - 1 })
      .where("account_id", "=", acting.account.id).execute()
    await challengeReceiver(database, receiver.id, acting)
    t.match(
      await writer.selectFrom("ping_challenge").selectAll()
        .where("account_id", "=", acting.account.id).execute(),
      [{ asked: 1 }],
    )
  })

  await t.test("the text of the last challenge turns a receiver on by hand, and no other", async (t) => {
    const { acting } = await anyone()
    const { receiver: { id } } = await add(acting)
    const secrets = ["a".repeat(40), "b".repeat(40)]
    const confirm = (challenge: string, by: Acting = acting) =>
      confirmReceiver(database, id, { ...by, challenge, secrets })
    const text = async (secret = secrets[1] ?? "") => challengeOf(await rowOf(id), secret)
    await set(id, { since: 1 })
    const former = await text()
    await challengeReceiver(database, id, acting)
    for (const wrong of [former, "", id, await text("c".repeat(40))]) {
      await t.rejects(confirm(wrong), { message: /not the text of the challenge/ }, wrong)
    }
    await t.rejects(confirm(await text(), (await anyone()).acting), { code: "not_found" })
    await set(id, { attempts: 4, failing_since: 1, last_error: "no_echo", last_status: 200 })
    const right = await text()
    await confirm(` ${right}\n`)
    t.match(await rowOf(id), {
      ...{ state: "on", reason: null, failing_since: null, attempts: 0, next_at: 0 },
      ...{ last_error: null, sent_seq: Number },
    })
    await t.rejects(confirm(right), { message: /not the text/ }, "it counts once")
    await set(id, { sent_seq: 77 })
    await challengeReceiver(database, id, acting)
    await confirm(await text())
    t.match(await rowOf(id), { state: "on", sent_seq: 77 })
    const [last] = await listAudit(database, { account: acting.account.username, limit: 1 })
    t.match(last, { detail: /^ping receiver [\da-f-]+ on hooks.invalid: confirmed by hand$/ })
  })

  await t.test("what ends all sessions of an account turns its receivers off until they are challenged", async (t) => {
    const record = async (db: Writer, change: AuditChange) => await ping.record?.(db, change)
    const by = { actor: "op", address: "192.0.2.1", record }
    const ends: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
      "account revoke": (name) => revokeSessions(database, name, by),
      "a new password": (name) => setPassword(database, name, "hash", by),
      "disabling and enabling": async (name) => {
        await setDisabled(database, name, true, { by, keepSessions: true })
        await setDisabled(database, name, false, { by })
      },
    }
    for (const [what, end] of Object.entries(ends)) {
      const [one, other] = [await anyone(), await anyone()]
      const [{ receiver: { id } }, { receiver }] = [await add(one.acting), await add(other.acting)]
      await set(id, { state: "on", sent_seq: 5, last_error: "timeout" })
      await end(one.acting.account.username)
      t.match(await rowOf(id), { state: "off", reason: "revoked", last_error: null }, what)
      t.match(await rowOf(receiver.id), { state: "unconfirmed" }, "nobody else's")
      await challengeReceiver(database, id, one.operated)
      t.match(await rowOf(id), { state: "unconfirmed", reason: null, sent_seq: 5 })
    }
    const { acting, acting: { account: { username } } } = await anyone()
    const { receiver } = await add(acting)
    await setDisabled(database, username, true, { by, keepSessions: true })
    await setDisabled(database, username, false, { by, keepSessions: true })
    t.match(await rowOf(receiver.id), { state: "unconfirmed" }, "sessions that are kept")
  })

  await t.test("a session that has ended since its request was admitted, and one of a token, change nothing", async (t) => {
    const { acting } = await anyone()
    const { receiver: { id } } = await add(acting)
    const ended = await insertSession(database, acting.account.id, anHour)
    await endNow(database, ended, "password")
    const token = await insertSession(database, acting.account.id, anHour, { lasting: 1 })
    for (
      const [session, code] of [
        [ended, "unauthenticated"],
        [randomUUID(), "unauthenticated"],
        [token, "not_with_a_token"],
      ] as const
    ) {
      const late = { ...acting, caller: { ...acting.caller, id: session } }
      await t.rejects(add(late), { code })
      await t.rejects(listOwnReceivers(database, late.caller), { code })
      for (const change of [removeReceiver, renewSecret, challengeReceiver]) {
        await t.rejects(() => change(database, id, late) as Promise<void>, { code })
      }
    }
    t.equal((await listOwnReceivers(database, acting.caller)).length, 1)
  })

  await t.test("an operator names a receiver by the beginning of its id", async (t) => {
    const { acting } = await anyone()
    const { receiver } = await add(acting)
    t.strictSame(await findReceiver(database, receiver.id.slice(0, 13).toUpperCase()), receiver)
    for (const wrong of ["abc", "%%%%", ""]) {
      await t.rejects(findReceiver(database, wrong), { message: /^No receiver has/ }, wrong)
    }
    const twins = ["aaaa0000-0000-4000-8000-000000000001", "aaaa0000-0000-4000-8000-000000000002"]
    for (const id of twins) {
      const { receiver } = await add(acting)
      await set(receiver.id, { id })
    }
    await t.rejects(findReceiver(database, "aaaa"), { message: /^Several receivers have/ })
    t.match(await findReceiver(database, twins[1] ?? ""), { id: twins[1] })
  })

  await t.test("receivers outlive sessions and a new name, and go with their account", async (t) => {
    const { acting, operated } = await anyone()
    const { receiver } = await add(acting)
    const { username, id } = acting.account
    await renameAccount(database, username, `${username}-new`, operated.by)
    t.match(await listReceivers(database, { accountId: id }), [
      { ...receiver, username: `${username}-new` },
    ])
    await removeAccount(database, `${username}-new`, { force: true }, operated.by)
    t.strictSame(await listReceivers(database, { accountId: id }), [])
    for (const table of ["ping_receiver", "ping_challenge"] as const) {
      const rows = await writer.selectFrom(table).selectAll().where("account_id", "=", id).execute()
      t.strictSame(rows, [], table)
    }
  })

  await t.test("receivers that have been off for 90 days are forgotten, and no others", async (t) => {
    await writer.deleteFrom("ping_receiver").execute()
    const { acting } = await anyone()
    const ids: string[] = []
    for (
      const [state, days] of [["off", 91], ["off", 89], ["on", 900], ["unconfirmed", 900]] as const
    ) {
      const { receiver: { id } } = await add(acting)
      await set(id, { state, since: now() - days * aDay })
      ids.push(id)
    }
    t.equal(await pruneReceivers(database, AbortSignal.timeout(60_000)), 1)
    const left = await listReceivers(database, { accountId: acting.account.id })
    t.strictSame(new Set(left.map(({ id }) => id)), new Set(ids.slice(1)))
    t.equal(await pruneReceivers(database, AbortSignal.timeout(60_000)), 0)
  })

  await t.test("check warns of receivers on loopback, except in the demonstration", async (t) => {
    const plan = await testConfig(url)
    const warn = async (loopback: boolean, capabilities = plan.capabilities) =>
      await ping.warn?.({
        ...{ database, plan: { ...plan, capabilities }, settings: { ports: [], loopback } },
      })
    t.strictSame(await warn(true), [])
    const others = plan.capabilities.filter(({ capability }) => capability.name !== "demonstration")
    t.match(await warn(true, others), [{ about: "ping.loopback" }])
    t.strictSame(await warn(false, others), [])
  })
})
