import { gunzipSync } from "node:zlib"
import t from "tap"
import type { Catalogue } from "../../../../core/plugin.ts"
import { buildCatalogue, summariesOf } from "../../../../core/request/catalogue.ts"
import { numbersOf } from "../../../../core/kernel/numbers.ts"
import { textPages } from "../../../../plugins/documents/docs/pages.ts"
import { fileFor } from "../../../../plugins/documents/docs/site.ts"
import { testConfig } from "../../../support/app.ts"

const plan = await testConfig("sqlite::memory:")
const offers = new Set<string>()

/** Returns the catalogue of a stranger who asks for this origin, and calls `onRead` whenever a text is made of it. */
function catalogueAt(server: string, onRead: () => void): Catalogue {
  const { parameters, ...rest } = buildCatalogue(plan.routes, {
    server,
    cookie: "session",
    contact: undefined,
    summaries: summariesOf(plan),
    reader: undefined,
    numbers: numbersOf(plan),
  })
  return {
    ...rest,
    get parameters() {
      onRead()
      return parameters
    },
  }
}

t.test("fileFor makes a text once, whatever ports a stranger writes into Host", async (t) => {
  let made = 0
  const names = [
    ...textPages(catalogueAt("http://localhost", () => {}), offers).flatMap(({ path, file }) => [
      path.replace(/^\/docs\/?/, ""),
      file,
    ]),
    ...["guide.md", "llms.txt"],
  ]
  t.ok(names.includes("sync"))
  for (const name of names) {
    const textAt = async (origin: string) => {
      const catalogue = catalogueAt(origin, () => made++)
      const file = await fileFor(name, { catalogue, session: undefined, offers, chosen: null })
      const text = String(gunzipSync(file?.gzip.bytes ?? new Uint8Array()))
      t.equal(text, new TextDecoder().decode(file?.plain.bytes))
      return text.replaceAll(origin, "ORIGIN")
    }
    const first = await textAt("http://localhost:1")
    t.notMatch(first, "localhost:")
    made = 0
    for (const origin of ["http://localhost:2", "https://export.example.org", "http://[::1]:3"]) {
      t.equal(await textAt(origin), first, `${name} at ${origin}`)
    }
    t.equal(made, 0, name)
  }
})
