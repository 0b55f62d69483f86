import type { Resolver } from "node:dns/promises"
import { isIP, isIPv4 } from "node:net"
import ipaddr from "ipaddr.js"
import { isLoopbackHost } from "./target.ts"

/** The address of Azure's internal services, which looks public. */
const azure = "168.63.129.16"

/** The only IPv6 network with global unicast addresses. */
const global6 = ipaddr.parseCIDR("2000::/3")

/** Returns true for an address that is reachable from the whole Internet. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0 || address.includes("%") || address === azure) return false
  const parsed = ipaddr.parse(address)
  return parsed.range() === "unicast" && (isIPv4(address) || parsed.match(global6))
}

/** Returns true for a loopback address. */
export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.parse(address).range() === "loopback"
}

/** The addresses to connect to, in order, or why there are none. */
export type Addresses = readonly string[] | "no_address" | "refused_address"

/** The most addresses to try. */
const most = 3

/**
 * Finds the addresses of a host. If one of them is not public, refuses all, since the owner of the name chooses when to
 * show which. Ignores `/etc/hosts` and search domains.
 */
export async function resolveAddresses(
  host: string,
  { resolver, loopback }: { readonly resolver: Resolver; readonly loopback: boolean },
): Promise<Addresses> {
  if (loopback && isLoopbackHost(host)) {
    return host === "localhost" ? ["127.0.0.1", "::1"] : [host.replace(/[[\]]/g, "")]
  }
  const [four, six] = await Promise.all([
    resolver.resolve4(host).catch(() => []),
    resolver.resolve6(host).catch(() => []),
  ])
  const all = [...four, ...six]
  if (all.length === 0) return "no_address"
  const isAllowed = (address: string) => isPublic(address) || (loopback && isLoopback(address))
  if (!all.every(isAllowed)) return "refused_address"
  // If this machine lacks one of the two protocols, the first attempt fails at once and the next uses the other.
  return [...four.slice(0, 1), ...six.slice(0, 1), ...four.slice(1)].slice(0, most)
}
