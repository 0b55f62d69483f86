import { globSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import t from "tap"
import { findTestFiles, isSlow } from "./support/test-files.ts"

interface Import {
  readonly from: string
  readonly to: string
  /** False for `import type`, which does not exist at run time. */
  readonly runs: boolean
}

const files = globSync(["core/**/*.ts", "plugins/**/*.ts", "config/**/*.ts"]).sort()
const imports = files.flatMap(importsOf)

/** The rules by name. Each returns true for an import that it forbids. */
const forbidden: Record<string, (each: Import) => boolean> = {
  "core imports no plugin": ({ from, to }) => within(from, "core") && within(to, "plugins"),
  "core imports nothing from config": ({ from, to }) =>
    within(from, "core") && within(to, "config"),
  "a plugin imports core/plugin.ts and no other file of core, types included": ({ from, to }) =>
    within(from, "plugins") && within(to, "core") && to !== "core/plugin.ts",
  "a plugin imports no other plugin": ({ from, to }) =>
    within(from, "plugins") && within(to, "plugins") && folderOf(from) !== folderOf(to),
  "data knows no record, no account and no HTTP": ({ from, to, runs }) =>
    runs && within(from, "core/data") && within(to, "core") && !within(to, "core/data"),
  "data imports nothing of records, types counted": ({ from, to }) =>
    within(from, "core/data") && within(to, "core/records"),
  "only the reader of MySQL and the writer of JSON import raw rows": ({ from, to }) =>
    to === "core/data/mysql/raw-row.ts" && !within(from, "core/data") &&
    !within(from, "core/records/json"),
  "a migration imports kysely, the dialect's types and its folder: a release freezes it": (
    { from, to, runs },
  ) =>
    within(from, "core/data/migrations") && to !== "kysely" &&
    (runs ? !within(to, "core/data/migrations") : to !== "core/data/dialect.ts"),
  "config loads no plugin": ({ from, to }) =>
    within(from, "core/config") && within(to, "core/routes"),
  "http knows no database": ({ from, to }) => within(from, "core/http") && within(to, "core/data"),
  "mysql2 is only in the folder of MySQL": ({ from, to }) =>
    to.startsWith("mysql2") && !within(from, "core/data/mysql"),
  "node:sqlite is only where SQLite is opened": ({ from, to }) =>
    to === "node:sqlite" && from !== "core/data/sqlite/open-sqlite.ts",
  "only sessions.ts imports iron-session": ({ from, to }) =>
    to === "iron-session" && from !== "core/access/sessions.ts",
  "only limits.ts imports rate-limiter-flexible": ({ from, to }) =>
    to.startsWith("rate-limiter-flexible") && from !== "core/request/limits.ts",
  "only serve.ts imports node:http": ({ from, to }) =>
    to === "node:http" && from !== "core/http/serve.ts",
  "the demonstration imports only types from core": ({ from, to, runs }) =>
    runs && within(from, "config") && within(to, "core"),
}
for (const [rule, forbids] of Object.entries(forbidden)) {
  t.test(rule, (t) => {
    t.strictSame(imports.filter(forbids).map(({ from, to }) => `${from} imports ${to}`), [])
    t.end()
  })
}

t.test("imports have no cycles", (t) => {
  const graph = Map.groupBy(imports.filter(({ runs }) => runs), ({ from }) => from)
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): string | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(" → ")
    if (done.has(file)) return undefined
    for (const { to } of graph.get(file) ?? []) {
      const cycle = visit(to, [...path, file])
      if (cycle) return cycle
    }
    done.add(file)
    return undefined
  }
  t.strictSame(files.map((file) => visit(file, [])).filter(Boolean), [])
  t.end()
})

t.test("core names no partner, namespace or family", (t) => {
  const names = /acme|borealis|custom.?export|connector.?[ab]\b|partner.?[ab]\b/i
  const named = files.filter((file) =>
    within(file, "core") && names.test(readFileSync(file, "utf8"))
  )
  t.strictSame(named, [])
  t.end()
})

t.test("only main.ts touches arguments, environment and signals", (t) => {
  const touches = /process\.(argv|env|on|once|exit|exitCode)\b|\bDeno\.\w/
  const touching = files.filter((file) => touches.test(readFileSync(file, "utf8")))
  t.strictSame(touching, ["core/main.ts"])
  t.end()
})

t.test("only a dialect's own folder depends on the kind of database", (t) => {
  const asks = /[!=]==?\s*"(mysql|sqlite)"|case "(mysql|sqlite)"/
  const asking = files.filter((file) =>
    within(file, "core") && !within(file, "core/data/mysql") && !within(file, "core/data/sqlite") &&
    asks.test(readFileSync(file, "utf8"))
  )
  t.strictSame(asking, [])
  t.end()
})

t.test("only folders of the data layer, the audit log and the conformance samples have statements", (t) => {
  const queries = /\.(selectFrom|insertInto|updateTable|deleteFrom|executeTakeFirst)\(/
  const folders = ["data", "access", "change-log", "records"].map((name) => `core/${name}`)
  const others = ["core/observe/audit-log.ts", "core/conformance/sample-data.ts"]
  const outside = files.filter((file) =>
    within(file, "core") && !folders.some((folder) => within(file, folder)) &&
    !others.includes(file) && queries.test(readFileSync(file, "utf8"))
  )
  t.strictSame(outside, [])
  t.end()
})

t.test("every exported function, class and constant has a docstring", (t) => {
  const undocumented = files.flatMap((file) => {
    const lines = readFileSync(file, "utf8").split("\n")
    return lines.flatMap((line, index) => {
      const documented = /\*\/\s*$/.test(lines[index - 1] ?? "")
      const isCode = /^export (default |async )?(function|class|const) ?/.test(line)
      return isCode && !documented ? [`${file}:${index + 1}: ${line}`] : []
    })
  })
  t.strictSame(undocumented, [])
  t.end()
})

t.test("a test file that starts processes is marked as slow, or skips such tests in make quick", (t) => {
  const starts = /\b(startProcess|processApp|startBrowser|spawn|execFile)\b/
  const skips = /\b(withoutProcesses|withoutRuntime)\b/
  const unmarked = findTestFiles(["test"]).filter((file) => {
    const source = readFileSync(file, "utf8")
    return starts.test(source) && !isSlow(file) && !skips.test(source)
  })
  t.strictSame(unmarked, [])
  t.end()
})

function importsOf(from: string): Import[] {
  const source = readFileSync(from, "utf8")
  const statements = source.matchAll(
    /^(?:import|export)\s+(type\s+)?([^"';]*?\s+from\s+)?"([^"]+)"/gm,
  )
  return [...statements].map(([, type, names, target = ""]) => ({
    from,
    to: target.startsWith(".") ? relative(".", join(dirname(from), target)) : target,
    runs: !type && !(names && /^\{[^}]*\}/.test(names.trim()) && onlyTypes(names)),
  }))
}

function onlyTypes(names: string): boolean {
  const inside = /\{([^}]*)\}/.exec(names)?.[1] ?? ""
  return inside.split(",").map((name) => name.trim()).filter(Boolean).every((name) =>
    name.startsWith("type ")
  )
}

function within(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`)
}

function folderOf(path: string): string {
  return path.split("/").slice(0, 2).join("/")
}
