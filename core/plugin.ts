/**
 * THE CONTRACT between the service and its plugins: the only core file that a plugin imports.
 *
 * A plugin declares routes and does not register them. `mount` has no effects: the service calls it
 * to serve, but also to check a configuration or to print the routes. For each request, the service
 * finds the route, applies its policy, reads the parameters and, for a list, reads and projects the
 * records. A plugin cannot forget any of these steps.
 */
import * as v from "valibot"
import { Problem, type ProblemCode, problems } from "./http/problems.ts"

export {
  anyone,
  type FamilyPolicy,
  granted,
  operatorOnly,
  type Policy,
  serviceUser,
  signedIn,
} from "./access/policies.ts"
export type { Session } from "./access/sessions.ts"
export { readForm, readJson } from "./http/body.ts"
export { formatMoment } from "./data/time.ts"
export { chooseEncoding, etagOf, matchesEtag } from "./http/representation.ts"
export { respondIfChanged, respondJson } from "./http/respond.ts"
export { readPreferences } from "./http/prefer.ts"
export { events } from "./records/lists/events.ts"
export { guests, items } from "./records/lists/records.ts"
export { event } from "./records/kinds/event.ts"
export { guest } from "./records/kinds/guest.ts"
export {
  auctionItem,
  buyNowItem,
  gliRaffle,
  type ItemsProjection,
  pledge,
  raffle,
  ticket,
  wholeItems,
} from "./records/kinds/items.ts"
export { leanEvent, leanGuest, leanItems } from "./records/kinds/lean.ts"
export type { GuestFilter } from "./change-log/departures.ts"
export { consented, where } from "./records/kinds/filter.ts"
export { hashed, pick, type Projection, rewritten, whole } from "./records/kinds/projection.ts"
export { decimal, flag, integer, nullable, type RecordType, text } from "./records/kinds/fields.ts"
export type { ListingParameter, Resource } from "./records/lists/resource.ts"
export { csv } from "./records/bytes/csv.ts"
export {
  apiVersion,
  type Catalogue,
  type Description,
  type EventName,
  type HandlerContext,
  type HandlerRoute,
  type ListingRoute,
  type Method,
  type Mount,
  type MountedRoute,
  type Numbers,
  type Plugin,
  type RefusedRequest,
  type Route,
  type Status,
} from "./routes/contract.ts"
export { announced, definePlugin, handler, listing } from "./routes/declare.ts"
export { type Announcement, type Family, family } from "./routes/family.ts"
export { pathSegment, slug, username } from "./routes/setting-types.ts"

/** For plugins outside this repository: they need no other import. */
export { Problem, type ProblemCode, problems, v }
