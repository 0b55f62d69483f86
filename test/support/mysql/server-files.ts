import type { ChildProcess } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { cp, mkdtemp, open, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { blankData, userFlags } from "./blank-data.ts"
import { spawnBound } from "../spawn-bound.ts"
import type { Program } from "./programs.ts"
import { untilReady } from "./ready.ts"

/** The data of a server, in a temporary folder, and where it listens. */
export interface ServerFiles {
  readonly program: Program
  readonly folder: string
  readonly port: number
  /** Names root, and no database. */
  readonly url: string
  /** Where it listens (127.0.0.1). */
  readonly host?: string
}

/** Creates fresh data for a server that will listen on a port of 127.0.0.1. The caller removes the folder. */
export async function createServerFiles(
  program: Program,
  { port, signal, parent = tmpdir() }: {
    readonly port: number
    readonly signal: AbortSignal
    /** The folder for the temporary one. */
    readonly parent?: string
  },
): Promise<ServerFiles> {
  const folder = await mkdtemp(join(parent, "event-export-mysql-"))
  const password = randomBytes(16).toString("hex")
  await cp(await blankData(program, signal), join(folder, "data"), { recursive: true })
  await writeFile(join(folder, "accounts.sql"), accountStatements(password), { mode: 0o600 })
  return { program, folder, port, url: `mysql://root:${password}@127.0.0.1:${port}` }
}

/** A server that accepts connections. */
export interface Server {
  readonly process: ChildProcess
  readonly version: string
}

const startLimitMs = 30_000

/**
 * Starts a server on its files, and waits until it accepts connections. It ends with this process,
 * even if that is killed. Rejects with the server's own error, and then leaves nothing running.
 */
export async function startServer(
  files: ServerFiles,
  { flags, signal }: { readonly flags: readonly string[]; readonly signal: AbortSignal },
): Promise<Server> {
  const server = await spawnServer(files, flags)
  const ended = new AbortController()
  server.once("exit", () => ended.abort())
  try {
    const either = AbortSignal.any([signal, ended.signal])
    return { process: server, version: await untilReady(files.url, startLimitMs, either) }
  } catch (error) {
    await killServer(server)
    throw signal.aborted ? error : new Error(await loggedError(files) ?? (error as Error).message)
  }
}

/** Kills a server, and waits until it has ended. */
export async function killServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill("SIGKILL")
  await once(server, "exit")
}

async function spawnServer(
  { program, folder, port, host = "127.0.0.1" }: ServerFiles,
  flags: readonly string[],
): Promise<ChildProcess> {
  const command = [
    ...program.command,
    "--no-defaults",
    ...program.flags,
    ...flags,
    ...userFlags(),
    `--datadir=${folder}/data`,
    // Relative to the data: a path may have 107 characters.
    "--socket=../socket",
    `--pid-file=${folder}/pid`,
    `--init-file=${folder}/accounts.sql`,
    "--skip-name-resolve",
    `--bind-address=${host}`,
    `--port=${port}`,
  ] as const
  const log = await open(join(folder, "log"), "w")
  try {
    return await spawnBound(command, ["ignore", log.fd, log.fd])
  } finally {
    await log.close()
  }
}

/** Returns the first error in the server's log, or its last line. */
async function loggedError({ folder }: ServerFiles): Promise<string | undefined> {
  const lines = (await readFile(join(folder, "log"), "utf8")).trim().split("\n")
  return lines.find((line) => /\bERROR\b/.test(line)) ?? lines.at(-1)
}

function accountStatements(password: string): string {
  return [
    "create user if not exists root@'127.0.0.1';",
    `alter user root@'127.0.0.1' identified by '${password}';`,
    "grant all on *.* to root@'127.0.0.1' with grant option;",
    `alter user root@localhost identified by '${password}';`,
    "",
  ].join("\n")
}
