import t from "tap"
import { Queues } from "../../../../plugins/capabilities/waiting/queues.ts"

t.test("Queues let so many run per key, and the others in the order in which they came", async (t) => {
  const queues = new Queues()
  const begun: number[] = []
  const enter = async (n: number, key = "ann", signal?: AbortSignal) => {
    const place = await queues.enter(key, 2, signal)
    if (place) begun.push(n)
    return place
  }
  const [first, second] = [await enter(1), await enter(2)]
  const gone = new AbortController()
  const later = [enter(3), enter(4, "ann", gone.signal), enter(5)]
  await enter(6, "bob")
  t.strictSame(begun, [1, 2, 6], "keys count apart")
  gone.abort()
  t.equal(await later[1], undefined)

  // Twice gives back one place.
  first?.[Symbol.dispose]()
  first?.[Symbol.dispose]()
  const third = await later[0]
  t.strictSame(begun, [1, 2, 6, 3])
  second?.[Symbol.dispose]()
  const fifth = await later[2]
  t.strictSame(begun, [1, 2, 6, 3, 5])
  for (const place of [third, fifth]) place?.[Symbol.dispose]()
  const taken = [1, 2, 3].map(() => queues.take("ann", 2))
  t.strictSame(taken.map(Boolean), [true, true, false], "all places are free again")
  taken[0]?.dispose()
  t.strictSame([1, 2].map(() => queues.take("ann", 2) !== undefined), [true, false])
  t.equal(await queues.enter("ann", 2, AbortSignal.abort()), undefined)
})
