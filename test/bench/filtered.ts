import * as v from "valibot"
import {
  consented,
  definePlugin,
  event,
  family,
  guest,
  serviceUser,
  where,
  whole,
} from "../../core/plugin.ts"

/** The customer's guests, by a filter. */
export default definePlugin({
  apiVersion: 3,
  name: "filtered",
  summary: "Full guests who consented to e-mail",
  settings: v.strictObject({}),
  mount: () =>
    family("/filtered/v1", {
      auth: serviceUser("acme-export", "acme"),
      events: whole(event),
      guests: where(whole(guest), consented("email")),
    }),
})
