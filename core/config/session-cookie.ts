import { isLoopback } from "../networks.ts"
import type { Settings } from "./settings.ts"

/**
 * Returns the name of the session cookie, and whether clients send it over https only: always, unless
 * partners use plain http and only this machine can reach the server.
 *
 * If so, the name begins with `__Host-`: browsers then take the cookie from this very host only, so no
 * other site of the domain can plant one (RFC 6265bis, section 4.1.3.2).
 */
export function sessionCookie(
  { server, session }: Pick<Settings, "server" | "session">,
): { readonly cookie: string; readonly secure: boolean } {
  const secure = !isPlainLoopback(server)
  return { cookie: secure ? `__Host-${session.cookie}` : session.cookie, secure }
}

function isPlainLoopback({ host, public_url: publicUrl }: Settings["server"]): boolean {
  if (publicUrl === undefined) return isLoopback(host)
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === "http:" && isLoopback(hostname)
}
