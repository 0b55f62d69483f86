import t from "tap"
import { createLog } from "../../core/log.ts"

t.test("createLog writes one line of JSON per entry, from its level on", async (t) => {
  const lines: string[] = []
  const log = createLog("info", { write: (line) => void lines.push(line) })
  log.debug({}, "too little")
  log.info({ status: 200, dbMs: 1.5 }, "request")
  t.equal(lines.length, 1)
  t.match(JSON.parse(lines[0] ?? ""), {
    level: 30,
    time: Number,
    status: 200,
    dbMs: 1.5,
    msg: "request",
  })
})

t.test("createLog writes only name, code, message, stack and cause of an error", async (t) => {
  const lines: string[] = []
  const log = createLog("info", { write: (line) => void lines.push(line) })
  const cause = Object.assign(new Error("away"), { code: "ECONNREFUSED", sql: "jane@example.org" })
  log.error({ error: new Error("failed", { cause }) }, "request failed")
  t.match(JSON.parse(lines[0] ?? ""), {
    error: { name: "Error", message: "failed", cause: { code: "ECONNREFUSED", message: "away" } },
  })
  t.notMatch(lines[0], "jane")
})
