import * as v from "valibot"
import {
  definePlugin,
  granted,
  itemDeletions,
  itemDigest,
  items,
  leanItems,
  listing,
  pathSegment,
  slug,
  wholeDigest,
  wholeItemDeletion,
} from "../../core/plugin.ts"

/** Lean items for connector A, in the place where it announces them. */
export default definePlugin({
  apiVersion: 2,
  name: "connector-a-items",
  summary: "Lean items for partner A",
  extends: "connector-a",
  settings: v.object({ segment: pathSegment, organizations: v.array(slug) }),
  mount: ({ segment, organizations }) => {
    const auth = granted(organizations)
    return {
      prefix: `/${segment}/v1`,
      routes: [
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
