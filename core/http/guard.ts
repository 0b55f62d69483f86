import { isLoopback } from "../networks.ts"
import { bodyTooLarge } from "./body.ts"
import { longestBody, longestUrl, Problem, problems } from "./problems.ts"

/** The part of a request that is checked before a `Request` is made of it. */
interface RawRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly rawHeaders: readonly string[]
}

/** The names that a `Host` header may have; undefined if any is allowed. */
type Hosts = ReadonlySet<string> | undefined

/**
 * Returns the names that a `Host` header may have: that of the public URL, those that are listed, and
 * always those of loopback. A service on loopback without a public URL has the names of loopback
 * alone, so that no web page can reach it by a name of its own.
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

/** Returns the longest body that a route takes, in bytes. */
export type LongestBody = (method: string, path: string) => number

/**
 * Checks a request before a `Request` is made of it. Returns the problem if it must be refused. A body that
 * is longer than usual is looked up by its route: `longestBodyOf`.
 */
export function refuse(
  request: RawRequest,
  hosts: Hosts,
  longestBodyOf: LongestBody = () => longestBody,
): Problem | undefined {
  const { url = "", method = "", headers } = request
  // A `Request` cannot have these methods: its constructor would throw.
  if (["CONNECT", "TRACE", "TRACK"].includes(method)) {
    const detail = `${method} is not allowed here. Allowed: GET, HEAD.`
    return new Problem("method_not_allowed", detail, { headers: { allow: "GET, HEAD" } })
  }
  if (url.length > longestUrl) {
    return new Problem("url_too_long", problems.url_too_long.detail)
  }
  if (!url.startsWith("/") || !URL.canParse(`http://localhost${url}`)) {
    return new Problem("malformed_request", "Request a path that begins with a slash.")
  }
  // A URL would resolve them: a path that a proxy forbids could be reached by another.
  if (hasDotsOrBackslashes(url)) return new Problem("not_found", problems.not_found.detail)
  const length = Number(headers["content-length"] ?? 0)
  if (length > longestBody) {
    const longest = longestBodyOf(method, new URL(`http://localhost${url}`).pathname)
    if (length > longest) return bodyTooLarge(longest)
  }
  return refuseHost(request, hosts)
}

function hasDotsOrBackslashes(url: string): boolean {
  const [path = ""] = url.split(/[?#]/, 1)
  return /\\|\/(\.|%2e){1,2}(\/|$)/i.test(path)
}

/** True if a body follows that nothing reads: the connection must end with the response. */
export function hasUselessBody({ method = "", headers }: RawRequest): boolean {
  const hasBody = headers["transfer-encoding"] !== undefined ||
    Number(headers["content-length"] ?? 0) > 0
  return hasBody && !["POST", "PUT", "PATCH"].includes(method)
}

/** A name or an IPv4 address, or an IPv6 address in brackets, and a port: documents for partners contain it. */
const hostHeader = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/i

function refuseHost({ headers, rawHeaders }: RawRequest, hosts: Hosts): Problem | undefined {
  const given = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length
  const [host = ""] = [headers["host"]].flat()
  const url = URL.parse(`http://${host}`)
  const isHost = url !== null && hostHeader.test(host)
  if (given !== 1 || !isHost) {
    return new Problem("malformed_request", problems.malformed_request.detail)
  }
  const name = plainName(url.hostname)
  if (hosts === undefined || hosts.has(name) || isLoopback(name)) return undefined
  return new Problem("misdirected_request", problems.misdirected_request.detail)
}

/** Returns a host name for comparisons: in lower case, without a dot at the end. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "")
}

/** Returns the headers of every response: it is data for programs, and no page may embed or run it. */
export function securityHeaders(publicUrl: string | undefined): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    ...(publicUrl?.startsWith("https:")
      ? { "strict-transport-security": "max-age=31536000; includeSubDomains" }
      : {}),
  }
}
