/** The name of the cookie; by https, with the prefix that no other host of the domain can set a cookie with. */
function nameFor({ protocol }: URL): string {
  return `${protocol === "https:" ? "__Host-" : ""}event_export_example`
}

/** The paths of events: nothing in them has a meaning in a header. */
const plainPath = /^[\w./-]{1,500}$/

/** Returns the event that the examples shall name: that of the URL, else the one that was chosen last; or null. */
export function choiceOf(request: Request): string | null {
  const url = new URL(request.url)
  const cookies = request.headers.get("cookie") ?? ""
  const named = new RegExp(`(?:^|;\\s*)${nameFor(url)}=([^;]*)`)
  return url.searchParams.get("event") ?? named.exec(cookies)?.[1] ?? null
}

/** Returns the header that makes a browser remember the event of the URL for all pages, without any script. */
export function rememberChoice(request: Request): Readonly<Record<string, string>> {
  const url = new URL(request.url)
  const chosen = url.searchParams.get("event") ?? ""
  if (!plainPath.test(chosen)) return {}
  // The prefix demands both.
  const limits = url.protocol === "https:" ? "Path=/; Secure" : "Path=/docs"
  const value = `${nameFor(url)}=${chosen}; ${limits}; SameSite=Strict; HttpOnly`
  return { "set-cookie": value }
}
