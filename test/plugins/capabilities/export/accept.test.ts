import t from "tap"
import { chooseType } from "../../../../plugins/capabilities/export/accept.ts"

const offered = [
  "application/json",
  "application/x-ndjson",
  "application/jsonl",
  "text/csv",
] as const
const choose = (accept: string | null) => chooseType(accept, offered)

const choices: readonly (readonly [string | null, string])[] = [
  [null, "application/json"],
  ["", "application/json"],
  ["*/*", "application/json"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json"],
  ["application/xml", "application/json"],
  ["application/x-ndjson", "application/x-ndjson"],
  ["text/csv", "text/csv"],
  ["TEXT/CSV", "text/csv"],
  ["text/*", "text/csv"],
  ["application/*", "application/json"],
  ["text/csv, */*", "text/csv"],
  ["*/*, text/csv", "text/csv"],
  ["text/csv;q=0.5, */*", "application/json"],
  ["text/csv, application/json", "application/json"],
  ["text/csv;q=0.9, application/x-ndjson;q=0.8", "text/csv"],
  ["text/csv;q=0.8, application/x-ndjson ; q=0.9", "application/x-ndjson"],
  ["text/csv;q=0, text/*", "application/json"],
  ["application/json;q=0, application/x-ndjson;q=0, */*;q=0.1", "application/jsonl"],
  ["text/csv;q=x", "application/json"],
  ["application/jsonl", "application/jsonl"],
  ["application/jsonl, application/x-ndjson", "application/x-ndjson"],
  ["application/jsonl, application/x-ndjson;q=0.9", "application/jsonl"],
  ["application/x-ndjson;q=0, application/*;q=0.5, application/json;q=0", "application/jsonl"],
  ["application/json;q=0", "application/x-ndjson"],
  ["application/json;q=0, application/x-ndjson;q=0.0, application/jsonl;q=0.000", "text/csv"],
  ["application/*;q=0", "text/csv"],
  ["*/*;q=0", "application/json"],
  ["text/csv;q=5, application/json", "application/json"],
]

t.test("chooseType chooses by weight, then by name, then by the order offered", (t) => {
  for (const [accept, type] of choices) t.equal(choose(accept).type, type, String(accept))
  t.end()
})

t.test("chooseType returns the parameters of the type", (t) => {
  const { parameters } = choose("text/csv; header=absent; bom=true; q=0.5")
  t.strictSame(parameters, { header: "absent", bom: "true" })
  t.strictSame(choose('text/csv;header="absent"').parameters, { header: "absent" })
  t.strictSame(choose("text/csv;q=0.1, text/csv;bom=true").parameters, { bom: "true" })
  t.end()
})
