import { Buffer } from "node:buffer"
import { createHash, timingSafeEqual } from "node:crypto"
import { Problem, readForm, type Session } from "../../core/plugin.ts"
import { type Html, html } from "./html.ts"

/**
 * Returns the token that a session's forms carry. Only the session's pages contain it: the cookie does not reveal the
 * session's id.
 */
export function tokenOf({ id }: Pick<Session, "id">): string {
  return createHash("sha256").update(`form of a page ${id}`).digest("base64url")
}

/** Returns the hidden field with the token for each form of a session. */
export function tokenField(session: Pick<Session, "id">): Html {
  return html`<input type="hidden" name="token" value="${tokenOf(session)}">`
}

/**
 * Reads a form sent by a page of this service.
 * @throws {Problem} as `readForm`; 400 if another site's page sent it, if its token is not the session's, or if it has
 * two texts or two files with the same name.
 */
export async function readOwnForm(
  request: Request,
  session: Pick<Session, "id"> | undefined,
  longest?: number,
): Promise<ReadonlyMap<string, string>> {
  assertSameOrigin(request)
  const form = new Map<string, string>()
  const files = new Set<string>()
  for (const [name, value] of await readForm(request, longest)) {
    const isFile = typeof value !== "string"
    if (isFile ? files.has(name) : form.has(name)) throw doubled()
    if (isFile) files.add(name)
    // An empty file does not override an earlier text field with the same name.
    const text = isFile ? await value.text() : value
    if (text !== "" || !form.has(name)) form.set(name, text)
  }
  if (session && !isEqual(form.get("token") ?? "", tokenOf(session))) throw forged()
  return form
}

/**
 * Checks the origin that a browser reports, for requests that a form on any site could send. Programs report none.
 * @throws {Problem} 400
 */
export function assertSameOrigin({ url, headers }: Request): void {
  const site = headers.get("sec-fetch-site")
  const origin = headers.get("origin")
  const isOwn = site !== null
    ? site === "same-origin"
    : origin === null || origin === new URL(url).origin ||
      URL.parse(origin)?.host === headers.get("host")
  if (!isOwn) throw forged()
}

function doubled(): Problem {
  return new Problem("invalid_body", "A field of the form occurs twice. Nothing was changed.")
}

function forged(): Problem {
  return new Problem(
    "invalid_body",
    "This was not sent from a page of your session. Nothing was changed. Open the page again.",
  )
}

function isEqual(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
