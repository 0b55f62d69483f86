import t from "tap"
import { guest, leanGuest, rewritten, v, whole } from "../../../../core/plugin.ts"
import { recordTypes } from "../../../../core/records/kinds/categories.ts"
import { fieldTables, listedFields } from "../../../../plugins/documents/docs/field-tables.ts"
import type { FamilyRecord } from "../../../../plugins/documents/docs/reader.ts"

function tableOf(section: string, records: readonly FamilyRecord[] = []): string[] {
  return fieldTables(section, recordTypes, { records }).split("\n")
}

const full = { family: "/acme/v1", record: "Guest", fields: whole(guest).fields }
const lean = { family: "/x/v1", record: "Guest", fields: leanGuest.fields }

t.test("fieldTables has every field of every record, in the order of the contract", (t) => {
  for (const [section, names] of [["event", ["Event"]], ["guest", ["Guest"]]] as const) {
    const [table = ""] = tableOf(section).join("\n").split("\n### ")
    const fields = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    t.strictSame(fields, Object.keys(recordTypes.get(names[0])?.fields ?? {}))
  }
  const items = tableOf("items").join("\n")
  t.match(items, "### All items\n\n<!-- record Item -->")
  for (const name of ["BuyNowItem", "AuctionItem", "Pledge", "Raffle", "GliRaffle", "Ticket"]) {
    t.match(items, `### ${name}\n\nIn \``)
    const own = items.split(`<!-- record ${name} -->`)[1]?.split("###")[0] ?? ""
    t.notMatch(own, /`(id|name|updated)`/, "what all items have is in one table")
  }
  t.throws(() => tableOf("nonsense"), TypeError)
  t.end()
})

t.test("fieldTables says of each field its type, what it means, and who has it", (t) => {
  const lines = tableOf("guest")
  t.ok(lines.includes("| `firstName` | string | May be empty. | all |"))
  t.match(lines.find((line) => line.startsWith("| `externalId`")), / \| full \|$/)
  t.match(
    lines.find((line) => line.startsWith("| `mainAddress`")),
    "| [AddressDetail](#addressdetail) or null |",
  )
  t.ok(lines.includes("### AddressDetail"))
  t.match(lines.find((line) => line.startsWith("| `line2`")), "| string or null |")
  const items = tableOf("items")
  t.match(items.find((line) => line.startsWith("| `increments`")), "| array of `{from, step}` |")
  t.match(items.find((line) => line.startsWith("| `taxRate`")), "| number or null |")
  t.match(items.find((line) => line.startsWith("| `categories`")), "| array of strings |")
  t.end()
})

t.test("fieldTables shows readers the fields of their families only", (t) => {
  const lines = tableOf("guest", [lean])
  t.notMatch(lines.join("\n"), /externalId|\| (lean|full) |\| In \|/)
  const both = tableOf("guest", [full, lean])
  t.match(both.find((line) => line.startsWith("| `externalId`")), "| `/acme/v1` |")
  t.match(both.find((line) => line.startsWith("| `email`")), "| all |")
  const names = listedFields(recordTypes, { records: [lean] }).map(({ name }) => name)
  t.ok(names.includes("email") && !names.includes("smsOptIn"))
  t.end()
})

t.test("fieldTables shows a field that a family has made of others", (t) => {
  const { fields } = rewritten(
    leanGuest,
    v.strictObject({ id: v.string(), badge: v.string() }),
    (x) => x,
  )
  const lines = tableOf("guest", [{ ...lean, fields }])
  t.ok(lines.some((line) => line.startsWith("| `id` |")))
  t.ok(lines.some((line) => line.startsWith("| `badge` |")))
  t.end()
})
