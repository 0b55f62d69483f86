import fc from "fast-check"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { Turns } from "../../../core/data/coalesce.ts"

t.test("Turns: whoever asks gets an answer that was begun after they asked, and no name is answered twice at a time", async (t) => {
  const question = fc.record({
    name: fc.constantFrom("a", "b"),
    at: fc.integer({ min: 0, max: 6 }),
    takes: fc.integer({ min: 0, max: 4 }),
    fails: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(question, { minLength: 1, maxLength: 12 }), async (questions) => {
      const turns = new Turns<number>()
      const running = new Set<string>()
      let clock = 0
      let begun = 0
      const ask = async ({ name, at, takes, fails }: typeof questions[number]) => {
        await setTimeout(at)
        const asked = clock++
        const answer = await turns.take(name, async () => {
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

t.test("Turns: those who ask while it is being done share the next time", async (t) => {
  const turns = new Turns<number>()
  let begun = 0
  const ask = () =>
    turns.take("it", async () => {
      const turn = ++begun
      await setTimeout(5)
      return turn
    })
  t.strictSame(await Promise.all([ask(), ask(), ask(), ask()]), [1, 2, 2, 2])
  t.equal(await ask(), 3, "nothing is kept")
})
