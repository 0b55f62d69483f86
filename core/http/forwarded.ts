import { isIP } from "node:net"
import { type Networks, plainAddress } from "../networks.ts"

/**
 * The address that a request comes from. What `X-Forwarded-For` says counts only as far as trusted
 * proxies have written it: the right-most entry that is not such a proxy. Everything to the left of
 * it anyone may have made up.
 */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string | undefined,
  trusted: Networks,
): string {
  let client = plainAddress(socketAddress)
  for (const entry of (forwardedFor ?? "").split(",").reverse()) {
    if (!trusted.includes(client)) break
    const address = addressIn(entry.trim())
    if (address === undefined) break
    client = address
  }
  return client
}

/** Some proxies add a port. */
function addressIn(entry: string): string | undefined {
  const inBrackets = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1]
  const bare = inBrackets ?? (/^[^:]+:\d+$/.test(entry) ? entry.replace(/:\d+$/, "") : entry)
  return isIP(bare) === 0 ? undefined : plainAddress(bare)
}
