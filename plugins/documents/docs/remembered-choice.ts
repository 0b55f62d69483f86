/** Returns the name of the cookie. With https, its prefix keeps other hosts of the domain from setting it. */
function nameFor({ protocol }: URL): string {
  return `${protocol === "https:" ? "__Host-" : ""}event_export_example`
}

/** Paths of events without characters that a header interprets. */
const plainPath = /^[\w./-]{1,500}$/

/** Returns the event for the examples: that of the URL, else the last choice; or null. */
export function choiceOf(request: Request): string | null {
  const url = new URL(request.url)
  const cookies = request.headers.get("cookie") ?? ""
  const named = new RegExp(`(?:^|;\\s*)${nameFor(url)}=([^;]*)`)
  return url.searchParams.get("event") ?? named.exec(cookies)?.[1] ?? null
}

/** Returns the header that makes a browser remember the event of the URL for all pages, without a script. */
export function rememberChoice(request: Request): Readonly<Record<string, string>> {
  const url = new URL(request.url)
  const chosen = url.searchParams.get("event") ?? ""
  if (!plainPath.test(chosen)) return {}
  // The prefix demands both.
  const limits = url.protocol === "https:" ? "Path=/; Secure" : "Path=/docs"
  const value = `${nameFor(url)}=${chosen}; ${limits}; SameSite=Strict; HttpOnly`
  return { "set-cookie": value }
}
