import { type ChildProcess, spawn, type StdioOptions } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"

/**
 * Starts a process that ends with this one, even if this one is killed. Ctrl-C does not reach it: the
 * caller ends it.
 */
export async function spawnBound(
  command: readonly [string, ...string[]],
  stdio: StdioOptions,
): Promise<ChildProcess> {
  const [file, ...args] = existsSync("/usr/bin/setpriv")
    ? ["/usr/bin/setpriv", "--pdeathsig", "KILL", ...command] as const
    : command
  const child = spawn(file, args, { detached: true, stdio })
  await once(child, "spawn")
  return child
}
