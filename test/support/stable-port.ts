import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:net"

/**
 * Returns a free port that stays free while nobody listens on it, so that a server can be ended and
 * started again there: a port below the range from which the system takes ports for connections.
 */
export async function findStablePort(): Promise<number> {
  const least = 10_000
  const range = firstEphemeral() - least
  for (;;) {
    const port = least + Math.floor(Math.random() * range)
    if (await isFree(port)) return port
  }
}

function firstEphemeral(): number {
  try {
    return Number.parseInt(readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8"))
  } catch {
    return 32_768
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, "127.0.0.1")
  try {
    await once(probe, "listening")
  } catch {
    return false
  }
  probe.close()
  await once(probe, "close")
  return true
}
