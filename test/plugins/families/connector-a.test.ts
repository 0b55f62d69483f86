import t from "tap"
import { type App, onEveryApp } from "../../support/app.ts"
import { past } from "../../support/builder.ts"

const address = {
  name: "Home",
  line1: "1 High Street",
  line2: null,
  line3: null,
  line4: null,
  town: "London",
  postcode: "N1 1AA",
  state: null,
  country: "GB",
  recipient_name: "Ada Lovelace",
}

await onEveryApp(t, async (t, app) => {
  const { build } = app
  const acme = await build.organization("acme")
  const borealis = await build.organization("borealis")
  await build.account("partner")
  for (const organization of ["acme", "borealis"]) await build.grant("partner", { organization })
  const get = await app.logIn("partner")
  const event = await build.event(acme, { external_id: "HIDDEN" })
  const foreign = await build.event(borealis)
  const full = await build.guest(event, {
    external_id: "HIDDEN",
    company_name: "HIDDEN",
    sms_opt_in: 1,
  })
  await build.consent(event, full, { channels: "email,post" })
  for (const kind of ["main", "gift_aid", "tax_receipt"] as const) {
    await build.address(event, full, { kind })
  }
  const bare = await build.guest(event, { external_id: "HIDDEN", company_name: "HIDDEN" })

  // Both connectors return the same lean guests and events.
  for (const segment of ["connector-a", "connector-b"]) {
    await t.test(`GET /${segment}/…/guests returns lean guests, in the contract's order`, async (t) => {
      const response = await get(`/${segment}/v1/events/${event}/guests`)
      const text = await response.text()
      const guests = JSON.parse(text)
      const updated = Number(guests[0]?.updated)
      t.ok(Number.isSafeInteger(updated) && updated > past, "updated is a whole number of seconds")
      const known = {
        firstName: "Ada",
        lastName: "Lovelace",
        email: "ada@example.org",
        mobile: "+44 20 7946 0000",
      }
      const expected = [{
        id: full,
        eventId: event,
        ...known,
        mainAddress: address,
        giftAidAddress: address,
        taxReceiptAidAddress: address,
        created: past,
        updated,
        consentAsked: true,
        consentStatus: "active",
        consentChannels: "email,post",
      }, {
        id: bare,
        eventId: event,
        ...known,
        mainAddress: null,
        giftAidAddress: null,
        taxReceiptAidAddress: null,
        created: past,
        updated: past,
        consentAsked: false,
        consentStatus: "inactive",
        consentChannels: "",
      }]
      t.equal(JSON.stringify(guests, null, 1), JSON.stringify(expected, null, 1))
      t.notMatch(text, /HIDDEN|externalId|smsOptIn|companyName/)
    })

    await t.test(`GET /${segment}/…/events returns the fields of an event without externalId`, async (t) => {
      const text = await (await get(`/${segment}/v1/events`)).text()
      const found = JSON.parse(text).find((row: { id: string }) => row.id === event)
      const expected = {
        id: event,
        name: "Autumn Gala",
        status: "running",
        currency: "GBP",
        timezone: "Europe/London",
        starts: past,
        ends: past + 18_000,
        created: past,
        updated: past,
        changed: found.changed,
      }
      t.type(found.changed, "number")
      t.equal(JSON.stringify(found, null, 1), JSON.stringify(expected, null, 1))
      t.notMatch(text, /HIDDEN|externalId/)
    })
  }

  await t.test("GET /connector-a/…/events returns only events of organizations that turned it on", async (t) => {
    t.strictSame(await eventIds(get, "connector-a"), [event])
    t.strictSame((await eventIds(get, "connector-b")).sort(), [event, foreign].sort())
  })

  await t.test("GET …/events returns only the event of an account with a grant for one event", async (t) => {
    await build.event(acme)
    await build.account("guest-of-one")
    await build.grant("guest-of-one", { event })
    const one = await app.logIn("guest-of-one")
    for (const segment of ["connector-a", "connector-b"]) {
      t.strictSame(await eventIds(one, segment), [event])
    }
    await build.account("outsider")
    t.strictSame(await eventIds(await app.logIn("outsider"), "connector-b"), [])
  })

  await t.test("GET /connector-a/…/items returns 404 not_available, and says that it is announced", async (t) => {
    const path = `/connector-a/v1/events/${event}/items`
    const refusals = [
      [get, path, 404, "not_available", /announced/],
      [app.request, path, 401, "unauthenticated", /Log in/],
      [get, path.replace(event, foreign), 403, "connector_not_enabled", /not turned/],
      [get, path.replace(event, crypto.randomUUID()), 404, "event_not_found", /event/],
      [get, path.replace(event, "1"), 400, "invalid_parameter", /eventId/],
    ] as const
    for (const [request, path, status, code, detail] of refusals) {
      const response = await request(path)
      t.match({ status: response.status, ...await response.json() }, { status, code, detail })
    }
  })
})

async function eventIds(get: App["request"], segment: string): Promise<string[]> {
  const events: { id: string }[] = await (await get(`/${segment}/v1/events`)).json()
  return events.map((event) => event.id)
}
