import { readFileSync } from "node:fs"

/** Returns the text of a file in this folder. @throws {Error} if there is no such file. */
export function readText(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8")
}
