import { spawnSync } from "node:child_process"
import t from "tap"
import { readConfig } from "../../../core/config/read.ts"
import { configFolder, goodConfig, goodSecret } from "../../support/config-folder.ts"

t.test("readConfig refuses a pipe: nobody writes to it, so opening it would never end", async (t) => {
  const { folder, write } = configFolder(t)
  const pipe = `${folder}/pipe`
  spawnSync("mkfifo", ["-m", "600", pipe])
  const refusal = async (file: string) => {
    const error = await readConfig(file, {}).then(() => undefined, (error: unknown) => error)
    return String((error as Error).message)
  }
  t.match(await refusal(pipe), /cannot read.*cannot be a pipe/)
  for (
    const text of [
      goodConfig.replace(`[${goodSecret}]`, `[{ file: ${pipe} }]`),
      goodConfig.replace("sqlite:test.db", `{ file: ${pipe} }`),
    ]
  ) t.match(await refusal(write(text)), /cannot use the.*cannot be a pipe/)
})
