import t from "tap"
import { parse } from "yaml"
import { freshApp } from "../../support/app.ts"

type Json = Readonly<Record<string, unknown>>

/** The fields of records, in the order of the contract's tables. */
const address = ["name", "line1", "line2", "line3", "line4", "town", "postcode", "state", "country"]
  .concat("recipient_name")
const leanGuest = [
  ...["id", "eventId", "firstName", "lastName", "email", "mobile"],
  ...["mainAddress", "giftAidAddress", "taxReceiptAidAddress", "created", "updated"],
  ...["consentAsked", "consentStatus", "consentChannels"],
]
const guest = [...leanGuest, "externalId", "smsOptIn", "companyName"]
const common = ["id", "eventId", "name", "status", "created", "updated"]
const described = [
  ...[...common, "revenueStreamType", "externalId", "categories", "irsSubcategory"],
  ...["description", "termsDescription"],
]
const draw = ["ticketPrice", "maxTickets", "draws"]
/** The key in the bundle, the record, what it has beside the common fields, and what of this is lean. */
const items = [
  ["buyNows", "BuyNowItem", ["price", "quantity", "taxRate", "estimate"], ["price", "quantity"]],
  [
    "auctionItems",
    "AuctionItem",
    ["lotNumber", "startPrice", "increments", "estimate", "taxRate", "closes"],
    ["lotNumber", "closes"],
  ],
  ["pledges", "Pledge", ["amount"], ["amount"]],
  ["prizeDraws", "Raffle", draw, draw],
  [
    "gliRaffles",
    "GliRaffle",
    [...draw, "licenceNumber", "regulator"],
    [...draw, "licenceNumber", "regulator"],
  ],
  [
    "tickets",
    "Ticket",
    ["price", "capacity", "admits", "taxRate"],
    ["price", "capacity", "admits"],
  ],
] as const
const bundle = items.map(([key]) => key)

/** The fields of each kind of record in a family. */
const full = new Map<string, readonly string[]>([
  ["Guest", guest],
  ...items.map(([, name, own]) => [name, [...described, ...own]] as const),
])
const lean = new Map<string, readonly string[]>([
  ["Guest", leanGuest],
  ...items.map(([, name, , own]) => [name, [...common, ...own]] as const),
])

const { build, logIn } = await freshApp(t, "sqlite")
/** An event with guests with each kind of address, and an item of each category. */
const organization = await build.organization("acme")
const event = await build.event(organization)
for (const key of bundle) await build.item(key, event)
for (const kind of ["main", "gift_aid", "tax_receipt"] as const) {
  await build.address(event, await build.guest(event), { kind })
}
for (const [name, role] of [["partner", "partner"], ["acme-export", "service"]] as const) {
  await build.account(name, role)
  await build.grant(name, { organization: "acme" })
}

const families = [
  { user: "acme-export", prefix: "/acme/v1", records: full, own: "" },
  { user: "partner", prefix: "/connector-b/v1", records: lean, own: "ConnectorB" },
] as const

/** Writes `BuyNowItem` and `eventId` as `buy_now_item` and `event_id`. */
function snake(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}

for (const { user, prefix, records, own } of families) {
  const get = await logIn(user)
  const read = async (path: string, headers = {}) => (await get(path, { headers })).text()
  const readJson = async (path: string) => JSON.parse(await read(path))
  const ofFamily = `?family=${encodeURIComponent(prefix)}`

  t.test(`lists of ${prefix} have fields in the order of the contract`, async (t) => {
    const guests: Json[] = await readJson(`${prefix}/events/${event}/guests?since=-1`)
    t.equal(guests.length, 3)
    for (const each of guests) {
      t.strictSame(Object.keys(each), records.get("Guest"))
      for (
        const inner of [each["mainAddress"], each["giftAidAddress"], each["taxReceiptAidAddress"]]
      ) {
        if (inner) t.strictSame(Object.keys(inner), address)
      }
    }
    const found = await readJson(`${prefix}/events/${event}/items?since=-1`)
    t.strictSame(Object.keys(found), bundle)
    for (const [key, name] of items) {
      t.strictSame(found[key].map(Object.keys), [records.get(name)], key)
    }
  })

  t.test(`CSV of ${prefix} has columns in the order of the contract`, async (t) => {
    const csv = async (list: string) =>
      (await read(`${prefix}/events/${event}/${list}&since=-1`, { accept: "text/csv" }))
        .split("\r\n")[0]?.split(",")
    const columns = records.get("Guest")?.flatMap((name) =>
      name.endsWith("Address") ? address.map((inner) => `${name}.${inner}`) : name
    )
    t.strictSame(await csv("guests?limit=1"), columns)
    for (const [key, name] of items) {
      const expected = ["category", ...records.get(name) ?? []]
      t.strictSame(await csv(`items?category=${key}`), expected, key)
    }
  })

  t.test(`the OpenAPI document of ${prefix} has fields in the order of the contract`, async (t) => {
    const { schemas } = (await readJson("/openapi.json")).components
    const fieldsOf = (name: string) => Object.keys(schemas[name].properties)
    for (const [name, fields] of records) t.strictSame(fieldsOf(own + name), fields, name)
    t.strictSame(fieldsOf("AddressDetail"), address)
    t.strictSame(fieldsOf(`${own}ItemsBundle`), bundle)
  })

  t.test(`the page of records has fields in the order of the contract for ${user}`, async (t) => {
    const text = await read("/docs/records.md")
    const fieldsOf = (name: string) => {
      const [, table = ""] = text.split(new RegExp(`^#+ ${name}$`, "m"))
      const [own = ""] = table.split(/^#/m)
      return [...own.matchAll(/^\| `(\w+)` \|/gm)].map(([, field]) => field)
    }
    const ofAllItems = fieldsOf("All items")
    for (const [name, fields] of records) {
      t.strictSame([...name === "Guest" ? [] : ofAllItems, ...fieldsOf(name)], fields, name)
    }
    t.strictSame(fieldsOf("AddressDetail"), address)
  })

  t.test(`the kit of ${prefix} has fields in the order of the contract`, async (t) => {
    const { streams } = parse(await read(`/docs/kit/airbyte.yaml${ofFamily}`))
    const ofStreams = new Map(
      streams.map(({ name, schema_loader }: Record<string, { schema: { properties: Json } }>) => [
        name,
        Object.keys(schema_loader?.schema.properties ?? {}),
      ]),
    )
    for (const [name, fields] of records) t.strictSame(ofStreams.get(snake(name)), fields, name)
    for (const dialect of ["mysql", "postgresql", "sqlite", "duckdb"]) {
      const sql = await read(`/docs/kit/${dialect}.sql${ofFamily}`)
      for (const [name, fields] of records) {
        const table = `["\`]${snake(name)}["\`]`
        const [, created = ""] =
          new RegExp(`create table ${table} \\(\n(.*?)\n\\)`, "s").exec(sql) ??
            []
        const columns = [...created.matchAll(/^ +["`](\w+)["`] /gm)].map(([, column]) => column)
        t.strictSame(columns, fields.map(snake), `${dialect}: create ${name}`)
        const [, into = ""] = new RegExp(`insert into ${table} \\((.*?)\\)`).exec(sql) ?? []
        t.strictSame(into.split(", ").map((each) => each.slice(1, -1)), fields.map(snake))
      }
    }
  })
}
