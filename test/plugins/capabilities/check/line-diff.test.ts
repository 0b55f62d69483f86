import fc from "fast-check"
import t from "tap"
import { diffLines } from "../../../../plugins/capabilities/check/line-diff.ts"

/** Writes a difference as a text. */
function diff(before: string, after: string): string[] {
  return diffLines(before, after, { around: 1 }).map((line) => line ? line.sign + line.text : "…")
}

t.test("diffLines shows what differs with some lines around it", (t) => {
  const before = ["a", "b", "c", "d", "e", "f", "g", "h"].join("\n")
  t.strictSame(diff(before, before), [])
  t.strictSame(diff(before, before.replace("c", "C")), ["…", " b", "-c", "+C", " d"])
  t.strictSame(diff(before, before.replace("a\n", "")), ["-a", " b"])
  t.strictSame(diff(before, before.replace("b", "x\nb").replace("g\n", "")), [
    " a",
    "+x",
    " b",
    "…",
    " f",
    "-g",
    " h",
  ])
  t.strictSame(diff("", "a"), ["-", "+a"])
  t.end()
})

t.test("diffLines leads from one text to the other, and has as many lines in common as there can be", (t) => {
  const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 })
  fc.assert(fc.property(text, text, (before, after) => {
    const lines = diffLines(before.join("\n"), after.join("\n"), { around: 100 })
    if (lines.length === 0) return before.join("\n") === after.join("\n")
    const side = (other: string) =>
      lines.flatMap((line) => line && line.sign !== other ? [line.text] : []).join("\n")
    const common = lines.filter((line) => line?.sign === " ").length
    const [a, b] = [before.join("\n").split("\n"), after.join("\n").split("\n")]
    return side("+") === before.join("\n") && side("-") === after.join("\n") &&
      common === longestCommon(a, b)
  }))
  t.end()
})

t.test("diffLines of long texts that differ everywhere does not compare them line by line", (t) => {
  const long = (word: string) =>
    Array.from({ length: 3000 }, (_, index) => `${word} ${index}`).join("\n")
  t.equal(diffLines(long("a"), long("b")).length, 6000)
  t.end()
})

function longestCommon([a, ...as]: readonly string[], b: readonly string[]): number {
  if (a === undefined || b.length === 0) return 0
  const at = b.indexOf(a)
  const without = longestCommon(as, b)
  return at < 0 ? without : Math.max(without, 1 + longestCommon(as, b.slice(at + 1)))
}
