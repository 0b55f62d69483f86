import { CompiledQuery } from "kysely"
import t from "tap"
import type { Snapshot } from "../../../../core/data/database.ts"
import { findLastFamily } from "../../../../plugins/capabilities/partners/last-family.ts"
import { stuckLists } from "../../../../plugins/capabilities/partners/list-conditions.ts"
import { readErrorGroups } from "../../../../plugins/capabilities/partners/list-errors.ts"
import { readGrants } from "../../../../plugins/capabilities/partners/lost-events.ts"
import { findNoAccess } from "../../../../plugins/capabilities/partners/no-access.ts"
import {
  readHistories,
  readListHistories,
} from "../../../../plugins/capabilities/partners/state-history/read-history.ts"
import { recordStates } from "../../../../plugins/capabilities/partners/state-history/record-states.ts"
import { withoutMysql } from "../../../support/database.ts"
import { setPartnerStage } from "../../../support/partner-stage.ts"
import { plansOf } from "../../../support/statements.ts"

const [partners, lists, past] = [40, 30, 6]
const [anHour, aDay] = [3600, 86_400]

t.test("on MySQL", { skip: withoutMysql }, async (t) => {
  const { database, build, writer, now, event, addLists } = await setPartnerStage(t, "mysql")
  const accounts: { readonly id: string; readonly username: string }[] = []
  const entry = { action: "list", address: "203.0.113.1", request_id: "", milliseconds: 1 }
  const events: string[] = [event]
  for (let n = 1; n < 20; n++) events.push(await build.event(await build.organization(`o${n}`)))
  for (let n = 0; n < partners; n++) {
    const username = `p${n}`
    const account_id = await build.account(username)
    accounts.push({ id: account_id, username })
    const names = Array.from({ length: lists }, (_, n) => `list-${n}`)
    await addLists(account_id, ...names.map((list) => ({ list })))
    const subjects = [{ event_id: "", prefix: "", list: "" }].concat(
      names.map((list) => ({ event_id: event, prefix: "/f/v1", list })),
    )
    await writer.insertInto("partner_state").values(
      subjects.flatMap((subject) =>
        Array.from({ length: past }, (_, n) => {
          const began = now - (n + 1) * 10 * aDay
          return { account_id, ...subject, began, ended: began + anHour, state: "behind" as const }
        })
      ),
    ).execute()
    await writer.insertInto("partner_month")
      .values({ account_id, month: now - now % aDay, failing: 9, idle: 0 }).execute()
    const limits = n % 10 === 0 ? { ends: now - 9 } : {}
    await writer.insertInto("access_grant").values(
      events.map((event_id) => ({ id: crypto.randomUUID(), account_id, event_id, ...limits })),
    ).execute()
    await writer.insertInto("audit_log").values([
      ...Array.from({ length: 100 }, (_, n) => (
        { ...entry, at: now - n, account: username, status: 304 }
      )),
      { ...entry, at: now, account: username, action: "withdraw", status: 0 },
      { ...entry, at: now, account: username, status: 404, code: "event_not_found" },
    ]).execute()
  }
  await writer.insertInto("partner_look").values({ id: 1, at: now - 60 }).execute()
  const tables = "partner_state, partner_month, sync_state, account, access_grant, audit_log"
  await writer.executeQuery(CompiledQuery.raw(`analyze table ${tables}`))

  const by = { now, retention: 1, completeSince: 0, hasAudit: true }
  const suspects = accounts.map((account) => {
    return { ...account, isDisabled: false, refused: null, lastRequest: now }
  })
  const ids = accounts.map(({ id }) => id)
  const [account = ""] = ids
  const ofEvent = ids.map((accountId) => ({ accountId, eventId: event, organizationId: null }))

  /** What is read, and the index that one of its statements must use. None may read all of a table of partners. */
  const reads: Readonly<
    Record<string, { readonly read: (s: Snapshot) => Promise<unknown>; readonly index: string }>
  > = {
    readHistories: { read: (s) => readHistories(s, now, ids.slice(0, 20)), index: "PRIMARY" },
    readListHistories: { read: (s) => readListHistories(s, now, account), index: "PRIMARY" },
    stuckLists: { read: (s) => s.run(stuckLists(s, now)), index: "sync_state_watched" },
    findNoAccess: { read: (s) => findNoAccess(s, by, suspects), index: "audit_log_status" },
    readGrants: { read: (s) => readGrants(s, by, ofEvent.slice(0, 4)), index: "access_grant" },
    readErrorGroups: {
      read: (s) => readErrorGroups(s, { since: now - 3000 }),
      index: "audit_log_status",
    },
    findLastFamily: { read: (s) => findLastFamily(s, account), index: "sync_state" },
  }
  const scans = /^(partner_state|partner_month|past|sums|s|sync_state|audit_log|g) (ALL|index) /

  for (const [name, { read, index }] of Object.entries(reads)) {
    await t.test(`${name} reads by an index`, async (t) => {
      const plans = await plansOf(database, "mysql", (database) => database.snapshot(read))
      const steps = plans.flatMap(({ steps }) => steps)
      t.ok(steps.some((step) => step.includes(index)), steps.join("\n"))
      t.strictSame(steps.filter((step) => scans.test(step)), [])
    })
  }

  await t.test("recordStates reads the runs that have not ended, and no others", async (t) => {
    const plans = await plansOf(
      database,
      "mysql",
      (database) => recordStates(database, { retention: 90 * aDay }),
    )
    const own = plans.filter(({ sql }) => /partner_(state|month|look)/.test(sql))
    const open = own.filter(({ sql }) => /from .partner_state. where .ended. is null/.test(sql))
    t.match(open.map(({ steps }) => steps), [[/partner_state_ended/]])
    t.strictSame(own.flatMap(({ steps }) => steps).filter((step) => scans.test(step)), [])
  })
})
