import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import process from "node:process"
import { withoutProcesses } from "./quick.ts"

/** What the service runs on. */
export type Runtime = (typeof runtimes)[number]
export const runtimes = ["node", "deno"] as const

/** The permissions that the service needs under Deno, as the README names them. */
export const denoPermissions = [
  "--allow-net",
  "--allow-env",
  "--allow-read",
  "--allow-write",
  "--allow-sys",
]

/** Why tests under Deno are skipped, if they are. */
export const withoutDeno: false | string = withoutProcesses ||
  (hasDeno() ? false : "DENO is not set and deno is not on PATH; make test sets DENO")

/** Why tests in a process under a runtime are skipped, if they are. */
export function withoutRuntime(runtime: Runtime): false | string {
  return runtime === "deno" ? withoutDeno : withoutProcesses
}

/** The command and the first arguments that run a file; under Deno with `options` of `deno run`. */
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
