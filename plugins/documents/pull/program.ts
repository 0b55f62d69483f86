import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import packageFile from "../../../package.json" with { type: "json" }

/** The program's default values. */
export interface Defaults {
  readonly base: string
  readonly user: string
  /** Paths of families; the first is the default. */
  readonly families: readonly string[]
  /** The name of the session cookie. */
  readonly cookie: string
}

/** The program in the package. In a clone, it is bundled from its files. */
const packed = new URL("pull.mjs", import.meta.url)

let loading: Promise<string> | undefined

/** Returns the types of the program. */
export async function programTypes(): Promise<string> {
  return await readFile(new URL("pull.d.mts", import.meta.url), "utf8")
}

/** Returns the program as one file of JavaScript, with these values filled in. */
export async function program(defaults: Defaults): Promise<string> {
  loading ??= load()
  // A function, because dollar signs have a meaning in a replacement text.
  return (await loading).replace(/^const defaults = \{[^}]*\}$/m, () => {
    const { version } = packageFile
    const values = Object.entries({ ...defaults, version }).map(([name, value]) =>
      `${name}: ${JSON.stringify(value)}`
    )
    return `const defaults = { ${values.join(", ")} }`
  })
}

async function load(): Promise<string> {
  if (existsSync(packed)) return await readFile(packed, "utf8")
  const { bundle } = await import("./bundle.ts")
  return bundle(new URL("pull.ts", import.meta.url))
}
