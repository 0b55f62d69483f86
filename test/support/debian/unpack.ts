import { execFile } from "node:child_process"
import { existsSync, globSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import { promisify } from "node:util"

const run = promisify(execFile)
const script = join(import.meta.dirname, "unpack.sh")
const cache = resolve(import.meta.dirname, "../../../.cache")

export interface Packages {
  /** The folder in the cache, such as `mysql/mariadb`. */
  readonly name: string
  /** A name that ends with `*` means the newest package with that prefix. Includes dependencies. */
  readonly packages: readonly string[]
  /** On Debian, the suite of the packages; by default the machine's own. */
  readonly suite?: string
  /** The packages to leave out, with the dependencies of them alone. */
  readonly without: readonly string[]
}

/**
 * Unpacks packages from this machine's Debian or Ubuntu mirror into .cache, once, and returns the
 * folder. Needs no root and installs nothing. Rejects with a short reason if the mirror can't be used.
 */
export async function unpackedFolder(
  { name, packages, suite, without }: Packages,
  signal?: AbortSignal,
): Promise<string> {
  const folder = join(cache, name)
  if (existsSync(folder)) return folder
  if (process.platform !== "linux") throw new Error("only on Debian and Ubuntu")
  console.log(`${name}: fetching packages into .cache, once`)
  const options = [...suite ? ["-s", suite] : [], ...without.flatMap((each) => ["-i", each])]
  await run("bash", [script, ...options, folder, ...packages], {
    timeout: 300_000,
    ...(signal ? { signal } : {}),
  }).catch((error) => {
    throw new Error(error.stderr?.trim().split("\n").at(-1) || error.message)
  })
  return folder
}

/** Returns the library folders of such a folder, in the format of `LD_LIBRARY_PATH`. */
export function librariesIn(folder: string): string {
  return globSync("{usr/,}lib/*-linux-gnu{,/*}/", { cwd: folder })
    .map((path) => join(folder, path)).join(":")
}
