import { isLoopback } from "../networks.ts"
import { longestBody } from "./body.ts"
import { Problem } from "./problems.ts"

/** As much of a request as is judged before it is made a `Request`. */
interface RawRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly rawHeaders: readonly string[]
}

/** Characters of path and query. */
export const longestUrl = 8192

/** The names that a `Host` header may have; undefined where nobody has said. */
type Hosts = ReadonlySet<string> | undefined

/**
 * The names by which the service may be called: those of its public address and those that are
 * listed, and always those of this machine itself. One that listens on loopback and has no public
 * address is called by loopback's names alone, so that no web page can reach it by a name of its own.
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

/** Why a request is refused before anything looks at it; undefined lets it pass. */
export function refuse(request: RawRequest, hosts: Hosts): Problem | undefined {
  const { url = "", method = "", headers } = request
  // What a `Request` cannot hold would throw.
  if (["CONNECT", "TRACE", "TRACK"].includes(method)) {
    const headers = { allow: "GET, HEAD" }
    return new Problem("method_not_allowed", `${method} is not for this service.`, { headers })
  }
  if (url.length > longestUrl) {
    return new Problem("url_too_long", `The path and query may have ${longestUrl} characters.`)
  }
  if (!url.startsWith("/") || !URL.canParse(`http://localhost${url}`)) {
    return new Problem("malformed_request", "Ask for a path that begins with a slash.")
  }
  if (Number(headers["content-length"] ?? 0) > longestBody) {
    return new Problem("body_too_large", `The body may have ${longestBody} bytes at most.`, {
      headers: { connection: "close" },
    })
  }
  return refuseHost(request, hosts)
}

/** True where a body comes that nobody will read: the connection has to end with the answer. */
export function hasUselessBody({ method = "", headers }: RawRequest): boolean {
  const hasBody = headers["transfer-encoding"] !== undefined ||
    Number(headers["content-length"] ?? 0) > 0
  return hasBody && !["POST", "PUT", "PATCH"].includes(method)
}

function refuseHost({ headers, rawHeaders }: RawRequest, hosts: Hosts): Problem | undefined {
  const given = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length
  const [host = ""] = [headers["host"]].flat()
  const url = URL.parse(`http://${host}`)
  const isHost = url !== null && /^[^/?#@\\\s]+$/.test(host)
  if (given !== 1 || !isHost) {
    return new Problem("malformed_request", "Send one Host header, with a name and nothing else.")
  }
  const name = plainName(url.hostname)
  if (hosts === undefined || hosts.has(name) || isLoopback(name)) return undefined
  return new Problem("misdirected_request", "This service is not called by the name in Host.")
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "")
}

/** What every response says to browsers: it is data for a program, from nowhere else and for nowhere else. */
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
