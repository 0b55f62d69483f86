import { parseCookie } from "cookie"
import { unauthenticated } from "../access/policies.ts"
import { bearerOf } from "../access/sessions.ts"
import { Problem } from "../http/problems.ts"

/** Returns the 401 of a request without a live session, with a reason that tells strangers nothing. */
export function notLoggedIn(reason?: string): Problem {
  const { code, detail } = unauthenticated
  const challenge = 'Session realm="event-export", Bearer realm="event-export"'
  return new Problem(code, reason ? `${reason} ${detail}` : detail, {
    headers: { "www-authenticate": challenge },
  })
}

/** Says why the headers of a request lead to no session. `name` is the name of the service's cookie. */
export function whyUnknown(headers: Headers, name: string): string {
  const authorization = headers.get("authorization")
  if (bearerOf(headers)) {
    return "The token in the Authorization header is not known here. Check that it is complete."
  }
  if (headers.has("cookie")) {
    return parseCookie(headers.get("cookie") ?? "")[name] === undefined
      ? `The Cookie header does not have the cookie ${name}.`
      : `The cookie ${name} is incomplete, or this service did not issue it.`
  }
  if (authorization !== null) return "The Authorization header does not have the scheme Bearer."
  return "The request has no cookie and no token. With curl, send the cookie file: -b cookies.txt."
}

/** Says that the session of a request, which was issued here, no longer counts. */
export function whyEnded(headers: Headers): string {
  return bearerOf(headers)
    ? "This token has expired, or it was revoked."
    : "The session of this cookie has expired, or it was ended."
}
