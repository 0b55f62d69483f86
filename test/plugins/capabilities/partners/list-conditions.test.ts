import { randomUUID } from "node:crypto"
import t from "tap"
import type { SyncRow } from "../../../../plugins/capabilities/partners/definitions.ts"
import { readLists } from "../../../../plugins/capabilities/partners/list-health.ts"
import {
  counts,
  isBehind,
  isStuck,
  silentFrom,
  stateOfList,
} from "../../../support/list-definitions.ts"
import {
  summedLists,
  unreadLists,
} from "../../../../plugins/capabilities/partners/list-conditions.ts"
import { newestChanges } from "../../../../plugins/capabilities/partners/newest-changes.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { plansOf } from "../../../support/plans.ts"
import { Random } from "../../../support/random.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const now = 1_750_000_000

await onEveryEngine(t, async (t, engine) => {
  await t.test("summedLists, unreadLists and readLists say of random lists what the definitions say", async (t) => {
    const database = await freshDatabase(t, engine)
    const build = new Builder(database)
    const event = await build.event(await build.organization("acme"))
    const account = await build.account("ann")
    await build.grant("ann", { event })
    const random = new Random(7)
    const rows = Array.from({ length: 2000 }, () => randomRow(random, account, event))
    for (let first = 0; first < rows.length; first += 500) {
      await database.writer.insertInto("sync_state").values(rows.slice(first, first + 500))
        .execute()
    }
    for (const newest of [now - 10, now - 130, now - 930, now - 5000, now - 20 * 86_400]) {
      await database.writer.deleteFrom("guest").execute()
      await build.guest(event, { updated: newest })
      const unread = await database.snapshot(({ run, ...reader }) =>
        run(unreadLists(reader, { now }))
      )
      const late = unread.filter(({ is_late }) => is_late).map(({ list }) => list).sort()
      const counted = rows.filter((row) => counts(row, now))
      const behind = counted.filter((row) => isBehind(row, newest, now)).map(({ list }) => list)
      t.strictSame(late, behind.sort())
      const lists = await database.snapshot((snapshot) =>
        readLists(snapshot, { now, retention: 1, completeSince: 0, hasAudit: true }, {
          accountId: account,
        })
      )
      const states = new Map(lists.map(({ list, state }) => [list, state]))
      t.strictSame(
        rows.filter((row) => states.get(row.list) !== stateOfList(row, newest, now)),
        [],
      )
      const sums = await database.snapshot(({ db, run }) => run(summedLists({ db }, { now })))
      const active = counted.filter((row) => now <= silentFrom(row))
      const stuck = active.filter((row) => isStuck(row, now))
      t.equal(sums.reduce((sum, { stuck }) => sum + Number(stuck), 0), stuck.length)
      t.equal(sums.length, 4)
      for (const { poll_interval, silent_from } of sums) {
        const same = rows.filter((row) => row.poll_interval === poll_interval)
        t.equal(silent_from, Math.max(...same.map(silentFrom)))
      }
      t.ok(stuck.length > 20 && stuck.length < active.length - 20)
      if (newest > now - 86_400) t.ok(behind.length > 20 && behind.length < counted.length - 20)
    }
  })

  await t.test("readLists says when a list of deletions gets a 410: if what was deleted since it acknowledged is forgotten", async (t) => {
    const database = await freshDatabase(t, engine)
    const { writer } = database
    const account = await new Builder(database).account("ann")
    const aDay = 86_400
    const ago = (days: number) => now - days * aDay
    const daysOf = async (
      kind: "guest deletions" | "item deletions",
      acknowledged: number | null,
      completeSince = 0,
    ) => {
      await writer.deleteFrom("sync_state").execute()
      await writer.insertInto("sync_state")
        .values(emptyRow({ account_id: account, event_id: "e", list: "l", kind, acknowledged }))
        .execute()
      const by = { now, retention: 90 * aDay, completeSince, hasAudit: true }
      const [list] = await database.snapshot((snapshot) =>
        readLists(snapshot, by, { accountId: account })
      )
      return list?.daysUntilResync
    }
    const kinds = ["guest deletions", "item deletions"] as const
    for (const kind of kinds) {
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
    const by = { now, retention: 90 * aDay, completeSince: 0, hasAudit: true }
    const plans = await plansOf(
      database,
      (snapshot) => readLists(snapshot, by, { accountId: account }),
    )
    const steps = plans.filter((plan) => /^d |^v |SEARCH [dv] /.test(plan))
    t.equal(steps.length, 3)
    const byEvent = engine === "mysql"
      ? /^d (ref|range) (PRIMARY|deletion_latest) |^v eq_ref PRIMARY /
      : /^SEARCH d .*deletion_latest \(event_id=\? AND category=\?|^SEARCH v .*\(event_id=\?\)/
    for (const step of steps) t.match(step, byEvent)
  })

  await t.test("summedLists sums up the lists of each account by their interval, or of one account", async (t) => {
    const database = await freshDatabase(t, engine)
    const row = (account_id: string, list: string, own: Partial<SyncRow> = {}) =>
      emptyRow({ account_id, event_id: "e", list, ...own })
    const walk = { last_poll: now - 60, walk_started: now - 60, walk_completed: now - 50 }
    const deletions = { kind: "guest deletions", ...walk } as const
    // Three walks in a row were begun.
    const stuck = { ...walk, previous_started: now - 160, third_started: now - 260 }
    await database.writer.insertInto("sync_state").values([
      row("a", "a", { ...walk, poll_interval: 120, records: 3 }),
      row("a", "b", { ...walk, poll_interval: 60, records: 4, walk_completed: now - 70 }),
      row("a", "c", { error_at: now - 30, first_error: now - 40 }),
      row("a", "d", { ...deletions, acknowledged: now - 900 }),
      row("a", "e", { ...deletions, kind: "item deletions", acknowledged: now - 1000 }),
      row("a", "f", { ...deletions, kind: "guests", acknowledged: now - 2000 }),
      row("a", "g", { ...deletions, last_poll: now - 1_209_601, acknowledged: now - 3000 }),
      row("a", "h", { last_poll: now - 86_500, poll_interval: 43_200 }),
      row("a", "i", { error_at: now - 86_600, last_poll: now - 90_000, poll_interval: 43_200 }),
      row("b", "a", { ...stuck, walk_completed: now - 500 }),
      row("b", "b", { ...stuck, walk_completed: null, first_started: now - 400 }),
      row("b", "c", { ...stuck, walk_completed: now - 261, first_started: now - 9000 }),
      row("c", "a", {
        ...{ ...walk, walk_completed: null, poll_interval: 1200 },
        ...{ error_at: now - 20, first_error: now - 30 },
      }),
      row("d", "a", {
        last_poll: now - 1_209_600,
        poll_interval: 1201,
        kind: "guest deletions",
        acknowledged: 7,
      }),
      row("e", "a", { error_at: now - 1_209_600, kind: "item deletions", acknowledged: 8 }),
      row("f", "a", { ...stuck, walk_completed: null }),
      row("g", "a", { error_at: now - 60, first_error: now - 9061 }),
    ]).execute()
    await database.writer.insertInto("deletion").values([
      { event_id: "e", category: "guests", record_id: "1", at: 20 },
      { event_id: "e", category: "tickets", record_id: "1", at: 6 },
    ]).execute()
    const read = (accountId?: string) =>
      database.snapshot(async ({ db, run }) => {
        const rows = await run(summedLists({ db }, { now, accountId }))
        const key = ({ account_id, poll_interval }: (typeof rows)[number]) =>
          `${account_id} ${String(poll_interval ?? 0).padStart(6, "0")}`
        return rows.map((row) => ({ ...row })).toSorted((a, b) => key(a) < key(b) ? -1 : 1)
      })
    const found = await read()
    const nothing = {
      ...{ poll_interval: null, silent_from: 0, last_poll: null, trouble_since: null },
      ...{ error_at: null, walk_completed: null, records: 0, lists: 0, stuck: 0 },
      ...{
        stuck_since: null,
        oldest_acknowledged: null,
        ahead: 0,
        skipping: 0,
        partial: 0,
      },
    }
    t.strictSame(found, [
      {
        ...{ ...nothing, account_id: "a", silent_from: now - 30 + 3600, last_poll: now - 60 },
        ...{ error_at: now - 30, walk_completed: now - 50, lists: 4, trouble_since: now - 40 },
        oldest_acknowledged: now - 3000,
      },
      {
        ...{ ...nothing, account_id: "a", poll_interval: 60, silent_from: now + 540 },
        ...{ last_poll: now - 60, walk_completed: now - 70, records: 4, lists: 1 },
      },
      {
        ...{ ...nothing, account_id: "a", poll_interval: 120, silent_from: now + 1140 },
        ...{ last_poll: now - 60, walk_completed: now - 50, records: 3, lists: 1 },
      },
      {
        ...{ ...nothing, account_id: "a", poll_interval: 43_200 },
        ...{ silent_from: now - 86_500 + 3 * 43_200, last_poll: now - 86_500 },
        ...{ error_at: now - 86_600, trouble_since: now - 86_600, partial: 2 },
      },
      {
        ...{ ...nothing, account_id: "b", silent_from: now + 3540, last_poll: now - 60 },
        ...{ walk_completed: now - 261, lists: 3, stuck: 3, stuck_since: now - 500, partial: 1 },
      },
      {
        ...{ ...nothing, account_id: "c", silent_from: now + 3580, last_poll: now - 60 },
        ...{ poll_interval: 1200, trouble_since: now - 30 },
        ...{ error_at: now - 20, lists: 1, partial: 1 },
      },
      {
        ...{ ...nothing, account_id: "d", silent_from: now - 1_209_600 + 3603 },
        ...{ poll_interval: 1201, partial: 1 },
        ...{ last_poll: now - 1_209_600, oldest_acknowledged: 20 },
      },
      {
        ...{ ...nothing, account_id: "e", silent_from: now - 1_209_600 + 3600 },
        ...{ error_at: now - 1_209_600, trouble_since: now - 1_209_600, oldest_acknowledged: now },
      },
      {
        ...{ ...nothing, account_id: "f", silent_from: now + 3540, last_poll: now - 60 },
        ...{ lists: 1, stuck: 1, stuck_since: now - 60, partial: 1 },
      },
      {
        ...{ ...nothing, account_id: "g", silent_from: now + 3540, error_at: now - 60 },
        ...{ stuck: 1, stuck_since: now - 9061, trouble_since: now - 9061 },
      },
    ])
    t.strictSame(await read("b"), found.slice(4, 5))
  })

  await t.test("unreadLists finds lists of all kinds by the newest change of their event, each kind's own", async (t) => {
    const database = await freshDatabase(t, engine)
    const { writer } = database
    const build = new Builder(database, { isAlone: true })
    const organization = await build.organization("acme")
    const [event, other] = [await build.event(organization), await build.event(organization)]
    await build.guest(event, { updated: now - 500 })
    await build.guest(event, { updated: now - 400 })
    await build.item("tickets", event, { updated: now - 300 })
    await build.item("pledges", event, { updated: now - 200 })
    await build.guest(other, { updated: now - 100 })
    await writer.insertInto("deletion").values([
      { event_id: event, category: "guests", record_id: "1", at: now - 350 },
      { event_id: event, category: "guests", record_id: "2", at: now - 360 },
      { event_id: event, category: "tickets", record_id: "1", at: now - 250 },
      { event_id: event, category: "pledges", record_id: "1", at: now - 240 },
    ]).execute()
    const newest = [
      ["guests", now - 400],
      ["items", now - 200],
      ["guest deletions", now - 350],
      ["item deletions", now - 240],
    ] as const
    const row = (list: string, own: Partial<SyncRow>) =>
      emptyRow({
        account_id: "a",
        event_id: event,
        list,
        last_poll: now,
        poll_interval: 60,
        ...own,
      })
    const rows = newest.flatMap(([kind, at]) => [
      row(`${kind} late`, { kind, completed_next: at, walk_started: now }),
      row(`${kind} known`, { kind, completed_next: at + 1, walk_started: now }),
      row(`${kind} unread`, { kind, walk_started: null, first_started: 5 }),
    ])
    await writer.insertInto("sync_state").values([
      ...rows,
      row("others", { account_id: "b", prefix: "/g", family: "g", first_started: now - 9 }),
      row("of no kind", { kind: "other", event_id: "" }),
      row("given up", { last_poll: now - 1_209_601, walk_started: now }),
    ]).execute()
    const read = (accountId?: string) =>
      database.snapshot(async ({ run, ...reader }) => {
        const rows = await run(unreadLists(reader, { now, accountId }))
        return rows.map((row) => ({ ...row })).toSorted((a, b) => a.list < b.list ? -1 : 1)
      })
    const found = await read()
    const expected = [
      ...newest.flatMap(([kind, at]) => {
        const of = { account_id: "a", event_id: event, prefix: "/f/v1", family: "family", kind }
        return [
          { ...of, list: `${kind} late`, completed_next: at, behind_from: at, is_late: 1 },
          { ...of, list: `${kind} unread`, completed_next: null, behind_from: 5, is_late: 1 },
        ]
      }),
      {
        ...{ account_id: "b", event_id: event, prefix: "/g", family: "g", kind: "guests" },
        ...{ list: "others", completed_next: null, behind_from: now - 9, is_late: 0 },
      },
    ].toSorted((a, b) => a.list < b.list ? -1 : 1)
    t.strictSame(found, expected)
    t.strictSame(await read("b"), expected.filter(({ account_id }) => account_id === "b"))
    const changes = await database.snapshot(({ db, run }) =>
      run(newestChanges({ db }, { eventId: other }))
    )
    t.strictSame(changes.map((row) => ({ ...row })), [
      { event_id: other, at: now - 100, kind: "guests" },
    ])
  })
})

/** While a change is open, more has been sent than what changed before `Next-Since`. */
function randomCover(random: Random, next: number | null) {
  const sent_until = next && random.pick([null, next, next + 60, next + 3600, next - 600])
  return { completed_next: next, sent_until }
}

function randomRow(random: Random, account_id: string, event_id: string): SyncRow {
  const time = () =>
    now - random.pick([0, 5, 59, 60, 61, 600, 3600, 3601, 10_000, 86_400, 14 * 86_400 + 1])
  const maybe = <T>(value: T) => random.below(4) === 0 ? null : value
  const last_poll = maybe(time())
  // Without a page there is no walk.
  const begun = last_poll === null ? 0 : random.below(4)
  const starts = [time(), time(), time()].sort((a, b) => b - a).slice(0, begun)
  const [walk_started = null, previous_started = null, third_started = null] = starts
  const completed = begun === 0 ? null : maybe(time())
  const error_at = maybe(time())
  return {
    ...emptyRow({ account_id, event_id, list: randomUUID(), kind: "guests" }),
    last_poll,
    poll_interval: maybe(random.pick([60, 900, 86_400])),
    walk_started,
    walk_next: walk_started && walk_started - 2,
    previous_started,
    third_started,
    walk_completed: completed,
    ...randomCover(random, completed && maybe(time())),
    error_at,
    first_error: error_at && error_at - random.pick([0, 600, 601, 9000, 9001, 90_000]),
  }
}
