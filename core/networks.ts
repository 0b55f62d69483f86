import { BlockList, isIP, isIPv4 } from "node:net"
import { LRUCache } from "lru-cache"

/** Thrown for text that is not a network in CIDR notation. The message shows it. */
export class NetworkError extends Error {
  override readonly name = "NetworkError"
}

/**
 * Networks in CIDR notation (`192.0.2.0/24`, `2001:db8::/32`) or addresses. With `exact`, all bits after the prefix
 * must be zero. @throws {NetworkError}
 */
export class Networks {
  readonly #list = new BlockList()

  constructor(networks: readonly string[], exact?: "exact") {
    for (const network of networks) {
      const meant = networkMeant(network)
      if (meant === undefined || exact && meant !== network) {
        const what = meant ? "has bits after its prefix" : "is not a network"
        const example = meant ?? "192.0.2.0/24 or 2001:db8::/32"
        throw new NetworkError(`${network} ${what}: write it as ${example}.`)
      }
      const [address = "", length] = network.split("/")
      const [longest, family] = isIPv4(address) ? [32, "ipv4"] as const : [128, "ipv6"] as const
      this.#list.addSubnet(address, Number(length ?? longest), family)
    }
  }

  /** Returns true if the address is in one of the networks; false for text that is not an address. */
  includes(address: string): boolean {
    const plain = plainAddress(address)
    return isIP(plain) !== 0 && this.#list.check(plain, isIPv4(plain) ? "ipv4" : "ipv6")
  }
}

/** Returns a network with zeros after its prefix: `10.0.0.0/8` for `10.0.0.1/8`; undefined for other text. */
export function networkMeant(network: string): string | undefined {
  const [, address = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(network) ?? []
  const [longest, before] = isIPv4(address) ? [32, "::ffff:"] : [128, ""]
  const bits = Number(length ?? longest)
  if (isIP(address) === 0 || bits > longest) return undefined
  // A URL has one notation for an address, and writes an IPv4 address at its end as two groups.
  const write = (text: string) => new URL(`http://[${text}]`).hostname.slice(1, -1)
  const written = write(before + address.replace(/%.*$/, ""))
  const meant = write(groupsIn(written, bits + 128 - longest).join(":"))
  if (meant === written) return network
  const bytes = meant.split(":").slice(-2).map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
  return `${before ? bytes.join(".") : meant}/${bits}`
}

const cache = new LRUCache<string, Networks>({ max: 1000 })

/** Returns true if an address is in a comma-separated list of networks, as grants store it. @throws {NetworkError} */
export function isWithin(networks: string, address: string): boolean {
  let parsed = cache.get(networks)
  if (!parsed) cache.set(networks, parsed = new Networks(networks.split(",")))
  return parsed.includes(address)
}

/** Removes the prefix of an IPv4 address from an IPv6 socket, and the zone of an IPv6 address. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "").replace(/%.*$/, "")
}

/** Returns what a single caller may control: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  return isIP(plain) === 6 ? blockOf(plain, 64) : plain
}

/**
 * Returns the networks of an address, from the largest that one caller may control to `networkOf`: the
 * /24 of an IPv4 address; the /48 and the /56 of an IPv6 address.
 */
export function networksOf(address: string): readonly string[] {
  const plain = plainAddress(address)
  const version = isIP(plain)
  if (version === 4) return [plain.replace(/\d+$/, "0/24"), plain]
  return version === 6 ? [48, 56, 64].map((bits) => blockOf(plain, bits)) : [plain]
}

/** Returns the network of `bits` bits, at most 64, that an IPv6 address is in. */
function blockOf(plain: string, bits: number): string {
  return `${groupsIn(plain, bits).slice(0, Math.ceil(bits / 16)).join(":")}::/${bits}`
}

/** Returns the eight groups of an IPv6 address, with zeros after the first `bits` bits. */
function groupsIn(plain: string, bits: number): string[] {
  const given = plain.split(":").filter(Boolean)
  const all = plain.replace("::", `:${"0:".repeat(Math.max(0, 8 - given.length))}`).split(":")
  const behind = (index: number) => Math.min(Math.max(16 * index + 16 - bits, 0), 16)
  return all.filter(Boolean).map((group, index) =>
    (Number.parseInt(group, 16) & -1 << behind(index)).toString(16)
  )
}

/** Returns true for names and addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return /^(localhost|\[?::1\]?)$/i.test(host) || isIPv4(host) && host.startsWith("127.")
}

/**
 * Returns the address that a request comes from: the right-most entry of `X-Forwarded-For` that is
 * not a trusted proxy. Anyone may have made up the entries to the left of it.
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

/** Removes the port that some proxies add. */
function addressIn(entry: string): string | undefined {
  const inBrackets = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1]
  const bare = inBrackets ?? (/^[^:]+:\d+$/.test(entry) ? entry.replace(/:\d+$/, "") : entry)
  return isIP(bare) === 0 ? undefined : plainAddress(bare)
}
