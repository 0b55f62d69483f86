import * as v from "valibot"
import {
  definePlugin,
  events,
  granted,
  guestDeletions,
  guestDigest,
  guests,
  itemDeletions,
  itemDigest,
  items,
  leanEvent,
  leanGuest,
  leanItems,
  listing,
  pathSegment,
  slug,
  wholeDigest,
  wholeGuestDeletion,
  wholeItemDeletion,
} from "../../core/plugin.ts"

/** Lean guests and items. */
export default definePlugin({
  apiVersion: 2,
  name: "connector-b",
  summary: "Lean guests and items for partner B",
  settings: v.strictObject({ segment: pathSegment, organizations: v.array(slug) }),
  mount: ({ segment, organizations }) => {
    const auth = granted(organizations)
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
        listing("/events/:eventId/items", items, { auth, project: leanItems }),
        listing("/events/:eventId/items/deletions", itemDeletions, {
          auth,
          project: wholeItemDeletion,
        }),
        listing("/events/:eventId/items/digest", itemDigest, { auth, project: wholeDigest }),
      ],
    }
  },
})
