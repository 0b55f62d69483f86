import t from "tap"
import { parseListQuery } from "../../../../core/request/listing/query.ts"

const now = 1_800_000_000
const aDay = 86_400

/** Returns the `since` that is read from a query at a time; undefined if the query is refused. */
function sinceOf(search: string, at = now): number | undefined {
  const clock = t.capture(Date, "now", () => at * 1000 + 999)
  const { value } = parseListQuery(search)
  clock.restore()
  return value?.since
}

t.test("parseListQuery accepts a since of up to a day ahead", (t) => {
  t.equal(sinceOf(`?since=${now + aDay}`), now + aDay)
  t.equal(sinceOf(`?since=${now + aDay + 1}`), undefined)
  t.end()
})

t.test("parseListQuery takes every negative since for -1", (t) => {
  for (const since of ["-1", "-2", "-9223372036854775809"]) t.equal(sinceOf(`?since=${since}`), -1)
  t.equal(sinceOf("?since=0"), 0)
  t.end()
})

t.test("parseListQuery compares since with the time of the call, however long the process runs", (t) => {
  const accepts = (since: number, at: number) => sinceOf(`?since=${since}`, at) !== undefined
  t.ok(accepts(now, now))
  t.ok(accepts(now + 2 * aDay, now + 2 * aDay))
  t.notOk(accepts(now + 2 * aDay, now))
  t.end()
})
