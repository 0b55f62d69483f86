import t from "tap"
import { guide } from "../../../../config/demo/guide.ts"
import {
  Happenings,
  type Summary,
  summaryLine,
} from "../../../../plugins/capabilities/demonstration/happenings.ts"
import { TerminalWindow } from "../../../support/terminal-window.ts"

const usual: Summary = { seconds: 65, isLive: true, polls: 20, changes: 1, pings: 0 }
const lines: readonly (readonly [name: string, change: Partial<Summary>, line: string])[] = [
  ["counts", {}, "1 min 5 s: 20 polls, 1 change, 0 pings"],
  ["counts polls only if it is not live", { isLive: false }, "1 min 5 s: 20 polls"],
  ["counts seconds first", { seconds: 59 }, "59 s: 20 polls, 1 change, 0 pings"],
  ["counts hours last", { seconds: 7325 }, "2 h 2 min: 20 polls, 1 change, 0 pings"],
  [
    "names the latest poll",
    { latest: { account: "acme-export", status: 503 } },
    "1 min 5 s: 20 polls, 1 change, 0 pings; latest poll: acme-export, 503",
  ],
]
for (const [name, change, line] of lines) {
  t.test(`summaryLine ${name}`, (t) => {
    t.equal(summaryLine({ ...usual, ...change }), line)
    t.end()
  })
}

t.test("Happenings counts requests for lists as polls, whoever sends them, and what it is told", (t) => {
  const happenings = new Happenings()
  const request = (line: object) =>
    happenings.observe({ line } as Parameters<Happenings["observe"]>[0])
  request({ action: "log-in", account: "partner-a", status: 204 })
  request({ status: 200 })
  t.equal(happenings.line(true), "0 s: 0 polls, 0 changes, 0 pings")
  request({ action: "list", account: "partner-a", status: 200 })
  request({ action: "list", status: 401 })
  happenings.count("changes")
  happenings.count("pings")
  happenings.count("pings")
  t.match(happenings.line(true), / s: 2 polls, 1 change, 2 pings; latest poll: nobody, 401$/)
  t.end()
})

t.test("the guide leaves room on a window of 80 columns and 40 rows", (t) => {
  const window = new TerminalWindow(80)
  window.write(guide("http://127.0.0.1:8080", true))
  // What follows: commands for operators, in at most 7 rows, the file of the log, and the line that counts.
  t.ok(window.rows.length <= 30, window.rows.join("\n"))
  t.end()
})
