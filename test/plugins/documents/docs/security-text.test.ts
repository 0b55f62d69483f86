import { readFileSync, writeFileSync } from "node:fs"
import t, { type Test } from "tap"
import { startInstance } from "../../../../core/kernel/instance.ts"
import { openApiDocument } from "../../../../plugins/documents/openapi/document.ts"
import { buildCatalogue } from "../../../../core/request/catalogue.ts"
import { numbersOf } from "../../../../core/kernel/numbers.ts"
import { testConfig } from "../../../support/app.ts"
import { copiedUrl } from "../../../support/database.ts"
import { freshWorkshop } from "../../../support/service.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

/** Serves a configuration with a contact. Returns a function that fetches security.txt. */
async function serviceWith(t: Test, contact: string | undefined) {
  const config = await testConfig(await copiedUrl(t, "sqlite"))
  const plan = { ...config, server: { ...config.server, contact } }
  const instance = await startInstance(plan, { log: scannedLog(t, []) })
  t.teardown(() => instance.close())
  return (base: string, headers = {}) =>
    instance.fetch(new Request(`${base}/.well-known/security.txt`, { headers }))
}

t.test("GET /.well-known/security.txt has the contact, and expires in a year", async (t) => {
  for (
    const [contact, uri] of [
      ["export@example.org", "mailto:export@example.org"],
      ["https://example.org/security", "https://example.org/security"],
    ] as const
  ) {
    const get = await serviceWith(t, contact)
    const response = await get("https://export.example.org")
    t.equal(response.status, 200)
    t.equal(response.headers.get("content-type"), "text/plain; charset=utf-8")
    const lines = (await response.text()).split("\n")
    t.equal(lines.pop(), "", "every line has an end")
    const fields = new Map(lines.map((line) => line.split(": ") as [string, string]))
    t.strictSame([...fields.keys()], ["Contact", "Expires", "Preferred-Languages", "Canonical"])
    t.equal(fields.get("Contact"), uri)
    t.equal(fields.get("Preferred-Languages"), "en")
    t.equal(fields.get("Canonical"), "https://export.example.org/.well-known/security.txt")
    const expires = fields.get("Expires") ?? ""
    t.match(expires, /^\d{4}-\d\d-\d\dT00:00:00Z$/, "a whole day")
    const days = (Date.parse(expires) - Date.now()) / 86_400_000
    t.ok(days > 363 && days <= 365, `${days} days`)
    const etag = response.headers.get("etag") ?? ""
    const again = await get("https://export.example.org", { "if-none-match": etag })
    t.equal(again.status, 304)
  }
})

t.test("GET /.well-known/security.txt names no http URL as its own", async (t) => {
  const get = await serviceWith(t, "export@example.org")
  t.notMatch(await (await get("http://localhost")).text(), /Canonical|http:/)
})

t.test("GET /.well-known/security.txt is not found without a contact", async (t) => {
  const response = await (await serviceWith(t, undefined))("https://export.example.org")
  t.equal(response.status, 404)
  t.match(await response.json(), { code: "not_found", detail: "The operator names no contact." })
})

t.test("a reload changes the contact, without a restart", async (t) => {
  const { file, write, start } = await freshWorkshop(t, "sqlite")
  write("  - use: docs")
  const service = await start()
  const read = async () => {
    const request = new Request("https://export.example.org/.well-known/security.txt")
    return await (await service.fetch(request)).text()
  }
  t.match(await read(), "Contact: mailto:export@example.org\n")
  const text = readFileSync(file, "utf8")
  writeFileSync(file, text.replace("export@example.org", "https://example.org/help"))
  t.match(await service.reload("a test"), { result: "applied" })
  t.match(await read(), "Contact: https://example.org/help\n")
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
