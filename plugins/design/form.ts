import { Buffer } from "node:buffer"
import { createHash, timingSafeEqual } from "node:crypto"
import { Problem, readForm, type Session } from "../../core/plugin.ts"
import { type Html, html } from "./html.ts"

/** Returns the token that the forms of a session carry. Only its pages tell it: the cookie hides the session's id. */
export function tokenOf({ id }: Pick<Session, "id">): string {
  return createHash("sha256").update(`form of a page ${id}`).digest("base64url")
}

/** Returns the hidden field that each form of a session carries. */
export function tokenField(session: Pick<Session, "id">): Html {
  return html`<input type="hidden" name="token" value="${tokenOf(session)}">`
}

/**
 * Reads the form that a page of this service sent.
 * @throws {Problem} as `readForm`, and 400 if another site's page sent it, if its token is not the session's, or if it has
 * two texts or two files of one name.
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
    // An empty file leaves the text of a field of the same name, which comes before it.
    const text = isFile ? await value.text() : value
    if (text !== "" || !form.has(name)) form.set(name, text)
  }
  if (session && !isEqual(form.get("token") ?? "", tokenOf(session))) throw forged()
  return form
}

/**
 * Checks where a browser says that a request comes from, for requests that a form of any site could send. Programs say
 * nothing. @throws {Problem} 400
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
  return new Problem("invalid_body", "A field of the form is there twice. Nothing was changed.")
}

function forged(): Problem {
  return new Problem(
    "invalid_body",
    "This does not come from a page of your session. Nothing was changed. Open the page again.",
  )
}

function isEqual(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
