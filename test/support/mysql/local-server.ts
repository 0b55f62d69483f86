import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { existsSync, rmSync } from "node:fs"
import { cp, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { blankData, userFlags } from "./blank-data.ts"
import { throwAwayFlags } from "./flags.ts"
import type { Program } from "./programs.ts"
import { untilReady } from "./ready.ts"
import type { RunningMysql } from "./way.ts"

const startLimitMs = 30_000

/**
 * Starts `program` on 127.0.0.1 with fresh data in a temporary folder, which `stop` removes. The server
 * ends with this process, even if that is killed. Rejects with the server's own error.
 */
export async function startLocal(program: Program, signal: AbortSignal): Promise<RunningMysql> {
  for (let attempt = 1;; attempt++) {
    try {
      return await startOnce(program, signal)
    } catch (error) {
      // Another process may take the free port first.
      const taken = error instanceof Error && /in use|access denied/i.test(error.message)
      if (!taken || attempt === 3 || signal.aborted) throw error
    }
  }
}

async function startOnce(program: Program, signal: AbortSignal): Promise<RunningMysql> {
  const began = Date.now()
  const folder = await mkdtemp(join(tmpdir(), "event-export-mysql-"))
  const password = randomBytes(16).toString("hex")
  const port = await freePort()
  let server: ChildProcess | undefined
  const killNow = (): void => {
    server?.kill("SIGKILL")
    rmSync(folder, { recursive: true, force: true })
  }
  process.on("exit", killNow)
  const stop = async (): Promise<void> => {
    if (server?.exitCode === null && server.signalCode === null) {
      server.kill("SIGKILL")
      await once(server, "exit")
    }
    await rm(folder, { recursive: true, force: true })
    process.off("exit", killNow)
  }
  try {
    await cp(await blankData(program, signal), join(folder, "data"), { recursive: true })
    await writeFile(join(folder, "accounts.sql"), accountStatements(password), { mode: 0o600 })
    server = await startProcess(program, folder, port)
    const url = `mysql://root:${password}@127.0.0.1:${port}`
    const ended = new AbortController()
    server.once("exit", () => ended.abort())
    const version = await untilReady(url, startLimitMs, AbortSignal.any([signal, ended.signal]))
      .catch(async (error) => {
        throw signal.aborted ? error : new Error(await lastError(folder) ?? error.message)
      })
    return { url, how: `server ${version}, ready in ${Date.now() - began} ms`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startProcess(program: Program, folder: string, port: number): Promise<ChildProcess> {
  const args = [
    ...program.command,
    "--no-defaults",
    ...program.flags,
    ...throwAwayFlags(program.kind),
    ...userFlags(),
    `--datadir=${folder}/data`,
    `--socket=${folder}/socket`,
    `--pid-file=${folder}/pid`,
    `--init-file=${folder}/accounts.sql`,
    "--skip-name-resolve",
    "--bind-address=127.0.0.1",
    `--port=${port}`,
  ]
  // Detached: on Ctrl-C, this process stops it after the tests. If this process dies, the kernel does.
  const [file, ...rest] = existsSync("/usr/bin/setpriv")
    ? ["/usr/bin/setpriv", "--pdeathsig", "KILL", ...args]
    : args
  const log = await open(join(folder, "log"), "w")
  try {
    const server = spawn(file as string, rest, {
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    })
    await once(server, "spawn")
    return server
  } finally {
    await log.close()
  }
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

async function lastError(folder: string): Promise<string | undefined> {
  const lines = (await readFile(join(folder, "log"), "utf8")).trim().split("\n")
  return lines.find((line) => /\bERROR\b/.test(line)) ?? lines.at(-1)
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const address = probe.address()
  probe.close()
  await once(probe, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}
