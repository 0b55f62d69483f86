import { globSync, readFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import t from "tap"
import { everydayFiles } from "./runner/test-files.ts"

interface Import {
  readonly from: string
  readonly to: string
  /** False for `import type`, which does not exist at run time. */
  readonly runs: boolean
  /** True for `import()`, which may never run. */
  readonly isLate?: true
}

const files = globSync(["core/**/*.ts", "plugins/**/*.ts", "config/**/*.ts"]).sort()
const imports = files.flatMap(importsOf)

/** Where `connect` reads the databases of platforms. */
const sources = "plugins/capabilities/connect/sources"

/** Runs at partners, as one file. The service serves it, and never runs it. */
const runsAtPartners = (file: string) =>
  within(file, "plugins/documents/pull/client") || file === "plugins/documents/pull/pull.ts"

/** What the parts of this distribution may use besides the contract of plugins, and the most names that each may have. */
const doors: Readonly<Record<string, number>> = {
  "core/capability.ts": 75,
  "core/accounts.ts": 32,
  "core/commands.ts": 31,
  "core/filters.ts": 5,
  "core/inspection.ts": 28,
  "core/lists.ts": 30,
  "core/nodes.ts": 25,
  "core/tables.ts": 22,
}

/** What the drivers of databases use of the core. */
const forDrivers = "core/driver.ts"

/** What pages are made of. */
const design = "plugins/design/design.ts"
const withPages = [
  "plugins/design",
  "plugins/documents",
  "plugins/service/console",
  "plugins/capabilities",
]

/** Files of plugins that the plugins of a folder import. */
const shared = [
  ["plugins/capabilities", "plugins/service/console/page.ts"],
  ["plugins/capabilities", "plugins/documents/me/page.ts"],
  ["plugins/capabilities/servers", "plugins/databases/mysql/parts.ts"],
  [sources, "plugins/databases/mysql/parts.ts"],
  ["plugins/documents", "plugins/documents/docs/pages.ts"],
  // Not of design.ts: only pages made of Markdown load its parser.
  ["plugins/documents/docs", "plugins/design/markdown.ts"],
  ["plugins/capabilities/handbook", "plugins/design/markdown.ts"],
] as const

/** The rules by name. Each returns true for an import that it forbids. */
const forbidden: Record<string, (each: Import) => boolean> = {
  "core imports no plugin": ({ from, to }) => within(from, "core") && within(to, "plugins"),
  "core imports nothing from config": ({ from, to }) =>
    within(from, "core") && within(to, "config"),
  "a plugin imports core/plugin.ts and no other file of core, types included": ({ from, to }) =>
    within(from, "plugins") && within(to, "core") && to !== "core/plugin.ts" && !(to in doors) &&
    to !== forDrivers && !(runsAtPartners(from) && to === "core/records/bytes/csv.ts"),
  "only capabilities, the console and me import the doors of the core, types included": (
    { from, to },
  ) =>
    to in doors && !within(from, "plugins/capabilities") &&
    !within(from, "plugins/service/console") && !within(from, "plugins/documents/me"),
  "only drivers import core/driver.ts, and no other file of core, types included": ({ from, to }) =>
    within(from, "plugins/databases") ? within(to, "core") && to !== forDrivers : to === forDrivers,
  "a plugin imports no other plugin, but its pages' design and what is listed": ({ from, to }) =>
    within(from, "plugins") && within(to, "plugins") && folderOf(from) !== folderOf(to) &&
    to !== design && !shared.some(([folder, file]) => within(from, folder) && to === file),
  "only plugins with pages import the design, which imports core/plugin.ts": ({ from, to }) =>
    to === design && !withPages.some((folder) => within(from, folder)) ||
    within(from, "plugins/design") && within(to, "core") && to !== "core/plugin.ts",
  "a migration imports kysely, the dialect's types and core/data/migrations: a release freezes it":
    (
      { from, to, runs },
    ) =>
      within(from, "core/data/migrations") && to !== "kysely" &&
      (runs ? !within(to, "core/data/migrations") : to !== "core/data/dialect.ts"),
  "mysql2 is only in the folder of MySQL, and where records come from": ({ from, to }) =>
    to.startsWith("mysql2") && !within(from, "plugins/databases/mysql") && !within(from, sources),
  "node:sqlite is only where SQLite is opened": ({ from, to }) =>
    to === "node:sqlite" && from !== "plugins/databases/sqlite/open-sqlite.ts" &&
    !runsAtPartners(from) && !within(from, sources),
  "only sessions.ts imports iron-session": ({ from, to }) =>
    to === "iron-session" && from !== "core/access/sessions.ts",
  "only servers, refusals.ts, what sends pings and the program for partners load node:http": (
    { from, to, runs },
  ) =>
    runs && to === "node:http" &&
    ![
      "core/http/serve.ts",
      "core/http/refusals.ts",
      "plugins/capabilities/ping/post.ts",
      "config/demo/live/receiver.ts",
    ].includes(from) && !runsAtPartners(from),
  "nothing that serves starts a program": ({ to }) => to === "node:child_process",
  "the demonstration imports only types from core and plugins": ({ from, to, runs }) =>
    runs && within(from, "config") && (within(to, "core") || within(to, "plugins")),
}
for (const [rule, forbids] of Object.entries(forbidden)) {
  t.test(rule, (t) => {
    t.strictSame(imports.filter(forbids).map(({ from, to }) => `${from} imports ${to}`), [])
    t.end()
  })
}

/** Returns the names that a door exports. */
function namesOf(door: string): string[] {
  const source = readFileSync(door, "utf8")
  const all = /^export (?!type )\*/m.exec(source)
  if (all) throw new Error(`${door} exports all names of a file: name those that are needed`)
  return [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
    namesIn(names)
  )
}

/** Returns the names that a list in braces exports or imports, as the other side knows them. */
function namesIn(list: string, isImport = false): string[] {
  return list.split(",").map((name) => name.trim().replace(/^type /, "")).filter(Boolean)
    .map((name) => name.split(" as ").at(isImport ? 0 : -1) ?? "")
}

/** Returns the names that plugins import through a door. */
function usedOf(door: string): Set<string> {
  const plugins = files.filter((file) => within(file, "plugins"))
  return new Set(plugins.flatMap((file) => {
    const statements = readFileSync(file, "utf8")
      .matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from "([^"]+)"/gm)
    return [...statements].flatMap(([, names = "", target = ""]) =>
      pathOf(file, target) === door ? namesIn(names, true) : []
    )
  }))
}

