import { NetworkError, translateError, UserError } from "../../../core/capability.ts"
import { Problem, type RefusedRequest, wantsPage } from "../../../core/plugin.ts"
import { redirectTo, respondPage } from "./frame.ts"
import { html } from "./html.ts"
import { respondLogIn } from "./log-in.ts"

/** Shows browsers why a request was refused, or sends them to log in. Programs get problem details. */
export function respondRefused(
  problem: Problem,
  { request, requestId }: RefusedRequest,
): Response | undefined {
  if (!wantsPage(request)) return undefined
  const { pathname, search } = new URL(request.url)
  const here = pathname + search
  if (problem.code === "unauthenticated") {
    return isFromElsewhere(request) ? openAgain(here) : redirectTo(
      `/console/log-in${here === "/console" ? "" : `?next=${encodeURIComponent(here)}`}`,
    )
  }
  const { status, message: reason } = problem
  if (pathname === "/console/log-in") return respondLogIn(request, { reason, status })
  const wait = problem.headers["retry-after"]
  return respondPage({
    title: problem.code === "not_operator" ? "For operators only" : `Refused (${status})`,
    status,
    scripts: true,
    main: html`<p class="message bad" role="alert">${reason}</p>
${wait && html`<p>Try again in ${wait} seconds.</p>`}
<p>Request id: <code data-copy>${requestId}</code></p>
<p><a href="/console">To the overview</a> · <a href="/console/log-in">Log in with another account</a></p>`,
  })
}

/**
 * True for a link on another site. The cookie is not sent then, because it is only for requests of this site:
 * nobody knows yet whether there is a session.
 */
function isFromElsewhere({ method, headers }: Request): boolean {
  const site = headers.get("sec-fetch-site")
  return method === "GET" && (site === "cross-site" || site === "same-site")
}

/** Opens the same page from a page of this site, so that the cookie is sent. */
function openAgain(here: string): Response {
  return respondPage({
    title: "Opening the console",
    forwardTo: here,
    main: html`<p><a href="${here}">Continue</a></p>`,
  })
}

/** Returns the error that a page answers a request with: errors for people become problems with status 400. */
export function problemOf(error: unknown): unknown {
  return error instanceof UserError || error instanceof NetworkError
    ? new Problem("invalid_body", error.message)
    : translateError(error)
}

/** Returns why a request was refused, for a page that says so itself. Throws errors that are not the request's. */
export function reasonOf(error: unknown): string {
  const problem = problemOf(error)
  if (problem instanceof Problem && problem.status < 500) return problem.message
  throw error
}
