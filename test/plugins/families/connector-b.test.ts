import t, { type Test } from "tap"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { type App, onEveryApp } from "../../support/app.ts"
import { past } from "../../support/builder.ts"

const later = past + 86_400
const described = {
  name: "Signed shirt",
  status: "sold",
  revenue_stream_type: "merchandise",
  external_id: "sku-1",
  categories: '["sport", "art"]',
  irs_subcategory: "collectibles",
  description: "Worn once",
  terms_description: "No returns",
}
const draw = { ticketPrice: 500, maxTickets: 2000, draws: later }
const openDraw = { ticketPrice: 500, maxTickets: null, draws: null }
const licence = { licenceNumber: "GLI-9", regulator: "Commission" }

/** Per category: the values of a full row, its fields in full and lean records, and those of a bare row. */
const types = [
  {
    category: "buyNows",
    row: { price: 12_345_678_901, quantity: 3, tax_rate: 17.5, estimate: 4000 },
    full: { price: 12_345_678_901, quantity: 3, taxRate: 17.5, estimate: 4000 },
    lean: ["price", "quantity"],
    bare: { price: 2500, quantity: null, taxRate: null, estimate: null },
  },
  {
    category: "auctionItems",
    row: {
      lot_number: 7,
      start_price: 10_000,
      increments: '[{"from":0,"step":500},{"from":50000,"step":1000}]',
      estimate: 60_000,
      tax_rate: 20,
      closes: later,
    },
    full: {
      lotNumber: 7,
      startPrice: 10_000,
      increments: [{ from: 0, step: 500 }, { from: 50_000, step: 1000 }],
      estimate: 60_000,
      taxRate: 20,
      closes: later,
    },
    lean: ["lotNumber", "closes"],
    bare: {
      lotNumber: 1,
      startPrice: 10_000,
      increments: [{ from: 0, step: 500 }],
      estimate: null,
      taxRate: null,
      closes: null,
    },
  },
  {
    category: "pledges",
    row: { amount: 5000 },
    full: { amount: 5000 },
    lean: ["amount"],
    bare: { amount: null },
  },
  {
    category: "prizeDraws",
    row: { ticket_price: 500, max_tickets: 2000, draws: later },
    full: draw,
    lean: ["ticketPrice", "maxTickets", "draws"],
    bare: openDraw,
  },
  {
    category: "gliRaffles",
    row: {
      ticket_price: 500,
      max_tickets: 2000,
      draws: later,
      licence_number: "GLI-9",
      regulator: "Commission",
    },
    full: { ...draw, ...licence },
    lean: ["ticketPrice", "maxTickets", "draws", "licenceNumber", "regulator"],
    bare: { ...openDraw, licenceNumber: "GLI-1", regulator: "Gambling Commission" },
  },
  {
    category: "tickets",
    row: { price: 7500, capacity: 120, admits: 10, tax_rate: 0 },
    full: { price: 7500, capacity: 120, admits: 10, taxRate: 0 },
    lean: ["price", "capacity", "admits"],
    bare: { price: 7500, capacity: null, admits: 1, taxRate: null },
  },
] as const

const keys = ["buyNows", "auctionItems", "pledges", "prizeDraws", "gliRaffles", "tickets"]
const commonLean = ["id", "eventId", "name", "status", "created", "updated"]
const dropped = [
  "revenueStreamType",
  "externalId",
  "categories",
  "irsSubcategory",
  "startPrice",
  "increments",
  "description",
  "termsDescription",
  "taxRate",
  "estimate",
]

// Compares the lean bundle of connector B with the full bundle of the custom export.
await onEveryApp(t, async (t, app) => {
  const { build } = app
  const organization = await build.organization("acme")
  await build.account("acme-export", "service")
  await build.account("partner")
  for (const username of ["acme-export", "partner"]) {
    await build.grant(username, { organization: "acme" })
  }
  const full = await app.logIn("acme-export")
  const lean = await app.logIn("partner")
  const itemsOf = async (event: string) => ({
    full: await bundle(t, full, `/acme/v1/events/${event}/items`),
    lean: await bundle(t, lean, `/connector-b/v1/events/${event}/items`),
  })

  await t.test("GET …/items has the six keys in order, even if there are no items", async (t) => {
    t.strictSame(itemCategories, keys)
    const found = await itemsOf(await build.event(organization))
    const nothing =
      '{"buyNows":[],"auctionItems":[],"pledges":[],"prizeDraws":[],"gliRaffles":[],"tickets":[]}'
    t.equal(JSON.stringify(found.full), nothing)
    t.equal(JSON.stringify(found.lean), nothing)
  })

  for (const type of types) {
    await t.test(`GET …/items returns ${type.category} full and lean, fields in order`, async (t) => {
      const event = await build.event(organization)
      const times = { created: past, updated: past + 1 }
      const id = await build.item(type.category, event, { ...described, ...times, ...type.row })
      const bareId = await build.item(type.category, event)
      const found = await itemsOf(event)

      const record = {
        id,
        eventId: event,
        name: "Signed shirt",
        status: "sold",
        ...times,
        revenueStreamType: "merchandise",
        externalId: "sku-1",
        categories: ["sport", "art"],
        irsSubcategory: "collectibles",
        description: "Worn once",
        termsDescription: "No returns",
        ...type.full,
      }
      const bare = {
        ...record,
        id: bareId,
        name: "Item",
        status: "active",
        updated: past,
        revenueStreamType: "donation",
        externalId: null,
        categories: [],
        irsSubcategory: null,
        description: null,
        termsDescription: null,
        ...type.bare,
      }
      const [fields, leanFields] = [Object.keys(record), [...commonLean, ...type.lean]]
      sameJson(t, found.full[type.category], [record, bare])
      sameJson(t, found.lean[type.category], [only(record, leanFields), only(bare, leanFields)])
      t.strictSame(leanFields, fields.filter((field) => !dropped.includes(field)))
      const others = keys.filter((key) => key !== type.category)
      t.ok(others.every((key) => found.full[key]?.length === 0), "no other category has it")
    })
  }
})

type Row = Readonly<Record<string, unknown>>

async function bundle(t: Test, get: App["request"], path: string): Promise<Record<string, Row[]>> {
  const response = await get(path)
  t.equal(response.status, 200)
  t.equal(response.headers.get("content-type"), "application/json; charset=utf-8")
  const body = await response.json()
  t.strictSame(Object.keys(body), keys)
  return body
}

function only(record: Row, fields: readonly string[]): Row {
  return Object.fromEntries(fields.map((field) => [field, record[field]]))
}

/** Tests for the same values with the same fields in the same order. */
function sameJson(t: Test, actual: unknown, expected: unknown): void {
  t.equal(JSON.stringify(actual, null, 1), JSON.stringify(expected, null, 1))
}
