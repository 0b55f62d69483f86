import * as v from "valibot"
import {
  announced,
  definePlugin,
  events,
  granted,
  guestDeletions,
  guestDigest,
  guests,
  leanEvent,
  leanGuest,
  listing,
  pathSegment,
  slug,
  wholeDigest,
  wholeGuestDeletion,
} from "../../core/plugin.ts"

/** Lean guests; items are announced. */
export default definePlugin({
  apiVersion: 2,
  name: "connector-a",
  summary: "Lean guests for partner A; items are announced",
  settings: v.strictObject({ segment: pathSegment, organizations: v.array(slug) }),
  mount: ({ segment, organizations }) => {
    const auth = granted(organizations)
    const detail = "Listing items is announced for this connector and not available yet."
    return {
      prefix: `/${segment}/v1`,
      routes: [
        listing("/events", events, { auth, project: leanEvent }),
        listing("/events/:eventId/guests", guests, { auth, project: leanGuest }),
        listing("/events/:eventId/guests/deletions", guestDeletions, {
          auth,
          project: wholeGuestDeletion,
        }),
        listing("/events/:eventId/guests/digest", guestDigest, { auth, project: wholeDigest }),
        announced("/events/:eventId/items", { auth, detail }),
      ],
    }
  },
})
