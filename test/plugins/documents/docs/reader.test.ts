import t from "tap"
import { numbersOf } from "../../../../core/kernel/numbers.ts"
import { buildCatalogue, summariesOf } from "../../../../core/request/catalogue.ts"
import { pathOf, readerOf } from "../../../../plugins/documents/docs/reader.ts"
import { testConfig } from "../../../support/app.ts"

const plan = await testConfig("sqlite::memory:")
const [none, some] = ["/connector-a/v1", "/connector-b/v1"]
const event = { id: "1", name: "Gala" }

/** The catalogue of a caller with two families, of which only the second has an event. */
function catalogueOf(username: string) {
  const catalogue = buildCatalogue(plan.routes, {
    server: "https://x.example",
    cookie: "session",
    contact: undefined,
    summaries: summariesOf(plan),
    reader: { username, role: "partner" },
    numbers: numbersOf(plan),
  })
  return {
    ...catalogue,
    families: [none, some],
    eventsOf: ({ prefix }: { readonly prefix: string }) => prefix === some ? [event] : [],
  }
}

t.test("readerOf names the first family that has an event, unless another is chosen", (t) => {
  const named = (chosen: string | null) => {
    const { example } = readerOf(catalogueOf("ann"), chosen)
    return example && pathOf(example)
  }
  t.equal(named(null), `${some}/events/1`)
  t.equal(named("/acme/v1/events/1"), `${some}/events/1`, "not the caller's")
  t.equal(named(none), none)
  t.end()
})

t.test("readerOf has the fields of each record of each family once", (t) => {
  const { records } = readerOf(catalogueOf("ann"), null)
  const names = records.map(({ family, record }) => `${family} ${record}`)
  t.ok(names.includes(`${none} Guest`) && names.includes(`${some} Ticket`))
  t.equal(new Set(names).size, names.length)
  const ofGuests = records.find(({ record }) => record === "Guest")
  t.ok(ofGuests?.fields.includes("email"))
  t.notOk(ofGuests?.fields.includes("externalId"), "these families are lean")
  t.end()
})
