import t from "tap"
import { suggest } from "../../core/nearest.ts"

t.test("suggest returns the nearest known name, regardless of case", (t) => {
  t.equal(suggest("maxrow", ["maxRows"], 1), ": did you mean maxRows?")
  const known = ["host", "port"]
  t.equal(suggest("hots", known, 2), ": did you mean host?")
  t.equal(suggest("PROT", known, 2), ": did you mean port?")
  t.equal(suggest("hots", known, 1), "; there are host, port")
  t.equal(suggest("address", known, 2), "; there are host, port")
  t.equal(suggest("hots", [], 2), "")
  t.equal(suggest("a0", ["q", "since"], 2), "; there are q, since", "no letter is the same")
  t.equal(suggest("", ["q"], 2), "; there are q")
  t.end()
})

t.test("suggest compares only the first letters of a long name: comparing all takes seconds", (t) => {
  const first = "x".repeat(32)
  t.equal(suggest("x".repeat(100_000), [first], 0), `: did you mean ${first}?`)
  t.end()
})
