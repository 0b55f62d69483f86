import { randomBytes } from "node:crypto"
import { linkSync, rmSync, writeFileSync } from "node:fs"

/**
 * Writes a new secret into a file that only its owner can read, completely or not at all. Returns false if there
 * is a file of that name, which stays as it is.
 */
export function createSecretFile(path: string): boolean {
  const fresh = `${path}.${randomBytes(6).toString("hex")}`
  writeFileSync(fresh, `${randomBytes(48).toString("base64")}\n`, { mode: 0o600, flag: "wx" })
  try {
    linkSync(fresh, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    return false
  } finally {
    rmSync(fresh)
  }
}
