// Makes what `npm pack` packs: dist/, a mirror of the repository with JavaScript in place of TypeScript, because
// Node.js runs no TypeScript under node_modules. Plain JavaScript itself, so that an older Node.js packs as well.
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { brotliCompressSync, constants } from "node:zlib"

/** The files that are read at run time, or that operators and authors of plugins read. */
const assets = [
  /^plugins\/.*\.(css|gs|html|js|m|md|mjs|mts|py|sh|sql|svg|txt)$/,
  /^config\/(demo\/)?[^/]+\.(json|md|yaml)$/,
  /^config\/(deploy|handbook)\/.+/,
]

process.chdir(resolve(import.meta.dirname, "../.."))
rmSync("dist", { recursive: true, force: true })
const compiler = "node_modules/typescript/lib/tsc.js"
if (!existsSync(compiler)) {
  throw new Error('The compiler is not installed: run "make install" first. Nothing was packed.')
}
try {
  execFileSync(process.execPath, [compiler, "-p", ".ci/package"], { stdio: "inherit" })
} catch {
  rmSync("dist", { recursive: true, force: true })
  throw new Error("The package does not compile. Nothing was packed.")
}
for (const folder of ["plugins", "config"]) {
  cpSync(folder, join("dist", folder), { recursive: true, filter: isPacked })
}

// What the reference is drawn by comes from a package that only developers install.
const scalar = resolve("dist/plugins/documents/docs/scalar.js")
const { scalarScript } = await import(pathToFileURL(scalar).href)
const most = { params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS } }
writeFileSync(
  "dist/plugins/documents/docs/assets/viewer.js.br",
  brotliCompressSync(scalarScript(), most),
)
for (const file of [scalar, scalar.replace(/js$/, "d.ts")]) rmSync(file)

// Partners get the client as one file.
const client = resolve("dist/plugins/documents/pull")
const { bundle } = await import(pathToFileURL(join(client, "bundle.js")).href)
writeFileSync(
  join(client, "pull.mjs"),
  bundle(pathToFileURL(resolve("plugins/documents/pull/pull.ts"))),
)
const parts = /^(client|(bundle|pull|strip-types)\.(js|d\.ts))$/
for (const file of readdirSync(client)) {
  if (parts.test(file)) rmSync(join(client, file), { recursive: true })
}

// Of the types, only those that the package exports.
const { exports: exported, ...about } = JSON.parse(readFileSync("package.json", "utf8"))
/** @type {Set<string>} */
const types = new Set()
for (const { types: file } of Object.values(exported)) if (file) addTypes(resolve(file))
for (const path of readdirSync("dist", { recursive: true, encoding: "utf8" })) {
  const file = resolve("dist", path)
  if (file.endsWith(".d.ts") && !types.has(file)) rmSync(file)
}

/** Adds a file of types, and those that it imports. @param {string} file */
function addTypes(file) {
  if (types.has(file) || !existsSync(file)) return
  types.add(file)
  const imports = readFileSync(file, "utf8").matchAll(/\b(?:from|import|module)[ (]"(\.[^"]*)"/g)
  for (const [, target = ""] of imports) {
    addTypes(resolve(dirname(file), target).replace(/(\.d)?\.(js|ts)$/, ".d.ts"))
  }
}

/** Folders are entered; npm leaves out those without files. @param {string} path */
function isPacked(path) {
  if (path.includes("/.")) return false
  return statSync(path).isDirectory() || assets.some((pattern) => pattern.test(path))
}

// The compiler copies it because a module imports it. In dist/, only the modules that import it read it.
const { name, version, description, license, type } = about
writeFileSync("dist/package.json", JSON.stringify({ name, version, description, license, type }))

// The same bytes for every umask: npm packs the modes of the files, and adds these three.
const packed = readdirSync("dist", { recursive: true, encoding: "utf8" }).map((path) =>
  join("dist", path)
)
for (const path of [...packed, "LICENSE", "README.md", "package.json"]) {
  const status = statSync(path)
  chmodSync(path, status.isDirectory() || status.mode & 0o100 ? 0o755 : 0o644)
}
