import * as v from "valibot"
import {
  definePlugin,
  family,
  granted,
  leanEvent,
  leanGuest,
  pathSegment,
  slug,
} from "../../../core/plugin.ts"

/** Lean guests; items are announced. */
export default definePlugin({
  apiVersion: 3,
  name: "connector-a",
  summary: "Lean guests for partner A; items are announced",
  settings: v.strictObject({ segment: pathSegment, organizations: v.array(slug) }),
  mount: ({ segment, organizations }) =>
    family(`/${segment}/v1`, {
      auth: granted(organizations),
      events: leanEvent,
      guests: leanGuest,
      items: { announced: "Listing items is announced for this connector and not available yet." },
    }),
})
