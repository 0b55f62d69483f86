import t from "tap"
import { plot } from "../../../plugins/design/plot.ts"

t.test("plot draws a line per name over the largest value, with a gap where there is no value", (t) => {
  const text = String(plot("Polls", ["Polls", "Lag"], [[0, 5, null], [60, 10, 2], [120, 0, null]]))
  t.match(text, '<path class="line-0" d="M0.0 75.0h0L300.0 0.0L600.0 150.0"')
  t.match(text, '<path class="line-1" d="M300.0 120.0h0"')
  t.match(text, "at most 10")
  t.equal(text.match(/so far/g)?.length, 1, "the last time is not over")
  t.ok(text.indexOf("00:02") < text.lastIndexOf("00:01"), "the table has the latest first")
  t.end()
})

t.test("plot has a table without rows, and no lines, if there are no points", (t) => {
  const text = String(plot("Polls", ["Polls"], []))
  t.notMatch(text, "<svg")
  t.match(text, "<tbody>")
  t.end()
})
