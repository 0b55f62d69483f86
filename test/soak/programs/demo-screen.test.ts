import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { TerminalWindow } from "../../support/terminal-window.ts"

const skip = spawnSync("script", ["--version"]).error ? "script is not installed" : false

t.test("demo keeps its screen on a terminal of 80 columns and 40 rows, and ends on Ctrl-C", {
  skip,
}, async (t) => {
  const folder = freshFolder(t)
  const { child, shown } = onTerminal(t, `exec node ${resolve("core/main.js")} demo .data`, folder)
  const isPlayed = () => / s: [1-9]\d* polls?, [1-9]\d* changes?, [1-9]\d* pings?; /.test(shown())
  while (!isPlayed()) {
    if (child.exitCode !== null) return t.fail(shown())
    await setTimeout(50)
  }
  const rows = rowsOf(shown())
  t.ok(rows.length <= 40, rows.join("\n"))
  const text = rows.join("")
  const lines = ["/session'", "/guests?limit=2'", "/changes?limit=2'", "/items?limit=2'", "status"]
  for (const line of lines) t.match(text, line)
  t.match(rows.slice(-2), [
    "The log is in .data/demo.log. Ctrl-C ends the service.",
    / s: .* polls/,
  ])
  t.match(readFileSync(join(folder, ".data/demo.log"), "utf8"), /"msg":"serving"/)

  child.stdin.write("\x03")
  t.strictSame(await once(child, "exit"), [0, null])
  t.equal(rowsOf(shown()).at(-1), "The log is in .data/demo.log. Ctrl-C ends the service.")
})

t.test(
  "progress counts seconds in place on a terminal, and leaves what a command prints",
  { skip },
  async (t) => {
    const command = `.ci/progress sh -c "echo first; sleep 3; echo second; exit 4"`
    const { child, shown } = onTerminal(t, command)
    t.strictSame(await once(child, "exit"), [4, null])
    t.match(shown(), /first\r\n1 s\r2 s\r/)
    t.strictSame(rowsOf(shown()).filter(Boolean), ["first", "second"])
  },
)

t.test("progress without a terminal prints what the command does, and returns its exit code", (t) => {
  const command = ["-c", "echo first; echo second >&2; exit 4"]
  const { status, stdout, stderr } = spawnSync(".ci/progress", ["sh", ...command], {
    encoding: "utf8",
  })
  t.strictSame({ status, stdout, stderr }, { status: 4, stdout: "first\n", stderr: "second\n" })
  t.end()
})

/** Runs a command on a terminal. */
function onTerminal(t: Test, command: string, cwd = process.cwd()) {
  const { PATH, HOME } = process.env
  const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd,
    env: { PATH, HOME, TERM: "xterm", PORT: "0", ADMIN_PORT: "0" },
    stdio: ["pipe", "pipe", "inherit"],
  })
  t.teardown(() => child.kill())
  let shown = ""
  child.stdout.on("data", (text) => shown += text)
  return { child, shown: () => shown }
}

function rowsOf(shown: string): readonly string[] {
  const window = new TerminalWindow(80)
  window.write(shown)
  return window.rows
}

function freshFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), "event-export-screen-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
