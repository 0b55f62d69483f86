import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** Copies the program and what its tests share into a folder, with the files that the tutorial writes. Returns their paths. */
export function writeTutorial(folder: string): readonly string[] {
  for (const path of ["core", "plugins", "config", "test/support", "package.json"]) {
    cpSync(path, join(folder, path), { recursive: true })
  }
  const page = readFileSync("plugins/capabilities/README.md", "utf8")
  return [...page.matchAll(/^`(\S+\.ts)`:\n\n```ts\n(.*?)^```$/gms)].map(
    ([, path = "", code = ""]) => {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, code)
      return file
    },
  )
}
