import { execFile } from "node:child_process"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import t from "tap"
import { readCorpus } from "./corpus.ts"

t.setTimeout(20 * 60_000)

const run = promisify(execFile)
const file = fileURLToPath(new URL("./simulate.ts", import.meta.url))

t.test("plans that once failed hold", async (t) => {
  const { code, output } = await simulate("--corpus")
  t.equal(code, 0, output)
  t.match(output, `${readCorpus().length} worlds`)
})

t.test("seeds hold, and do the same when they are run again", async (t) => {
  const { code, output } = await simulate("--seed", "1", "--seeds", "2", "--days", "0.3", "--twice")
  t.equal(code, 0, output)
  t.match(output, /^2 worlds, .* \d{2,} comparisons/m)
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
