import type { Role } from "../../../core/accounts.ts"
import type { Session } from "../../../core/plugin.ts"
import type { Visit } from "./addition.ts"
import {
  type FramedPage,
  type Html,
  html,
  pageText,
  respondHtml,
  tokenField as tokenOfForm,
  tokenOf,
} from "../../design/design.ts"
import { logIn } from "./area.ts"
import { changedParts, tagParts } from "./live-parts.ts"

/** A page of the console. */
type Page = Omit<FramedPage, "area" | "reader" | "navigation" | "asOf"> & {
  readonly status?: number
}

/** Returns the session of the operator whom the route's policy admitted. */
export function sessionOf({ session }: Pick<Visit, "session">): Session {
  if (!session) throw new TypeError("the pages of the console are for callers with a session")
  return session
}

/** Returns true for the roles of programs. People log in themselves, under their own names. */
export function isProgram(role: Role): boolean {
  return role === "service" || role === "partner"
}

/**
 * Returns the response for an operator's page. The page's own script, which tells the parts that it has, gets only the
 * changed ones.
 */
export function respond(visit: Visit, { status = 200, ...page }: Page): Response {
  const known = visit.request.headers.get("console-parts")
  if (known !== null && page.refresh) {
    return respondHtml(`<!doctype html>\n${changedParts(String(html`${page.main}`), known)}`)
  }
  const session = sessionOf(visit)
  const { account } = session
  const username = mayChange(visit) ? account.username : `${account.username} (viewer)`
  const text = pageText({
    ...page,
    area: logIn.area,
    scripts: ["console.js"],
    navigation: [{ entries: visit.site.entries }],
    reader: { username, token: tokenOf(session) },
    asOf: session.now,
  })
  return respondHtml(page.refresh ? tagParts(text) : text, { status })
}

/** Returns true if the reader may change things. Nobody else sees forms that do. */
export function mayChange(visit: Pick<Visit, "session">): boolean {
  return sessionOf(visit).account.role === "operator"
}

/** Returns the hidden field with the token for each form. */
export function tokenField(visit: Visit): Html {
  return tokenOfForm(sessionOf(visit))
}

/** Returns a parameter of the page's URL, trimmed; empty if absent. */
export function queryOf({ request }: Visit, name: string): string {
  return new URL(request.url).searchParams.get(name)?.trim() ?? ""
}
