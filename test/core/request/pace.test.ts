import t from "tap"
import { Pace } from "../../../core/request/pace.ts"

const fresh = (perSecond: number, keys = 10) => new Pace({ perSecond, keys })

t.test("take grants a burst at once, then one request per share of a second", async (t) => {
  const pace = fresh(4)
  const waits = Array.from({ length: 8 }, () => pace.take("a", 1000, 0))
  t.strictSame(waits.map(({ wait }) => wait), [0, 0, 0, 0, 250, 500, 750, 1000])
  t.ok(waits.every(({ granted }) => granted))
  t.strictSame(pace.take("a", 1249, 0), { granted: false, wait: 1250 })
  t.strictSame(pace.take("a", 0, 999), { granted: false, wait: 251 }, "it was not counted")
  t.strictSame(pace.take("a", 0, 1250), { granted: true, wait: 0 })
  t.strictSame(pace.take("a", 250, 1250), { granted: true, wait: 250 }, "it is just patient enough")
  t.strictSame(pace.take("b", 0, 0), { granted: true, wait: 0 }, "keys count apart")
})

t.test("take counts exactly as many requests as there are, where a share is no whole number", async (t) => {
  for (const perSecond of [1, 3, 7, 49]) {
    const pace = fresh(perSecond)
    let granted = 0
    while (pace.take("a", 0, 12_345.678).granted) granted++
    t.equal(granted, perSecond)
  }
})

t.test("left tells what is left, and when nothing is used any more", async (t) => {
  const pace = fresh(4)
  t.strictSame(pace.left("a", 0), { requests: 4, reset: 0 })
  pace.take("a", 0, 0)
  t.strictSame(pace.left("a", 0), { requests: 3, reset: 250 })
  t.strictSame(pace.left("a", 100), { requests: 3, reset: 150 })
  t.strictSame(pace.left("a", 300), { requests: 4, reset: 0 })
  for (let n = 0; n < 6; n++) pace.take("a", 1000, 1000)
  t.strictSame(pace.left("a", 1000), { requests: 0, reset: 1500 })
})

t.test("giveBack takes back a part of a request, and never more than was used", async (t) => {
  const pace = fresh(2)
  pace.take("a", 0, 0)
  pace.giveBack("a", 0.9, 0)
  t.strictSame(pace.left("a", 0), { requests: 1, reset: 50 })
  pace.giveBack("a", 1, 0)
  t.strictSame(pace.left("a", 0), { requests: 2, reset: 0 })
  pace.giveBack("new", 1, 0)
  t.strictSame([1, 2, 3].map(() => pace.take("new", 0, 0).granted), [true, true, false])
})

t.test("Pace remembers only so many keys, those that were used last", async (t) => {
  const pace = fresh(2, 2)
  for (const key of ["a", "b", "a", "c", "c"]) pace.take(key, 0, 0)
  t.strictSame(["c", "a", "b", "b"].map((key) => pace.take(key, 0, 0).granted), [
    ...[false, false, true, true],
  ])
})
