import { posix } from "node:path"

/** A declaration file: its statements by the names that they declare, and where its other names come from. */
interface Module {
  /** In their order. A function with several signatures has several statements. */
  readonly statements: readonly { readonly name: string; readonly text: string }[]
  /** By the name here: the file, or the package, and the name there. */
  readonly imports: ReadonlyMap<string, Origin>
  readonly exports: ReadonlyMap<string, Origin>
}

interface Origin {
  readonly from: string
  readonly name: string
}

/**
 * Returns one declaration file with a module for each declaration file in which something is that the entries export,
 * or that this names. The modules are called `last/` and the path of the file.
 */
export function rollUp(files: ReadonlyMap<string, string>, entries: readonly string[]): string {
  const modules = new Map([...files].map(([file, text]) => [file, parse(file, text)]))
  const used = new Map<string, Set<string>>()
  const use = (file: string, name: string): void => {
    const module = modules.get(file)
    const names = used.get(file) ?? new Set()
    used.set(file, names)
    if (!module || names.has(name)) return
    names.add(name)
    const origin = module.imports.get(name) ?? module.exports.get(name)
    if (origin) use(origin.from, origin.name)
    for (const { text } of module.statements.filter((each) => each.name === name)) {
      for (const [word] of text.matchAll(/[A-Za-z_]\w*/g)) {
        if (module.imports.has(word) || isDeclared(module, word)) use(file, word)
      }
      for (const [, from = "", name = ""] of text.matchAll(/import\("(\..*?)"\)\.(\w+)/g)) {
        use(resolve(file, from), name)
      }
    }
  }
  for (const file of entries) {
    const { statements, exports } = modules.get(file) ?? { statements: [], exports: new Map() }
    for (const name of [...statements.map(({ name }) => name), ...exports.keys()]) use(file, name)
  }
  return [...modules].filter(([file]) => used.has(file)).map(([file, module]) =>
    write(file, module, used.get(file) ?? new Set())
  ).join("\n")
}

function isDeclared({ statements }: Module, name: string): boolean {
  return statements.some((each) => each.name === name)
}

function parse(file: string, text: string): Module {
  const statements: { name: string; text: string }[] = []
  const [imports, exports] = [new Map<string, Origin>(), new Map<string, Origin>()]
  for (const statement of text.split(/^(?=[a-z])/m)) {
    const [, kind, list = "", path] =
      /^(import|export) (?:type )?(?:\{(.*)\}|\* as \w+)(?: from "(.*)")?/s.exec(statement) ?? []
    const all = /\* as (\w+)/.exec(statement)?.[1]
    if (kind) {
      const from = path === undefined ? file : resolve(file, path)
      const map = kind === "import" ? imports : exports
      if (all) map.set(all, { from, name: "*" })
      for (const [, name = "", as = name] of list.matchAll(/(?:type )?(\w+)(?: as (\w+))?,? ?/g)) {
        map.set(as, { from, name })
      }
    } else {
      const [, name = ""] =
        /^(?:export )?(?:declare )?(?:abstract )?(?:\w+) (\w+)/.exec(statement) ?? []
      statements.push({ name, text: statement })
    }
  }
  return { statements, imports, exports }
}

/** Returns the path of a file that another one names. The names of packages stay. */
function resolve(file: string, path: string): string {
  if (!path.startsWith(".")) return path
  return posix.join(posix.dirname(file), path.replace(/\.ts$/, ".d.ts"))
}

function write(file: string, module: Module, used: ReadonlySet<string>): string {
  const list = (kind: string, origins: ReadonlyMap<string, Origin>) => {
    const known = [...origins].filter(([as]) => used.has(as))
    return [...Map.groupBy(known, ([, { from }]) => from)].map(([from, names]) => {
      const all = names.find(([, { name }]) => name === "*")
      const what = names.map(([as, { name }]) => name === as ? as : `${name} as ${as}`).join(", ")
      const where = from === file ? "" : ` from "${from.endsWith(".d.ts") ? nameOf(from) : from}"`
      return `${kind} ${all ? `* as ${all[0]}` : `{ ${what} }`}${where}\n`
    })
  }
  const own = module.statements.filter(({ name }) => used.has(name)).map(({ text }) =>
    text.replace(/^(export )?declare /, "$1")
      .replaceAll(/import\("(\..*?)"\)/g, (_, from) => `import("${nameOf(resolve(file, from))}")`)
  )
  const lines = [...list("import", module.imports), ...own, ...list("export", module.exports)]
  return `declare module "${nameOf(file)}" {\n${lines.join("")}}\n`
}

function nameOf(file: string): string {
  return `last/${file.replace(/\.d\.ts$/, "")}`
}
