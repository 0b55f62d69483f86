import t, { type Test } from "tap"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { type App, onEveryApp } from "../../support/app.ts"
import { past } from "../../support/builder.ts"

const later = past + 86_400

/** A field with its value in a full row and in a bare one; `lean` if connectors have it as well. */
type Field = readonly [name: string, value: unknown, bare: unknown, reader?: "lean"]

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

/** The fields of guests and events, in the contract's order. */
const guestFields: readonly Field[] = [
  ["firstName", "Ann", "Ada", "lean"],
  ["lastName", "King", "Lovelace", "lean"],
  ["email", "ann@example.org", "", "lean"],
  ["mobile", "+44 20 7946 0001", "", "lean"],
  ["mainAddress", address, null, "lean"],
  ["giftAidAddress", shortAddress, null, "lean"],
  ["taxReceiptAidAddress", { ...address, country: "CA" }, null, "lean"],
  ["created", past, past, "lean"],
  ["updated", undefined, past, "lean"],
  ["consentAsked", true, false, "lean"],
  ["consentStatus", "active", "inactive", "lean"],
  ["consentChannels", "email,sms,post", "", "lean"],
  ["externalId", "crm-1", ""],
  ["smsOptIn", true, false],
  ["companyName", "Analytical Engines", null],
]
const eventFields: readonly Field[] = [
  ["name", "Spring Ball", "Autumn Gala", "lean"],
  ["status", "running", "running", "lean"],
  ["currency", "EUR", "GBP", "lean"],
  ["timezone", "Europe/London", "Europe/London", "lean"],
  ["starts", past, past, "lean"],
  ["ends", past + 18_000, past + 18_000, "lean"],
  ["created", past, past, "lean"],
  ["updated", past + 9, past, "lean"],
  ["externalId", "crm-9", null],
  ["changed", null, null, "lean"],
]

/** The fields of all items that do not say whose record it is. */
const described: readonly Field[] = [
  ["name", "Signed shirt", "Item", "lean"],
  ["status", "sold", "active", "lean"],
  ["created", past, past, "lean"],
  ["updated", past + 1, past, "lean"],
  ["revenueStreamType", "merchandise", "donation"],
  ["externalId", "sku-1", null],
  ["categories", ["sport", "art"], []],
  ["irsSubcategory", "collectibles", null],
  ["description", "Worn once", null],
  ["termsDescription", "No returns", null],
]
const draw: readonly Field[] = [
  ["ticketPrice", 500, 500, "lean"],
  ["maxTickets", 2000, null, "lean"],
  ["draws", later, null, "lean"],
]

/** The fields of each category, in the contract's order. */
const own: Readonly<Record<(typeof itemCategories)[number], readonly Field[]>> = {
  buyNows: [
    ["price", 12_345_678_901, 2500, "lean"],
    ["quantity", 3, null, "lean"],
    ["taxRate", 17.5, null],
    ["estimate", 4000, null],
  ],
  auctionItems: [
    ["lotNumber", 7, 1, "lean"],
    ["startPrice", 20_000, 10_000],
    ["increments", [{ from: 0, step: 5 }, { from: 50, step: 10 }], [{ from: 0, step: 500 }]],
    ["estimate", 60_000, null],
    ["taxRate", 20, null],
    ["closes", later, null, "lean"],
  ],
  pledges: [["amount", 5000, null, "lean"]],
  prizeDraws: draw,
  gliRaffles: [
    ...draw,
    ["licenceNumber", "GLI-9", "GLI-1", "lean"],
    ["regulator", "Commission", "Gambling Commission", "lean"],
  ],
  tickets: [
    ["price", 7500, 7500, "lean"],
    ["capacity", 120, null, "lean"],
    ["admits", 10, 1, "lean"],
    ["taxRate", 0, null],
  ],
}

