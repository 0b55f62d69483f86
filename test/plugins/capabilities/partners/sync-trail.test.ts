import { randomUUID } from "node:crypto"
import t from "tap"
import type { Admission } from "../../../../core/access/admission.ts"
import type { Database } from "../../../../core/data/database.ts"
import { guests, leanGuest } from "../../../../core/plugin.ts"
import { guestDeletions, wholeGuestDeletion } from "../../../../core/records/lists/deletions.ts"
import { bindList } from "../../../../core/records/lists/list.ts"
import { defaultSince } from "../../../../core/records/lists/page.ts"
import type { Exchange, SentPage } from "../../../../core/request/exchange.ts"
import type { MountedRoute } from "../../../../core/routes/contract.ts"
import { SyncTrail } from "../../../../plugins/capabilities/partners/sync-trail.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { exchangeOf, sentPageOf } from "../../../support/exchange.ts"
import { Random } from "../../../support/random.ts"
import { recorded } from "../../../support/recorded.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

const hour = 1_700_002_800
const lists = [bindList(guests, leanGuest), bindList(guestDeletions, wholeGuestDeletion)]
const routes = lists.map((list) =>
  ({ kind: "listing", list, plugin: "family", prefix: "/f/v1" }) as unknown as MountedRoute
)
const [account, event] = [randomUUID(), randomUUID()]

/** A request for a list: a page of guests by the usual account, or an error if `status` is one. */
interface Sent {
  readonly account?: string
  readonly event?: string
  readonly list?: 0 | 1
  /** Seconds after `hour`. */
  readonly after?: number
  readonly page?: Partial<SentPage>
  readonly status?: number
  readonly code?: string
  readonly isReadable?: boolean
  readonly id?: string
  readonly method?: string
  /** False if the client has gone before it had all of the page. */
  readonly sent?: boolean
  readonly hasSession?: false
}

function requestOf({ list = 0, after = 0, page, status = 200, id = "r", ...sent }: Sent): Exchange {
  const at = hour + after
  const ofAccount = { id: sent.account ?? account, username: "p", role: "partner" }
  const asked = sent.event ?? event
  const code = status >= 400 ? { code: sent.code ?? `code_${status}` } : {}
  const admission = {
    session: { id: "s", expires: 0, now: at, account: ofAccount },
    access: { organizationIds: [], eventIds: [] },
    event: sent.isReadable === false ? undefined : { id: asked },
  } as unknown as Admission
  return exchangeOf(
    {
      ...{ event: asked, status, method: sent.method ?? "GET", id, ...code },
      ...{ route: routes[list]!, family: "family" },
      admission: sent.hasSession === false ? undefined : admission,
      isWhole: sent.sent ?? true,
    },
    page && sentPageOf({ list: lists[list]!, at, ...page }),
  )
}

const all = { since: -1, nextSince: hour - 2 }
const walk = { since: hour - 300, nextSince: hour - 2 }
const later = { isFirst: false, cursor: "c" }
/** The first of several pages, the last one, and a 304 for the first. */
const first = { page: { since: 0, rows: 10, hasNext: true, nextSince: hour - 2 } }
const last = { after: 1, page: { since: 0, isFirst: false, nextSince: hour - 2, rows: 3 } }
const kept = { after: 9, status: 304, page: { ...first.page, nextSince: hour + 7 } }
const broken = { walk_started: hour + 9, walk_completed: null, completed_next: null }
const done = { walk_completed: hour + 9, completed_next: hour + 7 }
const completed = { walk_completed: hour + 9, completed_next: hour - 2, skipped_to: null }
const denied = { after: 10, status: 404, isReadable: false }
const gap = { skipped_from: 0, skipped_to: hour - 50 }

interface Case {
  readonly name: string
  /** Requests by the process that gets them. The processes write one after the other. */
  readonly sent: readonly (readonly Sent[])[]
  /** What is known then of the lists of guests, of deletions and of no event; undefined if there is nothing. */
  readonly guests?: object | undefined
  readonly deletions?: object | undefined
  readonly ofNoEvent?: object
}

