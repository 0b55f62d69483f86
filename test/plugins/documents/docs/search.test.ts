import t from "tap"
import { buildCatalogue, summariesOf } from "../../../../core/request/catalogue.ts"
import { numbersOf } from "../../../../core/kernel/numbers.ts"
import { readerOf } from "../../../../plugins/documents/docs/reader.ts"
import { indexOf, search } from "../../../../plugins/documents/docs/search.ts"
import { find } from "../../../../plugins/documents/docs/site.ts"
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
    kind: "Errors",
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
  t.match(search(index, "postcode"), [{ kind: "AddressDetail" }])
  t.end()
})

t.test("search finds sections by words of their text, those with the words in their titles first", (t) => {
  const [first] = search(index, "rate limits")
  t.match(first, { path: "/docs/parameters#rate-limits", name: "Rate limits" })
  const hits = search(index, "byte order mark")
  t.ok(hits.some(({ path }) => path.startsWith("/docs/exports")), JSON.stringify(hits))
  for (const { about } of search(index, "since")) {
    t.ok(about.length < 160)
    t.notMatch(about, /[`|]|<!--/)
  }
  t.strictSame(search(index, "no-such-word-anywhere"), [])
  t.strictSame(search(index, "  "), [])
  t.end()
})

t.test("find makes one index for all names that the service is asked by", async (t) => {
  let read = 0
  // No other test in this process has made an index for these plugins.
  const summaries = new Map([...catalogue.summaries, ["only-here", ""]])
  const counted = Object.defineProperty({ ...catalogue, summaries }, "parameters", {
    enumerable: true,
    get: () => (read++, catalogue.parameters),
  })
  const counts = []
  for (const port of [1, 2, 3]) {
    const server = `https://x.example:${port}`
    const named = Object.create(counted, { server: { value: server } })
    t.not(
      (await find("since", { catalogue: named, session: undefined, offers, chosen: null })).length,
      0,
    )
    counts.push(read)
  }
  t.ok(read > 0)
  t.strictSame(counts, counts.map(() => read))
})
