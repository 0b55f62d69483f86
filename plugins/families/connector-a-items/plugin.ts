import * as v from "valibot"
import {
  definePlugin,
  family,
  granted,
  leanItems,
  pathSegment,
  slug,
} from "../../../core/plugin.ts"

/** Lean items for connector A. They replace the announced route. */
export default definePlugin({
  apiVersion: 3,
  name: "connector-a-items",
  summary: "Lean items for partner A",
  extends: "connector-a",
  settings: v.object({ segment: pathSegment, organizations: v.array(slug) }),
  mount: ({ segment, organizations }) =>
    family(`/${segment}/v1`, { auth: granted(organizations), items: leanItems }),
})
