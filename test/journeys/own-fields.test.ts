import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { guest } from "../../core/records/kinds/guest.ts"
import { event } from "../../core/records/kinds/event.ts"
import { text } from "../../core/records/kinds/fields.ts"
import { hashed, pick } from "../../core/records/kinds/projection.ts"
import { onEveryEngine } from "../support/database.ts"
import { readExport } from "../support/export-reader.ts"
import { freshWorkshop, logInto } from "../support/service.ts"

/** A family with fields of the platform's own, and with an e-mail address as a hash. */
const seating =
  `import { definePlugin, decimal, family, flag, granted, guest, hashed, integer, leanEvent, leanGuest,
  nullable, pick, text, ticket, v, wholeItems } from "event-export/plugin"
export default definePlugin({
  apiVersion: 3, name: "seating", summary: "Seating", settings: v.strictObject({}),
  mount: () => family("/seating/v1", {
    auth: granted(["acme"]),
    events: leanEvent,
    guests: pick(guest, ["id", "eventId", "firstName", hashed("email"), "updated"], {
      tableNumber: text("The table.", "12"),
      seats: nullable(integer("How many seats.", 2)),
      vegan: flag("Whether the meal has to be vegan.", false),
    }),
    items: { ...wholeItems, tickets: pick(ticket, ["id", "name"], {
      weight: nullable(decimal("In kilograms.", 0.5)),
    }) },
  }),
})`

t.test("pick refuses fields of one's own that cannot be, and hashes of what is no text", (t) => {
  const own = (name: string, field = text("A field.", "x")) => () =>
    pick(guest, ["id"], { [name]: field })
  t.throws(own("email"), /has a field of this name/)
  t.throws(own("Table"), /tableNumber/)
  t.throws(own("__proto__ "), /tableNumber/)
  t.throws(own("table", null as never), /declare it/)
  t.throws(() => pick(guest, ["id"], { seats: { ...text("A", "x"), kind: "number" } }), /nullable/)
  t.throws(() => pick(event, ["id"], { table: text("A table.", "x") }), /only guests and items/)
  t.throws(() => pick(guest, [hashed("smsOptIn")]), /not text/)
  t.throws(() => pick(guest, [hashed("mail" as "email")]), /no field mail/)
  t.end()
})

await onEveryEngine(t, async (t, engine) => {
  const workshop = await freshWorkshop(t, engine)
  const { build, database: { writer } } = workshop
  const acme = await build.organization("acme")
  const of = await build.event(acme)
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  writeFileSync(join(workshop.folder, "seating.ts"), seating)
  workshop.write(`  - use: connector-b
    with: { segment: b, organizations: [acme] }
  - use: docs
  - use: openapi
  - use: ./seating.ts`)
  const { fetch } = await workshop.start()
  const get = await logInto(fetch, "partner")
  const path = `/seating/v1/events/${of}`
  const guests = async (query = "since=-1") =>
    await (await get(`${path}/guests?${query}`)).json() as Record<string, unknown>[]
  const set = (extra: string | null) =>
    writer.updateTable("guest").set({ extra }).where("event_id", "=", of).execute()
  const sha256 = (value: string) => createHash("sha256").update(value).digest("hex")

  await t.test("a family sends its own fields behind those of the contract, and an address as a hash", async (t) => {
    const id = await build.guest(of, { email: "  Ada.Byron@Example.ORG " })
    await set(
      JSON.stringify({ secret: "s", vegan: true, seats: 2, tableNumber: "seat by the door" }),
    )
    const [row, ...others] = await guests()
    t.strictSame(others, [])
    t.strictSame(
      Object.entries(row ?? {}).filter(([name]) => !/first|updated|eventId/.test(name)),
      [
        ["id", id],
        ["hashedEmail", sha256("ada.byron@example.org")],
        ["tableNumber", "seat by the door"],
        ["seats", 2],
        ["vegan", true],
      ],
    )
    t.notMatch(
      JSON.stringify(await (await get(`/b/v1/events/${of}/guests?since=-1`)).json()),
      /by the door/,
    )
    t.strictSame(await guests("since=-1&q=byron@example"), [], "q does not search it in clear")
  })

  await t.test("a change of an own field is a change, also in the feed, and a field may be missing", async (t) => {
    const feed = async (after?: string) =>
      await (await get(`${path}/changes${after === undefined ? "" : `?after=${after}`}`)).json()
    let page = await feed()
    while (page.more) page = await feed(page.next)
    await set(JSON.stringify({ tableNumber: "8" }))
    const [row] = await guests()
    t.match(row, { tableNumber: "8", seats: null, vegan: false })
    const { changes } = await feed(page.next)
    t.match(changes, [{
      category: "guests",
      record: { tableNumber: "8", hashedEmail: /^[0-9a-f]{64}$/ },
    }])
    await set(null)
    t.match(await guests(), [{ tableNumber: "", seats: null, vegan: false }])
  })

  await t.test("exports, CSV, Fields, OpenAPI and the guide have the own fields", async (t) => {
    await set(JSON.stringify({ tableNumber: "9", seats: 1 }))
    const { rows } = readExport(await (await get(`${path}/guests/export`)).text())
    t.match(rows, [{ tableNumber: "9", seats: 1, vegan: false }])
    const csv = await get(`${path}/guests?since=-1`, { accept: "text/csv" })
    const [head = "", line = ""] = (await csv.text()).split(/\r?\n/)
    t.match(head, /hashedEmail,.*tableNumber,seats,vegan$/)
    t.match(line, /,9,1,false$/)
    t.match((await get(`${path}/guests`)).headers.get("fields"), /./)
    const { components: { schemas } } = await (await get("/openapi.json")).json()
    const { properties } = schemas.SeatingGuest
    t.match(properties.tableNumber, { type: "string", description: "The table." })
    t.match(properties.hashedEmail, { description: /SHA-256 of `email`/ })
    t.match(await (await get("/docs/records")).text(), /tableNumber[^]*The table\./)
  })

  await t.test("items have own fields as well, and a value that a field cannot be leaves out its record alone", async (t) => {
    const [first = "", second = ""] = await build.items("tickets", of, 2)
    const weigh = (id: string, extra: string) =>
      writer.updateTable("ticket").set({ extra }).where("event_id", "=", of).where("id", "=", id)
        .execute()
    await weigh(first, '{"weight": 1.25}')
    const tickets = async () => (await (await get(`${path}/items?since=-1`)).json()).tickets
    t.match((await tickets()).find(({ id }: { id: string }) => id === first), { weight: 1.25 })
    for (const wrong of ['{"weight": "1"}', "[1]", '"x"', "7"]) {
      await weigh(second, wrong)
      t.strictSame((await tickets()).map(({ id }: { id: string }) => id), [first], wrong)
    }
    await weigh(second, '{"weight": null, "__proto__": {"weight": 3}}')
    t.match((await tickets()).find(({ id }: { id: string }) => id === second), { weight: null })
  })
})
