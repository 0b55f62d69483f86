import * as v from "valibot"
import {
  definePlugin,
  event,
  family,
  guest,
  pathSegment,
  serviceUser,
  slug,
  username,
  whole,
  wholeItems,
} from "../../../core/plugin.ts"

const customer = v.strictObject({
  namespace: pathSegment,
  organization: slug,
  service_user: username,
})

/** Full records: each customer has a namespace and a dedicated service user. */
export default definePlugin({
  apiVersion: 3,
  name: "custom-export",
  summary: "Full guests and items, one namespace and one service user per customer",
  settings: v.strictObject({ customers: v.array(customer) }),
  mount: ({ customers }) =>
    customers.map(({ namespace, organization, service_user }) =>
      family(`/${namespace}/v1`, {
        auth: serviceUser(service_user, organization),
        events: whole(event),
        guests: whole(guest),
        items: wholeItems,
      })
    ),
})
