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
      running.set(name, await turns.take({ groups, ...lane && { lane } }, signal))
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

/**
 * What callers do in turn: `name:group/group@lane` joins, `-name` ends, and `-all` ends all, one after the other. Then
 * who has started, in that order.
 */
const courses: Record<string, [atOnce: number, steps: string, started: string]> = {
  "lets the callers of one group in by their arrival, so many at once": [
    ...[2, "a:g b:g c:g d:g -b", "a b c"] as const,
  ],
  "alternates between groups, however many callers each has": [
    ...[1, "a1:a a2:a a3:a a4:a b1:b b2:b c1:c -all", "a1 a2 b1 c1 a3 b2 a4"] as const,
  ],
  "alternates between the groups within a group": [
    1,
    "first:x a1:l/s1 a2:l/s1 a3:l/s1 a4:l/s2 a5:l/s2 b1:o/s1 b2:o/s1 -all",
    "first a1 b1 a4 b2 a2 a5 a3",
  ],
  "lets a group that comes back wait behind those that wait already": [
    1,
    "a1:a b1:b a2:a c1:c b2:b -a1 -b1 -a2 -c1",
    "a1 b1 a2 c1 b2",
  ],
  "prefers a group that waits to groups that are new": [
    1,
    "a1:a a2:a a3:a -a1 n0:n0 n1:n1 n2:n2 -a2",
    "a1 a2 a3",
  ],
  "gives a lane one turn at a time, and passes over those that wait for it": [
    2,
    "a:g@one b:g@one c:g@two -c",
    "a c",
  ],
  "gives a lane to the next when its turn has ended": [2, "a:g@one b:g@one c:g@two -c -a", "a c b"],
  "lets callers without a lane in together": [2, "a:g@ b:g@ c:g@", "a b"],
}
for (const [name, [atOnce, steps, expected]] of Object.entries(courses)) {
  t.test(`take ${name}`, async (t) => {
    const { join, end, endAll, started } = table({ atOnce })
    for (const step of steps.split(" ")) {
      const [, who = "", groups = "", , lane] = /^-?(\w+):?([\w/]*)(@(\w*))?$/.exec(step) ?? []
      if (step === "-all") await endAll()
      else if (step.startsWith("-")) await end(who)
      else void join(who, groups.split("/"), lane === undefined ? {} : { lane })
      await setImmediate()
    }
    t.equal(started.join(" "), expected)
  })
}

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

t.test("take rejects with the reason of a signal, also one from before, and gives the place to others; a turn goes on", async (t) => {
  const { join, end, started, refused } = table()
  const gone = new AbortController()
  const { signal } = gone
  void join("a", ["g"], { signal })
  void join("b", ["g"], { signal })
  void join("c", ["g"])
  await setImmediate()
  gone.abort("gone")
  await setImmediate()
  t.strictSame(refused, ["b: gone"])
  void join("d", ["g"], { signal })
  await setImmediate()
  t.strictSame([started, refused], [["a"], ["b: gone", "d: gone"]])
  await end("a")
  t.strictSame(started, ["a", "c"])
})
