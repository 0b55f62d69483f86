import type { Insertable } from "kysely"
import t from "tap"
import type { Schema } from "../../../../core/data/schema.ts"
import type { ListState, SyncRow } from "../../../../plugins/capabilities/partners/definitions.ts"
import { unreadLists } from "../../../../plugins/capabilities/partners/list-conditions.ts"
import { readLists } from "../../../../plugins/capabilities/partners/list-health.ts"
import { listPartners } from "../../../../plugins/capabilities/partners/list-partners.ts"
import type { PartnerHealth } from "../../../../plugins/capabilities/partners/partner-health.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const now = 1_750_000_000
const aDay = 86_400

/** A list, and what must be said of it. Its event has changed 9,999 s ago, unless it is given otherwise. */
interface Case {
  readonly list: Partial<SyncRow>
  readonly state: ListState
  /** Seconds since the newest change of the event; null if it never had one. */
  readonly newest?: number | null
  /** False if the list counts no more for the state of its partner. */
  readonly isCounted?: false
}

/** Returns cases of a list that is polled every minute, and whose last walk was completed ten seconds ago. */
function of(
  state: ListState,
  ...lists: readonly (Partial<SyncRow> & Pick<Case, "newest" | "isCounted">)[]
): readonly Case[] {
  const at = now - 10
  const walk = { walk_started: at, walk_completed: at, completed_next: at - 2 }
  return lists.map(({ newest = 9999, isCounted, ...own }) => ({
    ...{ state, newest, list: { last_poll: at, poll_interval: 60, ...walk, ...own } },
    ...isCounted === false && { isCounted },
  }))
}

/** What was begun some seconds ago: the last walk, the one before, and the third. */
function begun(...ago: readonly number[]) {
  const [walk_started = null, previous_started = null, third_started = null] = ago.map((each) =>
    now - each
  )
  return { walk_started, previous_started, third_started }
}

/** Errors since the first some seconds ago, up to the last. */
const failed = (first: number, last: number) => (
  { first_error: now - first, error_at: now - last }
)
const polled = (ago: number) => ({ last_poll: now - ago })
const covered = (ago: number) => ({ completed_next: now - ago })
const completed = (ago: number) => ({ walk_completed: now - ago })
const never = { walk_completed: null, completed_next: null }
const none = { ...never, last_poll: null, poll_interval: null, walk_started: null }
const isForgotten = { error_at: now, error_code: "resync_required", first_error: now }

