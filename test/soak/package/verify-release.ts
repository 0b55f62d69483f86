/**
 * `make verify-release FILE=…`: builds the package of the commit that is checked out again, and compares it with a file. Prints
 * what it found. Exits with 0 if the file has the same contents, with 1 if it has others, and with 2 if it cannot tell.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import process from "node:process"
import { printableLine } from "../../../core/kernel/printable.ts"
import { copyCommit, copySources, npm, packFolder, sources } from "../support/packed.ts"
import { comparePackages } from "./compare-packages.ts"

/** The most files without a commit that are printed. */
const mostShown = 40

/** Where a package is that was built again, and differs. */
const rebuiltFile = ".cache/package/rebuilt.tgz"

/** Stops with a sentence for people. */
class CannotTell extends Error {}

try {
  process.exitCode = await verify(process.argv[2] ?? "")
} catch (error) {
  if (!(error instanceof CannotTell)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function verify(path: string): Promise<number> {
  if (path === "") {
    throw new CannotTell("Which file? make verify-release FILE=event-export-2.0.0.tgz")
  }
  const file = readFile(path)
  const name = printableLine(basename(path))
  const { of, commit } = readCheckout()
  assertSameVersion(path, name, commit)
  const folder = mkdtempSync(join(tmpdir(), "verify-release-"))
  let rebuilt
  try {
    console.log(
      `Building ${of} with Node.js ${process.versions.node} and npm ${
        (await npm(".", ["--version"])).trim()
      } …`,
    )
    const source = join(folder, "source")
    if (commit) copyCommit(resolve("."), commit, source)
    else copySources(source, resolve("."))
    rebuilt = readFileSync(await packFolder(source, folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const comparison = comparePackages(file, rebuilt)
  console.log(`
${name}
  SHA-256    ${createHash("sha256").update(file).digest("hex")}
  integrity  ${integrityOf(file)}
`)
  if (comparison === "equal") {
    console.log(`Equal, bit for bit: ${name} is what ${of} builds.`)
    return 0
  }
  if (comparison === "compression") {
    console.log(
      `The same contents, bit for bit, in another compression: ${name} unpacks to what ${of} builds, and was ` +
        `compressed by another zlib. Compressed here, it has the integrity ${
          integrityOf(rebuilt)
        }.`,
    )
    return 0
  }
  mkdirSync(dirname(rebuiltFile), { recursive: true })
  writeFileSync(rebuiltFile, rebuilt)
  console.log(`Different: ${name} is not what ${of} builds. Rebuilt, the package has the integrity
${integrityOf(rebuilt)}. It is ${rebuiltFile}: unpack both, and
compare them with diff -r, and what tar -tvzf lists. Is the file of another commit? "npm view NAME@VERSION gitHead"
has that of a package that was published from a clone.`)
  return 1
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new CannotTell(`Cannot read ${path}: ${(error as NodeJS.ErrnoException).code}.`)
  }
}

/** Returns what is checked out, in words, and its commit; undefined if this is no clone, or there is no git. */
function readCheckout(): { readonly of: string; readonly commit: string | undefined } {
  const root = git("rev-parse", "--show-toplevel")
  const commit = root === undefined || resolve(root) !== resolve(".")
    ? undefined
    : git("rev-parse", "HEAD")
  if (commit === undefined) return { of: "this folder, which is no clone,", commit }
  const changed = git("status", "--porcelain", "--untracked-files=all", "--", ...sources) ?? ""
  if (changed) {
    const files = changed.split("\n")
    console.log(`Not committed, and so left out:\n${files.slice(0, mostShown).join("\n")}`)
    if (files.length > mostShown) console.log(`and ${files.length - mostShown} more`)
  }
  return { of: `commit ${commit.slice(0, 12)}`, commit }
}

/** Runs git here. Returns what it prints; undefined if it fails, or is missing. */
function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .trimEnd()
  } catch {
    return undefined
  }
}

function assertSameVersion(path: string, name: string, commit: string | undefined): void {
  let theirs
  try {
    theirs = JSON.parse(
      execFileSync("tar", ["-xzOf", path, "package/package.json"], { stdio: "pipe" }).toString(),
    )
  } catch {
    throw new CannotTell(`${name} is no npm package: it has no package.json.`)
  }
  const ours = JSON.parse(
    commit ? git("show", `${commit}:package.json`) ?? "{}" : readFileSync("package.json", "utf8"),
  )
  if (theirs.name === ours.name && theirs.version === ours.version) return
  const version = String(theirs.version)
  const [wanted, here] = [theirs, ours].map(({ name, version }) =>
    printableLine(`${name} ${version}`)
  )
  throw new CannotTell(`${name} is ${wanted}, and this checkout is ${here}. ${adviceFor(version)}`)
}

/** Says how to check a version out: by its tag, or else by the commit that wrote down what it promises. */
function adviceFor(version: string): string {
  const isVersion = /^\d+\.\d+\.\d+[\w.+-]*$/.test(version)
  const [tag] = isVersion ? git("tag", "--list", `v${version}`, version)?.split("\n") ?? [] : []
  const commit = isVersion
    ? git("log", "-1", "--format=%H", "--diff-filter=A", "--", `test/releases/${version}`)
    : undefined
  const found = tag || commit?.slice(0, 12)
  return found
    ? `Check it out: git checkout ${found}; then again make verify-release.`
    : "This clone knows no tag of that version: fetch its tags, or ask who released it for the commit."
}

/** As registries and lock files write it. */
function integrityOf(bytes: Buffer): string {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`
}
