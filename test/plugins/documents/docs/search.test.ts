import t from "tap"
import { buildCatalogue, summariesOf } from "../../../../core/request/catalogue.ts"
import { numbersOf } from "../../../../core/kernel/numbers.ts"
import { readerOf } from "../../../../plugins/documents/docs/reader.ts"
import { indexOf, search } from "../../../../plugins/documents/docs/search.ts"
import { testConfig } from "../../../support/app.ts"

const plan = await testConfig("sqlite::memory:")
const catalogue = buildCatalogue([], {
  server: "https://x.example",
  cookie: "session",
  contact: undefined,
  summaries: summariesOf(plan),
  reader: undefined,
  numbers: numbersOf(plan),
})
const offers = new Set<string>()
const index = indexOf({ reader: readerOf(catalogue, null), offers, catalogue })

t.test("search finds errors by their codes, and what explains them", (t) => {
  const [first, ...rest] = search(index, "Resync_Required")
  t.match(first, {
    path: "/docs/errors#error-resync_required",
    name: "resync_required",
    page: "Errors",
    about: /^410: /,
  })
  t.ok(rest.some(({ path }) => path.startsWith("/docs/lists#")))
  t.end()
})

t.test("search finds fields by their names, of all records that have them", (t) => {
  const paths = search(index, "giftAidAddress").map(({ path }) => path)
  t.equal(paths[0], "/docs/records#Guest.giftAidAddress")
  const found = search(index, "draws").filter(({ name }) => name === "draws")
  t.strictSame(found.map(({ kind }) => kind), ["Raffle", "GliRaffle"])
  t.match(search(index, "postcode"), [{ page: "Records", kind: "AddressDetail" }])
  t.end()
})

t.test("search finds sections by words of their text, those with the words in their titles first", (t) => {
  const [first] = search(index, "rate limits")
  t.match(first, { path: "/docs/parameters#rate-limits", name: "Rate limits" })
  const hits = search(index, "byte order mark")
  t.ok(hits.some(({ path }) => path.startsWith("/docs/exports")), JSON.stringify(hits))
  for (const { about } of search(index, "since")) {
    t.notMatch(about, /[`|]|<!--/)
  }
  const [guest] = search(index, "guest").filter(({ path }) => path === "/docs/records#guest")
  t.notMatch(guest?.about, /Field Type/, "headers of tables are no text")
  t.strictSame(search(index, "no-such-word-anywhere"), [])
  t.strictSame(search(index, "  "), [])
  t.end()
})
