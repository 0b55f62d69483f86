import { execFileSync } from "node:child_process"
import { copyFileSync, cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import t from "tap"
import { writeTutorial } from "../support/tutorial.ts"

t.test("the tutorial's code has no mistake of types, lint rules or format, and its test passes", (t) => {
  // Outside of the project, whose linter leaves out what is not its own.
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const files = writeTutorial(folder)
  cpSync("test/soak/support", join(folder, "test/soak/support"), { recursive: true })
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"))
  for (const file of ["tsconfig.json", "deno.jsonc"]) copyFileSync(file, join(folder, file))
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: "pipe" })
  t.equal(run(process.execPath, "node_modules/typescript/lib/tsc.js", "--project", folder), "")
  const { DENO } = process.env
  const deno = DENO?.includes("/") ? resolve(DENO) : "deno"
  run(deno, "lint", ...files)
  run(deno, "fmt", "--check", ...files)
  t.equal(files.length, 4, "the table, the routes, the capability and the test")
  t.match(run(process.execPath, ...files.filter((file) => file.endsWith(".test.ts"))), /^ok /m)
  t.end()
})
