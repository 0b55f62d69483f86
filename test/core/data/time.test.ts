import t from "tap"
import { formatMoment, parseMoment, parseStart } from "../../../core/data/time.ts"

const invalid = ["tomorrow", "2030-02-30", "2030-13-01", "31.01.2030", "2030", "", "2030-01-31T"]

t.test("parseMoment accepts a day, which lasts to its end, and a time", (t) => {
  t.equal(parseMoment("2030-01-31"), Date.UTC(2030, 1, 1) / 1000)
  t.equal(parseMoment("2030-01-31T18:00:00Z"), Date.UTC(2030, 0, 31, 18) / 1000)
  t.equal(parseMoment("2030-01-31T18:00+02:00"), Date.UTC(2030, 0, 31, 16) / 1000)
  for (const text of invalid) t.throws(() => parseMoment(text), { name: "UserError" }, text)
  t.end()
})

t.test("parseStart accepts a day, from its beginning on, and a time", (t) => {
  t.equal(parseStart("2030-01-31"), Date.UTC(2030, 0, 31) / 1000)
  t.equal(parseStart("2030-01-31T18:00:00Z"), Date.UTC(2030, 0, 31, 18) / 1000)
  for (const text of invalid) t.throws(() => parseStart(text), { name: "UserError" }, text)
  t.end()
})

t.test("formatMoment writes Unix seconds in UTC, and null as never", (t) => {
  t.equal(formatMoment(1_893_456_000), "2030-01-01T00:00:00Z")
  t.equal(formatMoment(null), "never")
  t.equal(formatMoment(1_893_456_000_000_000), "1893456000000000", "microseconds")
  t.end()
})
