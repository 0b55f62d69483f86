import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import t from "tap"

const repository = resolve(".")
const plugin = "plugins/families/badge-printer/plugin.ts"
const test = "test/plugins/families/badge-printer.test.ts"

t.test("new family writes a test that passes, and that fails if the plugin is wrong", async (t) => {
  const cwd = mkdtempSync(join(tmpdir(), "event-export-new-"))
  t.teardown(() => rmSync(cwd, { recursive: true, force: true }))
  for (const name of ["plugins", "test"]) mkdirSync(join(cwd, name))
  for (
    const name of [
      "core",
      "node_modules",
      "package.json",
      "plugins/capabilities",
      "test/conformance",
    ]
  ) {
    symlinkSync(join(repository, name), join(cwd, name))
  }
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, args, { cwd }).then(
      ({ stdout }) => ({ code: 0, out: stdout }),
      (error: { code: number; stdout: string }) => ({ code: error.code, out: error.stdout }),
    )
  t.match(await run("core/main.js", "new", "family", "badge-printer"), { code: 0 })
  t.match(await run(test), { code: 0, out: /^ok 1 - badge-printer conforms/m })
  const source = readFileSync(join(cwd, plugin), "utf8")
  writeFileSync(join(cwd, plugin), source.replace("strictObject", "object"))
  t.match(await run(test), { code: 1, out: /accept an unknown one in them/ })
})
