import { readFileSync } from "node:fs"
import packageFile from "../../../package.json" with { type: "json" }
import { stripTypes } from "./strip-types.ts"

/** The values that the program uses if its reader gives no others. */
export interface Defaults {
  readonly base: string
  readonly user: string
  /** Paths of families; the first is the default. */
  readonly families: readonly string[]
  /** The name of the session cookie. */
  readonly cookie: string
}

let stripped: string | undefined

/** Returns the types of the program. */
export function programTypes(): string {
  return readFileSync(new URL("pull.d.mts", import.meta.url), "utf8")
}

/** Returns `pull.ts` as JavaScript, with these values filled in. */
export function program(defaults: Defaults): string {
  stripped ??= stripTypes(readFileSync(new URL("pull.ts", import.meta.url), "utf8"))
  // A function, because a dollar sign in a text would have a meaning.
  return stripped.replace(/^const defaults = \{[^}]*\}$/m, () => {
    const { version } = packageFile
    const values = Object.entries({ ...defaults, version }).map(([name, value]) =>
      `${name}: ${JSON.stringify(value)}`
    )
    return `const defaults = { ${values.join(", ")} }`
  })
}
