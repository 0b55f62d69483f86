import type { Problem, RefusedRequest } from "../../core/plugin.ts"
import { tokenOf } from "./form.ts"
import { type Area, logInPath, redirectTo, respondPage } from "./frame.ts"
import { html } from "./html.ts"
import { type LogInPage, respondLogIn } from "./log-in.ts"

/**
 * Shows browsers why a request for an area's page was refused, or redirects them to log in. Returns undefined for
 * programs, which get problem details.
 */
export function respondRefused(
  problem: Problem,
  { request, requestId, session }: RefusedRequest,
  place: Pick<LogInPage, "area" | "about">,
): Response | undefined {
  if (!wantsPage(request)) return undefined
  const { area } = place
  const { pathname, search } = new URL(request.url)
  const here = pathname + search
  if (problem.code === "unauthenticated") {
    if (isFromElsewhere(request)) return openAgain(area, here)
    return redirectTo(
      logInPath(area, request.method === "GET" ? here : pageOf(request) ?? area.path),
    )
  }
  const { status, message: reason } = problem
  if (pathname === `${area.path}/log-in`) return respondLogIn(request, place, { reason, status })
  const wait = problem.headers["retry-after"]
  return respondPage({
    area,
    title: problem.code === "not_operator" ? "For operators only" : `Refused (${status})`,
    status,
    headers: problem.headers,
    reader: session && { username: session.account.username, token: tokenOf(session) },
    main: html`<p class="message bad" role="alert">${reason}</p>
${wait && html`<p>Try again in ${wait} seconds.</p>`}
<p>Request id: <code data-copy>${requestId}</code></p>
<p><a href="${area.path}">Go to the start page</a> · <a href="${area.path}/log-in">Log in with another account</a></p>`,
  })
}

/** Returns true if a browser requests a page. */
export function wantsPage({ headers }: Pick<Request, "headers">): boolean {
  return headers.get("accept")?.includes("text/html") ?? false
}

/** Returns the page whose form was sent, if the browser reports it: the form's own path may not be a page. */
function pageOf({ url, headers }: Request): string | undefined {
  const page = URL.parse(headers.get("referer") ?? "")
  return page?.host === new URL(url).host ? page.pathname + page.search : undefined
}

/**
 * Returns true if the reader followed a link on another site. Browsers do not send the same-site cookie then, so it is
 * not known yet whether there is a session.
 */
function isFromElsewhere({ method, headers }: Request): boolean {
  const site = headers.get("sec-fetch-site")
  return method === "GET" && (site === "cross-site" || site === "same-site")
}

/** Opens the same page again from this site, so that the browser sends the cookie. */
function openAgain(area: Area, here: string): Response {
  return respondPage({
    area,
    title: "Opening the page",
    forwardTo: here,
    hasScripts: false,
    main: html`<p><a href="${here}">Continue</a></p>`,
  })
}
