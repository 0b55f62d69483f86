import * as v from "valibot"
import {
  definePlugin,
  event,
  events,
  guest,
  guestDeletions,
  guestDigest,
  guests,
  itemDeletions,
  itemDigest,
  items,
  listing,
  pathSegment,
  serviceUser,
  slug,
  username,
  whole,
  wholeDigest,
  wholeGuestDeletion,
  wholeItemDeletion,
  wholeItems,
} from "../../core/plugin.ts"

const customer = v.strictObject({
  namespace: pathSegment,
  organization: slug,
  service_user: username,
})

/** Full records, in a namespace of its own for every customer and its dedicated service user. */
export default definePlugin({
  apiVersion: 2,
  name: "custom-export",
  summary: "Full guests and items, one namespace and one service user a customer",
  settings: v.strictObject({ customers: v.array(customer) }),
  mount: ({ customers }) =>
    customers.map(({ namespace, organization, service_user }) => {
      const auth = serviceUser(service_user, organization)
      return {
        prefix: `/${namespace}/v1`,
        routes: [
          listing("/events", events, { auth, project: whole(event) }),
          listing("/events/:eventId/guests", guests, { auth, project: whole(guest) }),
          listing("/events/:eventId/guests/deletions", guestDeletions, {
            auth,
            project: wholeGuestDeletion,
          }),
          listing("/events/:eventId/guests/digest", guestDigest, { auth, project: wholeDigest }),
          listing("/events/:eventId/items", items, { auth, project: wholeItems }),
          listing("/events/:eventId/items/deletions", itemDeletions, {
            auth,
            project: wholeItemDeletion,
          }),
          listing("/events/:eventId/items/digest", itemDigest, { auth, project: wholeDigest }),
        ],
      }
    }),
})
