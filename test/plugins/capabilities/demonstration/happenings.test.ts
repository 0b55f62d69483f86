import t from "tap"
import {
  Happenings,
  type Summary,
  summaryLine,
} from "../../../../plugins/capabilities/demonstration/happenings.ts"
import { type Described, exchangeOf } from "../../../support/exchange.ts"

const usual: Summary = { seconds: 65, isLive: true, polls: 20, changes: 1, pings: 0 }
const lines: readonly (readonly [change: Partial<Summary>, line: string])[] = [
  [{}, "1 min 5 s: 20 polls, 1 change, 0 pings"],
  [{ isLive: false }, "1 min 5 s: 20 polls"],
  [{ seconds: 59 }, "59 s: 20 polls, 1 change, 0 pings"],
  [{ seconds: 7325 }, "2 h 2 min: 20 polls, 1 change, 0 pings"],
]

t.test("summaryLine counts, polls only if it is not live", (t) => {
  for (const [change, line] of lines) t.equal(summaryLine({ ...usual, ...change }), line)
  t.end()
})

t.test("Happenings counts requests for lists as polls, whoever sends them, and what it is told", (t) => {
  const happenings = new Happenings()
  const request = (described: Described) => happenings.observe(exchangeOf(described))
  request({ action: "log-in", account: "partner-a", status: 204 })
  t.equal(happenings.line(true), "0 s: 0 polls, 0 changes, 0 pings")
  request({ action: "list", account: "partner-a", status: 200 })
  request({ action: "list", status: 401 })
  happenings.count("changes")
  happenings.count("pings")
  happenings.count("pings")
  t.match(happenings.line(true), / s: 2 polls, 1 change, 2 pings; latest poll: nobody, 401$/)
  t.end()
})
