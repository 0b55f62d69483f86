import fc from "fast-check"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { Coalescer } from "../../../core/data/coalesce.ts"

t.test("Coalescer starts each result after its call, and never has two runs of a key at a time", async (t) => {
  const call = fc.record({
    name: fc.constantFrom("a", "b"),
    at: fc.integer({ min: 0, max: 6 }),
    takes: fc.integer({ min: 0, max: 4 }),
    fails: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (calls) => {
      const coalescer = new Coalescer<number>()
      const running = new Set<string>()
      let clock = 0
      let begun = 0
      const run = async ({ name, at, takes, fails }: typeof calls[number]) => {
        await setTimeout(at)
        const calledAt = clock++
        const startedAt = await coalescer.run(name, async () => {
          if (running.has(name)) throw new Error("two at a time")
          running.add(name)
          begun++
          const now = clock++
          await setTimeout(takes)
          running.delete(name)
          if (fails) throw new RangeError(String(now))
          return now
        }).catch((error: unknown) => {
          if (error instanceof RangeError) return Number(error.message)
          throw error
        })
        if (startedAt < calledAt) throw new Error("a result from before the call")
      }
      await Promise.all(calls.map(run))
      return begun <= calls.length
    }),
    { numRuns: 30 },
  )
  t.pass()
})

t.test("Coalescer starts at once if nothing runs, and forgets a run that has ended or failed", async (t) => {
  const coalescer = new Coalescer<string>()
  let begun = 0
  const run = (outcome: Promise<string>) =>
    coalescer.run("it", () => {
      begun++
      return outcome
    })
  const first = run(Promise.resolve("a result"))
  t.equal(begun, 1)
  await first
  const second = run(Promise.reject(new RangeError("mine")))
  t.equal(begun, 2)
  await t.rejects(second, RangeError)
  const third = run(Promise.resolve("a result"))
  t.equal(begun, 3)
  await third
})

t.test("Coalescer runs once for all calls during a run, and tells the work whether several get its result", async (t) => {
  const coalescer = new Coalescer<[turn: number, isShared: boolean]>()
  let begun = 0
  const run = () =>
    coalescer.run("it", async (isShared) => {
      const turn = ++begun
      await setTimeout(5)
      return [turn, isShared]
    })
  const together = await Promise.all([run(), run(), run(), run()])
  t.strictSame(together, [[1, false], [2, true], [2, true], [2, true]])
  t.strictSame(await run(), [3, false], "no result is cached")
  t.strictSame(await Promise.all([run(), run()]), [[4, false], [5, false]])
})
