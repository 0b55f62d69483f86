import * as v from "valibot"
import {
  consented,
  definePlugin,
  family,
  granted,
  leanEvent,
  leanGuest,
  pathSegment,
  slug,
  where,
} from "../../../core/plugin.ts"
import { filterNames } from "./passes.ts"

const guestsBy = {
  all: leanGuest,
  consented: where(leanGuest, consented()),
  email: where(leanGuest, consented(" Email")),
  sms: where(leanGuest, consented("sms")),
}

/** Guests by a filter, which is a setting. */
export default definePlugin({
  apiVersion: 3,
  name: "chosen",
  summary: "Chosen guests",
  settings: v.strictObject({
    segment: pathSegment,
    organizations: v.array(slug),
    guests: v.picklist(filterNames),
  }),
  mount: ({ segment, organizations, guests }) =>
    family(`/${segment}/v1`, {
      auth: granted(organizations),
      events: leanEvent,
      guests: guestsBy[guests],
    }),
})
