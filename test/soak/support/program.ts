import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import process from "node:process"
import { librariesIn, type Packages, unpackedFolder } from "../../support/debian/unpack.ts"

/** A program, and what its environment needs. */
export interface Program {
  readonly file: string
  readonly env: Readonly<Record<string, string>>
}

/** Finds a program on this machine, or else unpacks it from Debian. Rejects with a reason if neither works. */
export async function findProgram(name: string, packages: Packages): Promise<Program> {
  // Servers are often in the folders for administrators, which are seldom on PATH.
  const folders = `${process.env["PATH"]}:/usr/sbin:/usr/local/sbin`.split(delimiter)
  const installed = folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
  if (installed) return { file: installed, env: {} }
  const root = await unpackedFolder(packages)
  const file = [`usr/sbin/${name}`, `usr/bin/${name}`].map((path) => join(root, path))
    .find((path) => existsSync(path))
  if (!file) throw new Error(`there is no ${name} in its package`)
  const libraries = `${librariesIn(root)}:${join(root, "usr/lib", packages.name)}`
  return { file, env: { LD_LIBRARY_PATH: libraries } }
}
