import t, { type Test } from "tap"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { type App, onEveryApp } from "../../support/app.ts"
import { past } from "../../support/builder.ts"

const later = past + 86_400

/** A field with its value in a full row and in a bare one; `lean` if partners get it as well. */
type Field = readonly [name: string, value: unknown, bare: unknown, reader?: "lean"]

/** The fields of all categories that do not say whose record it is. */
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
    t.strictSame(itemCategories, Object.keys(own))
    const found = await itemsOf(await build.event(organization))
    const nothing =
      '{"buyNows":[],"auctionItems":[],"pledges":[],"prizeDraws":[],"gliRaffles":[],"tickets":[]}'
    t.equal(JSON.stringify(found.full), nothing)
    t.equal(JSON.stringify(found.lean), nothing)
  })

  for (const category of itemCategories) {
    await t.test(`GET …/items returns ${category} full and lean, fields in order`, async (t) => {
      const event = await build.event(organization)
      const fields = [...described, ...own[category]]
      const id = await build.item(category, event, rowOf(fields))
      const bareId = await build.item(category, event)
      const recordsOf = (fields: readonly Field[]) => [
        { id, eventId: event, ...Object.fromEntries(fields.map(([name, value]) => [name, value])) },
        {
          ...{ id: bareId, eventId: event },
          ...Object.fromEntries(fields.map(([name, , bare]) => [name, bare])),
        },
      ]
      const found = await itemsOf(event)
      sameJson(t, found.full[category], recordsOf(fields))
      const leanFields = fields.filter(([, , , reader]) => reader === "lean")
      sameJson(t, found.lean[category], recordsOf(leanFields))
      const others = itemCategories.filter((name) => name !== category)
      t.ok(others.every((name) => found.full[name]?.length === 0), "no other category has it")
    })
  }
})

/** Returns the columns of a row with the values of fields. */
function rowOf(fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof value === "object" ? JSON.stringify(value) : value,
    ]),
  )
}

async function bundle(
  t: Test,
  get: App["request"],
  path: string,
): Promise<Record<string, unknown[]>> {
  const response = await get(path)
  t.equal(response.status, 200)
  t.equal(response.headers.get("content-type"), "application/json; charset=utf-8")
  const body = await response.json()
  t.strictSame(Object.keys(body), itemCategories)
  return body
}

/** Tests for the same values with the same fields in the same order. */
function sameJson(t: Test, actual: unknown, expected: unknown): void {
  t.equal(JSON.stringify(actual, null, 1), JSON.stringify(expected, null, 1))
}