const cases: readonly Case[] = [
  {
    name: "a walk by cursor: its beginning, its end and what it acknowledges",
    sent: [[
      { page: { ...walk, rows: 10, hasNext: true, pollInterval: 60 } },
      { after: 5, page: { ...walk, rows: 3, ...later } },
    ]],
    guests: {
      ...{ account_id: account, event_id: event, prefix: "/f/v1", list: "guests" },
      ...{ family: "family", kind: "guests", last_poll: hour + 5, poll_interval: 60 },
      ...{ walk_started: hour, walk_since: hour - 300, walk_next: hour - 2 },
      ...{ previous_started: null, walk_completed: hour + 5, completed_next: hour - 2 },
      ...{ acknowledged: hour - 300, acknowledged_at: hour, records: 13, error_at: null },
    },
  },
  {
    name: "when the first walk of all began, whatever is written first",
    sent: [[-30, -40, -50], [0, -10, -20]].map((process) =>
      process.map((after) => ({ after, page: { since: 1 + defaultSince } }))
    ),
    guests: { walk_started: hour, third_started: hour - 20, first_started: hour - 50 },
  },
  {
    name: "no end of a walk if its last page was not sent in full",
    sent: [[{ sent: false, page: { rows: 1 } }]],
    guests: { walk_started: hour, walk_completed: null, records: 1 },
  },
  {
    name: "a 304 as the end of a walk, and as no records",
    sent: [[{ status: 304, page: { rows: 50, since: hour - 60, nextSince: hour } }]],
    guests: { walk_completed: hour, records: 0 },
  },
  ...[[[first], [kept]], [[first, kept]]].map((sent) => ({
    name: `no end of a walk by a 304 for the first page of one that was broken off, ${sent.length}`,
    sent,
    guests: broken,
    deletions: { walk_completed: null, completed_next: null },
  })),
  ...[[[first, last], [kept]], [[first, last, kept]], [[first], [last, kept]]].map((sent, n) => ({
    name: `a 304 for the first page of a walk that was completed as the end of one, ${n}`,
    sent,
    guests: { walk_started: hour + 9, ...done },
    deletions: done,
  })),
  {
    name: "a gap that a 304 for the first of several pages does not fill",
    sent: [
      [
        { after: -98, page: { ...first.page, nextSince: hour - 100 } },
        { page: { since: hour - 50, rows: 1, nextSince: hour - 2 } },
      ],
      [kept],
    ],
    guests: { ...gap, completed_next: hour + 7 },
    deletions: { skipped_from: 0, skipped_to: hour - 2, completed_next: hour + 7 },
  },
  {
    name:
      "no end of a walk by an empty page after the last one; it covers what its first page says",
    sent: [[
      first,
      { ...last, after: 5, page: { ...last.page, nextSince: hour + 3 } },
      { ...last, after: 9, page: { ...last.page, rows: 0, nextSince: hour + 7 } },
    ]],
    guests: { walk_completed: hour + 5, completed_next: hour - 2, walk_next: hour - 2 },
  },
  ...[86_400, 86_401].map((after) => ({
    name: `a last page by offset as the end of a walk that began up to a day before: ${after} s`,
    sent: [[first], [{ ...last, after }]],
    guests: { walk_completed: after > 86_400 ? null : hour + after },
  })),
  {
    name: "no end of a walk by a page by offset whose walk has no beginning",
    sent: [[last]],
    guests: { last_poll: hour + 1, walk_completed: null, completed_next: null },
    deletions: { walk_completed: null, completed_next: null },
  },
  {
    name: "an empty page by cursor as the end of a walk: the rest may have gone",
    sent: [[first, { after: 5, page: { ...first.page, ...later, rows: 0, hasNext: false } }]],
    guests: { walk_completed: hour + 5, completed_next: hour - 2 },
  },
  {
    name: "nothing as acknowledged without since, with a negative one, or with a filter",
    sent: [[
      { page: { since: defaultSince } },
      { after: 1, page: { since: -1 } },
      { after: 2, page: { since: hour, isFiltered: true } },
    ]],
    guests: { acknowledged: null, last_poll: hour + 2, walk_completed: hour + 1 },
  },
  {
    name: "neither HEAD, nor requests without a session, nor an error that the partner asked for",
    sent: [[
      { method: "HEAD", page: { rows: 1 } },
      { status: 401, hasSession: false },
      { status: 404, code: "record_not_found" },
    ]],
    guests: undefined,
  },
  {
    name: "errors about events that may not be read in the list's row, or in that of no event",
    sent: [
      [{ page: { since: hour - 60, rows: 1 } }],
      [
        { ...denied, id: "known" },
        ...Array.from({ length: 50 }, (_, n) => ({ ...denied, event: randomUUID(), id: `${n}` })),
      ],
    ],
    guests: { last_poll: hour, error_at: hour + 10, error_status: 404, error_request: "known" },
    ofNoEvent: { last_poll: null, error_code: "code_404", error_request: "9" },
  },
  {
    name: "no walk and no acknowledgement with a since in the future",
    sent: [[
      { page: walk },
      { after: 60, page: { since: hour + 90, nextSince: hour + 58 } },
    ]],
    guests: {
      ...{ walk_since: hour + 90, walk_completed: hour, completed_next: hour - 2 },
      ...{ acknowledged: hour - 300, last_poll: hour + 60 },
    },
  },
  ...[true, false].map((goesOn) => ({
    name: `what a page of a feed has sent, and what was applied before: it ${
      goesOn ? "goes on" : "ends"
    }`,
    sent: [[{
      page: { ...walk, since: hour - 60, feed: { bound: 0, applied: hour - 90, goesOn } },
    }]],
    guests: {
      ...{ acknowledged: hour - 90, completed_next: hour - 2 },
      sent_until: goesOn ? hour - 2 : hour,
    },
  })),
  {
    name: "nothing of deletions by the first of several pages of all records",
    sent: [[{ page: { ...all, hasNext: true } }]],
    guests: { walk_completed: null },
    deletions: undefined,
  },
  {
    name: "a walk of all records as one of their deletions too, and a later one not",
    sent: [
      [{ page: { ...all, hasNext: true } }, { after: 9, page: { ...all, ...later } }],
      [{ after: 60, page: { since: hour - 2, nextSince: hour + 58 } }],
    ],
    guests: { walk_completed: hour + 60, completed_next: hour + 58, last_poll: hour + 60 },
    deletions: {
      ...{ ...completed, list: "guest deletions", kind: "guest deletions" },
      ...{ last_poll: null, walk_started: null, records: 0 },
    },
  },
]

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const newTrail = () =>
    recorded(
      { log: scannedLog(t, []), every: 1 },
      (recorders) => new SyncTrail(database, { ...recorders, routes }),
    )
  const record = async (requests: readonly Sent[]) => {
    const trail = newTrail()
    for (const each of requests) trail.record(requestOf(each))
    await trail.close()
  }
  const clear = async () => void await database.writer.deleteFrom("sync_state").execute()
  t.afterEach(clear)

  for (const { name, sent, ...expected } of engine === "sqlite" ? cases : []) {
    await t.test(`SyncTrail records ${name}`, async (t) => {
      for (const requests of sent) await record(requests)
      const rows = await read(database)
      const of = (eventId: string, list: string) =>
        rows.find((row) => row.event_id === eventId && row.list === list)
      const found = {
        guests: of(event, "guests"),
        deletions: of(event, "guest deletions"),
        ofNoEvent: rows.find(({ event_id }) => event_id === ""),
      }
      for (const [part, wanted] of Object.entries(expected)) {
        const actual = found[part as keyof typeof found]
        if (wanted === undefined) t.equal(actual, undefined, part)
        else t.match(actual, wanted, part)
      }
      t.equal(rows.filter(({ event_id }) => event_id === "").length, expected.ofNoEvent ? 1 : 0)
    })
  }

  await t.test("SyncTrail comes to the same result in any order, on one instance or several", async (t) => {
    for (let seed = 0; seed < 5; seed++) {
      const random = new Random(seed)
      const requests = randomRequests(random)
      await record(requests)
      const expected = await read(database)
      await clear()
      const trails = [newTrail(), newTrail()]
      for (const each of random.shuffle(requests)) {
        const which = random.below(2)
        trails[which]?.record(requestOf(each))
        if (random.below(10) > 0) continue
        await trails[which]?.close()
        trails[which] = newTrail()
      }
      await Promise.all(trails.map((trail) => trail.close()))
      t.strictSame(inAnyOrder(await read(database)), inAnyOrder(expected), `seed ${seed}`)
      await clear()
    }
  })
})

async function read({ writer }: Database) {
  return await writer.selectFrom("sync_state").selectAll()
    .orderBy("account_id").orderBy("event_id").orderBy("list").execute()
}

/**
 * Leaves out what depends on the order of requests: the first error of a trouble, what walks have skipped, and the
 * deadlines that follow from these.
 */
function inAnyOrder(rows: Awaited<ReturnType<typeof read>>) {
  const left = { first_error: 0, sent_until: 0, since_from: 0, skipped_from: 0, skipped_to: 0 }
  const times = { stuck_from: 0, trouble_since: 0, covered_until: 0, late_from: 0 }
  const derived = { ...times, gap_from: 0, gap_to: 0, in_doubt: 0 }
  return rows.map((row) => ({ ...row, ...left, ...derived }))
}

/** Requests of two accounts for two lists of two events, many in the same second. */
function randomRequests(random: Random): Sent[] {
  const ids = ["a", "b"].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`)
  return Array.from({ length: 40 }, (_, n): Sent => {
    const after = 3590 + random.below(20)
    const at = hour + after
    const list = random.below(2) as 0 | 1
    const base = { account: random.pick(ids), event: random.pick(ids), list, after, id: `r${n}` }
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
