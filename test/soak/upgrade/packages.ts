import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { copyCommit, installPackages, installPacked, npm, packFolder } from "../support/packed.ts"

/** An installed version of the package. */
export interface Installed {
  readonly version: string
  /** The file to run with Node.js. */
  readonly program: string
}

/** The versions that an upgrade is between. */
export interface Versions {
  readonly previous: Installed
  readonly next: Installed
  /** Where they come from, for people. */
  readonly origin: string
}

const entry = "node_modules/event-export/dist/core/main.js"

/**
 * Installs the present sources as the next version, and as the previous one a tarball, a commit or, if neither is given,
 * the commit at which the last release was recorded. Returns undefined while the present sources are that release.
 */
export async function installVersions(
  folder: string,
  { given, release }: { readonly given: string | undefined; readonly release: string },
): Promise<Versions | undefined> {
  const previous = given ?? commitOf(release)
  const present = await installPacked()
  if (previous === undefined) return undefined
  const tarball = previous.endsWith(".tgz") ? resolve(previous) : await packCommit(folder, previous)
  const place = join(folder, "previous")
  mkdirSync(place)
  await installPackages(place, [tarball])
  return {
    previous: installedIn(place),
    next: installedIn(present.folder),
    origin: `the previous version is ${previous}`,
  }
}

/**
 * Returns the commit at which a release was recorded, the last one if that was done again: a later version may have
 * taken back a promise since. Undefined while the sources have that version.
 */
function commitOf(version: string): string | undefined {
  const git = (...args: readonly string[]) => execFileSync("git", args, { encoding: "utf8" })
  const isOf = (text: string) => JSON.parse(text).version === version
  if (isOf(readFileSync("package.json", "utf8"))) return undefined
  const commits = git("log", "--format=%H", "--", `test/releases/${version}`).trim().split("\n")
  return commits.find((commit) => commit && isOf(git("show", `${commit}:package.json`)))
}

async function packCommit(folder: string, commit: string): Promise<string> {
  const source = join(folder, "source")
  copyCommit(resolve("."), commit, source)
  // It needs packages that this version may not have.
  rmSync(join(source, "node_modules"))
  await npm(source, ["ci", "--prefer-offline", "--ignore-scripts", "--include=dev"])
  return await packFolder(source, folder)
}

function installedIn(folder: string): Installed {
  const file = join(folder, "node_modules/event-export/package.json")
  return { version: JSON.parse(readFileSync(file, "utf8")).version, program: join(folder, entry) }
}
