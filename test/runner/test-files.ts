import { globSync, readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"

const soak = "test/soak"

/** What `make soak` runs besides the folders of `test/soak/`: everyday files on databases and runtimes that they leave out. */
export const elsewhere = "engines"

/** Returns the stages of `make soak`, in their order. */
export function stages(): string[] {
  const folders = globSync("*/", { cwd: soak }).map((folder) => relative("", folder)).sort()
  return [
    ...folders.filter((folder) => findTestFiles([join(soak, folder)]).length > 0),
    elsewhere,
  ]
}

/** Returns the files of everyday tests. */
export function everydayFiles(): string[] {
  return findTestFiles(["test"]).filter((file) => !isSoak(file))
}

/** Returns the files of a stage. */
export function filesOfStage(stage: string): string[] {
  if (stage !== elsewhere) return findTestFiles([join(soak, stage)])
  return everydayFiles().filter((file) => leavesOut.test(readFileSync(file, "utf8")))
}

/** The functions for suites that do not run everywhere. */
const leavesOut = /\bonE(mbedded|veryApp)\b/

/** True for a file that starts processes, servers or browsers, or takes minutes. */
export function isSoak(file: string): boolean {
  return file.startsWith(`${soak}/`)
}

/** Returns the test files at the given paths, which are files or folders. Throws if a path does not exist. */
export function findTestFiles(paths: readonly string[]): string[] {
  return paths.flatMap(filesAt)
}

function filesAt(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new Error(`No such test file: ${path}`)
  if (!found.isDirectory()) return [relative("", path)]
  const inside = globSync("**/*.test.ts", { cwd: path, exclude: ["**/node_modules/**"] })
  return inside.map((file) => relative("", join(path, file))).sort()
}
