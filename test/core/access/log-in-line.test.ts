import { setImmediate } from "node:timers/promises"
import t from "tap"
import { LineFull, LogInLine } from "../../../core/access/log-in-line.ts"

/** A line, and the names of those that got a turn or were refused, in their order. */
function table(limits: Partial<ConstructorParameters<typeof LogInLine>[0]> = {}) {
  const line = new LogInLine({ ofNetwork: 100, inAll: 100, ...limits })
  const started: string[] = []
  const refused: string[] = []
  const running = new Map<string, () => void>()
  const join = async (
    name: string,
    { network = "one", signal = new AbortController().signal } = {},
  ) => {
    try {
      await line.run(network, signal, async () => {
        started.push(name)
        await new Promise<void>((resolve) => void running.set(name, resolve))
      })
    } catch (error) {
      refused.push(error instanceof LineFull ? name : `${name}: ${error}`)
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

t.test("run lets attempts do their work one after the other, in their order", async (t) => {
  const { join, end, endAll, started } = table()
  for (const name of ["a", "b", "c"]) void join(name)
  await setImmediate()
  t.strictSame(started, ["a"])
  await end("a")
  t.strictSame(started, ["a", "b"])
  void join("d")
  await endAll()
  t.strictSame(started, ["a", "b", "c", "d"])
})

t.test("run refuses those of a network of which too many wait, and no other network", async (t) => {
  const { join, endAll, started, refused } = table({ ofNetwork: 2, inAll: 5 })
  for (const name of ["a", "b", "c", "d"]) {
    void join(name)
    await setImmediate()
  }
  for (const network of ["two", "three", "four", "five"]) void join(network, { network })
  await setImmediate()
  t.strictSame(refused, ["d", "five"])
  await endAll()
  t.strictSame(started, ["a", "b", "c", "two", "three", "four"])
})

t.test("run rejects with the reason of a signal, also one from before, and gives the place to others; a turn goes on", async (t) => {
  const { join, end, started, refused } = table({ ofNetwork: 2 })
  const gone = new AbortController()
  const { signal } = gone
  void join("a", { signal })
  await setImmediate()
  void join("b", { signal })
  void join("c")
  await setImmediate()
  gone.abort("gone")
  await setImmediate()
  t.strictSame(refused, ["b: gone"])
  void join("d", { signal })
  void join("e")
  await setImmediate()
  t.strictSame([started, refused], [["a"], ["b: gone", "d: gone"]])
  await end("a")
  t.strictSame(started, ["a", "c"])
  await end("c")
  t.strictSame(started, ["a", "c", "e"])
})

t.test("run gives the turn to the next if the work fails", async (t) => {
  const line = new LogInLine({ ofNetwork: 9, inAll: 9 })
  const { signal } = new AbortController()
  const failing = line.run("one", signal, () => Promise.reject(new Error("failed")))
  const next = line.run("one", signal, () => Promise.resolve("done"))
  await t.rejects(failing, /failed/)
  t.equal(await next, "done")
})
