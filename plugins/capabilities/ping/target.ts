import { isIPv4 } from "node:net"
import { longestUrl } from "./tables.ts"

/** The operator's rules for receivers' URLs. */
export interface TargetRules {
  /** Ports besides 443. */
  readonly ports: readonly number[]
  /** Names such as `hooks.example.org`, or `*.example.org` for all subdomains; any host if undefined. */
  readonly hosts?: readonly string[] | undefined
  /** True if receivers may be on this machine, also with http and on any port: for demonstrations and tests. */
  readonly loopback: boolean
}

/** Explains in a sentence for people why a URL cannot be a receiver. */
export class TargetError extends Error {
  override readonly name = "TargetError"
}

/** The only accepted form of a URL: an ASCII host, and nothing that parsers interpret differently. */
const plain = /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?][!-\[\]-~]*)?$/i

/** A name of at least two labels. The last one begins with a letter, so that IP addresses do not match. */
const name =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/**
 * Parses a receiver's URL. Only resolving its name shows whether the address is public.
 * @throws {TargetError} if the rules do not allow it.
 */
export function readTarget(text: string, rules: TargetRules): URL {
  // Percent-encoding triples some characters, and the database stores the encoded URL.
  const url = URL.parse(text.slice(0, longestUrl + 1))
  if (Math.max(text.length, url?.href.length ?? 0) > longestUrl) {
    refuse(`The URL has more than ${longestUrl} characters`)
  }
  if (!url) refuse("This is not a URL")
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    refuse("The URL has to start with https://")
  }
  if (url.username || url.password || text.includes("@")) {
    refuse("The URL may have no @: a user name or password in it would be sent to others")
  }
  if (text.includes("#")) refuse("The URL may have no fragment (#)")
  const host = url.hostname
  const spelled = plain.exec(text)?.[1]?.toLowerCase()
  if (spelled !== host) refuse(`The URL has to be written plainly, with ${host} as its host`)
  if (rules.hosts && !rules.hosts.some((pattern) => matches(host, pattern))) {
    refuse(`The operator does not allow receivers on ${host}`)
  }
  if (rules.loopback && isLoopbackHost(host)) return url
  if (url.protocol !== "https:") refuse("The URL has to start with https://")
  if (!name.test(host)) refuse(`The host has to be a public name, such as hooks.example.org`)
  const port = Number(url.port || 443)
  if (port !== 443 && !rules.ports.includes(port)) {
    refuse(`The operator does not allow port ${port}, only ${[443, ...rules.ports].join(", ")}`)
  }
  return url
}

/** Returns true for a host that is this machine, whatever name servers say. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."))
}

function matches(host: string, pattern: string): boolean {
  const wanted = pattern.toLowerCase()
  return wanted.startsWith("*.") ? host.endsWith(wanted.slice(1)) : host === wanted
}

function refuse(sentence: string): never {
  throw new TargetError(sentence)
}
