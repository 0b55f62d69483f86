import { recorded } from "../../../support/recorded.ts"
import { randomUUID } from "node:crypto"
import fc from "fast-check"
import t from "tap"
import type { Admission } from "../../../../core/access/admission.ts"
import type { Database } from "../../../../core/data/database.ts"
import { SyncTrail } from "../../../../plugins/capabilities/partners/sync-trail.ts"
import type { SyncRow } from "../../../../plugins/capabilities/partners/definitions.ts"
import { partnersTables } from "../../../../plugins/capabilities/partners/tables.ts"
import {
  blankRow,
  mergeChanges,
  type SyncChange,
} from "../../../../plugins/capabilities/partners/sync-change.ts"
import { writeSync } from "../../../../plugins/capabilities/partners/write-sync.ts"
import { guestDeletions, wholeGuestDeletion } from "../../../../core/records/deletions.ts"
import { bindList } from "../../../../core/records/list.ts"
import { defaultSince } from "../../../../core/records/page.ts"
import { guests, leanGuest } from "../../../../core/plugin.ts"
import type { Facts, PageFacts } from "../../../../core/request/facts.ts"
import type { MountedRoute } from "../../../../core/routes/contract.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { factsOf, pageFactsOf } from "../../../support/facts.ts"
import { freshWorkshop, logInto } from "../../../support/service.ts"
import { Random } from "../../../support/random.ts"
import { watchStatements } from "../../../support/watched-statements.ts"

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const hour = 1_700_002_800
const lists = [bindList(guests, leanGuest), bindList(guestDeletions, wholeGuestDeletion)]
const routes = lists.map((list) =>
  ({ kind: "listing", list, plugin: "family", prefix: "/f/v1" }) as unknown as MountedRoute
)

/** A request for a list: a page, or an error if `status` is one. */
interface Sent {
  readonly account: string
  readonly event: string
  readonly list: 0 | 1
  readonly at: number
  readonly page?: Partial<PageFacts>
  readonly status?: number
  readonly isReadable?: boolean
  readonly id?: string
  readonly method?: string
  readonly sent?: boolean
}

function sentFacts(
  {
    account,
    event,
    list,
    at,
    page,
    status = 200,
    isReadable = true,
    id = "r",
    method = "GET",
    sent = true,
  }: Sent,
): Facts {
  const admission = {
    session: {
      id: "s",
      expires: 0,
      now: at,
      account: { id: account, username: "p", role: "partner" },
    },
    access: { organizationIds: [], eventIds: [] },
    event: isReadable ? { id: event } : undefined,
  } as unknown as Admission
  const code = status >= 400 ? { code: `code_${status}` } : {}
  return {
    ...factsOf(
      { event, status, method, id, ...code },
      page && pageFactsOf({ list: lists[list]!, at, ...page }),
    ),
    route: routes[list],
    admission,
    whenSent: (listener) => listener(sent),
  }
}

async function rowsOf({ writer }: Database) {
  return {
    // Without the columns that the database computes.
    lists: await writer.selectFrom("sync_state")
      .select(Object.keys(partnersTables.sync_state.columns) as (keyof SyncRow)[])
      .orderBy("account_id").orderBy("event_id").orderBy("list").execute(),
    hours: await writer.selectFrom("partner_hour").selectAll()
      .orderBy("account_id").orderBy("hour").execute(),
  }
}

async function clear({ writer }: Database): Promise<void> {
  await writer.deleteFrom("sync_state").execute()
  await writer.deleteFrom("partner_hour").execute()
}

function newTrail(database: Database) {
  return recorded(
    { log, delay: 1 },
    (recorders) => new SyncTrail(database, { ...recorders, routes }),
  )
}

