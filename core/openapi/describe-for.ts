import { LRUCache } from "lru-cache"
import type { Plan } from "../routes/plan.ts"
import type { Database } from "../data/database.ts"
import { findAccess } from "../access/grants.ts"
import { grantedOrganizations } from "../access/organizations.ts"
import type { Session } from "../access/sessions.ts"
import type { MountedRoute } from "../routes/contract.ts"
import type { DocumentOptions } from "./document.ts"
import type { Json } from "./schemas.ts"
import { visibleRoutes } from "./visible.ts"

/** Who asks for a document. */
export interface Asker {
  readonly session: Session | undefined
  /** An IP address: grants may be bound to networks. */
  readonly address: string
  /** Where the service is for them, without a path. */
  readonly origin: string
}

/** Makes the document of what a caller may use. */
export type DescribeFor = (asker: Asker) => Promise<Json>

/**
 * Makes the documents of a service: to each caller the routes that they may use, and nothing of any
 * other. Documents are kept, since few differ.
 */
export function describeFor(
  routes: readonly MountedRoute[],
  options: Omit<DocumentOptions, "server"> & { readonly database: Database },
): DescribeFor {
  const documents = new LRUCache<string, Json>({ max: 20 })
  return async ({ session, address, origin }) => {
    const account = session?.account
    const organizations = account === undefined
      ? []
      : await options.database.snapshot(async (snapshot) =>
        await grantedOrganizations(snapshot, await findAccess(snapshot, account.id, address))
      )
    const visible = visibleRoutes(routes, { account, organizations })
    const key = JSON.stringify([
      origin,
      ...visible.map(({ method, pattern }) => `${method} ${pattern.text}`),
    ])
    const kept = documents.get(key)
    if (kept) return kept
    // Loaded when it is first asked for, so that no start waits for it.
    const { openApiDocument } = await import("./document.ts")
    const document = openApiDocument(visible, { ...options, server: origin })
    documents.set(key, document)
    return document
  }
}

/** What each plugin of a configuration is, by its name. */
export function summariesOf({ plugins }: Pick<Plan, "plugins">): ReadonlyMap<string, string> {
  return new Map(plugins.map(({ plugin }) => [plugin.name, plugin.summary]))
}
