import t, { type Test } from "tap"
import type { SyncRow } from "../../../../plugins/capabilities/partners/definitions.ts"
import {
  blankRow,
  hourOf,
  mergeChanges,
  nameOf,
  type SyncChange,
} from "../../../../plugins/capabilities/partners/sync-change.ts"

const row = blankRow({
  ...{ account_id: "a", event_id: "e", prefix: "/p", list: "guests", family: "f", kind: "guests" },
})
const start = (walk_started: number, walk_since = 0, walk_next = 0) => (
  { walk_started, walk_since, walk_next }
)
const counts = { hour: 3600, polls: 1, walks: 2, records: 3, errors: 4, lag: 5 }

type Part = Partial<Omit<SyncChange, "row">> & { readonly row?: Partial<SyncRow> }

/** Merges two changes in both orders, and returns the result, which has to be the same. */
function merged(t: Test, one: Part, other: Part): SyncChange {
  const [a, b] = [one, other].map((part): SyncChange => (
    {
      isReadable: false,
      starts: [],
      completed: [],
      hours: [],
      ...part,
      row: { ...row, ...part.row },
    }
  )) as [SyncChange, SyncChange]
  const result = mergeChanges(a, b)
  const sorted = (change: SyncChange) => ({
    ...change,
    hours: change.hours.toSorted((a, b) => a.hour - b.hour),
  })
  t.strictSame(sorted(mergeChanges(b, a)), sorted(result))
  return result
}

t.test("mergeChanges takes the latest of each, of the same second the greater one, and of none the other", (t) => {
  const error = { error_status: 400, error_code: "c", error_request: "r1" }
  for (
    const [least, later, greater] of [
      [
        { last_poll: 5, poll_interval: 60 },
        { last_poll: 6, poll_interval: 30 },
        { last_poll: 5, poll_interval: 61 },
      ],
      [
        { acknowledged_at: 5, acknowledged: 4 },
        { acknowledged_at: 6, acknowledged: 3 },
        { acknowledged_at: 5, acknowledged: 5 },
      ],
      [
        { error_at: 5, ...error },
        { error_at: 6, ...error, error_request: "r0", error_status: 500 },
        { error_at: 5, ...error, error_request: "r2", error_status: 300 },
      ],
    ] as const
  ) {
    t.strictSame(merged(t, { row: least }, { row: later }).row, { ...row, ...later })
    t.strictSame(merged(t, { row: least }, { row: greater }).row, { ...row, ...greater })
    t.strictSame(merged(t, { row: least }, {}).row, { ...row, ...least })
  }
  t.strictSame(merged(t, {}, {}).row, row)
  t.end()
})

t.test("mergeChanges keeps the earliest of first times, adds up records, and is readable if one is", (t) => {
  for (const name of ["first_started", "first_error"] as const) {
    t.equal(merged(t, { row: { [name]: 5 } }, { row: { [name]: 6 } }).row[name], 5)
    t.equal(merged(t, { row: { [name]: 5 } }, {}).row[name], 5)
  }
  const firstError = (...parts: Partial<SyncRow>[]) =>
    parts.reduce((one, other) => merged(t, { row: one }, { row: other }).row).first_error
  t.equal(firstError({ first_error: 5 }, { last_poll: 5 }), null, "the page ended the trouble")
  t.equal(firstError({ first_error: 5 }, { last_poll: 6 }, { first_error: 7 }), 7)
  t.equal(firstError({ first_error: 5 }, { last_poll: 4 }), 5)
  t.equal(merged(t, { row: { records: 2 } }, { row: { records: 3 } }).row.records, 5)
  t.equal(merged(t, { isReadable: true }, {}).isReadable, true)
  t.equal(merged(t, {}, {}).isReadable, false)
  t.end()
})

t.test("mergeChanges remembers three walks of different seconds, the latest first", (t) => {
  const startsOf = (one: SyncChange["starts"], other: SyncChange["starts"]) =>
    merged(t, { starts: one }, { starts: other }).starts
  const [one, two, three, four] = [start(1), start(2), start(3), start(4)]
  t.strictSame(startsOf([], []), [])
  t.strictSame(startsOf([two, one], []), [two, one])
  t.strictSame(startsOf([two], [one]), [two, one])
  t.strictSame(startsOf([three, two, one], [four]), [four, three, two])
  t.strictSame(startsOf([four, two, one], [three]), [four, three, two])
  t.strictSame(startsOf([four, two], [three, one]), [four, three, two])
  t.strictSame(startsOf([four, two, one], [start(4, 7, 1)]), [start(4, 7, 1), two, one])
  t.strictSame(startsOf([start(4, 7, 1), one], [start(4, 7, 2)]), [start(4, 7, 2), one])
  t.strictSame(startsOf([start(2, 1, 9)], [start(2, 2, 0), one]), [start(2, 2, 0), one])
  t.end()
})

t.test("mergeChanges unites completed walks that overlap or touch, and keeps others apart", (t) => {
  const walk = (since: number, next: number, at = next) => ({ at, since, next, reached: next })
  const united = (...walks: ReturnType<typeof walk>[]) =>
    walks.map((each): Part => ({ completed: [each] })).reduce((one, other) => merged(t, one, other))
      .completed
  t.strictSame(united(walk(1, 5), walk(5, 9)), [walk(1, 9)])
  t.strictSame(united(walk(1, 5), walk(6, 9)), [walk(1, 5), walk(6, 9)])
  t.strictSame(united(walk(1, 5), walk(6, 9), walk(2, 7)), [walk(1, 9)])
  t.strictSame(united(walk(1, 9, 10), walk(2, 5, 11)), [walk(1, 9, 11)])
  t.end()
})

t.test("mergeChanges adds up what was done in the same hour", (t) => {
  const later = { ...counts, hour: 7200 }
  const { hours } = merged(t, { hours: [counts, later] }, { hours: [{ ...counts, lag: 9 }] })
  const twice = { hour: 3600, polls: 2, walks: 4, records: 6, errors: 8, lag: 9 }
  t.strictSame(hours, [twice, later])
  t.strictSame(merged(t, { hours: [counts] }, { hours: [later] }).hours, [counts, later])
  const lagOf = (one: number | null, other: number | null) =>
    merged(t, { hours: [{ ...counts, lag: one }] }, { hours: [{ ...counts, lag: other }] }).hours[0]
      ?.lag
  t.strictSame([lagOf(5, null), lagOf(null, null), lagOf(5, 6)], [5, null, 6])
  t.end()
})

t.test("nameOf names each list of an account differently, and hourOf is the beginning of an hour", (t) => {
  const key = { account_id: "a", event_id: "e", prefix: "/p", list: "l" }
  const others = [{ account_id: "b" }, { event_id: "f" }, { prefix: "/q" }, { list: "m" }]
  const names = [key, ...others.map((other) => ({ ...key, ...other }))].map(nameOf)
  t.equal(new Set(names).size, 5)
  t.not(
    nameOf({ ...key, event_id: "e1", account_id: "a" }),
    nameOf({ ...key, account_id: "ae1", event_id: "" }),
  )
  t.strictSame([3599, 3600, 7199, 7200].map(hourOf), [0, 3600, 3600, 7200])
  t.end()
})
