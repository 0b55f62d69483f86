import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative, resolve } from "node:path"
import process from "node:process"
import { rollUp } from "./roll-up.ts"

/** The modules of the contract. */
export const contract = {
  plugin: "core/plugin.ts",
  conformance: "plugins/capabilities/conformance/conformance.ts",
}

/** Modules that plugins pass on without looking into them: whatever they export is `any` in the record. */
const opaque = /^core\/(data|change-log)\/|^core\/records\/(live\/[\w-]+|encoded-body|page)\./

/** Sets of names that get more: programs have to expect others. The record says which they have to find again. */
const growing = /^(export type (?:ListingParameter|ProblemCode)) = ([^;]*);/gm

/**
 * Returns the declarations of what plugins import, and of what these name.
 *
 * @throws if they cannot be written: a type that is used has no export.
 */
export function presentContract(): string {
  const folder = mkdtempSync(join(tmpdir(), "event-export-contract-"))
  try {
    const root = resolve(".")
    const entries = Object.values(contract)
    const project = join(folder, "tsconfig.json")
    writeFileSync(
      project,
      JSON.stringify({
        extends: join(root, "tsconfig.json"),
        compilerOptions: {
          noEmit: false,
          emitDeclarationOnly: true,
          declaration: true,
          removeComments: true,
          noCheck: true,
          allowJs: false,
          checkJs: false,
          outDir: folder,
          rootDir: root,
          typeRoots: [join(root, "node_modules/@types")],
        },
        include: [],
        files: entries.map((entry) => join(root, entry)),
      }),
    )
    execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", project])
    const found = new Map<string, string>()
    const visit = (file: string) => {
      const path = relative(folder, file)
      if (found.has(path)) return
      const whole = readFileSync(file, "utf8")
      // A class with private members fits no other, not even one that is as it was.
      const text = opaque.test(path) || /^ +#private;$/m.test(whole)
        ? withoutTypes(whole)
        : whole.replace(growing, "$1<_Known = $2> = any;")
      found.set(path, text)
      for (const [, from = ""] of text.matchAll(/(?:from |import\()"(\.[^"]+)\.ts"/g)) {
        visit(join(dirname(file), `${from}.d.ts`))
      }
    }
    const declared = entries.map((entry) => entry.replace(/ts$/, "d.ts"))
    for (const entry of declared) visit(join(folder, entry))
    return rollUp(found, declared)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns a declaration file whose exports are all `any`. */
function withoutTypes(text: string): string {
  const names = [
    ...text.matchAll(/^export (?:declare )?(?:class|interface|type|function|const) (\w+)/gm),
  ]
    .map(([, name]) => name)
  return [...new Set(names)].map((name) => `export type ${name}<_A = any, _B = any> = any;\n`).join(
    "",
  )
}