/** Records some requests, one after the other, and writes them. */
async function recordAll(database: Database, all: readonly Sent[]): Promise<void> {
  const trail = newTrail(database)
  for (const each of all) trail.record(sentFacts(each))
  await trail.close()
}

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const [account, event] = [randomUUID(), randomUUID()]
  const base = { account, event, list: 0, at: hour } as const
  t.afterEach(() => clear(database))

  /** A change of a list by a request at a time; an error if it may not be read. */
  const changeOf = (
    own: Partial<SyncRow> & Partial<Omit<SyncChange, "row">> & { readonly at?: number } = {},
  ): SyncChange => {
    const { at = hour, isReadable = true, starts = [], completed = [], hours, ...row } = own
    const result = isReadable ? { last_poll: at, poll_interval: 60, records: 1 } : {
      ...{ error_at: at, error_status: 404, error_code: "c", error_request: "r", first_error: at },
    }
    const key = { account_id: account, event_id: event, prefix: "/f/v1", list: "guests" }
    return {
      row: { ...blankRow({ ...key, family: "family", kind: "guests" }), ...result, ...row },
      ...{ isReadable, starts, completed },
      hours: hours ?? [{ hour, polls: 1, walks: 2, records: 3, errors: 4, lag: null }],
    }
  }

  await t.test("writeSync writes all or nothing, and fails with each of its statements", async (t) => {
    await writeSync(database, [], AbortSignal.abort())
    for (const failing of [1, 2, 3]) {
      const abort = new AbortController()
      let count = 0
      const watched = watchStatements(database, () => {
        if (++count === failing) abort.abort(new Error("too late"))
      })
      const changes = [changeOf({ isReadable: false }), changeOf({ list: "items" })]
      await t.rejects(writeSync(watched, changes, abort.signal), new Error("too late"))
      t.strictSame(await rowsOf(database), { lists: [], hours: [] })
    }
  })

  await t.test("writeSync adds errors to the list of the same batch, and to no list of another name", async (t) => {
    const { signal } = new AbortController()
    const denied = { isReadable: false } as const
    const [bob, other] = ["bob", randomUUID()]
    await writeSync(database, [
      changeOf(),
      changeOf({ account_id: bob, event_id: other }),
      changeOf({ ...denied, at: hour + 1 }),
      changeOf({ ...denied, account_id: bob }),
      changeOf({ ...denied, prefix: "/g/v1" }),
      changeOf({ ...denied, list: "items" }),
      changeOf({ ...denied, list: "items", event_id: other }),
    ], signal)
    const { lists: rows, hours } = await rowsOf(database)
    t.strictSame(
      rows.map(({ account_id, event_id, prefix, list, last_poll, first_error, error_at }) => [
        ...[account_id, event_id, prefix, list, last_poll, first_error, error_at],
      ]).toSorted(),
      [
        [account, event, "/f/v1", "guests", hour, hour + 1, hour + 1],
        [account, "", "/f/v1", "items", null, hour, hour],
        [account, "", "/g/v1", "guests", null, hour, hour],
        [bob, other, "/f/v1", "guests", hour, null, null],
        [bob, "", "/f/v1", "guests", null, hour, hour],
      ].toSorted(),
    )
    t.strictSame(
      hours.map(({ account_id: _, ...each }) => ({ ...each })).toSorted((a, b) =>
        b.polls - a.polls
      ),
      [
        { hour, polls: 5, walks: 10, records: 15, errors: 20, lag: null },
        { hour, polls: 2, walks: 4, records: 6, errors: 8, lag: null },
      ],
    )

    await writeSync(database, [changeOf({ hours: [] }), changeOf({ account_id: bob })], signal)
    const later = { hour: hour + 3600, polls: 1, walks: 1, records: 1, errors: 1, lag: 7 }
    await writeSync(database, [changeOf({ hours: [later, { ...later, hour, lag: 5 }] })], signal)
    await writeSync(database, [changeOf({ hours: [{ ...later, lag: 6 }] })], signal)
    const own = (await rowsOf(database)).hours.filter(({ account_id }) => account_id === account)
    t.strictSame(own.map(({ account_id: _, ...each }) => ({ ...each })), [
      { hour, polls: 6, walks: 11, records: 16, errors: 21, lag: 5 },
      { ...later, polls: 2, walks: 2, records: 2, errors: 2, lag: 7 },
    ])
  })

  await t.test("writeSync locks rows in the same order, whatever the order of the changes", async (t) => {
    const keys = [{}, { account_id: "a" }, { account_id: "b" }, { list: "b" }, { prefix: "/a" }]
    const changes = keys.map((key) => changeOf(key))
    const orders = [changes, changes.toReversed(), [...changes.slice(2), ...changes.slice(0, 2)]]
    const written = []
    for (const order of orders) {
      const inserted: unknown[] = []
      const watched = watchStatements(database, (node) => {
        if (node.kind === "InsertQueryNode") inserted.push(node.values)
      })
      await writeSync(watched, order, new AbortController().signal)
      written.push(inserted)
    }
    t.strictSame(written.slice(1), [written[0], written[0]])
  })

  await t.test("writeSync remembers the last three walks and the first, in whatever order they come", async (t) => {
    const digits = (length: number): string[] =>
      length === 0 ? [""] : digits(length - 1).flatMap((text) => [1, 2, 3].map((n) => text + n))
    const orders = digits(4).flatMap((text) => [text, text.replace("3", "4")])
    for (const place of [0, 1, 2, 3]) {
      const changes = new Map(orders.map((order) => {
        const at = Number(order[place])
        const starts = [{ walk_started: at, walk_since: at, walk_next: at }]
        return [order, changeOf({ list: order, starts, first_started: at })]
      }))
      await writeSync(database, [...changes.values()], new AbortController().signal)
    }
    const { lists: rows } = await rowsOf(database)
    t.equal(rows.length, new Set(orders).size)
    const wrong = rows.filter((row) => {
      const times = [...new Set(row.list)].map(Number).toSorted((a, b) => b - a)
      const [last = null, second = null, third = null] = times
      const expected = [last, last, last, second, third, times.at(-1)]
      const { walk_started, walk_since, walk_next, previous_started, third_started } = row
      const found = [walk_started, walk_since, walk_next, previous_started, third_started]
      return String([...found, row.first_started]) !== String(expected)
    })
    t.strictSame(wrong, [])
  })

  await t.test("writeSync takes a since for asked again only if it was answered with a later Next-Since", async (t) => {
    const since = hour - 60
    const ask = async (at: number, walk_next: number) => {
      const starts = [{ walk_started: at, walk_since: since, walk_next }]
      await writeSync(database, [changeOf({ starts })], new AbortController().signal)
      return (await rowsOf(database)).lists[0]?.since_from
    }
    t.equal(await ask(hour, since), hour)
    t.equal(await ask(hour + 60, since), hour + 60, "a change is open")
    t.equal(await ask(hour + 120, hour + 100), hour + 120, "it was until now")
    t.equal(await ask(hour + 180, hour + 160), hour + 120, "it does not send what it was given")
  })

  await t.test("a list without requests is a row of nulls, and a list takes its family and kind from its last request", async (t) => {
    const key = { account_id: "a", event_id: "e", prefix: "/p", list: "l" }
    const row = blankRow({ ...key, family: "f", kind: "guests" })
    await database.writer.insertInto("sync_state").values(row).execute()
    const read = async () => (await rowsOf(database)).lists.map((each) => ({ ...each }))
    t.same(await read(), [row])
    const { signal } = new AbortController()
    await writeSync(database, [changeOf({ ...key, family: "g", kind: "items" })], signal)
    t.match(await read(), [{ family: "g", kind: "items", last_poll: hour }])
  })

  await t.test("SyncTrail records a walk by cursor: its beginning, its end and what it acknowledges", async (t) => {
    const walk = { since: hour - 300, nextSince: hour - 2 }
    await recordAll(database, [
      { ...base, page: { ...walk, rows: 10, hasNext: true, pollInterval: 60 } },
      { ...base, at: hour + 5, page: { ...walk, rows: 3, isFirst: false, cursor: "c" } },
    ])
    const { lists: [row], hours } = await rowsOf(database)
    t.match(row, {
      account_id: account,
      event_id: event,
      prefix: "/f/v1",
      list: "guests",
      family: "family",
      kind: "guests",
      last_poll: hour + 5,
      poll_interval: 60,
      walk_started: hour,
      walk_since: hour - 300,
      walk_next: hour - 2,
      previous_started: null,
      walk_completed: hour + 5,
      completed_next: hour - 2,
      acknowledged: hour - 300,
      acknowledged_at: hour,
      records: 13,
      error_at: null,
    })
    t.strictSame(hours.map(({ account_id: _, ...each }) => ({ ...each })), [
      { hour, polls: 2, walks: 1, records: 13, errors: 0, lag: 300 },
    ])
  })

  await t.test("SyncTrail remembers when the first walk of all began, however many follow", async (t) => {
    const walks = [0, 10, 20, 30, 40, 50].map((ago) => ({
      ...base,
      at: hour - ago,
      page: { since: 1 + defaultSince },
    }))
    await recordAll(database, walks.slice(3))
    await recordAll(database, walks.slice(0, 3))
    const { lists: [row] } = await rowsOf(database)
    t.match(row, { walk_started: hour, third_started: hour - 20, first_started: hour - 50 })
  })

  await t.test("SyncTrail takes a last page for the end of a walk only if it was sent in full", async (t) => {
    await recordAll(database, [{ ...base, sent: false, page: { rows: 1 } }])
    const { lists: [row] } = await rowsOf(database)
    t.match(row, { walk_started: hour, walk_completed: null, records: 1 })
  })

  await t.test("SyncTrail takes a 304 for the end of a walk, and for no records", async (t) => {
    await recordAll(database, [{
      ...base,
      status: 304,
      page: { rows: 50, since: hour - 60, nextSince: hour },
    }])
    const { lists: [row] } = await rowsOf(database)
    t.match(row, { walk_completed: hour, records: 0 })
  })

  await t.test("SyncTrail takes a 304 for the first of several pages for the end of a walk only if the walk before it was completed", async (t) => {
    const first = { since: 0, rows: 10, hasNext: true }
    const begun = { ...base, page: { ...first, nextSince: hour - 2 } }
    const ended = { ...base, at: hour + 1, page: { ...begun.page, isFirst: false, hasNext: false } }
    const kept = { ...base, at: hour + 9, status: 304, page: { ...first, nextSince: hour + 7 } }
    const readAfter = async (...batches: Sent[][]) => {
      await clear(database)
      for (const batch of batches) await recordAll(database, batch)
      const { lists: [deletions, row], hours: [counts] } = await rowsOf(database)
      return { ...row ?? deletions, deletions, walks: counts?.walks }
    }
    const broken = { walk_started: hour + 9, walk_completed: null, completed_next: null, walks: 0 }
    t.match(await readAfter([begun], [kept]), broken)
    t.match(await readAfter([begun, kept]), broken)
    const done = { walk_completed: hour + 9, completed_next: hour + 7 }
    const whole = { walk_started: hour + 9, ...done, deletions: done }
    t.match(await readAfter([begun, ended], [kept]), { ...whole, walks: 2 })
    t.match(await readAfter([begun, ended, kept]), { ...whole, walks: 2 })
    t.match(await readAfter([begun], [ended, kept]), { ...whole, walks: 2 })
    t.match(await readAfter([kept]), { ...whole, walks: 1 }, "nothing is known of a walk before")
    const again = { ...begun, at: hour + 5, page: { ...begun.page, nextSince: hour + 3 } }
    t.match(await readAfter([begun, ended], [again, kept]), {
      walk_started: hour + 9,
      walk_completed: hour + 1,
      completed_next: hour - 2,
      deletions: { walk_completed: hour + 1, completed_next: hour - 2 },
    })
  })

  await t.test("SyncTrail fills no gap that a walk left out by a 304 for the first of several pages", async (t) => {
    const all = { since: 0, rows: 10, hasNext: true, nextSince: hour - 100 }
    const gap = { skipped_from: 0, skipped_to: hour - 50 }
    await recordAll(database, [
      { ...base, at: hour - 98, page: all },
      { ...base, page: { since: hour - 50, rows: 1, nextSince: hour - 2 } },
    ])
    const { lists: [begun] } = await rowsOf(database)
    t.match(begun, gap)
    const kept = { ...base, at: hour + 9, status: 304, page: { ...all, nextSince: hour + 7 } }
    await recordAll(database, [kept])
    const { lists: [deletions, records] } = await rowsOf(database)
    t.match(records, { ...gap, completed_next: hour + 7 })
    t.match(deletions, { skipped_from: 0, skipped_to: hour - 2, completed_next: hour + 7 })
  })

  await t.test("SyncTrail takes no empty page after the last one for the end of a walk, which covers what its first page says", async (t) => {
    const since = hour - 60
    await recordAll(database, [
      { ...base, page: { since, rows: 10, hasNext: true, nextSince: hour - 2 } },
      { ...base, at: hour + 5, page: { since, rows: 3, isFirst: false, nextSince: hour + 3 } },
      { ...base, at: hour + 9, page: { since, rows: 0, isFirst: false, nextSince: hour + 7 } },
    ])
    const { lists: [row] } = await rowsOf(database)
    t.match(row, { walk_completed: hour + 5, completed_next: hour - 2, walk_next: hour - 2 })
  })

  await t.test("SyncTrail takes a last page by offset for the end of a walk only if one began in the day before", async (t) => {
    const first = { ...base, page: { since: 0, rows: 10, hasNext: true, nextSince: hour - 2 } }
    const completedBy = async (after: number) => {
      await clear(database)
      await recordAll(database, [first])
      const page = { since: 0, rows: 3, isFirst: false, nextSince: hour + after - 2 }
      await recordAll(database, [{ ...base, at: hour + after, page }])
      return (await rowsOf(database)).lists.find(({ list }) => list === "guests")?.walk_completed
    }
    t.equal(await completedBy(86_400), hour + 86_400)
    t.equal(await completedBy(86_401), null)
  })

  await t.test("SyncTrail takes an empty page by cursor for the end of a walk: the rest may have gone", async (t) => {
    await recordAll(database, [
      { ...base, page: { since: hour - 60, rows: 10, hasNext: true, nextSince: hour - 2 } },
      {
        ...base,
        at: hour + 5,
        page: { since: hour - 60, rows: 0, isFirst: false, cursor: "c.d", nextSince: hour - 2 },
      },
    ])
    const { lists: [row] } = await rowsOf(database)
    t.match(row, { walk_completed: hour + 5, completed_next: hour - 2 })
  })

  await t.test("SyncTrail takes nothing for acknowledged without since, with a negative one, or with a filter", async (t) => {
    await recordAll(database, [
      { ...base, page: { since: defaultSince } },
      { ...base, at: hour + 1, page: { since: -1 } },
      { ...base, at: hour + 2, page: { since: hour, isFiltered: true } },
    ])
    const { lists: [, row] } = await rowsOf(database)
    t.match(row, {
      acknowledged: null,
      last_poll: hour + 2,
      walk_started: hour + 1,
      walk_completed: hour + 1,
    })
  })

  await t.test("SyncTrail records neither HEAD nor requests without a session", async (t) => {
    const trail = newTrail(database)
    trail.record(sentFacts({ ...base, method: "HEAD", page: { rows: 1 } }))
    trail.record({ ...sentFacts({ ...base, status: 401 }), admission: undefined })
    await trail.close()
    t.strictSame(await rowsOf(database), { lists: [], hours: [] })
  })

  await t.test("SyncTrail adds an error about an event that may not be read to the list's row, or to that of no event", async (t) => {
    const denied = { ...base, at: hour + 10, status: 404, isReadable: false } as const
    await recordAll(database, [{ ...base, page: { since: hour - 60, rows: 1 } }])
    await recordAll(database, [
      { ...denied, id: "known" },
      ...Array.from(
        { length: 50 },
        (_, n) => ({ ...denied, event: randomUUID(), id: `invented ${n}` }),
      ),
    ])
    const { lists: rows, hours: [counts] } = await rowsOf(database)
    t.strictSame(rows.map(({ event_id }) => event_id), ["", event])
    t.match(rows[1], {
      last_poll: hour,
      error_at: hour + 10,
      error_status: 404,
      error_request: "known",
    })
    t.match(rows[0], { last_poll: null, error_code: "code_404", error_request: "invented 9" })
    t.equal(counts?.errors, 51)
  })

  await t.test("SyncTrail folds requests over a limit for invented events into one change", async (t) => {
    const trail = newTrail(database)
    const refused = { ...base, status: 429, isReadable: false } as const
    for (let n = 0; n < 50; n++) trail.record(sentFacts({ ...refused, event: randomUUID() }))
    trail.record(sentFacts({ ...refused, isReadable: true }))
    t.equal(trail.numbers.waiting, 2)
    await trail.close()
    const { lists: rows, hours: [counts] } = await rowsOf(database)
    t.strictSame(rows.map(({ event_id }) => event_id), ["", event])
    t.match(counts, { errors: 51, polls: 0 })
  })

  await t.test("SyncTrail takes a walk with a since in the future for no walk, and no acknowledgement", async (t) => {
    const walk = { since: hour - 300, nextSince: hour - 2 }
    await recordAll(database, [
      { ...base, page: walk },
      { ...base, at: hour + 60, page: { since: hour + 90, nextSince: hour + 58 } },
    ])
    const { lists: [row] } = await rowsOf(database)
    t.match(row, { walk_since: hour + 90, walk_completed: hour, completed_next: hour - 2 })
    t.match(row, { acknowledged: hour - 300, last_poll: hour + 60 })
  })

  await t.test("SyncTrail takes a walk of all records for one of their deletions, too", async (t) => {
    const walk = { since: -1, nextSince: hour - 2 }
    await recordAll(database, [{ ...base, page: { ...walk, hasNext: true } }])
    t.strictSame((await rowsOf(database)).lists.map(({ list }) => list), ["guests"])
    const last = { ...walk, isFirst: false, cursor: "c" }
    await recordAll(database, [{ ...base, at: hour + 9, page: last }])
    const { lists: [deletions, records] } = await rowsOf(database)
    const completed = { walk_completed: hour + 9, completed_next: hour - 2, skipped_to: null }
    t.match(records, { ...completed, list: "guests", last_poll: hour + 9 })
    t.match(deletions, { ...completed, list: "guest deletions", kind: "guest deletions" })
    t.match(deletions, { last_poll: null, walk_started: null, records: 0 })
    await recordAll(database, [
      { ...base, at: hour + 60, page: { since: hour - 2, nextSince: hour + 58 } },
    ])
    t.match((await rowsOf(database)).lists[0], completed)
  })

  await t.test("writeSync claims of walks in any order only what they cover, and all of it if each begins where one ended", async (t) => {
    const write = async (batches: readonly (readonly (readonly [number, number])[])[]) => {
      await clear(database)
      for (const batch of batches) {
        const completed = batch.map(([since, next]) => ({ at: next, since, next, reached: next }))
        const one = completed.map((walk) => changeOf({ completed: [walk] })).reduce(mergeChanges)
        await writeSync(database, [one], new AbortController().signal)
      }
      const { lists: [row] } = await rowsOf(database)
      const { completed_next: end, skipped_from: from, skipped_to: to } = row!
      return (time: number) =>
        time < (end ?? 0) && !(from !== null && to !== null && time >= from && time < to)
    }
    const walks = fc.array(fc.tuple(fc.nat(12), fc.nat(12)), { minLength: 1, maxLength: 6 })
      .map((all) => all.map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const))
    const times = Array.from({ length: 14 }, (_, time) => time)
    const numRuns = engine === "mysql" ? 60 : 200
    await fc.assert(
      fc.asyncProperty(walks, fc.nat(5), async (all, cut) => {
        const claims = await write([all.slice(0, cut), all.slice(cut)].filter((b) => b.length > 0))
        for (const time of times) {
          if (claims(time)) t.ok(all.some(([since, next]) => since <= time && time < next))
        }
      }),
      { numRuns },
    )
    const chain = [[0, 3], [3, 5], [5, 5], [5, 8], [7, 11]] as const
    // Of two processes, one may write what it has seen a moment later.
    for (const swapped of [[], [0], [1], [2], [3], [0, 2], [0, 3], [1, 3]]) {
      const all = [...chain] as (readonly [number, number])[]
      for (const place of swapped) all.splice(place, 2, all[place + 1]!, all[place]!)
      const claims = await write(all.map((walk) => [walk]))
      t.strictSame(times.filter(claims), times.slice(0, 11), `swapped ${swapped}`)
    }
  })

  await t.test("writeSync finds nothing skipped in rows that a version of before wrote, or wrote since", async (t) => {
    const write = (since: number, next: number) => {
      const completed = [{ at: next, since, next, reached: next }]
      return writeSync(database, [changeOf({ completed })], new AbortController().signal)
    }
    const row = async () => (await rowsOf(database)).lists[0]
    await write(0, hour)
    const former = { completed_next: hour + 60, walk_completed: hour + 62 }
    for (const sent_until of [null, hour]) {
      for (const since of [hour + 60, ...sent_until === null ? [hour + 62] : []]) {
        await database.writer.updateTable("sync_state")
          .set({ ...former, sent_until, skipped_from: null, skipped_to: null }).execute()
        await write(since, hour + 120)
        t.match(await row(), { skipped_to: null, completed_next: hour + 120 }, `${sent_until}`)
      }
    }
    await database.writer.updateTable("sync_state").set({ ...former, sent_until: null }).execute()
    await write(hour + 63, hour + 120)
    t.match(await row(), { skipped_from: hour + 62, skipped_to: hour + 63 })
  })

  const rounds = engine === "mysql" ? 15 : 40
  await t.test("SyncTrail comes to the same result in any order, on one instance or several", async (t) => {
    for (let seed = 0; seed < rounds; seed++) {
      const random = new Random(seed)
      const requests = randomRequests(random)
      await recordAll(database, requests)
      const expected = await rowsOf(database)
      await clear(database)

      const trails = [newTrail(database), newTrail(database)]
      for (const [index, each] of random.shuffle(requests).entries()) {
        const which = random.below(2)
        trails[which]?.record(sentFacts(each))
        if (random.below(10) === 0) {
          await trails[which]?.close()
          trails[which] = newTrail(database)
        }
        if (index % 7 === 0) await Promise.resolve()
      }
      await Promise.all(trails.map((trail) => trail.close()))
      t.strictSame(ordered(await rowsOf(database)), ordered(expected), `seed ${seed}`)
      await clear(database)
    }
  })
})

