import fc from "fast-check"
import type { Kysely } from "kysely"
import t from "tap"
import type { SyncRow } from "../../../../plugins/capabilities/partners/definitions.ts"
import { listPartners } from "../../../../plugins/capabilities/partners/list-partners.ts"
import type { PartnerHealth } from "../../../../plugins/capabilities/partners/partner-health.ts"
import { addShortcuts } from "../../../../plugins/capabilities/partners/tables.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEmbedded } from "../../../support/database.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const now = 1_750_000_000
const retention = 90 * 86_400

/** A time, or null: around what definitions compare with. */
const time = fc.option(
  fc.constantFrom(0, 5, 59, 61, 130, 600, 3599, 3601, 10_000, 86_400, 3 * 86_400, 20 * 86_400)
    .map((ago) => now - ago),
  { nil: null, freq: 3 },
)

const kind = fc.constantFrom("guests", "items", "guest deletions", "item deletions", "other")
const poll_interval = fc.constantFrom(null, 60, 900, 86_400)
const columns = {
  kind,
  poll_interval,
  error_code: fc.constantFrom("invalid_parameter", "resync_required"),
  error_status: fc.constant(400),
  error_request: fc.constant("r"),
  records: fc.nat(9),
  ...Object.fromEntries(
    [
      ...["last_poll", "walk_started", "walk_since", "walk_next", "previous_started"],
      ...["third_started", "first_started", "walk_completed", "completed_next", "skipped_from"],
      ...["skipped_to", "since_from", "acknowledged", "first_error", "error_at"],
    ].map((column) => [column, time]),
  ),
} as Record<string, fc.Arbitrary<unknown>>

/** A list that is well, or silent. */
const calm = fc.record({ kind, poll_interval, at: time }).map(({ at, ...row }) => ({
  ...row,
  ...{ last_poll: at ?? now, walk_started: at, walk_completed: at, completed_next: at },
  ...{ walk_since: at, walk_next: at, acknowledged: at, first_started: at },
}))

/** What a list of one of five accounts and two events is like. */
const list = fc.record({
  account: fc.nat(4),
  event: fc.nat(1),
  list: fc.constantFrom("a", "b", "c"),
  row: fc.oneof(
    fc.record(columns),
    calm,
    // What one column says must not need another one.
    fc.tuple(calm, fc.record(columns), fc.subarray(Object.keys(columns), { maxLength: 2 })).map(
      ([well, other, some]) => ({
        ...well,
        ...Object.fromEntries(some.map((key) => [key, other[key]])),
      }),
    ),
    fc.tuple(
      calm,
      fc.constantFrom(
        { walk_started: now, previous_started: now - 86_400, walk_completed: null },
        { since_from: now - 600, previous_started: now - 59, walk_completed: now, walk_since: 2e8 },
      ),
    ).map((rows) => Object.assign({}, ...rows)),
  ).map(acknowledgedByPolls),
})

/** Lets a list acknowledge nothing later than its last poll: a poll does that. */
function acknowledgedByPolls(row: Readonly<Record<string, unknown>>) {
  const { last_poll, acknowledged } = row as Pick<SyncRow, "last_poll" | "acknowledged">
  if (last_poll === null || acknowledged === null) return { ...row, acknowledged: null }
  return { ...row, acknowledged: Math.min(last_poll, acknowledged) }
}

/** What is said of deletions that were not read. */
const noDeletions = { daysUntilResync: null, deletionsWaiting: 0, moreDeletionsWaiting: false }

/** Leaves out what a brief reading need not know. */
function comparable(health: PartnerHealth) {
  const { daysUntilResync: _, lists, records, lastCompleted, ...rest } = health
  const isWell = health.stuck + health.behind + health.partial === 0
  return { ...rest, ...!isWell && { lists, records, lastCompleted } }
}

await onEmbedded(t, async (t, engine) => {
  await t.test("listPartners says in a brief reading the same as in a whole one, whatever was written in whatever order", async (t) => {
    const database = await freshDatabase(t, engine)
    const { writer } = database
    const build = new Builder(database, { isAlone: true })
    const organization = await build.organization("acme")
    const events = [await build.event(organization), await build.event(organization)]
    for (const event of events) {
      await build.guest(event, { updated: now - 70 })
      await build.item("tickets", event, { updated: now - 4000 })
      await writer.insertInto("deletion").values([
        { event_id: event, category: "guests", record_id: "1", at: now - 70 },
        { event_id: event, category: "tickets", record_id: "1", at: now - 90_000 },
      ]).execute()
    }
    const accounts: string[] = []
    for (const name of ["a", "b", "c", "d", "e"]) {
      accounts.push(await build.account(name))
      await build.grant(name, name === "e" ? { event: events[0] ?? "" } : { organization: "acme" })
    }
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.array(list, { minLength: 1, maxLength: 12 }), async (lists) => {
        await writer.deleteFrom("sync_state").execute()
        for (const { account, event, list, row } of lists) {
          const key = { account_id: accounts[account] ?? "", event_id: events[event] ?? "", list }
          const values = { ...emptyRow(key), ...row as Partial<SyncRow> }
          // Of the same list, the later write is what is there.
          const there = await writer.updateTable("sync_state").set(values)
            .where("account_id", "=", key.account_id).where("event_id", "=", key.event_id)
            .where("list", "=", list).executeTakeFirst()
          if (there.numUpdatedRows === 0n) {
            await writer.insertInto("sync_state").values(values).execute()
          }
        }
        const whole = await listPartners(database, { retention, at: now })
        const shortest = { retention, at: now, isBrief: true }
        const brief = await listPartners(database, { ...shortest, withDeletions: true })
        t.strictSame(brief.map(comparable), whole.map(comparable))
        const ofStates = await listPartners(database, shortest)
        t.strictSame(ofStates, brief.map((health) => ({ ...health, ...noDeletions })))
        for (const [index, { state, daysUntilResync: days }] of whole.entries()) {
          seen.add(state)
          const estimate = brief[index]?.daysUntilResync ?? null
          if (days === null || estimate === null) t.equal(estimate, days)
          else t.ok(estimate <= days && estimate > days - 1 / 24, `${estimate} of ${days} days`)
        }
      }),
      { numRuns: 40, endOnFailure: true, seed: 5 },
    )
    t.ok(seen.size >= 5, [...seen].join(", "))
  })

  await t.test("addShortcuts changes nothing if it has been applied", async (t) => {
    const { migrator, dialect } = await freshDatabase(t, engine)
    await addShortcuts.up(migrator as unknown as Kysely<unknown>, dialect)
  })
})
