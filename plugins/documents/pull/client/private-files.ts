import * as fs from "node:fs"
import process from "node:process"
import { misconfigured } from "./errors.ts"

/** Makes a file readable only by its owner. Returns false if the file does not exist. */
export function closeToOthers(file: string): boolean {
  const stats = fs.statSync(file, { throwIfNoEntry: false })
  if (stats && isOpenToOthers(stats)) fs.chmodSync(file, 0o600)
  return stats !== undefined
}

/** True if anyone other than its owner may use a file. */
function isOpenToOthers({ mode }: fs.Stats): boolean {
  return process.platform !== "win32" && (mode & 0o077) !== 0
}

/** Returns the text of a file. @throws {PullError} if it cannot be read, or if others can read it. */
export function readPrivate(file: string): string {
  try {
    if (isOpenToOthers(fs.statSync(file))) {
      throw new Error(`others may read ${file}: "chmod 600" it`)
    }
    return fs.readFileSync(file, "utf8")
  } catch (error) {
    throw misconfigured((error as Error).message)
  }
}
