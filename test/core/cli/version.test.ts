import { readFileSync } from "node:fs"
import t from "tap"
import { runCommand } from "../../support/run-command.ts"

t.test("--version prints the version of the package", async (t) => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"))
  t.match(version, /^\d+\.\d+\.\d+$/)
  t.match(await runCommand("--version"), { code: 0, out: version, err: "" })
})
