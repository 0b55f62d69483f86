import t from "tap"
import { readTime } from "../../../../plugins/capabilities/connect/zoned-time.ts"

const at = (text: string) => Date.parse(text) / 1000

t.test("readTime reads times with and without an offset, on both sides of summer time", (t) => {
  const cases: readonly (readonly [text: string, zone: string, expected: string])[] = [
    ["2026-01-15 12:00:00", "Europe/London", "2026-01-15T12:00:00Z"],
    ["2026-07-15T12:00", "Europe/London", "2026-07-15T11:00:00Z"],
    ["2026-07-15", "America/New_York", "2026-07-15T04:00:00Z"],
    ["2026-07-15 12:00:00.5", "Asia/Kathmandu", "2026-07-15T06:15:00Z"],
    ["2026-07-15 12:00:00+02", "Asia/Kathmandu", "2026-07-15T10:00:00Z"],
    ["2026-07-15 12:00:00 -0330", "UTC", "2026-07-15T15:30:00Z"],
    ["2026-07-15 12:00:00Z", "Asia/Kathmandu", "2026-07-15T12:00:00Z"],
    // When summer time begins, there is no such time; when it ends, there are two.
    ["2026-03-29 01:30:00", "Europe/London", "2026-03-29T01:30:00Z"],
    ["2026-10-25 01:30:00", "Europe/London", "2026-10-25T00:30:00Z"],
    ["2026-10-25 02:30:00", "Europe/London", "2026-10-25T02:30:00Z"],
  ]
  for (const [text, zone, expected] of cases) t.equal(readTime(text, zone), at(expected), text)
  for (const text of ["2026-02-31", "2026-13-01", "2026-01-01 24:00", "noon", ""]) {
    t.equal(readTime(text, "UTC"), undefined, text)
  }
  t.end()
})
