import t from "tap"
import {
  consented,
  family,
  granted,
  guests,
  leanEvent,
  leanGuest,
  listing,
  type ListingRoute,
  where,
} from "../../../../core/plugin.ts"

t.test("where refuses what is no projection of guests, no filter, or filtered already", (t) => {
  t.throws(() => where(leanEvent as never, consented()), TypeError)
  t.throws(() => where(leanGuest, undefined as never), /consented\("email"\)/)
  t.throws(() => where(where(leanGuest, consented()), consented()), TypeError)
  for (const channel of ["e mail", "a,b", "%", "é", "x".repeat(51), null]) {
    t.throws(() => consented(channel as string), TypeError, String(channel))
  }
  t.match(consented(" SMS "), { channel: "sms" })
  t.end()
})

t.test("a list that is of no family has no filter, because nothing notes what it loses", (t) => {
  const project = where(leanGuest, consented())
  const path = "/events/:eventId/guests"
  t.throws(() => listing(path, guests, { auth: granted([]), project }), /only lists of family/)
  t.end()
})

t.test("all lists of guests of a family say which guests they have", (t) => {
  const { routes } = family("/badges/v1", {
    auth: granted([]),
    events: leanEvent,
    guests: where(leanGuest, consented("email")),
  })
  const said = (routes as ListingRoute[]).filter(({ list: { summary } }) =>
    summary.includes("Only guests who consented to e-mail.")
  )
  const guests = "/events/:eventId/guests"
  t.strictSame(
    said.map(({ path }) => path),
    [guests, `${guests}/deletions`, `${guests}/digest`],
  )
  t.end()
})
