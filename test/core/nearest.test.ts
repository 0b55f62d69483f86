import process from "node:process"
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
  t.end()
})

t.test("suggest limits the length of its comparison", (t) => {
  const before = process.cpuUsage()
  // To compare all of them takes seconds.
  const [unknown, known] = ["x".repeat(100_000), "y".repeat(100_000)]
  t.equal(suggest(unknown, [known], 2), `; there are ${known}`)
  t.ok(process.cpuUsage(before).user < 1_000_000)
  t.end()
})
