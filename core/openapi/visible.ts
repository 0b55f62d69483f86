import { denyCaller, organizationsOf } from "../access/policies.ts"
import type { Account } from "../access/accounts.ts"
import type { MountedRoute } from "../routes/contract.ts"

/** Who looks at a document: without an account, somebody who is not logged in. */
export interface Viewer {
  readonly account: Account | undefined
  /** The slugs of the organizations of which the account may read all events, or one. */
  readonly organizations: readonly string[]
}

/** The routes that a viewer may use; operators see all of them. */
export function visibleRoutes(
  routes: readonly MountedRoute[],
  { account, organizations }: Viewer,
): readonly MountedRoute[] {
  if (account?.role === "operator") return routes
  return routes.filter(({ auth }) => {
    if (denyCaller(auth, account)) return false
    if (auth.kind === "service-user") return true
    const among = organizationsOf(auth)
    return among === undefined || among.some((slug) => organizations.includes(slug))
  })
}
