import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { copyCommit, installPackages, installPacked, packFolder } from "../support/packed.ts"

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
 * the commit at which the last release was recorded. While there is none, both are made of the present sources: then the next one
 * gets a migration that the previous one does not know.
 */
export async function installVersions(
  folder: string,
  { given, release }: { readonly given: string | undefined; readonly release: string },
): Promise<Versions> {
  const previous = given ?? commitOf(release)
  const present = await installPacked()
  if (previous === undefined) return await madeUp(folder, present.folder)
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
  return await packFolder(source, folder)
}

async function madeUp(folder: string, installed: string): Promise<Versions> {
  const [previous, next] = ["previous", "next"].map((name) => copyOf(installed, join(folder, name)))
  setVersion(previous ?? "", "1.0.99")
  addMigration(next ?? "")
  return await Promise.resolve({
    previous: installedIn(previous ?? ""),
    next: installedIn(next ?? ""),
    origin:
      "the last release is the present version: both are made of the present sources, and the " +
      "next one has a migration more",
  })
}

/** Copies an installation: the package itself, and links to what it depends on. */
function copyOf(installed: string, folder: string): string {
  const [from, to] = [join(installed, "node_modules"), join(folder, "node_modules")]
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from).filter((name) => name !== "event-export")) {
    symlinkSync(join(from, name), join(to, name))
  }
  cpSync(join(from, "event-export"), join(to, "event-export"), { recursive: true })
  return folder
}

function setVersion(folder: string, version: string): void {
  for (const name of ["package.json", "dist/package.json"]) {
    const file = join(folder, "node_modules/event-export", name)
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), version }))
  }
}

const migration = `import { sql } from "kysely"
export async function up(db) {
  await sql\`alter table guest add column pronouns varchar(40) null invisible\`.execute(db)
  await sql\`alter table account add column locale varchar(10) not null default 'en'\`.execute(db)
  await sql\`create table guest_tag (id char(36) primary key, tag varchar(40))\`.execute(db)
}
`

/** Adds a migration that expands. */
function addMigration(folder: string): void {
  const data = join(folder, "node_modules/event-export/dist/core/data")
  writeFileSync(join(data, "migrations/9999-expand.js"), migration)
  const file = join(data, "kernel-storage.js")
  const text = readFileSync(file, "utf8")
  const added = text.replace(
    /^/,
    'import * as expand from "./migrations/9999-expand.js"\n',
  )
    .replace(/(migrations: \{[^}]*?),?\s*\}/, '$1,\n    "9999-expand": expand,\n}')
  if (!added.includes('"9999-expand": expand')) throw new Error(`no list of migrations in ${file}`)
  writeFileSync(file, added)
}

function installedIn(folder: string): Installed {
  const file = join(folder, "node_modules/event-export/package.json")
  return { version: JSON.parse(readFileSync(file, "utf8")).version, program: join(folder, entry) }
}
