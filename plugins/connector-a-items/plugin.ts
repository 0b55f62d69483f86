import * as v from "valibot"
import {
  definePlugin,
  granted,
  items,
  leanItems,
  listing,
  pathSegment,
  slug,
} from "../../core/plugin.ts"

/** Lean items for connector A, in the place where it announces them. */
export default definePlugin({
  apiVersion: 1,
  name: "connector-a-items",
  summary: "Lean items for partner A",
  extends: "connector-a",
  settings: v.object({ segment: pathSegment, organizations: v.array(slug) }),
  mount: ({ segment, organizations }) => ({
    prefix: `/${segment}/v1`,
    routes: [
      listing("/events/:eventId/items", items, {
        auth: granted(organizations),
        project: leanItems,
      }),
    ],
  }),
})
