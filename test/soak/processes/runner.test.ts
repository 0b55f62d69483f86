import { execFile } from "node:child_process"
import { resolve } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import t, { type Test } from "tap"

const suite = `
  await t.test("on the embedded database", async (t) => {
    filterInside(t)
    await t.test("GET /a lists", async (t) => {
      t.pass()
      await t.test("each", (t) => t.end(t.pass()))
    })
    await t.test("GET /b lists", (t) => t.end(t.pass()))
  })
  await t.test("a list of one's own", async (t) => {
    t.pass()
  })`

/** Test files by name, without the end of their names. */
const files: Readonly<Record<string, string>> = {
  bare: "",
  crash: `t.pass()
    t.test("waits", () => new Promise(() => setTimeout(() => { throw new Error("late") }, 10)))`,
  exit: `t.test("leaves", () => process.exit(3))`,
  fail: `t.test("outer", async (t) => {
    await t.test("inner", async (t) => {
      t.equal(1, 2, "one is two")
      t.pass()
    })
  })`,
  hang: `
    t.test("hangs", { timeout: 100 }, () => new Promise(() => setInterval(() => {}, 1000)))
    t.test("does not", (t) => t.end(t.pass()))`,
  pass: `t.pass()
    t.skip("later")
    console.log("\\u001b[31mred\\u001b[0m")`,
  suite: `
    import { filterInside } from "${resolve("test/support/test-filter.ts")}"${suite}`,
  unparsable: "const x: = 3",
}

t.test("a run reports each way in which a file can end, and takes no other file's result away", async (t) => {
  const names = ["bare", "crash", "exit", "fail", "hang", "pass", "unparsable", "suite"]
  const { code, out } = await run(t, { files: names })
  const about = (name: string) =>
    out.split(/^(?=FAIL|ok {2}|\n)/m).find((part) => part.includes(` ${name}.test.ts`)) ?? ""
  t.equal(code, 1)
  t.match(about("bare"), /^FAIL .*0 passed, 1 failed.*\n {2}ran no assertion/)
  t.match(about("crash"), /^FAIL .*\n {2}its result got lost: .* during the test "waits"/)
  t.match(out, "late", "what a test throws later")
  t.match(about("exit"), /^FAIL .*\n {2}its result got lost: .* during the test "leaves"/)
  t.match(
    about("fail"),
    /^FAIL .*1 passed, 1 failed.*\n {2}not ok: outer > inner > one is two\n {4}at fail.test.ts:\d+:.*\n {4}-2\n {4}\+1/s,
  )
  t.match(about("hang"), /^FAIL .*1 passed, 1 failed.*not ok: hangs > timeout!/s)
  t.match(about("pass"), /^ok {3}.*1 passed, 0 failed, 1 skipped, [\d.]+ s .*\n(?! {2}not ok)/)
  t.match(about("unparsable"), /^FAIL .*0 passed, 1 failed/)
  t.match(about("suite"), /^ok {3}.*4 passed, 0 failed/)
  t.match(out, /^ *red$/m, "the output of a test is passed on, without escape codes")
  t.match(out, /^\d+ passed, \d+ failed, 1 skipped$/m)
})

t.test("TEST runs the tests with that text in their names, with their subtests, and skips the others", async (t) => {
  const runs = [
    ["get /A", /2 passed, 0 failed, 2 skipped/],
    ["own", /1 passed, 0 failed, 2 skipped/],
    ["lists", /3 passed, 0 failed, 1 skipped/],
  ] as const
  for (const [filter, totals] of runs) {
    const { code, out } = await run(t, { files: ["suite"], filter })
    t.equal(code, 0, filter)
    t.match(out, totals, filter)
  }
  const { code, out } = await run(t, { files: ["suite"], filter: "nowhere" })
  t.equal(code, 1)
  t.match(out, 'ran only the tests with "nowhere" in their names')
  t.match(out, "there are none in these files")
})

interface Outcome {
  readonly code?: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs test files like make quick, in a separate folder. */
async function run(t: Test, options: {
  readonly files: readonly string[]
  readonly filter?: string
}) {
  const texts = options.files.map((name) => [
    `${name}.test.ts`,
    name === "bare" ? "" : `import t from "tap"\n${files[name]}`,
  ])
  const folder = t.testdir({
    ...Object.fromEntries(texts),
    node_modules: t.fixture("symlink", resolve("node_modules")),
  })
  const env = { ...withoutTap(process.env), QUICK: "1" }
  const args = [resolve("test/runner/run.ts"), ...texts.map(([name]) => String(name))]
  const given = { cwd: folder, env: options.filter ? { ...env, TEST: options.filter } : env }
  const { code = 0, stdout, stderr } = await promisify(execFile)(process.execPath, args, given)
    .catch((error) => error) as Outcome
  return { code, out: stdout + stderr }
}

/** The runner would take itself for a test of this one. */
function withoutTap(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(TAP|NODE_OPTIONS)/.test(name)),
  )
}