t.test("a page by offset whose walk has no beginning completes none, and one that was begun elsewhere does", async (t) => {
  const workshop = await freshWorkshop(t)
  const { build, database } = workshop
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 5)
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  workshop.write("  - use: connector-b\n    with: { segment: connector-b, organizations: [acme] }")
  /** Asks a process of its own for guests. Returns what is known of the walk then. */
  const ask = async (query: string) => {
    const service = await workshop.start()
    const get = await logInto(service.fetch, "partner")
    t.equal((await get(`/connector-b/v1/events/${event}/guests?since=0&${query}`)).status, 200)
    await service.close()
    const { lists } = await rowsOf(database)
    const walks = lists.map(({ list, walk_completed, completed_next }) => ({
      ...{ list, isComplete: walk_completed !== null, isCovered: completed_next !== null },
    }))
    return walks.filter(({ isComplete, isCovered }) => isComplete || isCovered)
  }
  const walk = { isComplete: true, isCovered: true }
  t.strictSame(await ask("offset=2"), [])
  t.strictSame(await ask("limit=2"), [])
  t.strictSame(await ask("offset=2"), [
    { list: "guest deletions", ...walk },
    { list: "guests", ...walk },
  ])
  const { hours } = await rowsOf(database)
  t.equal(hours.reduce((sum, { walks }) => sum + walks, 0), 1)
})

