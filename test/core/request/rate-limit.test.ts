import t from "tap"
import { RateLimit } from "../../../core/request/rate-limit.ts"

const fresh = (requests: number, keys = 10) => new RateLimit({ requests, period: 1000, keys })

t.test("take grants a burst at once, then one request per share of a second", async (t) => {
  const limit = fresh(4)
  const waits = Array.from({ length: 8 }, () => limit.take("a", 1000, 0))
  t.strictSame(waits.map(({ wait }) => wait), [0, 0, 0, 0, 250, 500, 750, 1000])
  t.ok(waits.every(({ granted }) => granted))
  t.strictSame(limit.take("a", 1249, 0), { granted: false, wait: 1250 })
  t.strictSame(limit.take("a", 0, 999), { granted: false, wait: 251 }, "it was not counted")
  t.strictSame(limit.take("a", 0, 1250), { granted: true, wait: 0 })
  t.strictSame(
    limit.take("a", 250, 1250),
    { granted: true, wait: 250 },
    "it is just patient enough",
  )
  t.strictSame(limit.take("b", 0, 0), { granted: true, wait: 0 }, "keys count apart")
})

t.test("take counts exactly as many requests as there are, where a share is no whole number", async (t) => {
  for (const perSecond of [1, 3, 7, 49]) {
    const limit = fresh(perSecond)
    let granted = 0
    while (limit.take("a", 0, 12_345.678).granted) granted++
    t.equal(granted, perSecond)
  }
})

t.test("left tells what is left, and when nothing is used any more", async (t) => {
  const limit = fresh(4)
  t.strictSame(limit.left("a", 0), { requests: 4, reset: 0 })
  limit.take("a", 0, 0)
  t.strictSame(limit.left("a", 0), { requests: 3, reset: 250 })
  t.strictSame(limit.left("a", 100), { requests: 3, reset: 150 })
  t.strictSame(limit.left("a", 300), { requests: 4, reset: 0 })
  for (let n = 0; n < 6; n++) limit.take("a", 1000, 1000)
  t.strictSame(limit.left("a", 1000), { requests: 0, reset: 1500 })
})

t.test("add takes back a part of a request, and never more than was used", async (t) => {
  const limit = fresh(2)
  limit.take("a", 0, 0)
  limit.add("a", -0.9, 0)
  t.strictSame(limit.left("a", 0), { requests: 1, reset: 50 })
  limit.add("a", -1, 0)
  t.strictSame(limit.left("a", 0), { requests: 2, reset: 0 })
  limit.add("new", -1, 0)
  t.strictSame([1, 2, 3].map(() => limit.take("new", 0, 0).granted), [true, true, false])
})

t.test("RateLimit remembers only so many keys, those that were used last", async (t) => {
  const limit = fresh(2, 2)
  for (const key of ["a", "b", "a", "c", "c"]) limit.take(key, 0, 0)
  t.strictSame(["c", "a", "b", "b"].map((key) => limit.take(key, 0, 0).granted), [
    ...[false, false, true, true],
  ])
})
