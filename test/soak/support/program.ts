import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import process from "node:process"
import { librariesIn, unpackedFolder } from "../../../support/debian/unpack.ts"

/** The reverse proxies that there are configurations for. */
export const proxyNames = ["nginx", "caddy", "haproxy"] as const
export type ProxyName = (typeof proxyNames)[number]

/** A program, and what its environment needs. */
export interface Program {
  readonly file: string
  readonly env: Readonly<Record<string, string>>
}

/** What its child processes and the machine's loader need from the machine, and scripts that nothing here runs. */
const without = ["libc6", "libgcc-s1", "adduser", "debconf", "dpkg", "iproute2", "perl"]

/** Finds a proxy on this machine, or else unpacks it from Debian. Rejects with a reason if neither works. */
export async function findProxy(name: ProxyName): Promise<Program> {
  // Servers are often in the folders for administrators, which are seldom on PATH.
  const folders = `${process.env["PATH"]}:/usr/sbin:/usr/local/sbin`.split(delimiter)
  const installed = folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
  if (installed) return { file: installed, env: {} }
  const root = await unpackedFolder({ name: `proxies/${name}`, packages: [name], without })
  const file = [`usr/sbin/${name}`, `usr/bin/${name}`].map((path) => join(root, path))
    .find((path) => existsSync(path))
  if (!file) throw new Error(`there is no ${name} in its package`)
  return { file, env: { LD_LIBRARY_PATH: librariesIn(root) } }
}
