import fc from "fast-check"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { Coalescer } from "../../../core/data/coalesce.ts"

t.test("Coalescer: every result was started after its call, and a key never has two runs at once", async (t) => {
  const question = fc.record({
    name: fc.constantFrom("a", "b"),
    at: fc.integer({ min: 0, max: 6 }),
    takes: fc.integer({ min: 0, max: 4 }),
    fails: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(question, { minLength: 1, maxLength: 12 }), async (questions) => {
      const coalescer = new Coalescer<number>()
      const running = new Set<string>()
      let clock = 0
      let begun = 0
      const ask = async ({ name, at, takes, fails }: typeof questions[number]) => {
        await setTimeout(at)
        const asked = clock++
        const answer = await coalescer.run(name, async () => {
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
        if (answer < asked) throw new Error("an answer of before the question")
      }
      await Promise.all(questions.map(ask))
      return begun <= questions.length
    }),
    { numRuns: 100 },
  )
  t.pass()
})

t.test("Coalescer: calls during a run share the next one", async (t) => {
  const coalescer = new Coalescer<number>()
  let begun = 0
  const ask = () =>
    coalescer.run("it", async () => {
      const turn = ++begun
      await setTimeout(5)
      return turn
    })
  t.strictSame(await Promise.all([ask(), ask(), ask(), ask()]), [1, 2, 2, 2])
  t.equal(await ask(), 3, "nothing is kept")
})
