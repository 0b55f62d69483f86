import { execFile } from "node:child_process"
import { existsSync, globSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { librariesIn, unpackedFolder } from "../debian/unpack.ts"
import type { Kind } from "./flags.ts"

const run = promisify(execFile)

/** A server program: `command`, then `flags`, then the caller's own flags start it. */
export type Program = {
  readonly kind: Kind
  readonly command: readonly [string, ...string[]]
  readonly flags: readonly string[]
  readonly version: string
  /** The folder of MariaDB's set-up statements. MySQL does not need it. */
  readonly share: string
}

/** Finds the server on this machine. Rejects if there is none of this kind. */
export async function installedProgram(kind: Kind): Promise<Program> {
  const names = kind === "mysql" ? ["mysqld"] : ["mariadbd", "mysqld"]
  // Servers are often in the folders for administrators, which are seldom on PATH.
  const folders = `${process.env["PATH"]}:/usr/sbin:/usr/local/sbin`.split(delimiter)
  for (const file of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    if (!existsSync(file)) continue
    const version = await versionOf([file])
    if (/mariadb/i.test(version) !== (kind === "mariadb")) continue
    return { kind, command: [file], flags: [], version, share: shareBeside(file) }
  }
  throw new Error("not found")
}

/**
 * Unpacks the server from this machine's Debian or Ubuntu mirror into .cache, once. Needs no root and
 * installs nothing. Rejects if the mirror can't be used.
 */
export async function unpackedProgram(kind: Kind, signal: AbortSignal): Promise<Program> {
  const packages = {
    name: `mysql/${kind}`,
    packages: [`${kind}-server-core*`],
    // Only unused helper scripts need Perl, which is a fifth of the download.
    without: ["perl"],
  }
  // Debian has MySQL only in its unstable suite. Nothing else here uses those libraries.
  const root = await unpackedFolder(
    kind === "mysql" ? { ...packages, suite: "sid" } : packages,
    signal,
  )
  const find = (pattern: string): string[] =>
    globSync(pattern, { cwd: root }).map((path) => join(root, path))
  const [program] = find(`usr/sbin/${kind === "mysql" ? "mysqld" : "mariadbd"}`)
  const [loader] = find("{usr/,}lib/*-linux-gnu/ld-linux*.so.*")
  if (program === undefined || loader === undefined) throw new Error(`no server in ${root}`)
  const command = [loader, "--library-path", librariesIn(root), program] as const
  const share = shareBeside(program)
  const flags = [
    `--lc-messages-dir=${share}`,
    `--character-sets-dir=${share}/charsets`,
    `--plugin-dir=${root}/usr/lib/mysql/plugin`,
  ]
  return { kind, command, flags, version: await versionOf(command), share }
}

/** Finds MySQL on this machine, or else unpacks it. Rejects if neither works. */
export async function localMysql(signal: AbortSignal): Promise<Program> {
  return await installedProgram("mysql").catch(() => unpackedProgram("mysql", signal))
}

async function versionOf([file, ...rest]: readonly [string, ...string[]]): Promise<string> {
  const { stdout } = await run(file, [...rest, "--no-defaults", "--version"])
  return stdout.trim()
}

function shareBeside(program: string): string {
  const folders = ["mysql", "mariadb"].map((name) => join(dirname(program), "../share", name))
  return folders.find((folder) => existsSync(folder)) ?? ""
}
