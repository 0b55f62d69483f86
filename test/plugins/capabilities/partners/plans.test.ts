import { CompiledQuery } from "kysely"
import t from "tap"
import type { Database } from "../../../../core/data/database.ts"
import { stuckLists } from "../../../../plugins/capabilities/partners/list-conditions.ts"
import { readErrorGroups } from "../../../../plugins/capabilities/partners/list-errors.ts"
import { findNoAccess } from "../../../../plugins/capabilities/partners/no-access.ts"
import { readListHistories } from "../../../../plugins/capabilities/partners/state-history/read-history.ts"
import { recordStates } from "../../../../plugins/capabilities/partners/state-history/record-states.ts"
import { withoutMysql } from "../../../support/database.ts"
import { setPartnerStage } from "../../../support/partner-stage.ts"
import { plansOf } from "../../../support/statements.ts"

const [partners, lists, past] = [40, 30, 6]
const aDay = 86_400

t.test("on MySQL", { skip: withoutMysql }, async (t) => {
  const { database, writer, now, event, addPartner } = await setPartnerStage(t, "mysql")
  const entry = { action: "list", address: "203.0.113.1", request_id: "", milliseconds: 1, at: now }
  const names = Array.from({ length: lists }, (_, n) => `list-${n}`)
  const accounts: { readonly id: string; readonly username: string }[] = []
  for (let n = 0; n < partners; n++) {
    const account = `p${n}`
    const account_id = await addPartner(account, names.map((list) => ({ list })))
    accounts.push({ id: account_id, username: account })
    const subject = { account_id, event_id: event, prefix: "/f/v1", state: "behind" } as const
    await writer.insertInto("partner_state").values(
      names.flatMap((list) =>
        Array.from({ length: past }, (_, n) => {
          const began = now - (n + 1) * 10 * aDay
          return { ...subject, list, began, ended: began + 3600 }
        })
      ),
    ).execute()
    await writer.insertInto("audit_log").values([
      ...Array.from({ length: 100 }, () => ({ ...entry, account, status: 304 })),
      { ...entry, account, action: "withdraw", status: 0 },
      { ...entry, account, status: 404, code: "event_not_found" },
    ]).execute()
  }
  await writer.updateTable("access_grant").set({ ends: now - 9 })
    .where("account_id", "in", accounts.slice(0, 4).map(({ id }) => id)).execute()
  await writer.insertInto("partner_look").values({ id: 1, at: now - 60 }).execute()
  const tables = "partner_state, sync_state, account, access_grant, audit_log"
  await writer.executeQuery(CompiledQuery.raw(`analyze table ${tables}`))

  const by = { now, retention: 1, completeSince: 0, hasAudit: true }
  const suspects = accounts.map((account) => {
    return { ...account, isDisabled: false, refused: null, lastRequest: now }
  })
  const [{ id = "" } = {}] = accounts
  /** What reads tables of partners that grow, and the index that it must use. */
  const reads: Readonly<Record<string, readonly [(from: Database) => Promise<unknown>, string]>> = {
    recordStates: [(from) => recordStates(from, { retention: 90 * aDay }), "partner_state_ended"],
    readListHistories: [
      (from) => from.snapshot((snapshot) => readListHistories(snapshot, now, id)),
      "PRIMARY",
    ],
    stuckLists: [
      (from) => from.snapshot((snapshot) => snapshot.run(stuckLists(snapshot, now))),
      "sync_state_watched",
    ],
    findNoAccess: [
      (from) => from.snapshot((snapshot) => findNoAccess(snapshot, by, suspects)),
      "audit_log_status",
    ],
    readErrorGroups: [
      (from) => from.snapshot((snapshot) => readErrorGroups(snapshot, { since: now - 3000 })),
      "audit_log_status",
    ],
  }
  for (const [name, [read, index]] of Object.entries(reads)) {
    await t.test(`${name} reads by an index`, async (t) => {
      const steps = (await plansOf(database, "mysql", read)).flatMap(({ steps }) => steps)
      t.ok(steps.some((step) => step.includes(index)), steps.join("\n"))
      t.strictSame(steps.filter((step) => /^(partner_state|past|audit_log) ALL /.test(step)), [])
    })
  }
})
