import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * Returns the file of a module that a configuration names: the path itself, or in that folder `NAME.ts` or `NAME.js`.
 * Undefined if there is none.
 *
 * The same configuration thus loads TypeScript in a clone and JavaScript in the package.
 */
export function findModule(path: string, name: string): string | undefined {
  return [path, join(path, `${name}.ts`), join(path, `${name}.js`)]
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
}

/** The folder of capabilities. */
export const capabilityFolder = fileURLToPath(
  new URL("../../plugins/capabilities", import.meta.url),
)

/** Returns the names of the capabilities that are installed, sorted. */
export function capabilityNames(): string[] {
  return readdirSync(capabilityFolder, { withFileTypes: true })
    .flatMap((entry) => entry.isDirectory() ? entry.name : [])
    .filter((name) => findModule(join(capabilityFolder, name), "capability"))
    .sort()
}
