import { BlockList, isIP, isIPv4 } from "node:net"
import { LRUCache } from "lru-cache"

/** Thrown for text that is not a network in CIDR notation. The message shows it. */
export class NetworkError extends Error {
  override readonly name = "NetworkError"
}

/** Networks in CIDR notation (`192.0.2.0/24`, `2001:db8::/32`) or single addresses. @throws {NetworkError} */
export class Networks {
  readonly #list = new BlockList()

  constructor(networks: readonly string[]) {
    for (const network of networks) this.#add(network)
  }

  /** Returns true if the address is in one of the networks; false for text that is not an address. */
  includes(address: string): boolean {
    const plain = plainAddress(address)
    const version = isIP(plain)
    return version !== 0 && this.#list.check(plain, version === 4 ? "ipv4" : "ipv6")
  }

  #add(network: string): void {
    const [address = "", length, ...rest] = network.split("/")
    const version = isIP(address)
    const longest = version === 4 ? 32 : 128
    const bits = length === undefined ? longest : Number(length)
    const isLength = length === undefined || /^\d{1,3}$/.test(length)
    if (version === 0 || rest.length > 0 || !isLength || bits > longest) {
      throw new NetworkError(
        `${network} is not a network: write it as 192.0.2.0/24 or 2001:db8::/32.`,
      )
    }
    this.#list.addSubnet(address, bits, version === 4 ? "ipv4" : "ipv6")
  }
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
  return isIP(plain) === 6 ? `${groupsOf(plain).slice(0, 4).join(":")}::/64` : plain
}

/**
 * Returns the networks of an address, from the largest that one caller may control to `networkOf`: the
 * /24 of an IPv4 address; the /48 and the /56 of an IPv6 address.
 */
export function networksOf(address: string): readonly string[] {
  const plain = plainAddress(address)
  const version = isIP(plain)
  if (version === 4) return [plain.replace(/\d+$/, "0/24"), plain]
  if (version !== 6) return [plain]
  const [one = "", two = "", three = "", four = ""] = groupsOf(plain)
  const front = `${one}:${two}:${three}`
  const half = (Number.parseInt(four, 16) & 0xff00).toString(16)
  return [`${front}::/48`, `${front}:${half}::/56`, networkOf(plain)]
}

/** Returns the eight groups of an IPv6 address, without leading zeros. */
export function groupsOf(plain: string): string[] {
  const [front = "", back = ""] = plain.split("::")
  const head = front.split(":").filter(Boolean)
  const tail = back.split(":").filter(Boolean)
  const zeros = Math.max(0, 8 - head.length - tail.length)
  const groups = [...head, ...Array<string>(zeros).fill("0"), ...tail]
  return groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
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