for (const [door, most] of Object.entries(doors)) {
  t.test(`${door} has at most ${most} names, each of which a plugin imports`, (t) => {
    const names = namesOf(door)
    const used = usedOf(door)
    t.ok(names.length > 0 && names.length <= most, `${names.length} names`)
    t.strictSame(names.filter((name) => !used.has(name)), [])
    t.end()
  })
}

t.test("no two exported types of core and plugins have the same name", (t) => {
  const declared = files.filter((file) => !within(file, "config")).flatMap((file) =>
    [
      ...readFileSync(file, "utf8").matchAll(
        /^export (?:abstract )?(?:interface|type|class) (\w+)/gm,
      ),
    ]
      .map(([, name = ""]) => ({ name, file }))
  )
  const twice = [...Map.groupBy(declared, ({ name }) => name)].filter(([, all]) => all.length > 1)
  t.strictSame(twice.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(", ")}`), [])
  t.end()
})

t.test("each name has one door, or core/plugin.ts", (t) => {
  // The kinds of columns are names of their own.
  const all = [...Object.keys(doors), "core/plugin.ts"].filter((door) => door !== "core/tables.ts")
    .flatMap((door) => namesOf(door).map((name) => ({ name, door })))
  const several = [...Map.groupBy(all, ({ name }) => name)].filter(([, where]) => where.length > 1)
  t.strictSame(several.map(([name]) => name), [])
  t.end()
})

/** The rooms of the core from the ground up. A room imports from floors below its own only. */
const floors: readonly (readonly string[])[] = [
  ["errors.ts", "log.ts", "nearest.ts", "networks.ts"],
  ["data", "http", "config"],
  ["change-log"],
  ["access"],
  ["records/kinds"],
  ["records/bytes"],
  ["records/lists"],
  ["routes"],
  ["request"],
  ["kernel"],
  ["cli"],
]

/** They stand on top of the core, for those outside of it: the core imports what stands behind them. */
const contracts = ["core/plugin.ts", ...Object.keys(doors), forDrivers]

/** Returns the room of a file of the core: the first part of its path there, and of `records/` the first two. */
function roomOf(file: string): string {
  const [, room = "", inner = ""] = file.split("/")
  return room === "records" ? `${room}/${inner}` : room
}

function floorOf(file: string): number {
  return floors.findIndex((rooms) => rooms.includes(roomOf(file)))
}

t.test("every room of the core has a floor", (t) => {
  const inCore = files.filter((file) => within(file, "core") && !contracts.includes(file))
  t.strictSame(inCore.filter((file) => floorOf(file) < 0), [])
  t.end()
})

t.test("imports of the core go down from floor to floor, types counted", (t) => {
  const up = imports.filter(({ from, to }) => {
    if (!within(from, "core") || contracts.includes(from) || !within(to, "core")) return false
    if (contracts.includes(to)) return true
    return roomOf(from) !== roomOf(to) && floorOf(to) >= floorOf(from)
  })
  t.strictSame(up.map(({ from, to }) => `${from} imports ${to}`), [])
  t.end()
})

t.test("core/plugin.ts imports nothing above the routes, types counted", (t) => {
  const above = imports.filter(({ from, to }) =>
    from === "core/plugin.ts" && within(to, "core") && floorOf(to) > floorOf("core/routes/")
  )
  t.strictSame(above.map(({ to }) => to), [])
  t.end()
})

t.test("imports have no cycles, types counted", (t) => {
  const graph = Map.groupBy(imports, ({ from }) => from)
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

t.test("core names no capability's folder: it imports them by the names in a configuration", (t) => {
  const names = globSync("plugins/capabilities/*/").map((path) => basename(path))
  t.ok(names.length > 5)
  const folders = new RegExp(`capabilities/(${names.join("|")})\\b`)
  const naming = files.filter((file) =>
    within(file, "core") && folders.test(readFileSync(file, "utf8"))
  )
  t.strictSame(naming, [])
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

t.test("only cli/main.ts touches arguments, environment and signals", (t) => {
  const touches = /process\.(argv|env|on|once|exit|exitCode)\b|\bDeno\.\w/
  const touching = files.filter((file) => touches.test(readFileSync(file, "utf8")))
  t.strictSame(touching.filter((file) => !runsAtPartners(file)), ["core/cli/main.ts"])
  t.end()
})

t.test("only a dialect's own folder depends on the kind of database", (t) => {
  const asks = /[!=]==?\s*"(mysql|sqlite)"|case "(mysql|sqlite)"/
  const asking = files.filter((file) =>
    within(file, "core") && asks.test(readFileSync(file, "utf8"))
  )
  t.strictSame(asking, [])
  t.end()
})

t.test("only folders of the data layer and capabilities have statements", (t) => {
  const queries = /\.(selectFrom|insertInto|updateTable|deleteFrom|executeTakeFirst)\(/
  const folders = ["data", "access", "change-log", "records"].map((name) => `core/${name}`)
  const places = [...folders, "plugins/capabilities", "config"]
  const outside = files.filter((file) =>
    !places.some((place) => within(file, place)) &&
    queries.test(readFileSync(file, "utf8"))
  )
  t.strictSame(outside, [])
  t.end()
})

t.test("main.js, package.json and the Makefile name the same oldest Node.js", (t) => {
  const { engines, bin } = JSON.parse(readFileSync("package.json", "utf8"))
  const [, least] = /^NODE_LEAST := (\d+)$/m.exec(readFileSync("Makefile", "utf8")) ?? []
  t.equal(engines.node, `>=${least}.0.0`)
  t.match(readFileSync("core/main.js", "utf8"), new RegExp(`^const least = ${least}$`, "m"))
  t.equal(bin["event-export"], "dist/core/main.js")
  t.end()
})

/** Everyday files that start processes all the same. */
const smoke = "test/journeys/smoke.test.ts"

t.test("what the package has of the tests imports no other tests, types counted", (t) => {
  const packed = globSync("test/conformance/*.ts").filter((file) => !file.endsWith(".test.ts"))
  const wrong = packed.flatMap(importsOf)
    .filter(({ to }) => within(to, "test") && !within(to, "test/conformance"))
  t.strictSame(wrong.map(({ from, to }) => `${from} imports ${to}`), [])
  t.ok(packed.includes("test/conformance/sample-service.ts"))
  t.end()
})

/** What starts processes, servers and browsers, and what needs them. */
function isForSoak(path: string): boolean {
  return path === "node:child_process" || path === "playwright-core" || within(path, "test/soak")
}

t.test("an everyday test imports nothing that starts processes or browsers, but for the smoke test", (t) => {
  const starting = everydayFiles().filter((file) => file !== smoke).flatMap((file) => {
    const path = pathTo(isForSoak, file)
    return path ? [path.join(" imports ")] : []
  })
  t.strictSame(starting, [])
  t.ok(pathTo(isForSoak, smoke))
  t.end()
})

/** Returns the shortest way of imports within the tests from a file to one that is wanted, types left out. */
function pathTo(isWanted: (path: string) => boolean, file: string): string[] | undefined {
  const ways = [[file]]
  const seen = new Set([file])
  for (const way of ways) {
    const last = way.at(-1) ?? ""
    if (isWanted(last)) return way
    if (!within(last, "test")) continue
    for (const { to, runs, isLate } of importsOf(last)) {
      if (!runs || isLate || seen.has(to)) continue
      seen.add(to)
      ways.push([...way, to])
    }
  }
  return undefined
}

function importsOf(from: string): Import[] {
  const source = readFileSync(from, "utf8")
  const statements = source.matchAll(
    /^(?:import|export)\s+(type\s+)?([^"';]*?\s+from\s+)?"([^"]+)"/gm,
  )
  const late = source.matchAll(/\bimport(?:\.meta\.resolve)?\("([^"]+)"\)/g)
  return [
    ...[...statements].map(([, type, names, target = ""]) => ({
      from,
      to: pathOf(from, target),
      runs: !type && !(names && /^\{[^}]*\}/.test(names.trim()) && onlyTypes(names)),
    })),
    ...[...late].map(([, target = ""]) => ({
      from,
      to: pathOf(from, target),
      runs: true,
      isLate: true as const,
    })),
  ]
}

function pathOf(from: string, target: string): string {
  return target.startsWith(".") ? relative(".", join(dirname(from), target)) : target
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

/** The folder of a plugin or a capability. */
function folderOf(path: string): string {
  return path.split("/").slice(0, within(path, "plugins/design") ? 2 : 3).join("/")
}
