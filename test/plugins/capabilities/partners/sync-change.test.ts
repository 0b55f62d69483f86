import t from "tap"
import type { SyncRow } from "../../../../plugins/capabilities/partners/definitions.ts"
import {
  blankRow,
  mergeChanges,
  nameOf,
  type SyncChange,
} from "../../../../plugins/capabilities/partners/sync-change.ts"

const row = blankRow({
  ...{ account_id: "a", event_id: "e", prefix: "/p", list: "guests", family: "f", kind: "guests" },
})
type Part = Partial<Omit<SyncChange, "row">> & { readonly row?: Partial<SyncRow> }

const of = (...rows: readonly Partial<SyncRow>[]): Part[] => rows.map((row) => ({ row }))
const start = (walk_started: number, walk_since = 0, walk_next = 0) => (
  { walk_started, walk_since, walk_next }
)
const walk = (since: number, next: number, at = next, reached = next) => (
  { at, since, next, reached }
)
const error = { error_at: 5, error_status: 400, error_code: "c", error_request: "r1" }

/** What changes of a list are together. `writeSync` and `SyncTrail` have tests of what else they are. */
const cases: Readonly<Record<string, readonly [readonly Part[], Part]>> = {
  "the later page": [
    of({ last_poll: 5, poll_interval: 60 }, { last_poll: 6, poll_interval: 30 }),
    { row: { last_poll: 6, poll_interval: 30 } },
  ],
  "the greater interval of the same second": [
    of({ last_poll: 5, poll_interval: 60 }, { last_poll: 5, poll_interval: 61 }),
    { row: { last_poll: 5, poll_interval: 61 } },
  ],
  "the error with the greater id of the same second": [
    of(error, { ...error, error_request: "r2", error_status: 300 }),
    { row: { ...error, error_request: "r2", error_status: 300 } },
  ],
  "the first errors": [of({ first_error: 5 }, {}, { first_error: 6 }), { row: { first_error: 5 } }],
  "no error from before a page, or of its second": [
    of({ first_error: 5 }, { last_poll: 5 }),
    { row: { last_poll: 5, first_error: null } },
  ],
  "the first error since a page": [
    of({ first_error: 5 }, { last_poll: 6 }, { first_error: 7 }),
    { row: { last_poll: 6, first_error: 7 } },
  ],
  "readable if one is": [[{ isReadable: true }, {}], { isReadable: true }],
  "the last three walks": [
    [{ starts: [start(4), start(2), start(1)] }, { starts: [start(3)] }],
    { starts: [start(4), start(3), start(2)] },
  ],
  "the walk since the later time of the same second": [
    [{ starts: [start(2, 1, 9)] }, { starts: [start(2, 2, 0), start(1)] }],
    { starts: [start(2, 2, 0), start(1)] },
  ],
  "the walk with the later end of the same second and since": [
    [{ starts: [start(4, 7, 1)] }, { starts: [start(4, 7, 2)] }],
    { starts: [start(4, 7, 2)] },
  ],
  "one walk of those that touch": [
    [{ completed: [walk(1, 5)] }, { completed: [walk(5, 9)] }],
    { completed: [walk(1, 9)] },
  ],
  "one walk if the first was sent until the other began": [
    [{ completed: [walk(1, 5, 5, 6)] }, { completed: [walk(6, 9)] }],
    { completed: [walk(1, 9)] },
  ],
  "two walks with a gap between": [
    [{ completed: [walk(1, 5)] }, { completed: [walk(6, 9)] }],
    { completed: [walk(1, 5), walk(6, 9)] },
  ],
  "one walk of all that overlap, until the later end": [
    [{ completed: [walk(1, 5)] }, { completed: [walk(6, 9, 10)] }, { completed: [walk(2, 7, 11)] }],
    { completed: [walk(1, 9, 11)] },
  ],
}

for (const [name, [parts, expected]] of Object.entries(cases)) {
  t.test(`mergeChanges takes ${name}, in whatever order`, (t) => {
    const nothing = { isReadable: false, starts: [], completed: [], hours: [] }
    const changes = parts.map((part): SyncChange => (
      { ...nothing, ...part, row: { ...row, ...part.row } }
    ))
    const whole = { ...nothing, ...expected, row: { ...row, ...expected.row } }
    for (const each of [changes, changes.toReversed()]) {
      t.strictSame(each.reduce(mergeChanges), whole)
    }
    t.end()
  })
}

t.test("nameOf names each list of an account differently", (t) => {
  const key = { account_id: "a", event_id: "e", prefix: "/p", list: "l" }
  const others = [{ account_id: "b" }, { event_id: "f" }, { prefix: "/q" }, { list: "m" }]
  const names = [key, ...others.map((other) => ({ ...key, ...other }))].map(nameOf)
  t.equal(new Set(names).size, 5)
  t.end()
})
