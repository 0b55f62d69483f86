import module from "node:module"
import { join } from "node:path"
import process from "node:process"

// Modules loaded from here on are compiled once and cached. Deno does so by itself.
module.enableCompileCache?.(join(import.meta.dirname, "../.cache/compiled"))
const { runProgram } = await import("./cli/program.ts")

const shutdown = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => shutdown.abort())

const exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  isInteractive: process.stdout.isTTY === true,
  print: (line) => process.stdout.write(`${line}\n`),
  warn: (line) => process.stderr.write(`${line}\n`),
  shutdown: shutdown.signal,
  onHangUp: (callback) => process.on("SIGHUP", callback),
})

// A plugin that never finishes loading would keep Deno running.
process.exit(exitCode)
