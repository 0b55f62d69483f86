import { rmSync } from "node:fs"
import { rm } from "node:fs/promises"
import { atExit } from "../at-exit.ts"
import { memoryOrDisk } from "../memory.ts"
import { throwAwayFlags } from "./flags.ts"
import type { Program } from "./programs.ts"
import { createServerFiles, killServer, type Server, startServer } from "./server-files.ts"
import type { RunningMysql } from "./way.ts"
import { findStablePort } from "../stable-port.ts"

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
  const files = await createServerFiles(program, {
    port: await findStablePort(),
    signal,
    parent: memoryOrDisk(4),
  })
  let server: Server | undefined
  const killNow = (): void => {
    server?.process.kill("SIGKILL")
    rmSync(files.folder, { recursive: true, force: true })
  }
  const forget = atExit(killNow)
  const stop = async (): Promise<void> => {
    if (server) await killServer(server.process)
    await rm(files.folder, { recursive: true, force: true })
    forget()
  }
  try {
    server = await startServer(files, { flags: throwAwayFlags(program.kind), signal })
    const how = `server ${server.version}, ready in ${Date.now() - began} ms`
    return { url: files.url, how, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
