import { Buffer } from "node:buffer"
import { write } from "node:fs"
import module from "node:module"
import process from "node:process"
import { setImmediate } from "node:timers/promises"
import { fileURLToPath } from "node:url"

// Modules loaded from here on are compiled once and cached. Deno does so by itself.
module.enableCompileCache?.(fileURLToPath(new URL("../../.cache/compiled", import.meta.url)))
const { runProgram } = await import("./program.ts")

const shutdown = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => shutdown.abort())
// npx passes a signal on to the shell between it and this process, and no further.
if (process.env["npm_command"] === "exec") {
  const parent = process.ppid
  setInterval(() => process.ppid === parent || shutdown.abort(), 500).unref()
}

// On Node, using these keeps later writes to a pipe from blocking. On Deno, its own streams do.
const { stdout, stderr } = process
const { Deno: deno } = globalThis as {
  Deno?: Record<"stdout" | "stderr", { write(bytes: Uint8Array): Promise<number> }>
}

// Without these listeners, output that cannot be written would end the process.
let failure: NodeJS.ErrnoException | undefined
const fail = (error: unknown) => failure ??= error as NodeJS.ErrnoException
stdout.on("error", fail)
stderr.on("error", () => {})

function print(line: string): void {
  try {
    stdout.write(`${line}\n`)
  } catch (error) {
    fail(error)
  }
}

function writeSome(bytes: Uint8Array): Promise<number> {
  if (deno) return deno.stdout.write(bytes)
  return new Promise((resolve, reject) => {
    write(stdout.fd, bytes, (error, written) => error ? reject(error) : resolve(written))
  })
}

function notify(line: string): void {
  if (deno) deno.stderr.write(Buffer.from(`${line}\n`)).catch(() => {})
  else stderr.write(`${line}\n`)
}

const exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  isInteractive: stdout.isTTY === true,
  columns: () => stdout.columns,
  print,
  write: writeSome,
  warn: (line) => stderr.write(`${line}\n`),
  notify,
  shutdown: shutdown.signal,
  onHangUp: (callback) => process.on("SIGHUP", callback),
})

// Exiting would cut off what a slow reader of a pipe has not read yet, and errors arrive later.
await setImmediate()
if (stdout.writableLength > 0 && !failure && !shutdown.signal.aborted) {
  await new Promise<unknown>((resolve) => {
    stdout.write("", resolve)
    shutdown.signal.addEventListener("abort", resolve)
  })
}
const isIncomplete = failure !== undefined && failure.code !== "EPIPE"
if (isIncomplete) stderr.write(`Cannot write to standard output: ${failure?.message}.\n`)

// A plugin that never finishes loading would keep Deno running.
process.exit(exitCode || Number(isIncomplete))
