import t from "tap"
import { parseListQuery } from "../../../../core/request/listing/query.ts"

const now = 1_800_000_000
const aDay = 86_400

function sinceOf(search: string): number | undefined {
  return parseListQuery(search, undefined, { now }).value?.since
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
  const accepts = (since: number, at: number) =>
    parseListQuery(`?since=${since}`, undefined, { now: at }).value !== undefined
  t.ok(accepts(now, now))
  t.ok(accepts(now + 2 * aDay, now + 2 * aDay))
  t.notOk(accepts(now + 2 * aDay, now))
  t.end()
})
