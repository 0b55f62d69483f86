import { execFile } from "node:child_process"
import { existsSync, globSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import { promisify } from "node:util"

const run = promisify(execFile)
const script = join(import.meta.dirname, "unpack.sh")
const cache = resolve(import.meta.dirname, "../../../.cache")

export interface Packages {
  /** What they are called together: their folder in the cache, such as `mysql/mariadb`. */
  readonly name: string
  /** One that ends with `*` is the newest whose name begins so. All that they depend on comes too. */
  readonly packages: readonly string[]
  /** On Debian, the suite to take them from; else the machine's own. */
  readonly suite?: string
  /** Packages to leave out, and what only they depend on. */
  readonly without: readonly string[]
}

/**
 * The folder with the packages unpacked, once, from this machine's own Debian or Ubuntu mirror into
 * .cache, without root and without installing them. Rejects with a short reason where that mirror
 * can't be used.
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

/** The folders with libraries in such a folder, as `LD_LIBRARY_PATH` wants them. */
export function librariesIn(folder: string): string {
  return globSync("{usr/,}lib/*-linux-gnu{,/*}/", { cwd: folder })
    .map((path) => join(folder, path)).join(":")
}
