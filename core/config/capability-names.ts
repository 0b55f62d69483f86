import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { findModule } from "./find-module.ts"

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
