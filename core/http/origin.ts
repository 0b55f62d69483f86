import { isLoopback } from "../networks.ts"
import { plainName } from "./guard.ts"

/** Where a service can be reached. */
interface OriginOptions {
  /** The base of the URLs that partners use, if it is set. */
  readonly publicUrl: string | undefined
  /** The origin to use if there is no usable `Host`. */
  readonly otherwise: string
}

/**
 * Returns the origin of the URLs in the response to a request: the name that it asked for, so that a walk
 * goes on where it began, and a cookie goes with it. `host` is a `Host` header that the guard has let pass.
 *
 * The scheme is that of the public URL, never that of the connection: a proxy may have removed TLS, and a
 * token must not follow a link without it. A name of loopback is not one that partners ask for, unless the
 * public URL is of loopback, too: a proxy that does not pass on `Host` sends it.
 */
export function originOf(
  host: string | undefined,
  { publicUrl, otherwise }: OriginOptions,
): string {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl)
  const asked = URL.parse(`${own?.protocol ?? "http:"}//${host ?? ""}`)
  if (!asked) return otherwise
  const name = plainName(asked.hostname)
  const isOwn = own !== undefined && name === plainName(own.hostname)
  const isProxys = own !== undefined && isLoopback(name) && !isLoopback(own.hostname)
  return isOwn || isProxys ? own.origin : asked.origin
}
