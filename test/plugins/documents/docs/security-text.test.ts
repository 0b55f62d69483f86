import { readFileSync, writeFileSync } from "node:fs"
import t from "tap"
import { openApiDocument } from "../../../../plugins/documents/openapi/document.ts"
import { buildCatalogue } from "../../../../core/request/catalogue.ts"
import { numbersOf } from "../../../../core/kernel/numbers.ts"
import { testConfig } from "../../../support/app.ts"
import { freshWorkshop } from "../../../support/service.ts"

t.test("GET /.well-known/security.txt has the contact, and expires in a year", async (t) => {
  const { file, write, start } = await freshWorkshop(t, "sqlite")
  write("  - use: docs")
  const service = await start()
  const get = (base = "https://export.example.org", headers = {}) =>
    service.fetch(new Request(`${base}/.well-known/security.txt`, { headers }))
  const response = await get()
  t.equal(response.headers.get("content-type"), "text/plain; charset=utf-8")
  const lines = (await response.text()).split("\n")
  t.equal(lines.pop(), "", "every line has an end")
  const { Expires = "", ...fields } = Object.fromEntries(lines.map((line) => line.split(": ")))
  t.strictSame(fields, {
    Contact: "mailto:export@example.org",
    "Preferred-Languages": "en",
    Canonical: "https://export.example.org/.well-known/security.txt",
  })
  t.match(Expires, /^\d{4}-\d\d-\d\dT00:00:00Z$/, "a whole day")
  const days = (Date.parse(Expires) - Date.now()) / 86_400_000
  t.ok(days > 363 && days <= 365, `${days} days`)
  const headers = { "if-none-match": response.headers.get("etag") ?? "" }
  t.equal((await get(undefined, headers)).status, 304)
  t.notMatch(await (await get("http://localhost")).text(), /Canonical|http:/)

  const text = readFileSync(file, "utf8")
  writeFileSync(file, text.replace("export@example.org", "https://example.org/help"))
  t.match(await service.reload("a test"), { result: "applied" })
  t.match(await (await get()).text(), "Contact: https://example.org/help\n")
  writeFileSync(file, text.replace(", contact: export@example.org", ""))
  t.match(await service.reload("a test"), { result: "applied" })
  const none = await get()
  t.match([none.status, await none.json()], [404, { detail: "The operator names no contact." }])
})

t.test("info.contact of OpenAPI is the contact", async (t) => {
  const plan = await testConfig("sqlite::memory:")
  const infoOf = (contact: string | undefined) =>
    openApiDocument(buildCatalogue(plan.routes, {
      ...{ server: "https://export.example.org", cookie: "cookie", contact },
      ...{ summaries: new Map(), reader: undefined, numbers: numbersOf(plan) },
    }))["info"]
  t.match(infoOf("export@example.org"), { contact: { email: "export@example.org" } })
  t.match(infoOf("https://example.org/help"), { contact: { url: "https://example.org/help" } })
  t.notOk("contact" in (infoOf(undefined) as object))
})
