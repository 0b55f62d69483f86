import * as v from "valibot"
import {
  auctionItem,
  buyNowItem,
  definePlugin,
  event,
  events,
  gliRaffle,
  guest,
  guests,
  items,
  listing,
  pathSegment,
  pledge,
  raffle,
  serviceUser,
  slug,
  ticket,
  username,
  whole,
} from "../../core/plugin.ts"

const customer = v.strictObject({
  namespace: pathSegment,
  organization: slug,
  service_user: username,
})

const fullItems = {
  buyNows: whole(buyNowItem),
  auctionItems: whole(auctionItem),
  pledges: whole(pledge),
  prizeDraws: whole(raffle),
  gliRaffles: whole(gliRaffle),
  tickets: whole(ticket),
}

/** Full records, in a namespace of its own for every customer and its dedicated service user. */
export default definePlugin({
  apiVersion: 1,
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
          listing("/events/:eventId/items", items, { auth, project: fullItems }),
        ],
      }
    }),
})
