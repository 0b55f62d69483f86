import t, { type Test } from "tap"
import { type App, freshApp } from "../support/app.ts"
import { onEmbedded } from "../support/database.ts"

/** Guests by name. Only full records let a search find external_id and company_name. */
const guests = Object.fromEntries(
  ([
    [
      "ada",
      "Ada",
      "Lovelace",
      "countess@example.org",
      "+44 20 7946 0111",
      "crm-77",
      "Analytical Engines",
    ],
    ["asa", "Åsa", "Öström-O'Neil", "asa@beispiel.de", "0170", "crm-78", "Crème & Co"],
    ["odd", "50%", 'a_b"c\\d|e;--', "😀@example.com", "?", "100%_", "NULL"],
    ["sonya", "Соня", "ΟΔΥΣΣΕΑΣ 山田", "sonya@example.net", "0171", "crm-79", null],
  ] as const).map(([name, first_name, last_name, email, mobile, external_id, company_name]) => [
    name,
    { first_name, last_name, email, mobile, external_id, company_name },
  ]),
)

/** Searches, with the guests that all families find, and those that only full records find. */
const searches: [q: string, everywhere: string[], full?: string[]][] = [
  ["", ["ada", "asa", "odd", "sonya"]],
  ["   ", ["ada", "asa", "odd", "sonya"]],
  ["ada", ["ada"]],
  ["ADA", ["ada"]],
  ["ÁDÀ", ["ada"]],
  ["ＡＤＡ", ["ada"]],
  ["velac", ["ada"]],
  ["love ada", ["ada"]],
  ["  ada   lovelace  ", ["ada"]],
  ["ada ada", ["ada"]],
  ["ada öström", []],
  ["countess@example.org", ["ada"]],
  ["example", ["ada", "odd", "sonya"]],
  ["example .org", ["ada"]],
  ["+44 7946", ["ada"]],
  ["asa", ["asa"]],
  ["OSTROM", ["asa"]],
  ["o\u0308stro\u0308m", ["asa"]],
  ["'neil", ["asa"]],
  ["öström‑o’neil", ["asa"]],
  ["(+44) 20-7946 0111", ["ada"]],
  ["020 7946 0111", ["ada"]],
  ["44.20794601", ["ada"]],
  ["0200111", []],
  ["%", ["odd"], ["odd"]],
  ["_", ["odd"]],
  ["a_b", ["odd"]],
  ["0%", ["odd"]],
  ['"c\\d|e', ["odd"]],
  ["\\", ["odd"]],
  ["|", ["odd"]],
  [";--", ["odd"]],
  ["a%b", []],
  ["' or 1=1", []],
  ["😀", ["odd"]],
  ["?", ["odd"]],
  ["соня", ["sonya"]],
  ["οδυσσε", ["sonya"]],
  ["crm-77", [], ["ada"]],
  ["crm", [], ["ada", "asa", "sonya"]],
  ["analytical", [], ["ada"]],
  ["creme", [], ["asa"]],
  ["山", ["sonya"]],
  ["ada analytical", [], ["ada"]],
  ["null", [], ["odd"]],
  ["london", []],
  ["email", []],
  ["1700000000", []],
]

await onEmbedded(t, async (t, engine) => {
  const app = await freshApp(t, engine)
  const { build } = app
  const organization = await build.organization("acme")
  await build.account("acme-export", "service")
  await build.account("partner")
  for (const username of ["acme-export", "partner"]) {
    await build.grant(username, { organization: "acme" })
  }
  const [full, lean] = [await app.logIn("acme-export"), await app.logIn("partner")]

  await t.test("GET …/guests?q= searches the fields that the family returns, and no others", async (t) => {
    const event = await build.event(organization)
    const names = new Map<string, string>()
    for (const [name, values] of Object.entries(guests)) {
      const id = await build.guest(event, values)
      await build.consent(event, id)
      await build.address(event, id)
      names.set(id, name)
    }
    for (const [q, everywhere, more = []] of searches) {
      const found = async (get: App["request"], prefix: string) => {
        const rows: Row[] = await json(t, get, `${prefix}/events/${event}/guests?${parameters(q)}`)
        return rows.map((row) => names.get(row.id)).sort()
      }
      const all = [...new Set([...everywhere, ...more])].sort()
      t.strictSame(await found(full, "/acme/v1"), all, `full: ${q}`)
      for (const segment of ["connector-a", "connector-b"]) {
        t.strictSame(await found(lean, `/${segment}/v1`), everywhere, `${segment}: ${q}`)
      }
    }
  })

  await t.test("GET …/items?q= searches each category, but only names in the lean family", async (t) => {
    const event = await build.event(organization)
    await build.item("buyNows", event, { name: "Signed Shirt", external_id: "sku-1" })
    await build.item("buyNows", event, { name: "Dinner", description: "For two, at the Château" })
    await build.item("tickets", event, {
      name: "Shirt sponsor table",
      terms_description: "No returns",
    })
    await build.item("pledges", event, { name: "Roof", description: "50% of the château's roof" })
    const shirts = { buyNows: ["Signed Shirt"], tickets: ["Shirt sponsor table"] }
    const rows: [q: string, full: Record<string, string[]>, lean: Record<string, string[]>][] = [
      ["shirt", shirts, shirts],
      ["shirt signed", { buyNows: ["Signed Shirt"] }, { buyNows: ["Signed Shirt"] }],
      ["SKU-1", { buyNows: ["Signed Shirt"] }, {}],
      ["chateau", { buyNows: ["Dinner"], pledges: ["Roof"] }, {}],
      ["%", { pledges: ["Roof"] }, {}],
      ["roof chateau", { pledges: ["Roof"] }, {}],
      ["returns", {}, {}],
      ["donation", {}, {}],
    ]
    for (const [q, inFull, inLean] of rows) {
      const query = `events/${event}/items?${parameters(q)}`
      t.strictSame(byCategory(await json(t, full, `/acme/v1/${query}`)), inFull, `full: ${q}`)
      t.strictSame(
        byCategory(await json(t, lean, `/connector-b/v1/${query}`)),
        inLean,
        `lean: ${q}`,
      )
    }
  })

  await t.test("GET …/events?q= searches names, and externalId in the custom export", async (t) => {
    const id = await build.event(organization, { name: "Café Night", external_id: "crm-cafe-5" })
    for (
      const [q, inFull, inLean] of [["CAFE night", 1, 1], ["crm-cafe-5", 1, 0], [
        "EUR",
        0,
        0,
      ]] as const
    ) {
      const ofFull: Row[] = await json(t, full, `/acme/v1/events?${parameters(q)}`)
      t.strictSame(ofFull.map((row) => row.id), inFull ? [id] : [], `full: ${q}`)
      const ofLean: Row[] = await json(t, lean, `/connector-b/v1/events?${parameters(q)}`)
      t.strictSame(ofLean.map((row) => row.id), inLean ? [id] : [], `lean: ${q}`)
    }
  })
})

interface Row {
  readonly id: string
  readonly name: string
}

function parameters(q: string): string {
  return new URLSearchParams({ q }).toString()
}

async function json(t: Test, get: App["request"], path: string) {
  const response = await get(path)
  t.equal(response.status, 200, path)
  return await response.json()
}

function byCategory(bundle: Record<string, Row[]>): Record<string, string[]> {
  const found = Object.entries(bundle).filter(([, rows]) => rows.length > 0)
  return Object.fromEntries(
    found.map(([category, rows]) => [category, rows.map((row) => row.name).sort()]),
  )
}
