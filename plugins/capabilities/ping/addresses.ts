import type { Resolver } from "node:dns/promises"
import { BlockList, isIPv4, isIPv6 } from "node:net"
import { isLoopbackHost } from "./target.ts"

/**
 * Networks of IPv4 that are not global unicast, or are special: the registry of IANA (RFC 6890), multicast, and the
 * address of Azure's own services, which looks like one of the Internet.
 */
const special4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
]

/**
 * The only networks of IPv6 with global unicast addresses. IPv4-mapped and -compatible addresses, NAT64, unique local
 * and link-local addresses and multicast are not among them.
 */
const global6 = ["2000::/3"]

/** Networks among those that are special: protocols and Teredo, documentation, 6to4, AS112. */
const special6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"]

const refused4 = blockList(special4, "ipv4")
const allowed6 = blockList(global6, "ipv6")
const refused6 = blockList(special6, "ipv6")
const loopback4 = blockList(["127.0.0.0/8"], "ipv4")

/** Returns true for an address that anybody on the Internet could ask. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !refused4.check(address, "ipv4")
  if (!isIPv6(address) || address.includes("%")) return false
  return allowed6.check(address, "ipv6") && !refused6.check(address, "ipv6")
}

/** Returns true for an address of this machine that never leaves it. */
export function isLoopback(address: string): boolean {
  return isIPv4(address) ? loopback4.check(address, "ipv4") : address === "::1"
}

/** The addresses to connect to, the first one first, or why there are none. */
export type Addresses = readonly string[] | "no_address" | "refused_address"

/** Addresses that are tried. */
const most = 3

/**
 * Finds the addresses of a host. One that is not public refuses the others too: who can put it there can choose when.
 * Files such as `/etc/hosts` and search domains do not count.
 */
export async function addressesOf(
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
  // A network without one of the two protocols finds out at once, and the other one is next.
  return [...four.slice(0, 1), ...six.slice(0, 1), ...four.slice(1)].slice(0, most)
}

function blockList(networks: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", bits] = network.split("/")
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
