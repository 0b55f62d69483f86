/** Returns the name of the cookie. With https, its prefix prevents other hosts of the domain from setting it. */
function nameFor({ protocol }: URL): string {
  return `${protocol === "https:" ? "__Host-" : ""}event_export_example`
}

/** Paths of events without characters that a header interprets. */
const plainPath = /^[\w./-]{1,500}$/

/** Returns the event for the examples: the URL's, else the last choice, else null. */
export function choiceOf(request: Request): string | null {
  const url = new URL(request.url)
  const cookies = request.headers.get("cookie") ?? ""
  const named = new RegExp(`(?:^|;\\s*)${nameFor(url)}=([^;]*)`)
  return url.searchParams.get("event") ?? named.exec(cookies)?.[1] ?? null
}

/** Returns the header that makes the browser remember the URL's event for all pages, without a script. */
export function rememberChoice(request: Request): Readonly<Record<string, string>> {
  const url = new URL(request.url)
  const chosen = url.searchParams.get("event") ?? ""
  if (!plainPath.test(chosen)) return {}
  // The prefix requires both.
  const limits = url.protocol === "https:" ? "Path=/; Secure" : "Path=/docs"
  const value = `${nameFor(url)}=${chosen}; ${limits}; SameSite=Strict; HttpOnly`
  return { "set-cookie": value }
}
