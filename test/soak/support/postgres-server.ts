import { execFile } from "node:child_process"
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import { openSource } from "../../../plugins/capabilities/connect/sources/open.ts"
import { librariesIn, unpackedFolder } from "../../support/debian/unpack.ts"
import { spawnBound } from "../../support/spawn-bound.ts"
import { findStablePort } from "../../support/stable-port.ts"

const run = promisify(execFile)

/** The user that Postgres runs as where the tests are root's: it refuses root. */
const nobody = 65_534

/** Where Debian has the programs, which it leaves off PATH. */
const folders = "usr/lib/postgresql/*/bin"

/** A Postgres server with temporary data. */
export interface RunningPostgres {
  /** The URL of an empty database. */
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts Postgres on 127.0.0.1 with fresh data in a temporary folder, which `stop` removes: the one of this machine, else
 * from Debian's or Ubuntu's packages, unpacked into .cache. It ends with this process. Rejects if there is none.
 */
export async function startPostgres(): Promise<RunningPostgres> {
  const { programs, libraries } = await findPrograms()
  const folder = mkdtempSync(join(tmpdir(), "event-export-postgres-"))
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, nobody, nobody)
  const user = isRoot
    ? ["/usr/bin/setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"]
    : []
  const command = (name: string, ...args: string[]) =>
    [...user, "/usr/bin/env", `LD_LIBRARY_PATH=${libraries}`, join(programs, name), ...args] as [
      string,
      ...string[],
    ]
  const data = join(folder, "data")
  const [file, ...args] = command("initdb", "-D", data, "-U", "owner", "-A", "trust", "--no-sync")
  await run(file, [...args, "--locale=C.UTF-8"])
  const port = await findStablePort()
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"]
  const options = settings.flatMap((setting) => ["-c", setting])
  const server = await spawnBound(
    command("postgres", "-D", data, "-p", String(port), ...options),
    "ignore",
  )
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()))
  const url = `postgres://owner@127.0.0.1:${port}/postgres`
  const stop = async () => {
    server.kill("SIGINT")
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  await untilReady(url, ended)
  return { url, stop }
}

/** Resolves once a connection succeeds. Rejects if the server has ended. */
async function untilReady(url: string, ended: Promise<void>): Promise<void> {
  const source = await openSource(url)
  let isOver = false
  void ended.then(() => isOver = true)
  for (;;) {
    try {
      await source.snapshot(() => Promise.resolve())
      return await source.close()
    } catch (error) {
      if (isOver) throw error
      await pause(100)
    }
  }
}

async function findPrograms(): Promise<{ readonly programs: string; readonly libraries: string }> {
  const paths = [...process.env["PATH"]?.split(":") ?? [], ...globSync(`/${folders}`)]
  const installed = paths.find((folder) => existsSync(join(folder, "initdb")))
  if (installed) return { programs: installed, libraries: "" }
  const root = await unpackedFolder({
    name: "postgres",
    packages: ["postgresql"],
    // Only scripts that nothing here runs need these.
    without: ["perl", "perl-base", "postgresql-common", "postgresql-client-common", "ssl-cert"],
  })
  const [programs] = globSync(folders, { cwd: root })
  if (!programs) throw new Error(`There is no Postgres in ${root}.`)
  return { programs: join(root, programs), libraries: librariesIn(root) }
}
