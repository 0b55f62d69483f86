import { readFileSync } from "node:fs"

/** Returns the text of a file of this folder. Throws if there is none of that name. */
export function readText(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8")
}
