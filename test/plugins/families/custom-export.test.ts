import t, { type Test } from "tap"
import { type App, onEveryApp } from "../../support/app.ts"
import { past } from "../../support/builder.ts"

const address = {
  name: "Office",
  line1: "1 High Street",
  line2: "Second floor",
  line3: "Left wing",
  line4: "Desk 4",
  town: "Salem",
  postcode: "97301",
  state: "OR",
  country: "US",
  recipient_name: "Ada King",
}
const shortAddress = { ...address, line2: null, line3: null, line4: null, state: null }

await onEveryApp(t, async (t, app) => {
  const { build } = app
  const organization = await build.organization("acme")
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  const get = await app.logIn("acme-export")
  const newEvent = () => build.event(organization)

  await t.test("GET …/guests returns every field of a guest, in the contract's order", async (t) => {
    const event = await newEvent()
    const id = await build.guest(event, {
      first_name: "Ada",
      last_name: "King",
      email: "ada@example.org",
      mobile: "+44 20 7946 0000",
      external_id: "crm-1",
      sms_opt_in: 1,
      company_name: "Analytical Engines",
    })
    await build.consent(event, id, { asked: 1, status: "active", channels: "email,sms,post" })
    await build.address(event, id, { kind: "main", ...address })
    await build.address(event, id, { kind: "gift_aid", ...shortAddress })
    await build.address(event, id, { kind: "tax_receipt", ...address, country: "CA" })
    const guests = await list(t, get, `/acme/v1/events/${event}/guests`)
    const updated = Number(guests[0]?.updated)
    t.ok(Number.isSafeInteger(updated) && updated > past, "updated is a whole number of seconds")
    sameJson(t, guests, [{
      id,
      eventId: event,
      firstName: "Ada",
      lastName: "King",
      email: "ada@example.org",
      mobile: "+44 20 7946 0000",
      mainAddress: address,
      giftAidAddress: shortAddress,
      taxReceiptAidAddress: { ...address, country: "CA" },
      created: past,
      updated,
      consentAsked: true,
      consentStatus: "active",
      consentChannels: "email,sms,post",
      externalId: "crm-1",
      smsOptIn: true,
      companyName: "Analytical Engines",
    }])
  })

  await t.test("GET …/events is for the role of a service user, not only for its name", async (t) => {
    const set = (role: "partner" | "service") =>
      app.database.writer.updateTable("account").set({ role })
        .where("username", "=", "acme-export").execute()
    t.equal((await get("/acme/v1/events")).status, 200)
    await set("partner")
    const refused = await get("/acme/v1/events")
    t.match([refused.status, (await refused.json()).code], [403, "not_service_user"])
    await set("service")
    t.equal((await get("/acme/v1/events")).status, 200)
  })

  await t.test("GET …/guests returns nulls and defaults for a guest without details", async (t) => {
    const event = await newEvent()
    const empty = { email: "", mobile: "", external_id: "", company_name: null }
    const id = await build.guest(event, empty)
    sameJson(t, await list(t, get, `/acme/v1/events/${event}/guests`), [{
      id,
      eventId: event,
      firstName: "Ada",
      lastName: "Lovelace",
      email: "",
      mobile: "",
      mainAddress: null,
      giftAidAddress: null,
      taxReceiptAidAddress: null,
      created: past,
      updated: past,
      consentAsked: false,
      consentStatus: "inactive",
      consentChannels: "",
      externalId: "",
      smsOptIn: false,
      companyName: null,
    }])
  })

  await t.test("GET …/guests returns each consent record", async (t) => {
    const consents = [
      { asked: 0, status: "inactive", channels: "" },
      { asked: 1, status: "inactive", channels: "" },
      { asked: 1, status: "active", channels: "" },
      { asked: 1, status: "active", channels: "post" },
    ]
    for (const { asked, status, channels } of consents) {
      const event = await newEvent()
      await build.consent(event, await build.guest(event), { asked, status, channels })
      t.match(await list(t, get, `/acme/v1/events/${event}/guests`), [
        { consentAsked: asked === 1, consentStatus: status, consentChannels: channels },
      ])
    }
  })

  await t.test("GET …/guests returns only guests of the event", async (t) => {
    const [event, other] = [await newEvent(), await newEvent()]
    const id = await build.guest(event)
    await build.guest(other)
    const guests = await list(t, get, `/acme/v1/events/${event.toUpperCase()}/guests`)
    t.strictSame(guests.map((guest) => [guest.id, guest.eventId]), [[id, event]])
  })

  await t.test("GET …/events returns the fields of an event in order, changed last", async (t) => {
    const [first, second] = [await newEvent(), crypto.randomUUID()]
    await build.event(organization, {
      id: second,
      external_id: "crm-9",
      name: "Spring Ball",
      currency: "EUR",
      updated: past + 9,
    })
    const events = await list(t, get, "/acme/v1/events")
    const gala = {
      id: second,
      name: "Spring Ball",
      status: "running",
      currency: "EUR",
      timezone: "Europe/London",
      starts: past,
      ends: past + 18_000,
      created: past,
      updated: past + 9,
      externalId: "crm-9",
      changed: null,
    }
    sameJson(t, events[0], gala)
    const autumn = { name: "Autumn Gala", currency: "GBP", updated: past, externalId: null }
    sameJson(t, events.find((event) => event.id === first), { ...gala, id: first, ...autumn })
  })

  await t.test("GET …/events returns only events of the namespace's organization", async (t) => {
    const elsewhere = await build.organization("borealis")
    const foreign = await build.event(elsewhere)
    await build.account("borealis-export", "service")
    for (const username of ["acme-export", "borealis-export"]) {
      await build.grant(username, { organization: "borealis" })
    }
    const ours = await list(t, get, "/acme/v1/events")
    t.notOk(ours.some((event) => event.id === foreign))
    const theirs = await list(t, await app.logIn("borealis-export"), "/borealis/v1/events")
    t.strictSame(theirs.map((event) => event.id), [foreign])
  })
})

type Row = Readonly<Record<string, unknown>>

async function list(t: Test, get: App["request"], path: string): Promise<Row[]> {
  const response = await get(path)
  t.equal(response.status, 200)
  t.equal(response.headers.get("content-type"), "application/json; charset=utf-8")
  return await response.json()
}

/** Tests for the same values with the same fields in the same order. */
function sameJson(t: Test, actual: unknown, expected: unknown): void {
  t.equal(JSON.stringify(actual, null, 1), JSON.stringify(expected, null, 1))
}
