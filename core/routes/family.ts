import type { FamilyPolicy } from "../access/policies.ts"
import {
  guestDeletions,
  itemDeletions,
  wholeGuestDeletion,
  wholeItemDeletion,
} from "../records/lists/deletions.ts"
import { suggest } from "../nearest.ts"
import { guestDigest, itemDigest, wholeDigest } from "../records/lists/digest.ts"
import { events } from "../records/lists/events.ts"
import { guests, items } from "../records/lists/records.ts"
import type { ItemsProjection } from "../records/kinds/items.ts"
import type { Projection } from "../records/kinds/projection.ts"
import type { Mount, Route } from "./contract.ts"
import { announced, listing } from "./declare.ts"

/** The lists of a family, and the policy of all. A list that is left out is not served. */
export interface Family {
  readonly auth: FamilyPolicy
  readonly events?: Projection<"Event">
  readonly guests?: Projection<"Guest"> | Announcement
  readonly items?: ItemsProjection | Announcement
}

/** Announces a list that comes later. The text is a sentence for partners. */
export interface Announcement {
  readonly announced: string
}

/**
 * Declares the routes of a family: `/events`, and per event the lists of guests and of items, each with deletions and
 * digest. An announced list is one route, which returns 404 `not_available` with the sentence.
 * @throws {TypeError} if the policy is missing, or if a list is unknown or undefined.
 */
export function family(prefix: string, declared: Family): Mount {
  refuseBadFamily(prefix, declared)
  const { auth } = declared
  const routes: Route[] = []
  const chosen = declared.guests && ofFamily(prefix, declared.guests)
  if (declared.events) {
    const { filter } = (chosen ?? {}) as Partial<Projection>
    const project = filter ? { ...declared.events, filter } : declared.events
    routes.push(listing("/events", events, { auth, project }))
  }
  if (chosen) routes.push(...guestRoutes(chosen, { auth, scope: `${prefix}${guestsPath}` }))
  if (declared.items) routes.push(...itemRoutes(declared.items, auth))
  return { prefix, routes }
}

/** Complete: a missing member is a compile error. */
const members: Readonly<Record<keyof Family, true>> = {
  auth: true,
  events: true,
  guests: true,
  items: true,
}

function refuseBadFamily(prefix: string, declared: Family): void {
  const refuse = (reason: string) => {
    throw new TypeError(`family ${prefix}: ${reason}`)
  }
  if (!declared?.auth) refuse("auth is missing: name a policy, such as granted(organizations)")
  for (const [name, value] of Object.entries<unknown>({ ...declared })) {
    if (!Object.hasOwn(members, name)) {
      refuse(`there is no ${name}${suggest(name, Object.keys(members), 2)}`)
    }
    if (typeof value !== "object" || value === null) {
      refuse(`${name} is ${value}: give a projection or { announced: "…" }, or leave it out`)
    }
  }
}

const guestsPath = "/events/:eventId/guests"

/** Returns the projection of guests with a filter that knows its list. */
function ofFamily(prefix: string, project: Projection<"Guest"> | Announcement) {
  if (!("filter" in project) || !project.filter) return project
  return { ...project, filter: { ...project.filter, scope: `${prefix}${guestsPath}` } }
}

function guestRoutes(
  project: Projection<"Guest"> | Announcement,
  { auth, scope }: { readonly auth: FamilyPolicy; readonly scope: string },
): Route[] {
  const path = guestsPath
  if ("announced" in project) return [announced(path, { auth, detail: project.announced })]
  return [
    listing(path, guests, { auth, project }),
    listing(`${path}/deletions`, guestDeletions, {
      auth,
      project: { ...wholeGuestDeletion, gone: { scope, filter: project.filter } },
    }),
    listing(`${path}/digest`, guestDigest, { auth, project: { ...wholeDigest, of: project } }),
  ]
}

function itemRoutes(project: ItemsProjection | Announcement, auth: FamilyPolicy): Route[] {
  const path = "/events/:eventId/items"
  if ("announced" in project) return [announced(path, { auth, detail: project.announced })]
  return [
    listing(path, items, { auth, project }),
    listing(`${path}/deletions`, itemDeletions, { auth, project: wholeItemDeletion }),
    listing(`${path}/digest`, itemDigest, { auth, project: { ...wholeDigest, of: project } }),
  ]
}
