import { CompiledQuery } from "kysely"
import t from "tap"
import type { Runnable, Snapshot } from "../../../../core/data/database.ts"
import { readGrants } from "../../../../plugins/capabilities/partners/lost-events.ts"
import { findNoAccess } from "../../../../plugins/capabilities/partners/no-access.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { plansOf } from "../../../support/plans.ts"

const [partners, events] = [100, 20]
/** Reads of each partner in the audit log, and changes of all. */
const [reads, changes] = [100, 40]

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer, dialect } = database
  const build = new Builder(database)
  const { now } = await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  const organization = await build.organization("acme")
  const ids: string[] = []
  for (let n = 0; n < events; n++) ids.push(await build.event(organization))
  const accounts: { id: string; username: string }[] = []
  for (let n = 0; n < partners; n++) {
    accounts.push({ id: await build.account(`p${n}`), username: `p${n}` })
  }
  for (const [n, { id: account_id, username }] of accounts.entries()) {
    // Every tenth may read nothing, and every other tenth from somewhere else only.
    const limits = n % 10 === 0 ? { ends: now - 9 } : n % 10 === 5 ? { networks: "192.0.2.1" } : {}
    await writer.insertInto("access_grant").values(
      ids.map((event_id) => ({ id: crypto.randomUUID(), account_id, event_id, ...limits })),
    ).execute()
    await writer.insertInto("last_request").values({ account_id, at: now, address: "203.0.113.1" })
      .execute()
    await writer.insertInto("audit_log").values(
      Array.from({ length: reads }, (_, n) => ({
        ...{ at: now - n, action: "list", account: username, address: "203.0.113.1" },
        ...{ request_id: "", status: 200, milliseconds: 1 },
      })),
    ).execute()
  }
  await writer.insertInto("audit_log").values(
    Array.from({ length: changes }, (_, n) => ({
      ...{ at: now, action: "withdraw", account: `p${n}`, address: "host", actor: "root" },
      ...{ request_id: "", status: 0, milliseconds: 0, detail: "organization north" },
    })),
  ).execute()
  if (engine === "mysql") {
    await writer.executeQuery(
      CompiledQuery.raw("analyze table audit_log, access_grant, last_request, account"),
    )
  }
  const by = { now, retention: 1, completeSince: 0, hasAudit: true }
  const suspects = accounts.map((account) => {
    return { ...account, isDisabled: false, refused: null, lastRequest: now }
  })

  await t.test("findNoAccess finds all partners without access in four statements at most", async (t) => {
    let statements = 0
    const found = await database.snapshot((snapshot) => {
      const run = <Row>(query: Runnable<Row>) => {
        statements++
        return snapshot.run(query)
      }
      return findNoAccess({ ...snapshot, run: run as Snapshot["run"] }, by, suspects)
    })
    const causes = Map.groupBy(found.values(), ({ cause }) => cause)
    t.equal(causes.get("network")?.length, partners / 10)
    t.equal(causes.get("withdrawn")?.length, changes / 10)
    t.equal(causes.get("ended")?.length, partners / 10 - changes / 10)
    t.ok(statements <= 4, `${statements} statements`)
  })

  await t.test("findNoAccess reads changes by their status, and grants by their accounts", async (t) => {
    for (const asked of [suspects, suspects.slice(10, 11)]) {
      const plans = await plansOf(database, (snapshot) => findNoAccess(snapshot, by, asked))
      t.comment(plans.join("\n"))
      const ofLog = plans.filter((plan) => plan.includes("audit_log"))
      t.equal(ofLog.length, 1)
      t.match(ofLog[0], /audit_log_status/)
      t.notOk(plans.some((plan) => /SCAN g\b|^g ALL/.test(plan)), plans.join("\n"))
    }
  })

  await t.test("readGrants reads grants by their accounts", async (t) => {
    const lists = accounts.map(({ id }) => ({
      ...{ accountId: id, eventId: ids[0] ?? null, organizationId: organization },
    }))
    for (const asked of [lists, lists.slice(0, 1)]) {
      const plans = await plansOf(database, (snapshot) => readGrants(snapshot, by, asked))
      t.comment(plans.join("\n"))
      t.notOk(plans.some((plan) => /SCAN g\b|^g ALL/.test(plan)), plans.join("\n"))
    }
  })
})