/** Leaves out what depends on the order of requests: the first error of a trouble, and what walks have skipped. */
function ordered({ lists, hours }: Awaited<ReturnType<typeof rowsOf>>) {
  return {
    lists: lists.map((row) => (
      {
        ...row,
        first_error: 0,
        completed_since: 0,
        sent_until: 0,
        since_from: 0,
        skipped_from: 0,
        skipped_to: 0,
      }
    )),
    hours,
  }
}

/** Requests of two accounts for two lists of two events, many in the same second. */
function randomRequests(random: Random): Sent[] {
  const ids = ["a", "b"].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`)
  return Array.from({ length: 40 }, (_, n): Sent => {
    const at = hour + 3590 + random.below(20)
    const list = random.below(2) as 0 | 1
    const base = { account: random.pick(ids), event: random.pick(ids), list, at, id: `r${n}` }
    if (random.below(5) === 0) return { ...base, status: random.pick([400, 404, 429, 500]) }
    const isFirst = random.below(5) < 3
    const status = random.pick([200, 200, 304])
    return {
      ...base,
      status,
      sent: random.below(5) > 0,
      page: {
        rows: random.below(3),
        since: random.pick([-1, defaultSince, at - 5, at - 60]),
        nextSince: at - random.pick([2, 3, 30]),
        pollInterval: random.pick([60, 900]),
        isFirst,
        isFiltered: random.below(10) === 0,
        cursor: isFirst ? undefined : "cursor",
        hasNext: random.below(5) < 2 && status !== 304,
      },
    }
  })
}
