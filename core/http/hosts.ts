import { isIP } from "node:net"
import { isLoopback } from "../networks.ts"
import { type Problem, usualProblem } from "./problems.ts"

/** The names that a `Host` header may have; undefined if any is allowed. */
type Hosts = ReadonlySet<string> | undefined

/**
 * Returns the names that a `Host` header may have: the public URL's, those that are listed, and always loopback's. A
 * service on loopback without a public URL has the latter alone, so that no web page can reach it by a name of its own.
 */
export function hostsOf(
  { host, publicUrl, hosts }: {
    readonly host: string
    readonly publicUrl: string | undefined
    readonly hosts: readonly string[]
  },
): Hosts {
  if (!publicUrl && hosts.length === 0 && !isLoopback(host)) return undefined
  return new Set([...publicUrl ? [new URL(publicUrl).hostname] : [], ...hosts].map(plainName))
}

/** A name or an IPv4 address, or an IPv6 address in brackets, and perhaps a port: documents for partners contain it. */
const hostHeader = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d*)?$/i

/** Checks a `Host` header. Returns the problem of a request that must be refused because of it. */
export function refuseHost(host: string, hosts: Hosts): Problem | undefined {
  const url = URL.parse(`http://${host}`)
  if (url === null || !hostHeader.test(host)) return usualProblem("malformed_request")
  const name = plainName(url.hostname)
  if (hosts === undefined || hosts.has(name) || isLoopback(name)) return undefined
  return usualProblem("misdirected_request")
}

/** Returns true for a `Host` header with a name: not for an address, or an empty one. */
export function isName(host: string): boolean {
  const address = host.replace(/:\d*$/, "").replace(/^\[(.*)\]$/, "$1")
  return address !== "" && !isIP(address)
}

/** Returns a host name for comparisons: in lower case, without a dot at the end. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "")
}

/**
 * Returns the origin of the URLs in a response: the name that was asked for, so that a walk continues where it began,
 * and the scheme of the public URL: a proxy may have removed TLS, and a token must not follow a link without it. A
 * proxy that does not pass on `Host` sends a name of loopback: then the name is the public URL's.
 */
export function originOf(host: string, publicUrl: string | undefined): string {
  const official = publicUrl === undefined ? undefined : new URL(publicUrl)
  const requested = new URL(`${official?.protocol ?? "http:"}//${host}`)
  if (official === undefined) return requested.origin
  const name = plainName(requested.hostname)
  const isOfficial = name === plainName(official.hostname)
  const isProxys = isLoopback(name) && !isLoopback(official.hostname)
  return isOfficial || isProxys ? official.origin : requested.origin
}
