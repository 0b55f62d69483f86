import * as v from "valibot"
import {
  definePlugin,
  events,
  granted,
  guests,
  handler,
  leanEvent,
  leanGuest,
  listing,
  pathSegment,
  Problem,
  slug,
} from "../../core/plugin.ts"

/** Lean guests; items are announced. */
export default definePlugin({
  apiVersion: 1,
  name: "connector-a",
  summary: "Lean guests for partner A; items are announced",
  settings: v.strictObject({ segment: pathSegment, organizations: v.array(slug) }),
  mount: ({ segment, organizations }) => {
    const auth = granted(organizations)
    return {
      prefix: `/${segment}/v1`,
      routes: [
        listing("/events", events, { auth, project: leanEvent }),
        listing("/events/:eventId/guests", guests, { auth, project: leanGuest }),
        handler("GET", "/events/:eventId/items", { auth, handle: announce }),
      ],
    }
  },
})

function announce(): never {
  throw new Problem(
    "not_available",
    "Listing items is announced for this connector and not available yet.",
  )
}
