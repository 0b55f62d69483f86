import t from "tap"
import { parseDuration } from "../../../../plugins/capabilities/sessions/open-session.ts"

t.test("parseDuration accepts a number of seconds, minutes, hours or days, from a minute to a year", (t) => {
  for (
    const [text, seconds] of [
      ["60s", 60],
      ["90m", 5400],
      ["12h", 43_200],
      ["30d", 2_592_000],
      ["366d", 31_622_400],
    ] as const
  ) {
    t.equal(parseDuration(text), seconds, text)
  }
  for (const text of ["59s", "0d", "367d", "8785h", "1w", "30", "h", "-1h", "1.5h", ""]) {
    t.throws(() => parseDuration(text), { name: "UserError" }, text)
  }
  t.end()
})
