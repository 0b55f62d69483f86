const name = "event_export_example"

/** The paths of events: nothing in them has a meaning in a header. */
const plainPath = /^[\w./-]{1,500}$/

/** Returns the event that the examples shall name: that of the URL, else the one that was chosen last; or null. */
export function choiceOf(request: Request): string | null {
  const { searchParams } = new URL(request.url)
  const cookies = request.headers.get("cookie") ?? ""
  const [, remembered = null] = new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(cookies) ?? []
  return searchParams.get("event") ?? remembered
}

/** Returns the header that makes a browser remember the event of the URL for all pages, without any script. */
export function rememberChoice(request: Request): Readonly<Record<string, string>> {
  const { searchParams, protocol } = new URL(request.url)
  const chosen = searchParams.get("event") ?? ""
  if (!plainPath.test(chosen)) return {}
  const secure = protocol === "https:" ? "; Secure" : ""
  return { "set-cookie": `${name}=${chosen}; Path=/docs; SameSite=Strict; HttpOnly${secure}` }
}
