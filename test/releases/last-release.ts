import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The folder with what the last release promised, such as `test/releases/1.1.0`. */
export const lastRelease = join(import.meta.dirname, newest(versionsIn(import.meta.dirname)))

/** Reads a file that the last release has left. */
export function recorded(name: string): string {
  return readFileSync(join(lastRelease, name), "utf8")
}

function versionsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^\d+\.\d+\.\d+$/.test(name))
}

function newest(versions: readonly string[]): string {
  const { compare } = new Intl.Collator("en", { numeric: true })
  const last = versions.toSorted(compare).at(-1)
  if (last === undefined) throw new Error("test/releases has no release")
  return last
}
