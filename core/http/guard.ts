import type { IncomingMessage } from "node:http"
import { bodyTooLarge } from "./body.ts"
import { isHealthCheck } from "./connections.ts"
import { longestBody, longestUrl, Problem, usualProblem } from "./problems.ts"

/** The part of a request that is checked before a `Request` is made of it. */
type RawRequest = Pick<IncomingMessage, "method" | "url" | "headers" | "rawHeaders">

/** With this many headers, runtimes refuse a request, or drop further ones, perhaps those of a proxy. */
const tooManyHeaders = 1000

/**
 * Turns a request for a whole URL, as clients of a forward proxy send it, into one for its path. The name in the URL
 * then replaces `Host` (RFC 9112, 3.2.2).
 */
export function toOriginForm(incoming: Pick<IncomingMessage, "url" | "headers">): void {
  const [, name, path = ""] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(incoming.url ?? "") ?? []
  if (name === undefined) return
  incoming.url = path.startsWith("/") ? path : `/${path}`
  incoming.headers.host = name
}

/** Returns the longest body that a route takes, in bytes. */
export type LongestBody = (method: string, path: string) => number

/**
 * Returns the problem if a request must be refused before a `Request` is made of it. `longestBodyOf` is called for
 * bodies that are longer than usual. `refuseHost` checks the name in `Host`.
 */
export function refuse(
  { url = "", method = "", headers, rawHeaders }: RawRequest,
  longestBodyOf: LongestBody = () => longestBody,
): Problem | undefined {
  // A `Request` cannot have these methods: its constructor would throw.
  if (["CONNECT", "TRACE", "TRACK"].includes(method)) {
    const detail = `${method} is not allowed here. Allowed: GET, HEAD.`
    return new Problem("method_not_allowed", detail, { headers: { allow: "GET, HEAD" } })
  }
  if (url.length > longestUrl) return usualProblem("url_too_long")
  if (rawHeaders.length >= 2 * tooManyHeaders) {
    const detail = `A request has fewer than ${tooManyHeaders} headers.`
    return new Problem("headers_too_large", detail)
  }
  if (!url.startsWith("/") || !URL.canParse(`http://localhost${url}`)) {
    return new Problem("malformed_request", "Request a path that begins with a slash.")
  }
  // A URL would resolve them: a path that a proxy forbids could be reached by another.
  if (hasDotsOrBackslashes(url)) return usualProblem("not_found")
  // A fragment is never sent: a proxy may see another path than the service.
  if (url.includes("#")) {
    return new Problem("malformed_request", "A request has no # in its URL: write %23 for it.")
  }
  const length = Number(headers["content-length"] ?? 0)
  if (length > longestBody) {
    const longest = longestBodyOf(method, new URL(`http://localhost${url}`).pathname)
    if (length > longest) return bodyTooLarge(longest)
  }
  // Node keeps the first of several: a proxy may have read another one.
  if (countHeaders(rawHeaders, "authorization") > 1) {
    return new Problem("malformed_request", "Send one Authorization header.")
  }
  const hosts = countHeaders(rawHeaders, "host")
  const isEnough = hosts === 1 || hosts === 0 && isForMachines(url)
  return isEnough ? undefined : usualProblem("malformed_request")
}

/**
 * Returns true for what load balancers and monitoring read: their requests may have any address as `Host`, an empty
 * one, or none. Requests of a page of another site always have its name there.
 */
export function isForMachines(url: string): boolean {
  return isHealthCheck(url) || /^\/metrics(\?|$)/.test(url)
}

function hasDotsOrBackslashes(url: string): boolean {
  const [path = ""] = url.split(/[?#]/, 1)
  return /\\|\/(\.|%2e){1,2}(\/|$)/i.test(path)
}

function countHeaders(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((each, index) => index % 2 === 0 && each.toLowerCase() === name).length
}

/** Returns true if a body follows that nothing reads: the connection must end with the response. */
export function hasUnreadBody({ method = "", headers }: RawRequest): boolean {
  const hasBody = headers["transfer-encoding"] !== undefined ||
    Number(headers["content-length"] ?? 0) > 0
  return hasBody && !["POST", "PUT", "PATCH"].includes(method)
}

/** Returns the headers of every response: it is data for programs, and no page may embed or run it. */
export function securityHeaders(publicUrl: string | undefined): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    ...publicUrl?.startsWith("https:") && {
      "strict-transport-security": "max-age=31536000; includeSubDomains",
    },
  }
}
