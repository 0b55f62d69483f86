import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import type { Test } from "tap"

const options =
  "--noEmit --strict --skipLibCheck --allowImportingTsExtensions --exactOptionalPropertyTypes " +
  "--noUncheckedIndexedAccess --module nodenext --target esnext --lib esnext,dom,dom.iterable --types"

/**
 * Compiles files in a folder of their own, beside the packages of these tests, and returns the folder.
 *
 * @throws {Error} with what the compiler says.
 */
export async function compile(t: Test, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(resolve(import.meta.dirname, "node_modules"), join(folder, "node_modules"))
  const all = { ...files, "package.json": '{ "type": "module" }' }
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text)
  const compiler = [process.execPath, resolve("node_modules/.bin/tsc"), ...options.split(" "), ""]
  // tap loads its own code into each process by this variable.
  await promisify(execFile)("env", ["-u", "NODE_OPTIONS", ...compiler, ...Object.keys(files)], {
    cwd: folder,
  }).catch(({ stdout, message }: { stdout: string; message: string }) => {
    throw new Error(stdout || message)
  })
  return folder
}
