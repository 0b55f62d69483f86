import { setImmediate } from "node:timers/promises"
import t from "tap"
import { Crowded, Turns } from "../../../core/access/turns.ts"

/** Takes turns, and keeps the names of those that got one, in their order. */
function table(options: { atOnce?: number; mostWaiting?: number } = {}) {
  const turns = new Turns({ atOnce: 1, mostWaiting: 100, ...options })
  const started: string[] = []
  const refused: string[] = []
  const running = new Map<string, Disposable>()
  const join = async (
    name: string,
    groups: string[],
    { lane = name, signal = new AbortController().signal }: {
      lane?: string
      signal?: AbortSignal
    } = {},
  ) => {
    try {
      running.set(name, await turns.take({ groups, lane }, signal))
      started.push(name)
    } catch (error) {
      refused.push(error instanceof Crowded ? name : `${name}: ${error}`)
    }
  }
  const end = async (name: string) => {
    running.get(name)?.[Symbol.dispose]()
    running.delete(name)
    await setImmediate()
  }
  const endAll = async () => {
    while (running.size > 0) await end([...running.keys()][0] ?? "")
  }
  return { join, end, endAll, started, refused, running }
}

t.test("take lets the callers of one group in by their arrival, so many at once", async (t) => {
  const { join, end, endAll, started, running } = table({ atOnce: 2 })
  for (const name of ["a", "b", "c", "d"]) void join(name, ["g"])
  await setImmediate()
  t.strictSame(started, ["a", "b"])
  await end("b")
  t.strictSame([...running.keys()], ["a", "c"])
  await endAll()
  t.strictSame(started, ["a", "b", "c", "d"])
})

t.test("take alternates between groups, however many callers each has", async (t) => {
  const { join, endAll, started } = table()
  for (const name of ["a1", "a2", "a3", "a4"]) void join(name, ["a"])
  for (const name of ["b1", "b2"]) void join(name, ["b"])
  void join("c1", ["c"])
  await setImmediate()
  await endAll()
  t.strictSame(started, ["a1", "a2", "b1", "c1", "a3", "b2", "a4"])
})

t.test("take alternates between the groups within a group", async (t) => {
  const { join, endAll, started } = table()
  void join("first", ["x"])
  for (const n of [1, 2, 3]) void join(`a${n}`, ["large", "small 1"])
  for (const n of [4, 5]) void join(`a${n}`, ["large", "small 2"])
  for (const n of [1, 2]) void join(`b${n}`, ["other", "small 1"])
  await setImmediate()
  await endAll()
  t.strictSame(started, ["first", "a1", "b1", "a4", "b2", "a2", "a5", "a3"])
})

t.test("take lets a group that comes back wait behind those that wait already", async (t) => {
  const { join, end, started } = table()
  void join("a1", ["a"])
  void join("b1", ["b"])
  await setImmediate()
  void join("a2", ["a"])
  void join("c1", ["c"])
  void join("b2", ["b"])
  for (const name of ["a1", "b1", "a2", "c1"]) await end(name)
  t.strictSame(started, ["a1", "b1", "a2", "c1", "b2"])
})

t.test("take prefers a group that waits to groups that are new", async (t) => {
  const { join, end, started } = table()
  for (const name of ["a1", "a2", "a3"]) void join(name, ["a"])
  await setImmediate()
  await end("a1")
  for (let n = 0; n < 3; n++) void join(`new ${n}`, [`new ${n}`])
  await end("a2")
  t.strictSame(started, ["a1", "a2", "a3"])
})

t.test("take gives a lane one turn at a time, and passes over those that wait for it", async (t) => {
  const { join, end, started } = table({ atOnce: 2 })
  void join("a", ["g"], { lane: "one" })
  void join("b", ["g"], { lane: "one" })
  void join("c", ["g"], { lane: "two" })
  await setImmediate()
  t.strictSame(started, ["a", "c"])
  await end("c")
  t.strictSame(started, ["a", "c"])
  await end("a")
  t.strictSame(started, ["a", "c", "b"])
})

t.test("take lets callers without a lane in together", async (t) => {
  const turns = new Turns({ atOnce: 2, mostWaiting: 100 })
  const { signal } = new AbortController()
  const [first] = [
    await turns.take({ groups: [] }, signal),
    await turns.take({ groups: [] }, signal),
  ]
  let started = false
  const third = turns.take({ groups: [] }, signal).then(() => (started = true))
  await setImmediate()
  t.equal(started, false)
  first[Symbol.dispose]()
  t.equal(await third, true)
})

t.test("take refuses the latest of the largest group if too many wait", async (t) => {
  const { join, endAll, started, refused } = table({ mostWaiting: 4 })
  void join("running", ["x"])
  for (const name of ["a1", "a2", "a3"]) void join(name, ["a", name])
  void join("b1", ["b"])
  await setImmediate()
  t.strictSame(refused, [], "as many as may wait")
  void join("c1", ["c"])
  void join("b2", ["b"])
  void join("a4", ["a", "a1"])
  await setImmediate()
  t.strictSame(refused, ["a3", "b2", "a4"])
  await endAll()
  t.strictSame(started, ["running", "a1", "b1", "c1", "a2"])
})

t.test("take rejects with the reason of the signal, and gives the place to others", async (t) => {
  const { join, end, started, refused } = table()
  const gone = new AbortController()
  void join("a", ["g"])
  void join("b", ["g"], { signal: gone.signal })
  void join("c", ["g"])
  await setImmediate()
  gone.abort("gone")
  await setImmediate()
  t.strictSame(refused, ["b: gone"])
  void join("d", ["g"], { signal: gone.signal })
  await setImmediate()
  t.strictSame(refused, ["b: gone", "d: gone"])
  await end("a")
  t.strictSame(started, ["a", "c"])
})

t.test("a signal that aborts during a turn does not end it", async (t) => {
  const { join, end, started, refused } = table()
  const gone = new AbortController()
  void join("a", ["g"], { signal: gone.signal })
  void join("b", ["g"])
  await setImmediate()
  gone.abort("gone")
  await setImmediate()
  t.strictSame([started, refused], [["a"], []])
  await end("a")
  t.strictSame(started, ["a", "b"])
})
