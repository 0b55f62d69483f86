import t from "tap"
import { createLog } from "../../../core/log.ts"
import { openLog, prettify } from "../../../core/cli/open-log.ts"

/** Returns an output that keeps its lines. */
function keep() {
  const lines: string[] = []
  return { lines, write: (line: string) => void lines.push(line) }
}

t.test("openLog writes readable lines to a terminal, and JSON elsewhere", async (t) => {
  for (const [interactive, line] of [[false, /^\{.*\}\n$/], [true, /INFO.*: .*request/]] as const) {
    const output = keep()
    const log = openLog({ level: "info" }, { output, interactive })
    log.debug({}, "too little")
    log.info({}, "request")
    t.match(output.lines, [line], `${interactive}`)
    t.equal(output.lines.length, 1)
  }
})

t.test("prettify writes readable lines", async (t) => {
  const output = keep()
  const log = createLog("info", prettify(output, { colorize: false }))
  log.info({ status: 200, ms: 3 }, "request")
  t.match(output.lines, [/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: request \{"status":200,"ms":3\}\n$/])
})

t.test("prettify shows control characters, and keeps the lines of a stack", async (t) => {
  const output = keep()
  const log = createLog("info", prettify(output, { colorize: false }))
  log.error({ event: "\x1b]0;owned\x07\u202e", error: new Error("\x9b2J") }, "\x1b[2J failed")
  const text = output.lines.join("")
  t.notMatch(text, /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/u)
  t.match(text, /ERROR: \\u001b\[2J failed/)
  t.match(text, /\n +at /)
})
