// slow: starts the test runner
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
const files = {
  "costly.test.ts": `// slow: waits\nimport t from "tap"\nt.pass()`,
  "leaving.test.ts": `import t from "tap"\nt.test("leaves", () => process.exit(3))`,
  "cheap.test.ts": `import t from "tap"\nt.pass()\nt.pass()`,
  "suite.test.ts": `import t from "tap"
    import { filterInside } from "${resolve("test/support/test-filter.ts")}"${suite}`,
  "environment.test.ts": `import t from "tap"
    const { CONFIG = "", DATABASE_URL = "", FORCE_COLOR = "", NO_PROXY } = process.env
    t.strictSame([CONFIG, DATABASE_URL, FORCE_COLOR], ["", "", ""])
    t.match(NO_PROXY, /^127\\.0\\.0\\.1,.*,example$/)`,
}

t.test("make quick leaves out the files that are marked as slow, and reports their number", async (t) => {
  const { code, out } = await run(t, { files: ["costly.test.ts", "cheap.test.ts"] })
  t.equal(code, 0)
  t.notMatch(out, /costly/)
  t.match(out, /^ok {3}cheap\.test\.ts: 2 passed/m)
  t.match(out, /^left out as slow: 1 of 2 files, /m)
})

t.test("a file that ends the process it shares fails, and takes no other file's result away", async (t) => {
  const others = Array.from({ length: 6 }, (_, n) => `cheap-${n}.test.ts`)
  const more = Object.fromEntries(others.map((name) => [name, files["cheap.test.ts"]]))
  const { code, out } = await run(t, { files: ["leaving.test.ts", ...others], more })
  t.equal(code, 1)
  t.match(out, /^FAIL leaving\.test\.ts\n {2}its result got lost/m)
  t.match(out, /^12 passed, 1 failed$/m)
})

t.test("TEST runs the tests with that text in their names, with their subtests, and skips the others", async (t) => {
  const runs = [
    ["get /A", /2 passed, 0 failed, 2 skipped/],
    ["own", /1 passed, 0 failed, 2 skipped/],
    ["lists", /3 passed, 0 failed, 1 skipped/],
  ] as const
  for (const [filter, totals] of runs) {
    const { code, out } = await run(t, { files: ["suite.test.ts"], filter })
    t.equal(code, 0, filter)
    t.match(out, totals, filter)
  }
  const { code, out } = await run(t, { files: ["suite.test.ts"], filter: "nowhere" })
  t.equal(code, 1)
  t.match(out, 'ran only the tests with "nowhere" in their names')
  t.match(out, "there are none in these files")
})

t.test("tests see no settings of the service, and no proxy for themselves, that the machine happens to have", async (t) => {
  const env = { CONFIG: "/nowhere", DATABASE_URL: "mysql://nobody@nowhere/none", FORCE_COLOR: "1" }
  const files = ["environment.test.ts"]
  t.match(await run(t, { files, env: { ...env, PACKED: "", NO_PROXY: "example" } }), { code: 0 })
})

t.test("tests under Deno are skipped with a reason if there is no Deno", async (t) => {
  const fewer = { TEST_MYSQL_URL: "", TAP_TIMEOUT: "600" }
  const env = { ...withoutTap(process.env), ...fewer, PATH: "/nowhere", DENO: "" }
  const { stdout } = await promisify(execFile)(process.execPath, [
    "test/plugins/service/health.test.ts",
  ], {
    env,
  })
  t.match(stdout, /^ok \d+ - under Deno # SKIP DENO is not set and deno is not on PATH/m)
  t.match(stdout, /^ok \d+ - the process on deno is not ready .* # SKIP DENO is not set/m)
  t.match(stdout, /^ok \d+ - the process on node is not ready .* # time=/m)
})

/** Runs test files like make quick, in a separate folder. */
async function run(t: Test, options: {
  readonly files: readonly string[]
  readonly filter?: string
  readonly more?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}) {
  const folder = t.testdir({
    ...files,
    ...options.more,
    node_modules: t.fixture("symlink", resolve("node_modules")),
  })
  const wanted = { QUICK: "1", TEST: options.filter ?? "" }
  const env = { ...withoutTap(process.env), ...wanted, ...options.env }
  const args = [resolve("test/support/run.ts"), ...options.files]
  return await promisify(execFile)(process.execPath, args, { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, out: `${stdout}${stderr}` }),
  )
}

/** Removes the variables that the outer test run sets. */
function withoutTap(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^_?TAP/.test(name)))
}
