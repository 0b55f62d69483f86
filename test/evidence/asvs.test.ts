import { existsSync } from "node:fs"
import t from "tap"
import { asvs, expandNumbers, requirements } from "./asvs.ts"

t.test("each requirement of levels 1 and 2 is in one answer of its chapter", (t) => {
  t.equal(requirements.length, 253, "70 of level 1 and 183 of level 2")
  t.strictSame(asvs.map(({ chapter }) => chapter), Array.from({ length: 17 }, (_, n) => n + 1))
  for (const { chapter, name, met, notApplicable, notMet } of asvs) {
    const answered = [...met, ...notApplicable, ...notMet].flatMap(({ numbers }) =>
      expandNumbers(numbers)
    )
    const wanted = requirements.filter((number) => number.startsWith(`${chapter}.`))
    const inOrder = wanted.filter((number) => answered.includes(number))
    t.strictSame(inOrder, wanted, `${name} answers all`)
    t.equal(answered.length, wanted.length, `${name} answers each once, and no other`)
  }
  t.end()
})

t.test("expandNumbers takes what is in the standard at these levels, and nothing else", (t) => {
  t.strictSame(expandNumbers("1.2.9–1.3.2, 2.3.4"), ["1.2.9", "1.3.1", "1.3.2", "2.3.4"])
  for (const wrong of ["1.2.10", "1.2.20", "18.1.1", "1.3.2–1.3.1", "1.1.1-1.1.2", ""]) {
    t.throws(() => expandNumbers(wrong), wrong)
  }
  t.end()
})

t.test("what is met is shown by files that exist", (t) => {
  for (const { met } of asvs) {
    for (const { numbers, by } of met) {
      t.ok(by.length > 0, numbers)
      t.strictSame(by.filter((path) => !existsSync(path)), [], numbers)
    }
  }
  t.end()
})
