import process from "node:process"
import { nodeCluster } from "./cluster.ts"
import { runProgram } from "./commands/program.ts"

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
  ...(process.versions["deno"] ? {} : { cluster: nodeCluster }),
})

// A plugin that never finished loading would keep Deno alive for ever.
process.exit(exitCode)
