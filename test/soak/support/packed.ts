import { execFile, execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { basename, join, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"

const run = promisify(execFile)
const repository = resolve(import.meta.dirname, "../../..")
const cache = join(repository, ".cache/package")

/** What `npm pack` reads. */
export const sources: readonly string[] = [
  ".ci/package",
  "config",
  "core",
  "LICENSE",
  "package-lock.json",
  "package.json",
  "plugins",
  "test/conformance",
  "README.md",
  "tsconfig.json",
]

/** An installation of the packed package in a folder of its own. Do not write there. */
export interface PackedInstallation {
  readonly folder: string
  /** The file to run with Node.js. */
  readonly bin: string
}

/**
 * Returns the path of the package as `npm pack` makes it of the present sources. It is made once per content of
 * the sources, in .cache; other processes wait meanwhile.
 */
export async function packedTarball(): Promise<string> {
  const folder = folderOfSources()
  return await alone(() => pack(folder))
}

/** Returns an installation of the packed package, made with npm, likewise once. */
export async function installPacked(): Promise<PackedInstallation> {
  const home = folderOfSources()
  const folder = join(home, "installed")
  await alone(async () => {
    const tarball = await pack(home)
    if (existsSync(folder)) return
    const fresh = join(home, "installed.new")
    rmSync(fresh, { recursive: true, force: true })
    mkdirSync(fresh)
    await installPackages(fresh, [tarball])
    renameSync(fresh, folder)
  })
  return { folder, bin: join(folder, "node_modules/event-export/dist/core/main.js") }
}

/** Installs packages into a folder with npm: tarballs, or names for the registry. */
export async function installPackages(folder: string, packages: readonly string[]): Promise<void> {
  if (!existsSync(join(folder, "package.json"))) {
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n')
  }
  await npm(folder, ["install", "--prefer-offline", "--ignore-scripts", ...packages])
}

/** Runs npm in a folder, and returns its output. Rejects with what it wrote to standard error. */
export async function npm(folder: string, args: readonly string[]): Promise<string> {
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
  // The test runner's options would reach the programs that scripts start.
  const command = ["-u", "NODE_OPTIONS", "npm", ...args, ...quiet]
  const { stdout } = await run("env", command, { cwd: folder, maxBuffer: 2 ** 26 })
  return stdout
}

/** Copies the sources of a checkout, by default this one, into a folder, from which `npm pack` makes the same package. */
export function copySources(folder: string, checkout = repository): void {
  for (const name of sources) {
    cpSync(join(checkout, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"))
}

/** Copies a commit of a clone into a folder that does not exist, likewise, whatever the clone does to ends of lines. */
export function copyCommit(clone: string, commit: string, folder: string): void {
  mkdirSync(folder)
  const settings = ["core.autocrlf=false", "core.eol=lf"].flatMap((setting) => ["-c", setting])
  const archive = execFileSync("git", ["-C", clone, ...settings, "archive", commit], {
    maxBuffer: 2 ** 28,
  })
  execFileSync("tar", ["-x", "-C", folder], { input: archive })
  symlinkSync(join(clone, "node_modules"), join(folder, "node_modules"))
}

/** Packs the sources of a folder with npm into another, and returns the path of the package. */
export async function packFolder(folder: string, destination: string): Promise<string> {
  mkdirSync(destination, { recursive: true })
  // Whatever npm's own settings say: a script compiles the package.
  const args = ["pack", "--json", "--ignore-scripts=false", "--pack-destination", destination]
  const output = await npm(folder, args)
  // What scripts print comes first. npm 12 lists packages by name, earlier ones in order.
  const found = JSON.parse(output.slice(output.search(/^[[{]/m)))
  const [{ filename }] = Object.values<{ filename: string }>(found) as [{ filename: string }]
  return join(destination, filename)
}

async function pack(home: string): Promise<string> {
  const [made] = globSync(join(home, "*.tgz"))
  if (made) {
    // Folders that were not used for long are removed.
    utimesSync(home, new Date(), new Date())
    return made
  }
  removeOld()
  const source = join(home, "source")
  rmSync(home, { recursive: true, force: true })
  mkdirSync(source, { recursive: true })
  copySources(source)
  const tarball = await packFolder(source, join(home, "new"))
  const place = join(home, basename(tarball))
  renameSync(tarball, place)
  for (const name of ["source", "new"]) rmSync(join(home, name), { recursive: true })
  return place
}

function folderOfSources(): string {
  const hash = createHash("sha256")
  for (const name of sources) {
    const path = join(repository, name)
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true }).map(String).sort().map((file) => join(name, file))
      : [name]
    for (const file of files) {
      const place = join(repository, file)
      if (statSync(place).isFile()) hash.update(`${file}\0`).update(readFileSync(place))
    }
  }
  return join(cache, hash.digest("hex").slice(0, 16))
}

function removeOld(): void {
  const longAgo = Date.now() - 2 * 3600 * 1000
  for (const { name, parentPath } of readdirSync(cache, { withFileTypes: true })) {
    const folder = join(parentPath, name)
    const isOld = /^[0-9a-f]{16}$/.test(name) && statSync(folder).mtimeMs < longAgo
    if (isOld) rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs `work` while no other process does. Whoever holds the lock loses it when its process ends. */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  mkdirSync(cache, { recursive: true })
  const lock = new DatabaseSync(join(cache, "lock"))
  try {
    while (!isTaken(lock)) await setTimeout(100)
    return await work()
  } finally {
    lock.close()
  }
}

function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec("begin exclusive")
    return true
  } catch (error) {
    if (!/locked/.test((error as Error).message)) throw error
    return false
  }
}
