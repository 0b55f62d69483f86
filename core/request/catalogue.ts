import type { Account } from "../access/accounts.ts"
import { findReadable, type ReadableEvent } from "../access/organizations.ts"
import { denyCaller, organizationsOf } from "../access/policies.ts"
import type { Session } from "../access/sessions.ts"
import type { Database } from "../data/database.ts"
import { recordTypes } from "../records/kinds/categories.ts"
import { isId } from "../records/kinds/values.ts"
import type { Catalogue, MountedRoute, Numbers } from "../routes/contract.ts"
import type { Plan } from "../routes/plan.ts"
import { exampleProblem } from "./example-problems.ts"
import { exportLimitParameter, listingParameters } from "./listing/parameters.ts"

/** Looks up the routes that a reader may use. */
export type FindCatalogue = (reader: {
  /** Undefined for a caller who is not logged in. */
  readonly session: Session | undefined
  /** An IP address: grants may be bound to networks. */
  readonly address: string
  /** The URL of the service for the reader: scheme, host and port. */
  readonly origin: string
}) => Promise<Catalogue>

/** Returns the catalogue of all these routes, for a reader who may read these events. */
export function buildCatalogue(
  routes: readonly MountedRoute[],
  about: Pick<Catalogue, "server" | "contact" | "cookie" | "summaries" | "reader" | "numbers">,
  events: readonly ReadableEvent[] = [],
): Catalogue {
  return {
    ...about,
    routes,
    families: familiesOf(routes, about.reader),
    records: recordTypes,
    parameters: listingParameters,
    limitOfExports: exportLimitParameter,
    example: exampleProblem,
    eventsOf({ auth }) {
      const allowed = organizationsOf(auth)
      return events
        .filter(({ id, organization }) => isId(id) && (allowed?.includes(organization) ?? true))
        .slice(0, 10)
        .map(({ id, name }) => ({ id, name }))
    },
  }
}

/**
 * Returns the prefixes of the families among these routes, the likeliest first: those for the reader alone, those with
 * most lists, and the others by path.
 */
export function familiesOf(
  routes: readonly MountedRoute[],
  reader: Catalogue["reader"],
): string[] {
  const listings = routes.filter((route) => route.kind === "listing")
  const families = [...Map.groupBy(listings, ({ prefix }) => prefix)].map(([prefix, lists]) => ({
    prefix,
    isForReader: lists.some(({ auth }) =>
      auth.kind === "service-user" && auth.username === reader?.username
    ),
    lists: lists.length,
  }))
  return families
    .sort((a, b) =>
      Number(b.isForReader) - Number(a.isForReader) || b.lists - a.lists ||
      (a.prefix < b.prefix ? -1 : 1)
    )
    .map(({ prefix }) => prefix)
}

/** Returns a lookup that shows each reader the routes that they may use, and nothing about others. */
export function makeCatalogueFinder(
  routes: readonly MountedRoute[],
  { database, numbers, ...same }:
    & Pick<Catalogue, "contact" | "cookie" | "summaries">
    & {
      readonly database: Database
      /** Returns the numbers of an account, by its name. */
      readonly numbers: (username?: string) => Numbers
    },
): FindCatalogue {
  return async ({ session, address, origin }) => {
    const account = session?.account
    const about = {
      ...same,
      server: origin,
      numbers: numbers(account?.username),
      reader: account && { username: account.username, role: account.role },
    }
    if (!account) {
      return buildCatalogue(visibleRoutes(routes, { account, organizations: [] }), about)
    }
    const { organizations, events } = await database.snapshot((snapshot) =>
      findReadable(snapshot, account.id, address)
    )
    return buildCatalogue(visibleRoutes(routes, { account, organizations }), about, events)
  }
}

/** Returns what each plugin is for, by its name. */
export function summariesOf({ plugins }: Pick<Plan, "plugins">): ReadonlyMap<string, string> {
  return new Map(plugins.map(({ plugin }) => [plugin.name, plugin.summary]))
}

/**
 * Returns the routes that an account, or a caller without one, may use: all for operators. `organizations` are the slugs
 * of those with an event that the account may read.
 */
export function visibleRoutes(
  routes: readonly MountedRoute[],
  { account, organizations }: {
    readonly account: Omit<Account, "id"> | undefined
    readonly organizations: readonly string[]
  },
): readonly MountedRoute[] {
  if (account?.role === "operator") return routes
  return routes.filter(({ auth }) => {
    if (denyCaller(auth, account)) return false
    if (auth.kind === "service-user") return true
    const allowed = organizationsOf(auth)
    return allowed === undefined || allowed.some((slug) => organizations.includes(slug))
  })
}
