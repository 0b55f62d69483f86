import { execFile, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { throwAwayFlags } from "./flags.ts"
import type { Program } from "./programs.ts"

const cache = resolve(import.meta.dirname, "../../../.cache/mysql")
const setUpLimitMs = 120_000

/**
 * Returns an initial data folder of the program, kept in .cache; copy it before use. Rejects with the
 * program's error if it can't create one.
 */
export async function blankData(program: Program, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(program)).digest("hex").slice(0, 16)
  const folder = join(cache, `blank-${program.kind}-${hash}`)
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  const fresh = await mkdtemp(join(cache, "blank-new-"))
  try {
    await (program.kind === "mysql" ? initialize : bootstrap)(program, fresh, signal)
    // Another process may have finished first; its folder is as good.
    await rename(fresh, folder).catch((error) => {
      if (!existsSync(folder)) throw error
    })
    return folder
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** Returns the flags that let a server run as root. */
export function userFlags(): string[] {
  return process.getuid?.() === 0 ? ["--user=root"] : []
}

function start(program: Program, folder: string, mode: string): [string, string[]] {
  const { kind, flags, command: [file, ...rest] } = program
  const own = [...flags, ...throwAwayFlags(kind), ...userFlags(), `--datadir=${folder}`, mode]
  return [file, [...rest, "--no-defaults", ...own]]
}

async function initialize(program: Program, folder: string, signal: AbortSignal): Promise<void> {
  await promisify(execFile)(...start(program, folder, "--initialize-insecure"), {
    signal,
    timeout: setUpLimitMs,
  }).catch((error) => {
    const lines: string[] = error.stderr?.trim().split("\n") ?? []
    throw new Error(lines.find((line) => /\bERROR\b/.test(line)) ?? error.message)
  })
}

async function bootstrap(program: Program, folder: string, signal: AbortSignal): Promise<void> {
  const files = ["mysql_system_tables.sql", "mysql_system_tables_data.sql"]
  const statements = await Promise.all(
    files.map((file) => readFile(join(program.share, file), "utf8")),
  )
  const server = spawn(...start(program, folder, "--bootstrap"), {
    signal,
    timeout: setUpLimitMs,
    stdio: ["pipe", "ignore", "pipe"],
  })
  const errors = server.stderr.toArray()
  server.stdin.end(["create database mysql;", "use mysql;", ...statements].join("\n"))
  const code = await new Promise((resolve, reject) => {
    server.once("error", reject)
    server.once("close", resolve)
  })
  if (code !== 0) {
    const lines = Buffer.concat(await errors).toString().trim().split("\n")
    throw new Error(lines.find((line) => /\bERROR\b/.test(line)) ?? `exit code ${code}`)
  }
}
