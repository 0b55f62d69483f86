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

/** Returns the session of an operator, whom the policy of the route has let in. */
export function sessionOf({ session }: Pick<Visit, "session">): Session {
  if (!session) throw new TypeError("the pages of the console are for callers with a session")
  return session
}

/** Returns true for the roles of programs. People log in themselves, with their own names. */
export function isProgram(role: Role): boolean {
  return role === "service" || role === "partner"
}

/**
 * Makes the response of a page for an operator. To the page's own script, which says what it has, only the parts that have
 * changed.
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

/** Returns true if the reader may change something. Forms that do are shown to nobody else. */
export function mayChange(visit: Pick<Visit, "session">): boolean {
  return sessionOf(visit).account.role === "operator"
}

/** Returns the hidden field that each form carries. */
export function tokenField(visit: Visit): Html {
  return tokenOfForm(sessionOf(visit))
}

/** Returns a parameter of the page's URL, trimmed; empty if it is missing. */
export function queryOf({ request }: Visit, name: string): string {
  return new URL(request.url).searchParams.get(name)?.trim() ?? ""
}
