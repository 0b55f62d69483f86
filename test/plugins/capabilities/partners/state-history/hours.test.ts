import fc from "fast-check"
import t from "tap"
import {
  anHour,
  daysOf,
  hoursOf,
  isWorse,
  monthOf,
  type Run,
  runsToWrite,
  type SeenState,
  shareOf,
} from "../../../../../plugins/capabilities/partners/state-history/hours.ts"
import { hourOf } from "../../../../../plugins/capabilities/partners/sync-change.ts"

const start = Date.UTC(2027, 0, 31) / 1000
/** A longer time without a look is not known. */
const most = 180

const looks = fc.array(
  fc.record({
    // Most looks are a minute apart; some come after hours.
    pause: fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 45, max: most }) },
      { weight: 3, arbitrary: fc.integer({ min: most + 1, max: 3 * anHour }) },
    ),
    state: fc.constantFrom<SeenState>("in sync", "behind", "stuck", "silent", "disabled", "unread"),
  }),
  { minLength: 1, maxLength: 300 },
)

t.test("runsToWrite and hoursOf: each hour has the worst state that was seen in it, and is not known if nobody looked", (t) => {
  fc.assert(fc.property(looks, (looks) => {
    const written = new Map<number, Run>()
    const gaps: Run[] = []
    const seen = new Map<number, SeenState>()
    let [last, now] = [0, start]
    for (const { pause, state } of looks) {
      now += pause
      if (now - last > most) gaps.push({ began: last, ended: now, state: "not known" })
      const open = [...written.values()].filter(({ ended }) => ended === null)
      if (open.length > 1) throw new Error("two runs at once")
      for (const run of runsToWrite(open[0], state, { now, last })) written.set(run.began, run)
      const hour = hourOf(now)
      const before = seen.get(hour) ?? "not known"
      if (isWorse(state, before)) seen.set(hour, state)
      last = now
    }
    const first = start - 24 * anHour
    const count = (hourOf(now) - first) / anHour + 3
    const hours = hoursOf([...written.values()], { since: 0, until: now, gaps }, { first, count })
    const expected = Array.from(
      { length: count },
      (_, index) => seen.get(first + index * anHour) ?? "not known",
    )
    if (String(hours) !== String(expected)) throw new Error(`${hours}\nis not\n${expected}`)
  }))
  t.end()
})

t.test("daysOf returns the worst hour of each day, and does not know a day without a known hour", (t) => {
  const day = (states: Record<number, SeenState>, rest: SeenState) =>
    Array.from({ length: 24 }, (_, hour) => states[hour] ?? rest)
  t.strictSame(
    daysOf([
      ...day({}, "not known"),
      ...day({ 3: "in sync" }, "not known"),
      ...day({ 23: "behind" }, "in sync"),
      ...day({ 0: "behind", 1: "locked out" }, "not known"),
      "in sync",
    ]),
    ["not known", "in sync", "behind", "locked out", "in sync"],
  )
  t.end()
})

t.test("shareOf counts the seconds of the month that are known, without those in which there was nothing to fetch", (t) => {
  const month = Date.UTC(2027, 1, 1) / 1000
  const until = month + 1000
  const gaps = [
    { began: 0, ended: month - 50, state: "not known" },
    { began: month - 50, ended: month + 10, state: "not known" },
    { began: month + 100, ended: month + 300, state: "not known" },
  ] as const
  t.strictSame(shareOf({ failing: 79, idle: 0 }, { since: 0, until, gaps }), {
    month,
    known: 790,
    inSync: 711,
    unknown: 210,
  })
  t.match(shareOf({ failing: 10, idle: 500 }, { since: 0, until, gaps }), {
    known: 290,
    inSync: 280,
  })
  t.match(shareOf({ failing: 0, idle: 0 }, { since: month + 900, until, gaps }), {
    known: 100,
    unknown: 0,
  })
  t.match(shareOf({ failing: 60, idle: 0 }, { since: until, until, gaps }), { known: 0, inSync: 0 })
  t.equal(monthOf(until), month)
  t.equal(monthOf(month - 1), start - 30 * 86_400)
  t.end()
})
