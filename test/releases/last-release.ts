import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"

/** The folder with what the last release promised, such as `test/releases/1.3.0`. */
export const lastRelease = join(import.meta.dirname, newest(versionsIn(import.meta.dirname)))

/** Reads a file that the last release has left. */
export function recorded(name: string): string {
  return readFileSync(join(lastRelease, name), "utf8")
}

/** Why settings and names that the last release had may be gone; false if they may not. */
export const mayDrop: string | false = majorOf(presentVersion()) > majorOf(basename(lastRelease)) &&
  "a new major version may drop settings and names"

function presentVersion(): string {
  return JSON.parse(readFileSync("package.json", "utf8")).version
}

function majorOf(version: string): number {
  return Number.parseInt(version)
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
