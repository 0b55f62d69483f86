import t from "tap"
import fc from "fast-check"
import { type ClockStep, sinceBefore } from "../../../core/change-log/clock-steps.ts"

t.test("sinceBefore takes a since from between back to the beginning of the step", (t) => {
  const steps = [{ reached: 200, backTo: 100 }]
  t.strictSame([99, 100, 101, 200, 201].map((since) => sinceBefore(since, steps)), [
    99,
    100,
    100,
    100,
    201,
  ])
  t.equal(sinceBefore(-1, steps), -1)
  t.equal(sinceBefore(150, []), 150)
  t.end()
})

t.test("sinceBefore follows several steps, in any order", (t) => {
  const steps = [{ reached: 120, backTo: 50 }, { reached: 200, backTo: 100 }]
  t.equal(sinceBefore(150, steps), 50)
  t.equal(sinceBefore(150, steps.toReversed()), 50)
  t.end()
})

t.test("sinceBefore never returns a later time, nor one that a step would take back further", (t) => {
  const step = fc.tuple(fc.nat(100), fc.nat(30)).map(([backTo, length]): ClockStep => ({
    backTo,
    reached: backTo + length,
  }))
  fc.assert(
    fc.property(fc.integer({ min: -1, max: 140 }), fc.array(step), (since, steps) => {
      const found = sinceBefore(since, steps)
      return found <= since &&
        steps.every(({ backTo, reached }) => found <= backTo || found > reached)
    }),
  )
  t.pass("for any steps")
  t.end()
})
