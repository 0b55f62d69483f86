// slow: starts the test runner, and waits for files that hang
import process from "node:process"
import t from "tap"
import { Reporter } from "./reporter.ts"
import { runTestProcess } from "./test-process.ts"

const files = {
  "bare.test.ts": "",
  "crash.test.ts": `import t from "tap"
    t.pass()
    t.test("waits", () => new Promise(() => setTimeout(() => { throw new Error("late") }, 10)))`,
  "exit.test.ts": `import t from "tap"
    t.pass()
    process.exit(3)`,
  "fail.test.ts": `import t from "tap"
    t.test("outer", async (t) => {
      await t.test("inner", async (t) => {
        t.equal(1, 2, "one is two")
        t.pass()
      })
    })`,
  "hang.test.ts": `import t from "tap"
    t.test("hangs", () => new Promise(() => setInterval(() => {}, 1000)))`,
  "pass.test.ts": `import t from "tap"
    t.pass()
    t.skip("later")
    console.log("\\u001b[31mred\\u001b[0m")`,
  "skip.test.ts": `import t from "tap"
    t.plan(0, "not here")`,
  "unparsable.test.ts": "const x: = 3",
}

t.test("Reporter reports each way in which a file can end", async (t) => {
  const folder = t.testdir(files)
  const { output, totals, times } = await report(folder, Object.keys(files))
  const about = (name: string) =>
    output.split(/^(?=FAIL|ok {2}|\n)/m).find((part) => part.includes(` ${name}.test.ts`)) ?? ""

  t.match(about("bare"), /^FAIL .*0 passed, 1 failed, [\d.]+ s .*\n {2}ran no assertion/)
  t.match(
    about("crash"),
    /^FAIL .*1 passed, 1 failed.*not ok: waits > test unfinished\n {4}at crash.test.ts:3:/s,
  )
  t.match(about("exit"), /^FAIL .*1 passed, 1 failed.*\n {2}ended with exit code 3/)
  t.match(
    about("fail"),
    /^FAIL .*1 passed, 1 failed.*\n {2}not ok: outer > inner > one is two\n {4}at fail.test.ts:4:.*\n {4}-2\n {4}\+1/s,
  )
  t.match(about("hang"), /^FAIL .*0 passed, 1 failed.*\n {2}ended: over its time limit/s)
  t.match(about("pass"), /^ok {3}.*1 passed, 0 failed, 1 skipped, [\d.]+ s .*\n$/)
  t.match(
    about("skip"),
    /^ok {3}.*0 passed, 0 failed, 1 skipped, [\d.]+ s .*\n {2}skipped: not here/,
  )
  t.match(about("unparsable"), /^FAIL .*0 passed, 1 failed.*\n {2}ended with exit code 1/)

  t.match(output, /^ *red$/m, "the output of a test is passed on, without escape codes")
  const { passed, failed, skipped } = totals
  t.equal(output.split("\n").at(-2), `${passed} passed, ${failed} failed, ${skipped} skipped`)
  t.match(totals, { passed: 4, skipped: 2 })
  t.ok((times.get("pass.test.ts")?.cpu ?? 0) > 50, "the process has told its processor time")
})

t.test("Reporter counts an expected file without a result as failed", (t) => {
  const { reporter, output } = recording(["test/lost.test.ts"])
  reporter.openSeveral().end("TAP version 14\n1..0\n")
  reporter.end()
  t.match(output(), /^FAIL test\/lost.test.ts\n.*\n0 passed, 1 failed\n$/s)
  t.same(reporter.totals, { passed: 0, failed: 1, skipped: 0 })
  t.end()
})

t.test("Reporter lists the ten files that took longest", (t) => {
  const { reporter, output } = recording([])
  for (let n = 0; n < 12; n++) reporter.times.set(`${n}.test.ts`, { wall: n * 1000, cpu: n * 100 })
  reporter.end()
  const lines = output().split("\n").filter((line) => line.includes(".test.ts: "))
  t.equal(lines.length, 10)
  t.equal(lines[0], "  11.test.ts: 11.0 s (1.1 s of processor time)")
  t.equal(lines[9], "  2.test.ts: 2.0 s (0.2 s of processor time)")
  t.end()
})

function recording(expected: readonly string[]) {
  const lines: string[] = []
  const reporter = new Reporter(expected, (line) => lines.push(line))
  return { reporter, output: () => `${lines.join("\n")}\n` }
}

async function report(folder: string, names: string[]) {
  const { reporter, output } = recording(names)
  const { signal } = new AbortController()
  await Promise.all(names.map(async (name) => {
    const { parser, close } = reporter.open(name)
    const options = {
      cwd: folder,
      env: process.env,
      limit: 12_000,
      signal,
      stderr: "ignore",
    } as const
    close(await runTestProcess(name, parser, options))
  }))
  reporter.end()
  return { output: output(), totals: reporter.totals, times: reporter.times }
}
