import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import process from "node:process"

/** A JavaScript runtime of the service. */
export type Runtime = (typeof runtimes)[number]
export const runtimes = ["node", "deno"] as const

/** The permissions that the service needs under Deno, the same as in the README. */
export const denoPermissions = [
  "--allow-net",
  "--allow-env",
  "--allow-read",
  "--allow-write",
  "--allow-sys",
]

/** The reason to skip tests that start a process; false if they run. */
const withoutProcesses: false | string = Boolean(process.env["QUICK"]) &&
  "make quick starts no process"

/** The reason to skip tests under Deno; false if they run. */
export const withoutDeno: false | string = withoutProcesses ||
  (hasDeno() ? false : "DENO is not set and deno is not on PATH; make test sets DENO")

/** Returns the reason to skip tests in a process of a runtime; false if they run. */
export function withoutRuntime(runtime: Runtime): false | string {
  return runtime === "deno" ? withoutDeno : withoutProcesses
}

/** Returns the command and first arguments to run a file; `options` are those of `deno run`. */
export function commandOf(
  runtime: Runtime,
  options: readonly string[] = denoPermissions,
): [string, ...string[]] {
  if (runtime === "node") return [process.execPath]
  return [process.env["DENO"] || "deno", "run", ...options]
}

function hasDeno(): boolean {
  if (process.env["DENO"]) return true
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  return folders.some((folder) => existsSync(join(folder, "deno")))
}
