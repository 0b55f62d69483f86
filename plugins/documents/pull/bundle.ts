import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { stripTypes } from "./strip-types.ts"

/** An import or a re-export: its names, and the file or module. */
const statement = /^(import|export) (type )?(\{[^}]*\}|\* as \w+|\w+)(?: from "([^"]*)")?\n/gm

/**
 * Bundles a module and the files that it imports into one JavaScript file: first the module's opening comment, then
 * each file after its own imports, and finally the rest of the module. No two files may declare the same name.
 */
export function bundle(entry: URL): string {
  const text = readFileSync(entry, "utf8")
  const exported = new Set(
    [...text.matchAll(statement)].flatMap(([, kind, , names = ""]) =>
      kind === "export" ? valuesIn(names) : []
    ),
  )
  const start = text.search(statement)
  const parts = new Bundle(exported)
  parts.add(entry, text.slice(start))
  const whole = [text.slice(0, start).trimEnd(), parts.imports(), ...parts.texts].join("\n\n")
  return stripTypes(`${whole}\n`)
}

/** The files of a bundle. */
class Bundle {
  /** The files without their imports, each after those that it imports. */
  readonly texts: string[] = []
  readonly #exported: ReadonlySet<string>
  readonly #seen = new Set<string>()
  /** The names imported from each module of the runtime. */
  readonly #names = new Map<string, Set<string>>()
  /** Other imports from the runtime, such as `* as fs`. */
  readonly #others = new Set<string>()

  constructor(exported: ReadonlySet<string>) {
    this.#exported = exported
  }

  /** Adds a file after its imports. */
  add(file: URL, text = readFileSync(file, "utf8")): void {
    if (this.#seen.has(file.href)) return
    this.#seen.add(file.href)
    for (const [line, , isType, names = "", target] of text.matchAll(statement)) {
      if (isType || target === undefined) continue
      if (target.startsWith(".")) this.add(new URL(target, file))
      else if (!names.startsWith("{")) this.#others.add(line.trim())
      else {
        const known = this.#names.get(target) ?? []
        this.#names.set(target, new Set([...known, ...valuesIn(names)]))
      }
    }
    const own = text.replaceAll(statement, "").replaceAll(/^export (.*)/gm, (line, rest) => {
      const [name = ""] = /(?<=^(?:async )?(?:function\*?|class|const) )\w+/.exec(rest) ?? []
      return this.#exported.has(name) ? line : rest
    })
    this.texts.push(`// ${basename(fileURLToPath(file))}\n\n${own.trim()}`)
  }

  /** Returns the imports from the runtime. */
  imports(): string {
    const named = [...this.#names].map(([module, names]) =>
      `import { ${[...names].sort().join(", ")} } from "${module}"`
    )
    return [...this.#others, ...named].sort().join("\n")
  }
}

/** Returns the imported names in braces, without types. */
function valuesIn(names: string): string[] {
  return names.slice(1, -1).split(",").map((name) => name.trim()).filter((name) =>
    /^\w+$/.test(name)
  )
}
