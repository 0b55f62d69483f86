import t, { type Test } from "tap"
import {
  hourOf,
  mergeChanges,
  nameOf,
  type SyncChange,
} from "../../../plugins/capabilities/partners/sync-change.ts"

const blank: SyncChange = {
  ...{ accountId: "a", eventId: "e", prefix: "/p", list: "guests", family: "f", kind: "guests" },
  ...{ isReadable: false, starts: [], records: 0, hours: [] },
}
const start = (at: number, since = 0, nextSince = 0) => ({ at, since, nextSince })
const counts = { hour: 3600, polls: 1, walks: 2, records: 3, errors: 4, lag: 5 }

/** Merges two changes in both orders, and returns the result, which has to be the same. */
function merged(t: Test, one: Partial<SyncChange>, other: Partial<SyncChange>): SyncChange {
  const [a, b] = [{ ...blank, ...one }, { ...blank, ...other }]
  const result = mergeChanges(a, b)
  const sorted = (change: SyncChange) => ({
    ...change,
    hours: change.hours.toSorted((a, b) => a.hour - b.hour),
  })
  t.strictSame(sorted(mergeChanges(b, a)), sorted(result))
  return result
}

t.test("mergeChanges takes the latest of each, of the same second the greater one, and of none the other", (t) => {
  const request = { status: 400, code: "c", request: "r1" }
  for (
    const [name, least, later, greater] of [
      ["poll", { at: 5, interval: 60 }, { at: 6, interval: 30 }, { at: 5, interval: 61 }],
      ["completed", { at: 5, nextSince: 4 }, { at: 6, nextSince: 3 }, { at: 5, nextSince: 5 }],
      ["acknowledged", { at: 5, since: 4 }, { at: 6, since: 3 }, { at: 5, since: 5 }],
      ["error", { at: 5, ...request }, { at: 6, ...request, request: "r0" }, {
        ...{ at: 5, ...request, request: "r2" },
      }],
    ] as const
  ) {
    t.strictSame(merged(t, { [name]: least }, { [name]: later })[name], later)
    t.strictSame(merged(t, { [name]: least }, { [name]: greater })[name], greater)
    t.strictSame(merged(t, { [name]: least }, {})[name], least)
    t.equal(merged(t, {}, {})[name], undefined)
  }
  t.end()
})

t.test("mergeChanges keeps the earliest of first times, adds up records, and is readable if one is", (t) => {
  for (const name of ["firstStart", "firstError"] as const) {
    t.equal(merged(t, { [name]: 5 }, { [name]: 6 })[name], 5)
    t.equal(merged(t, { [name]: 5 }, {})[name], 5)
    t.equal(merged(t, {}, {})[name], undefined)
  }
  t.equal(merged(t, { records: 2 }, { records: 3 }).records, 5)
  t.equal(merged(t, { isReadable: true }, {}).isReadable, true)
  t.equal(merged(t, {}, {}).isReadable, false)
  t.match(merged(t, {}, {}), { accountId: "a", eventId: "e", prefix: "/p", list: "guests" })
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
  const key = { accountId: "a", eventId: "e", prefix: "/p", list: "l" }
  const others = [{ accountId: "b" }, { eventId: "f" }, { prefix: "/q" }, { list: "m" }]
  const names = [key, ...others.map((other) => ({ ...key, ...other }))].map(nameOf)
  t.equal(new Set(names).size, 5)
  t.not(
    nameOf({ ...key, eventId: "e1", accountId: "a" }),
    nameOf({ ...key, accountId: "ae1", eventId: "" }),
  )
  t.strictSame([3599, 3600, 7199, 7200].map(hourOf), [0, 3600, 3600, 7200])
  t.end()
})
