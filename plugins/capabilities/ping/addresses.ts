import type { Resolver } from "node:dns/promises"
import { isIP, isIPv4 } from "node:net"
import ipaddr from "ipaddr.js"
import { isLoopbackHost } from "./target.ts"

/** The address of Azure's own services, which looks public. */
const azure = "168.63.129.16"

/** The only network of IPv6 with global unicast addresses. */
const global6 = ipaddr.parseCIDR("2000::/3")

/** Returns true for an address that is reachable from the whole Internet. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0 || address.includes("%") || address === azure) return false
  const parsed = ipaddr.parse(address)
  return parsed.range() === "unicast" && (isIPv4(address) || parsed.match(global6))
}

/** Returns true for an address of this machine that never leaves it. */
export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.parse(address).range() === "loopback"
}

/** The addresses to connect to, the first one first, or why there are none. */
export type Addresses = readonly string[] | "no_address" | "refused_address"

/** Addresses that are tried. */
const most = 3

/**
 * Finds the addresses of a host. One that is not public refuses the others too, since its owner chooses when to show it.
 * `/etc/hosts` and search domains do not count.
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
  // Without one of the two protocols, the first attempt fails at once, and the next one takes the other.
  return [...four.slice(0, 1), ...six.slice(0, 1), ...four.slice(1)].slice(0, most)
}
