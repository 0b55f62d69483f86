import { execFile } from "node:child_process"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import t from "tap"
import { readCorpus } from "./corpus.ts"
import { sabotages } from "./sabotage.ts"
import { Workers } from "./workers.ts"

t.setTimeout(20 * 60_000)

const run = promisify(execFile)
const file = fileURLToPath(new URL("./simulate.ts", import.meta.url))

t.test("plans that once failed hold", async (t) => {
  const { code, output } = await simulate("--corpus")
  t.equal(code, 0, output)
  t.match(output, `${readCorpus().length} worlds`)
})

t.test("seeds hold, and do the same when they are run again", async (t) => {
  const { code, output } = await simulate("--seed", "1", "--seeds", "2", "--days", "0.1", "--twice")
  t.equal(code, 0, output)
  t.match(output, "2 worlds")
})

t.test("what is wrong is noticed", async (t) => {
  // A process loads all modules first, so each takes half of the faults: always the same, in the same order.
  await Promise.all([0, 1].map(async (half) => {
    const workers = await Workers.start(1, half)
    t.teardown(() => workers.stop())
    for (const [index, [name, { noticed }]] of Object.entries(sabotages).entries()) {
      if (index % 2 !== half) continue
      const { violation } = await workers.run({ seed: 1, days: 0.3, sabotage: name })
      t.match(violation, noticed, name)
    }
  }))
})

t.test("a failure is told in 40 lines", async (t) => {
  const worlds = ["--seed", "2", "--days", "0.1", "--shrink", "3"]
  const { code, output } = await simulate("--sabotage", "pages lose a record", ...worlds)
  t.equal(code, 1, output)
  const [failure = ""] = output.split("\n\n1 worlds")
  t.match(failure, /^seed 2 fails after \d+ steps: /)
  t.ok(failure.split("\n").length <= 40, output)
})

/** Runs the simulator. Returns its exit code and what it prints. */
async function simulate(...args: string[]): Promise<{ code: number; output: string }> {
  try {
    const { stdout } = await run(process.execPath, [file, ...args])
    return { code: 0, output: stdout }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}
