import * as v from "valibot"
import {
  definePlugin,
  family,
  granted,
  leanEvent,
  leanGuest,
  leanItems,
  pathSegment,
  slug,
} from "../../../core/plugin.ts"

/** Lean guests and items. */
export default definePlugin({
  apiVersion: 3,
  name: "connector-b",
  summary: "Lean guests and items for partner B",
  settings: v.strictObject({ segment: pathSegment, organizations: v.array(slug) }),
  mount: ({ segment, organizations }) =>
    family(`/${segment}/v1`, {
      auth: granted(organizations),
      events: leanEvent,
      guests: leanGuest,
      items: leanItems,
    }),
})