const cases: Readonly<Record<string, readonly Case[]>> = {
  "behind an interval and a minute after the end of what the partner has": [
    ...of("in sync", { ...covered(119), newest: 0 }),
    ...of("behind", { ...covered(120), newest: 0 }),
    ...of("in sync", { ...covered(959), newest: 0, poll_interval: 900 }),
    ...of("behind", { ...covered(960), newest: 0, poll_interval: 900 }),
  ],
  "behind if it has changed since the time that walks cover": [
    ...of("in sync", { ...covered(5000), newest: null }, { ...covered(5000), newest: 5001 }),
    ...of("behind", { ...covered(5000), newest: 5000 }, { ...covered(5000), newest: 0 }),
    ...of("behind", { ...never, first_started: now - 120 }),
    ...of("partial", { ...never, first_started: now - 119 }),
  ],
  "not behind while a change is open, and the partner polls on": [
    ...of("in sync", { ...covered(5000), sent_until: now - 119, newest: 0 }),
    ...of("behind", { ...covered(5000), sent_until: now - 120, newest: 0 }),
    ...of("in sync", { ...covered(119), sent_until: now - 5000, newest: 0 }),
  ],
  "stuck after three walks without an end, or two for ten intervals": [
    ...of("stuck", { ...never, ...begun(1, 2, 3) }, { ...never, ...begun(1, 601) }),
    ...of("partial", { ...never, ...begun(1, 600) }, { ...never, ...begun(9999) }),
    ...of("in sync", { ...begun(1, 2, 30), ...completed(30) }),
    ...of("stuck", { ...begun(1, 2, 29), ...completed(30) }),
    ...of("stuck", { ...begun(1, 699), ...completed(700) }),
    ...of("in sync", { ...begun(1, 700), ...completed(700) }, {
      ...begun(1, 700),
      ...completed(5),
    }),
  ],
  "stuck after errors for an interval and a minute since the last page": [
    ...of("in sync", { ...polled(600), ...failed(120, 1) }),
    ...of("stuck", { ...polled(600), ...failed(121, 1) }),
    // It is not known since when there are errors.
    ...of("in sync", { ...polled(601), ...failed(9999, 1) }),
    ...of("silent", { ...polled(601), ...failed(9999, 602) }, {
      ...polled(601),
      ...failed(9999, 601),
    }),
    ...of("failed", { last_poll: null, error_at: now }, { last_poll: null, ...failed(120, 1) }),
    ...of("stuck", { last_poll: null, ...failed(121, 1) }),
  ],
  "stuck once it must be read again, until it was": [
    ...of("stuck", isForgotten),
    ...of("in sync", { ...isForgotten, ...completed(0) }),
  ],
  "silent three intervals after the last request, and at least after an hour or ten intervals": [
    ...of("in sync", polled(600), { ...polled(3590), poll_interval: 359 }),
    ...of("silent", polled(601), { ...polled(3591), poll_interval: 359 }),
    ...of("in sync", { ...polled(3600), poll_interval: 361 }, {
      ...polled(3603),
      poll_interval: 1201,
    }),
    ...of("silent", { ...polled(3601), poll_interval: 361 }, {
      ...polled(3604),
      poll_interval: 1201,
    }),
    ...of("in sync", { ...polled(3 * aDay), poll_interval: aDay }, {
      ...polled(601),
      ...failed(0, 0),
    }),
    ...of("silent", { ...polled(3 * aDay + 1), poll_interval: aDay }),
  ],
  "silent rather than stuck, and behind rather than silent": [
    ...of("silent", { ...polled(601), ...never, ...begun(1, 2, 3), newest: null }),
    ...of("behind", { ...polled(601), ...covered(9999), newest: 500 }),
  ],
  "unread without a request, failed without a page, and partial without a walk": [
    ...of("unread", { ...none, newest: 9 }),
    ...of("failed", { ...none, error_at: now }),
    ...of("stuck", { ...none, ...failed(9002, 0) }),
    ...of("partial", { ...begun() }),
    ...of("in sync", { ...never, kind: "other" }),
  ],
  "counted for two weeks after the last request": [
    ...of("behind", { ...polled(14 * aDay), ...covered(15 * aDay) }),
    ...of("behind", { ...polled(14 * aDay + 1), ...covered(15 * aDay), isCounted: false }),
    ...of("behind", { ...polled(15 * aDay), ...failed(99, 14 * aDay), ...covered(15 * aDay) }),
  ],
}

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer } = database
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const account = await build.account("ann")
  await build.grant("ann", { organization: "acme" })
  const events = new Map<number | null, string>()
  for (const { newest = null } of Object.values(cases).flat()) {
    if (events.has(newest)) continue
    const event = await build.event(organization)
    events.set(newest, event)
    if (newest !== null) await build.guest(event, { updated: now - newest })
  }

  for (const [name, all] of Object.entries(cases)) {
    await t.test(`a list is ${name}`, async (t) => {
      await writer.deleteFrom("sync_state").execute()
      const rows = all.map(({ newest = null, list }, n) =>
        emptyRow({ account_id: account, event_id: events.get(newest) ?? "", list: `${n}`, ...list })
      )
      await writer.insertInto("sync_state").values(rows).execute()
      await database.snapshot(async (snapshot) => {
        const { run } = snapshot
        const by = { now, retention: 1, completeSince: 0, filters: [], hasAudit: true }
        const lists = await readLists(snapshot, by, { accountId: account })
        const states = new Map(lists.map(({ list, state }) => [list, state]))
        const late = (await run(unreadLists(snapshot, { now, filters: [] }))).filter((
          { is_late },
        ) => is_late)
        for (const [n, { state, list, isCounted }] of all.entries()) {
          const has = (found: readonly { readonly list: string }[]) =>
            found.some(({ list }) => list === `${n}`)
          const what = `${n}: ${JSON.stringify(list)}`
          t.equal(states.get(`${n}`), state, what)
          t.equal(has(late), state === "behind" && isCounted !== false, what)
        }
      })
    })
  }

  await t.test("listPartners says in a brief reading the same as in a whole one", async (t) => {
    const event_id = events.get(9999) ?? ""
    await writer.insertInto("deletion").values(
      ([["guests", 70], ["tickets", 90_000], ["guests", 15 * aDay]] as const).map(
        ([category, ago], n) => ({ event_id, category, record_id: `${n}`, at: now - ago }),
      ),
    ).execute()
    const all = Object.values(cases).flat()
    const ofDeletions = [0, 3599, 3600, 2 * aDay, 3 * aDay, 3 * aDay + 1, 20 * aDay].flatMap((
      ago,
    ) =>
      (["guest deletions", "item deletions"] as const).map((kind) => (
        { acknowledged: now - ago, completed_next: now - ago, kind }
      ))
    )
    const further = of(
      "in sync",
      ...ofDeletions,
      { walk_since: now + 60, ...completed(60) },
      { skipped_from: 0, skipped_to: now - 60 },
      { skipped_from: now - 20_000, skipped_to: now - 60 },
      { walk_since: now - 600, since_from: now - 120, previous_started: now - 60, newest: 500 },
    )
    const givenUp = of(
      "in sync",
      { kind: "guest deletions", acknowledged: now - 20 * aDay, ...polled(15 * aDay) },
      { kind: "item deletions", acknowledged: now - aDay },
    )
    // Each by a partner of its own, and each group by one.
    const each = [...all, ...further].map((each) => [each])
    const groups = [...Object.values(cases), further, givenUp, ...each]
    const [rows, grants] = [[] as SyncRow[], [] as Insertable<Schema["access_grant"]>[]]
    for (const [n, group] of groups.entries()) {
      const account_id = await build.account(`partner-${n}`)
      const of = ({ newest = null }: Case) => ({ account_id, event_id: events.get(newest) ?? "" })
      for (const [n, each] of group.entries()) {
        rows.push(emptyRow({ ...of(each), list: `${n}`, records: n, ...each.list }))
      }
      for (const event_id of new Set(group.map((each) => of(each).event_id))) {
        grants.push({ id: crypto.randomUUID(), account_id, event_id })
      }
    }
    await writer.insertInto("sync_state").values(rows).execute()
    await writer.insertInto("access_grant").values(grants).execute()
    const options = { retention: 90 * aDay, at: now }
    const whole = await listPartners(database, options)
    const brief = await listPartners(database, { ...options, isBrief: true })
    const comparable = ({ lists, records, lastCompleted, ...rest }: PartnerHealth) => {
      const isWell = rest.stuck + rest.behind + rest.partial === 0
      return { ...rest, ...!isWell && { lists, records, lastCompleted } }
    }
    t.strictSame(brief.map(comparable), whole.map(comparable))
    t.equal(new Set(whole.map(({ state }) => state)).size, 6)
  })

  await t.test("a list is partial if it is asked for since the same time again, unless the clock was set back to that", async (t) => {
    const repeats = { walk_since: now - 600, since_from: now - 120, previous_started: now - 60 }
    const [{ list }] = of("partial", repeats) as [Case]
    const event_id = await build.event(organization)
    const stateAt = async (newest: number) => {
      await writer.deleteFrom("sync_state").execute()
      await writer.insertInto("sync_state")
        .values(emptyRow({ account_id: account, event_id, ...list })).execute()
      await writer.deleteFrom("guest").where("event_id", "=", event_id).execute()
      await build.guest(event_id, { updated: newest })
      const by = { now, retention: 1, completeSince: 0, filters: [], hasAudit: true }
      const [found] = await database.snapshot((snapshot) =>
        readLists(snapshot, by, { accountId: account })
      )
      return found?.state
    }
    t.equal(await stateAt(now - 599), "partial")
    t.equal(await stateAt(now - 600), "in sync", "it has only what it was sent before")
    t.equal(await stateAt(now - 60), "in sync", "it has changed after the walk before")
    await writer.insertInto("clock_step").values({ reached: now, back_to: now - 600 }).execute()
    t.equal(await stateAt(now - 599), "in sync")
  })

  const clear = async () => {
    for (const table of ["sync_state", "deletion", "event_version"] as const) {
      await writer.deleteFrom(table).execute()
    }
  }

  await t.test("readLists says when a list of deletions gets a 410: if what was deleted since it acknowledged is forgotten", async (t) => {
    await clear()
    const ago = (days: number) => now - days * aDay
    type Kind = "guest deletions" | "item deletions"
    const daysOf = async (kind: Kind, acknowledged: number | null, completeSince = 0) => {
      await writer.deleteFrom("sync_state").execute()
      await writer.insertInto("sync_state")
        .values(emptyRow({ account_id: account, event_id: "e", list: "l", kind, acknowledged }))
        .execute()
      const by = { now, retention: 90 * aDay, completeSince, filters: [], hasAudit: true }
      const [list] = await database.snapshot((snapshot) =>
        readLists(snapshot, by, { accountId: account })
      )
      return list?.daysUntilResync
    }
    for (const kind of ["guest deletions", "item deletions"] as const) {
      t.equal(await daysOf(kind, null), null)
      t.equal(await daysOf(kind, ago(2)), 88, "something may have been deleted then")
      t.equal(await daysOf(kind, ago(200)), 90, "nothing was deleted since")
      t.equal(await daysOf(kind, ago(200), ago(190)), -10, "the database was restored")
    }
    for (const [category, days] of [["guests", 201], ["guests", 50], ["tickets", 40]] as const) {
      const deletion = { event_id: "e", category, record_id: `${days}`, at: ago(days) }
      await writer.insertInto("deletion").values(deletion).execute()
    }
    t.equal(await daysOf("guest deletions", ago(200)), 40)
    t.equal(await daysOf("item deletions", ago(200)), 50)
    t.equal(await daysOf("guest deletions", ago(49)), 90)
    await writer.insertInto("event_version").values({
      ...{ event_id: "e", seq: 1, changes: 1, mark: 1 },
      ...{ forgotten_guests: ago(100), forgotten_items: ago(300) },
    }).execute()
    t.equal(await daysOf("guest deletions", ago(200)), -110, "one was forgotten")
    t.equal(await daysOf("guest deletions", ago(100)), -10, "at the same second")
    t.equal(await daysOf("guest deletions", ago(99)), 40)
    t.equal(await daysOf("item deletions", ago(200)), 50, "of the other list")
    await writer.updateTable("event_version").set({ forgotten: ago(199) }).execute()
    t.equal(await daysOf("item deletions", ago(200)), -110, "a former version has forgotten one")
    t.equal(await daysOf("item deletions", ago(199)), -109, "at the same second")
  })

  /** Returns how accounts without lists, errors and grants of others are doing that have some rows. */
  const healthOf = async (
    rows: Readonly<Record<string, readonly Partial<SyncRow>[]>>,
    deletions: readonly Insertable<Schema["deletion"]>[] = [],
  ) => {
    await clear()
    if (deletions.length > 0) await writer.insertInto("deletion").values(deletions).execute()
    await writer.deleteFrom("account").execute()
    for (const [name, lists] of Object.entries(rows)) {
      const account_id = await build.account(name)
      const event_id = lists[0]?.event_id ?? events.get(null) ?? ""
      await build.grant(name, { event: event_id })
      const rows = lists.map((own, n) => emptyRow({ account_id, event_id, list: `${n}`, ...own }))
      await writer.insertInto("sync_state").values(rows).execute()
    }
    const healths = await listPartners(database, { retention: 90 * aDay, at: now })
    return new Map(healths.map((health) => [health.account, health]))
  }

  await t.test("listPartners sums up the lists of each account, whatever their intervals", async (t) => {
    const walk = { last_poll: now - 60, walk_started: now - 60, walk_completed: now - 50 }
    const whole = { ...walk, completed_next: now - 60 }
    const unended = { ...walk, previous_started: now - 160, third_started: now - 260 }
    const abandoned = now - 14 * aDay - 1
    const deletions = { ...whole, kind: "guest deletions" } as const
    const found = await healthOf({
      well: [
        { ...whole, poll_interval: 120, records: 3 },
        { ...whole, poll_interval: 60, records: 4, walk_completed: now - 40 },
        { ...deletions, acknowledged: now - aDay },
        { ...deletions, acknowledged: now - 2 * aDay, kind: "item deletions" },
        { ...deletions, acknowledged: now - 3 * aDay, kind: "guests" },
        { ...deletions, acknowledged: now - 4 * aDay, last_poll: abandoned },
      ],
      fast: [590, 601].map((ago) => ({ ...whole, last_poll: now - ago, poll_interval: 60 })),
      halted: [60, 43_200].map((poll_interval) => (
        { ...whole, last_poll: now - 4000, poll_interval }
      )),
      patient: [{ ...whole, last_poll: now - 86_500, poll_interval: 43_200 }],
      stuck: [
        { ...unended, walk_completed: now - 500 },
        { ...unended, walk_completed: null, first_started: now - 400 },
        { ...unended, walk_completed: now - 261, first_started: now - 9000 },
      ],
      ahead: [{ ...whole, walk_since: now + 5, walk_completed: null }],
      abandoned: [whole, { ...walk, last_poll: abandoned, walk_completed: null, walk_since: now }],
      failing: [{ error_at: now - 60, first_error: now - 9061 }],
    })
    t.match(found.get("well"), {
      ...{ state: "in sync", pollInterval: 60, lastPoll: now - 60, lastCompleted: now - 40 },
      ...{ records: 7, lists: 6, daysUntilResync: 88 },
    })
    t.match(found.get("fast"), { state: "in sync" })
    t.match(found.get("halted"), { state: "silent" })
    t.match(found.get("patient"), { state: "in sync" })
    t.match(found.get("stuck"), { state: "stuck", stuck: 3, since: now - 500, partial: 0 })
    t.match(found.get("ahead"), { partial: 1, causes: ["first walk"] })
    t.match(found.get("abandoned"), { state: "in sync", lists: 2, partial: 0, causes: [] })
    t.match(found.get("failing"), { state: "stuck", since: now - 9061 })
  })

  await t.test("listPartners goes by the newest change of each kind, of its own event", async (t) => {
    const [event, other] = [await build.event(organization), await build.event(organization)]
    for (const ago of [500, 400]) await build.guest(event, { updated: now - ago })
    await build.item("tickets", event, { updated: now - 300 })
    await build.item("pledges", event, { updated: now - 200 })
    await build.guest(other, { updated: now - 100 })
    const newest = [
      ["guests", now - 400],
      ["items", now - 200],
      ["guest deletions", now - 350],
      ["item deletions", now - 240],
    ] as const
    const walk = { walk_started: now, walk_completed: now }
    const polled = { event_id: event, last_poll: now, poll_interval: 60, ...walk }
    const rows = newest.flatMap(([kind, at]) => [
      [`${kind} late`, [{ ...polled, kind, completed_next: at }]] as const,
      [`${kind} known`, [{ ...polled, kind, completed_next: at + 1 }]] as const,
    ])
    const deletions = [["guests", 350], ["guests", 360], ["tickets", 250], [
      "pledges",
      240,
    ]] as const
    const found = await healthOf(
      Object.fromEntries(rows),
      deletions.map(([category, ago]) => (
        { event_id: event, category, record_id: `${ago}`, at: now - ago }
      )),
    )
    for (const [kind] of newest) {
      t.match(found.get(`${kind} late`), { state: "behind", behind: 1 })
      t.match(found.get(`${kind} known`), { state: "in sync" })
    }
  })
})
