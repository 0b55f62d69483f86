import fc from "fast-check"
import t from "tap"
import { judge } from "../../../../plugins/capabilities/partners/deadlines.ts"
import type { SyncRow } from "../../../../plugins/capabilities/partners/definitions.ts"
import {
  advance,
  blankRow,
  nameOf,
  type Poll,
} from "../../../../plugins/capabilities/partners/progress.ts"
import { anyPoll, end, error, page, start } from "../../../support/polls.ts"

const blank = blankRow({
  ...{ account_id: "a", event_id: "e", prefix: "/p", list: "guests", family: "f", kind: "guests" },
})
const after = (polls: readonly Poll[], row: SyncRow = blank) =>
  polls.reduce((row, poll) => advance(row, poll), row)

t.test("advance takes of polls the later one, in whatever order they come", (t) => {
  const cases: readonly (readonly [readonly Poll[], Partial<SyncRow>])[] = [
    [[page(5), page(6, { interval: 30 })], { last_poll: 6, poll_interval: 30, records: 2 }],
    [[page(5), page(5, { interval: 61 })], { last_poll: 5, poll_interval: 61 }],
    [[error(5, "r1"), error(5, "r2", 300)], {
      error_at: 5,
      error_request: "r2",
      error_status: 300,
    }],
    [[error(5), error(6)], { first_error: 5, error_at: 6 }],
    [[error(5), page(5)], { last_poll: 5, first_error: null }],
    [[page(5, { applied: 1 }), page(6, { applied: 2 })], { acknowledged: 2, acknowledged_at: 6 }],
    [[start(2, 1, 9), start(2, 2, 0)], { walk_since: 2, walk_next: 0, walk_started: 2 }],
    [[start(4, 7, 1), start(4, 7, 2)], { walk_since: 7, walk_next: 2, previous_started: null }],
    [[end(0, 3), end(0, 5)], {
      walk_completed: 5,
      completed_next: 5,
      sent_until: 5,
      skipped_to: null,
    }],
  ]
  for (const [polls, expected] of cases) {
    for (const each of [polls, polls.toReversed()]) t.match(after(each), expected)
  }
  t.end()
})

t.test("advance keeps the first error since the last page", (t) => {
  t.match(after([error(5), page(6), error(7), error(8)]), {
    first_error: 7,
    error_at: 8,
    last_poll: 6,
  })
  t.match(after([page(6), error(5)]), { first_error: null, error_at: 5 }, "it is over")
  // Up to version 1.3, a page left it as it was.
  t.match(after([error(9)], { ...blank, first_error: 5, last_poll: 6 }), { first_error: 9 })
  t.end()
})

t.test("advance remembers the last three walks and the first, in whatever order they come", (t) => {
  for (const order of ["1234", "4321", "2143", "1423", "3142", "2413", "2214", "1213", "3231"]) {
    const times = [...order].map(Number)
    const [last = null, second = null, third = null] = [...new Set(times)].toSorted((a, b) => b - a)
    t.match(after(times.map((at) => start(at, at, at))), {
      ...{ walk_started: last, walk_since: last, walk_next: last },
      ...{ previous_started: second, third_started: third, first_started: Math.min(...times) },
    }, order)
  }
  t.end()
})

t.test("advance takes a since for asked again only if it was answered with a later Next-Since", (t) => {
  const since = 1000
  const polls = [start(1060, since, since), start(1120, since, since), start(1180, since, 1160)]
  t.equal(after(polls.slice(0, 1)).since_from, 1060)
  t.equal(after(polls.slice(0, 2)).since_from, 1120, "a change is open")
  t.equal(after(polls).since_from, 1180, "it was until now")
  t.equal(
    after([...polls, start(1240, since, 1220)]).since_from,
    1180,
    "it does not send what it was given",
  )
  t.end()
})

t.test("advance ends a walk only after one that has begun within a day, or that was completed", (t) => {
  const aDay = 86_400
  const begun = (at: number) => after([start(1), end(0, at, { after: "begun" })]).completed_next
  t.equal(begun(1 + aDay), 1 + aDay)
  t.equal(begun(2 + aDay), null)
  t.equal(after([end(0, aDay + 1, { after: "begun" })]).completed_next, null, "none is known")
  const kept = end(3, 9, { after: "completed", walk: { since: 3, next: 9 } })
  t.match(after([start(1), end(0, 5), kept]), {
    completed_next: 9,
    walk_started: 9,
    walk_completed: 9,
  })
  t.match(after([start(1), kept]), { completed_next: null, walk_started: 9, walk_completed: null })
  t.match(after([start(1), end(0, 2), end(5, 9, { after: "completed" })]), {
    skipped_from: 2,
    skipped_to: 5,
  })
  t.end()
})

t.test("advance lets the walk of another list end one, and takes its interval while there was no poll", (t) => {
  const of = after([start(1), end(0, 2)])
  const interval = 30
  t.match(advance(blank, end(0, 9, { after: "completed", interval }), of), {
    ...{ completed_next: 9, poll_interval: 30, last_poll: null },
  })
  t.match(advance(blank, end(0, 9, { after: "completed" }), advance(of, start(3))), {
    completed_next: null,
  })
  t.match(advance(after([page(1)]), end(0, 9, { interval }), of), { poll_interval: 60 })
  t.end()
})

t.test("advance depends on nothing but the facts: deadlines of before change nothing", (t) => {
  fc.assert(
    fc.property(fc.array(anyPoll, { maxLength: 12 }), fc.nat(12), (polls, cut) => {
      const facts = JSON.parse(JSON.stringify(after(polls.slice(0, cut)))) as SyncRow
      const stale = {
        ...facts,
        silent_from: 1,
        stuck_from: 1,
        late_from: null,
        in_doubt: null,
        gap_to: 7,
      }
      t.strictSame(after(polls.slice(cut), judge(stale)), after(polls, judge(blank)))
    }),
    { numRuns: 200, seed: 5 },
  )
  t.end()
})

t.test("nameOf names each list of an account differently", (t) => {
  const key = { account_id: "a", event_id: "e", prefix: "/p", list: "l" }
  const others = [{ account_id: "b" }, { event_id: "f" }, { prefix: "/q" }, { list: "m" }]
  const names = [key, ...others.map((other) => ({ ...key, ...other }))].map(nameOf)
  t.equal(new Set(names).size, 5)
  t.end()
})