await onEveryApp(t, async (t, app) => {
  const { build, database: { writer } } = app
  const [acme, borealis] = [await build.organization("acme"), await build.organization("borealis")]
  const full = await accountOf(app, "acme-export", ["acme"], "service")
  const lean = await accountOf(app, "partner", ["acme", "borealis"])
  const families = [["/acme/v1", full], ["/connector-a/v1", lean], [
    "/connector-b/v1",
    lean,
  ]] as const

  /** Compares records with the values of their fields, in order: those of connectors have fewer. */
  const compare = (
    t: Test,
    records: unknown,
    { prefix, fields, ids }: { prefix: string; fields: readonly Field[]; ids: readonly object[] },
  ) => {
    const visible = fields.filter(([, , , reader]) => prefix === "/acme/v1" || reader)
    const expected = ids.map((id, at) => ({
      ...id,
      ...Object.fromEntries(visible.map(([name, ...values]) => [name, values[at]])),
    }))
    t.equal(JSON.stringify(records, null, 1), JSON.stringify(expected, null, 1), prefix)
  }

  await t.test("GET …/events has the fields of its family, in order", async (t) => {
    const second = crypto.randomUUID()
    const id = await build.event(acme)
    await build.event(acme, { id: second, ...rowOf(eventFields.slice(0, -1)) })
    for (const [prefix, get] of families) {
      const events = await read(get, `${prefix}/events`) as { id: string }[]
      const records = [second, id].map((id) => events.find((event) => event.id === id))
      compare(t, records, { prefix, fields: eventFields, ids: [{ id: second }, { id }] })
    }
  })

  await t.test("GET …/guests has the fields of its family, in order, and only guests of the event", async (t) => {
    const eventId = await build.event(acme)
    await build.guest(await build.event(acme))
    const values = Object.fromEntries(guestFields.map(([name, value]) => [name, value]))
    const id = await build.guest(eventId, {
      ...{ first_name: "Ann", last_name: "King", email: values["email"], sms_opt_in: 1 },
      ...{ mobile: values["mobile"], external_id: "crm-1", company_name: "Analytical Engines" },
    } as never)
    await build.consent(eventId, id, { asked: 1, status: "active", channels: "email,sms,post" })
    await build.address(eventId, id, { kind: "main", ...address })
    await build.address(eventId, id, { kind: "gift_aid", ...shortAddress })
    await build.address(eventId, id, { kind: "tax_receipt", ...address, country: "CA" })
    const { updated } = await writer.selectFrom("guest").select("updated")
      .where("event_id", "=", eventId).where("id", "=", id).executeTakeFirstOrThrow()
    t.ok(
      Number.isSafeInteger(updated) && updated > past,
      "a change of an address is one of its guest",
    )
    const bare = await build.guest(eventId, {
      ...{ email: "", mobile: "", external_id: "", company_name: null },
    })
    const ids = [{ id, eventId }, { id: bare, eventId }]
    for (const [prefix, get] of families) {
      const guests = await read(get, `${prefix}/events/${eventId.toUpperCase()}/guests`)
      const fields = guestFields.map((field): Field =>
        field[0] === "updated" ? ["updated", updated, past, "lean"] : field
      )
      compare(t, guests, { prefix, fields, ids })
    }
  })

  await t.test("GET …/guests returns each consent record", async (t) => {
    const event = await build.event(acme)
    const consents = [
      { asked: 0, status: "inactive", channels: "" },
      { asked: 1, status: "inactive", channels: "" },
      { asked: 1, status: "active", channels: "post" },
    ]
    for (const { asked, status, channels } of consents) {
      const id = await build.guest(event)
      await build.consent(event, id, { asked, status, channels })
      const guests = await read(full, `/acme/v1/events/${event}/guests`) as { id: string }[]
      t.match(guests.find((guest) => guest.id === id), {
        ...{ consentAsked: asked === 1, consentStatus: status, consentChannels: channels },
      })
    }
  })

  await t.test("GET …/items has six categories in order, each with the fields of its family", async (t) => {
    t.strictSame(itemCategories, Object.keys(own))
    const [eventId, empty] = [await build.event(acme), await build.event(acme)]
    const ids: Record<string, { id: string; eventId: string }[]> = {}
    for (const category of itemCategories) {
      const row = rowOf([...described, ...own[category]])
      ids[category] = [
        { id: await build.item(category, eventId, row), eventId },
        { id: await build.item(category, eventId), eventId },
      ]
    }
    const none = Object.fromEntries(itemCategories.map((category) => [category, []]))
    for (const [prefix, get] of families.filter(([prefix]) => prefix !== "/connector-a/v1")) {
      const nothing = await read(get, `${prefix}/events/${empty}/items`)
      t.equal(JSON.stringify(nothing), JSON.stringify(none))
      const found = await read(get, `${prefix}/events/${eventId}/items`) as Record<string, unknown>
      t.strictSame(Object.keys(found), itemCategories)
      for (const category of itemCategories) {
        const fields = [...described, ...own[category]]
        compare(t, found[category], { prefix, fields, ids: ids[category] ?? [] })
      }
    }
  })

  await t.test("GET …/events has the events that the family and the account's grants allow", async (t) => {
    const [event, foreign] = [await build.event(acme), await build.event(borealis)]
    const other = await build.event(acme)
    const ofOne = await accountOf(app, "guest-of-one", [])
    await build.grant("guest-of-one", { event })
    const northern = await accountOf(app, "borealis-export", ["borealis"], "service")
    await build.grant("acme-export", { organization: "borealis" })
    const outsider = await accountOf(app, "outsider", [])
    const expected: [App["request"], string, string[]][] = [
      [full, "/acme/v1", [event, other]],
      [northern, "/borealis/v1", [foreign]],
      [lean, "/connector-a/v1", [event, other]],
      [lean, "/connector-b/v1", [event, other, foreign]],
      [ofOne, "/connector-a/v1", [event]],
      [ofOne, "/connector-b/v1", [event]],
      [outsider, "/connector-b/v1", []],
    ]
    for (const [get, prefix, ids] of expected) {
      const events = await read(get, `${prefix}/events`) as { id: string }[]
      const found = [event, other, foreign].filter((each) => events.some(({ id }) => id === each))
      t.strictSame(found, ids, prefix)
      if (get === ofOne || get === outsider) t.equal(events.length, ids.length)
    }
  })

  await t.test("GET /acme/v1/events is for the role of a service user, not only for its name", async (t) => {
    const set = (role: "partner" | "service") =>
      writer.updateTable("account").set({ role }).where("username", "=", "acme-export").execute()
    await set("partner")
    const refused = await full("/acme/v1/events")
    t.match([refused.status, (await refused.json()).code], [403, "not_service_user"])
    await set("service")
    t.equal((await full("/acme/v1/events")).status, 200)
  })
})

/** Makes an account that may read the organizations. Returns what sends its requests. */
async function accountOf(
  { build, logIn }: App,
  name: string,
  organizations: readonly string[],
  role: "partner" | "service" = "partner",
): Promise<App["request"]> {
  await build.account(name, role)
  for (const organization of organizations) await build.grant(name, { organization })
  return await logIn(name)
}

/** Returns the columns of a row with the values of fields. */
function rowOf(fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof value === "object" && value !== null ? JSON.stringify(value) : value,
    ]),
  )
}

async function read(get: App["request"], path: string): Promise<unknown> {
  const response = await get(path)
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  return await response.json()
}
