import { globSync, readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"

/**
 * Returns the test files at the given paths, which are files or folders. Slow files come first, so that
 * no core is idle while the last one runs. Throws if a path does not exist.
 */
export function findTestFiles(paths: readonly string[]): string[] {
  const files = paths.flatMap(filesAt)
  const { slow = [], quick = [] } = Object.groupBy(files, (file) => isSlow(file) ? "slow" : "quick")
  return [...slow, ...quick]
}

/** True if the first line of the file is `// slow: ` and the reason; `make quick` leaves it out. */
export function isSlow(file: string): boolean {
  return isMarked(file, /^\/\/ slow( and crowded)?: \S/)
}

/**
 * True if the first line of the file is `// slow and crowded: ` and the reason: it starts so many processes that another
 * such file beside it would keep them from what they have to do within seconds.
 */
export function isCrowded(file: string): boolean {
  return isMarked(file, /^\/\/ slow and crowded: \S/)
}

function isMarked(file: string, mark: RegExp): boolean {
  return mark.test(readFileSync(file, "utf8"))
}

function filesAt(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new Error(`No such test file: ${path}`)
  if (!found.isDirectory()) return [relative("", path)]
  const inside = globSync("**/*.test.ts", {
    cwd: path,
    exclude: ["bench/**", "**/node_modules/**"],
  })
  return inside.map((file) => relative("", join(path, file))).sort()
}
