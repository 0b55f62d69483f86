import { setImmediate } from "node:timers/promises"
import t from "tap"
import { LogInQueue, QueueFull } from "../../../core/access/log-in-queue.ts"

/** A queue, and the names of those that got a turn or were refused, in their order. */
function table(limits: Partial<ConstructorParameters<typeof LogInQueue>[0]> = {}) {
  const queue = new LogInQueue({ atOnce: 1, ofNetwork: 100, inAll: 100, ...limits })
  const started: string[] = []
  const refused: string[] = []
  const running = new Map<string, () => void>()
  const join = async (
    name: string,
    { network = "one", isKnown = false, lane, signal = new AbortController().signal }: {
      network?: string
      isKnown?: boolean
      lane?: string | undefined
      signal?: AbortSignal
    } = {},
  ) => {
    try {
      await queue.run({ network, isKnown, ...lane && { lane } }, signal, async () => {
        started.push(name)
        await new Promise<void>((resolve) => void running.set(name, resolve))
      })
    } catch (error) {
      refused.push(error instanceof QueueFull ? name : `${name}: ${error}`)
    }
  }
  const end = async (name: string) => {
    running.get(name)?.()
    running.delete(name)
    await setImmediate()
  }
  const endAll = async () => {
    while (running.size > 0) await end([...running.keys()][0] ?? "")
  }
  return { join, end, endAll, started, refused }
}

/** What attempts do in turn: `name@lane` joins, a known one as `name!`, `-name` ends. Then who has started, in that order. */
const courses: Record<string, [atOnce: number, steps: string, started: string]> = {
  "lets attempts in by their arrival, so many at once": [2, "a b c d -b", "a b c"],
  "gives every second turn to a known one": [
    1,
    "a b c d k1! k2! k3! -all",
    "a k1 b k2 c k3 d",
  ],
  "gives a lane one turn at a time, and passes over those that wait for it": [
    2,
    "a@one b@one c@two -c",
    "a c",
  ],
  "gives a lane to the next when its turn has ended": [2, "a@one b@one c@two -c -a", "a c b"],
}
for (const [name, [atOnce, steps, expected]] of Object.entries(courses)) {
  t.test(`run ${name}`, async (t) => {
    const { join, end, endAll, started } = table({ atOnce })
    for (const step of steps.split(" ")) {
      const [, who = "", known, lane] = /^-?(\w+)(!?)(?:@(\w+))?$/.exec(step) ?? []
      if (step === "-all") await endAll()
      else if (step.startsWith("-")) await end(who)
      else void join(who, { isKnown: known === "!", lane })
      await setImmediate()
    }
    t.equal(started.join(" "), expected)
  })
}

t.test("run refuses those of a network of which too many wait, and no known ones and no other network", async (t) => {
  const { join, endAll, started, refused } = table({ ofNetwork: 2, inAll: 5 })
  for (const name of ["a", "b", "c", "d"]) void join(name)
  void join("known", { isKnown: true })
  for (const network of ["two", "three", "four", "five"]) void join(network, { network })
  await setImmediate()
  t.strictSame(refused, ["d", "five"])
  void join("known too", { network: "six", isKnown: true })
  await endAll()
  t.strictSame(started, ["a", "known", "b", "known too", "c", "two", "three", "four"])
})

t.test("run rejects with the reason of a signal, also one from before, and gives the place to others; a turn goes on", async (t) => {
  const { join, end, started, refused } = table()
  const gone = new AbortController()
  const { signal } = gone
  void join("a", { signal })
  void join("b", { signal })
  void join("c")
  await setImmediate()
  gone.abort("gone")
  await setImmediate()
  t.strictSame(refused, ["b: gone"])
  void join("d", { signal })
  await setImmediate()
  t.strictSame([started, refused], [["a"], ["b: gone", "d: gone"]])
  await end("a")
  t.strictSame(started, ["a", "c"])
})

t.test("run gives the turn to the next if the work fails", async (t) => {
  const queue = new LogInQueue({ atOnce: 1, ofNetwork: 9, inAll: 9 })
  const place = () => ({ network: "one", isKnown: false })
  const { signal } = new AbortController()
  const failing = queue.run(place(), signal, () => Promise.reject(new Error("failed")))
  const next = queue.run(place(), signal, () => Promise.resolve("done"))
  await t.rejects(failing, /failed/)
  t.equal(await next, "done")
})
