import { spawnSync } from "node:child_process"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { stateOf } from "../../../core/config/files.ts"
import { readConfig } from "../../../core/config/read.ts"
import { watchFiles } from "../../../core/config/watch.ts"
import { configFolder, goodConfig, goodSecret } from "../../support/config-folder.ts"

t.test("readConfig refuses a pipe: nobody writes to it, so opening it would never end", async (t) => {
  const { folder, write } = configFolder(t)
  const pipe = `${folder}/pipe`
  spawnSync("mkfifo", ["-m", "600", pipe])
  const refusal = async (file: string) => {
    const error = await readConfig(file, {}).then(() => undefined, (error: unknown) => error)
    return String((error as Error).message)
  }
  t.match(await refusal(pipe), /cannot read.*can be no pipe/)
  for (
    const text of [
      goodConfig.replace(`[${goodSecret}]`, `[{ file: ${pipe} }]`),
      goodConfig.replace("sqlite:test.db", `{ file: ${pipe} }`),
    ]
  ) t.match(await refusal(write(text)), /cannot use the.*can be no pipe/)
})

t.test("watchFiles notices a pipe in the place of a file, and does not wait for what it says", async (t) => {
  const pipe = `${t.testdir({})}/pipe`
  const read = new Map([[pipe, stateOf(pipe)]])
  let calls = 0
  t.teardown(watchFiles(() => read, () => calls++, 1))
  spawnSync("mkfifo", [pipe])
  while (calls === 0) await setTimeout(1)
  t.pass("it is noticed")
})
