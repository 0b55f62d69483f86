import t from "tap"
import {
  compareCopy,
  compareRecords,
  readCopy,
} from "../../../../plugins/documents/me/assets/copy-file.js"
import { digestOfCopy, digestRecords } from "../../../../core/records/digest.ts"
import { itemCategories } from "../../../../core/records/kinds/items.ts"

const records = Array.from({ length: 40 }, (_, index) => ({
  id: `${(index * 7 % 16).toString(16)}${String(index).padStart(7, "0")}-1111`,
  updated: 1_700_000_000 + index,
  lastName: index === 3 ? 'O"Brien, "Ann"\r\nand {more}' : "Lovelace",
  mainAddress: index % 2 ? { town: "London" } : null,
}))
const rows = new Map(records.map(({ id, updated }) => [id, updated]))
const ndjson = linesOf(records.map((record) => JSON.stringify(record)), "\n")
const csv = linesOf([
  "id,lastName,updated,mainAddress.town",
  ...records.map(({ id, lastName, updated, mainAddress }) =>
    `${id},"${lastName.replaceAll('"', '""')}",${updated},${mainAddress?.town ?? ""}`
  ),
], "\r\n")

/** Reads a file of guests. */
const read = (text: string, name = "guests.txt") => readCopy([{ name, text }], ["guests"])

t.test("readCopy reads the same of NDJSON, CSV, JSON and lines, whole or in parts", (t) => {
  const end = { end: { count: 40, sha256: "9d1c", next: null } }
  const pairs = records.map(({ id, updated }) => `${id} ${updated}`)
  const files = {
    ndjson,
    "ndjson with an end": `${ndjson}${JSON.stringify(end)}\n`,
    "ndjson with CRLF and empty lines": ndjson.replaceAll("\n", "\r\n\r\n"),
    csv,
    "csv with an end": `${csv}#end,count=40,sha256=9d1c,next=\r\n`,
    "csv with a mark of its encoding": `\ufeff${csv}`,
    "csv with LF, and none at the end": csv.replaceAll("\r\n", "\n").trimEnd(),
    json: JSON.stringify(records),
    "json for people": JSON.stringify(records, null, 2),
    lines: linesOf(pairs, "\n"),
    "lines with CRLF": linesOf(pairs, "\r\n"),
  }
  for (const [name, text] of Object.entries(files)) {
    t.strictSame(read(text).get("guests"), rows, name)
  }
  const parts = [records.slice(0, 20), records.slice(20)]
    .map((part) => ({ name: "a.json", text: JSON.stringify(part) }))
  t.strictSame(readCopy(parts, ["guests"]).get("guests"), rows, "in parts")
  t.strictSame(read(JSON.stringify(records[0])).get("guests")?.size, 1, "one record")
  t.strictSame([...read("x 5\nx 9\nx 7\n").get("guests") ?? []], [["x", 9]], "the latest counts")
  for (const empty of ["", "[]", "\n"]) t.equal(read(empty).get("guests")?.size, 0)
  t.end()
})

t.test("readCopy reads items by the category of a record, of a bundle or of a file's name", (t) => {
  const [one, two] = [{ id: "a", updated: 1 }, { id: "b", updated: 2 }]
  const none = Object.fromEntries(itemCategories.map((each) => [each, []]))
  const bundle = { ...none, tickets: [one], pledges: [two] }
  const lines = linesOf([
    JSON.stringify({ category: "tickets", ...one }),
    JSON.stringify({ category: "pledges", ...two }),
  ], "\n")
  const own = new Map([["tickets", new Map([["a", 1]])], ["pledges", new Map([["b", 2]])]])
  const expected = new Map(itemCategories.map((each) => [each, own.get(each) ?? new Map()]))
  const copies = [
    [{ name: "items.json", text: JSON.stringify(bundle) }],
    [{ name: "items.json", text: JSON.stringify(bundle, null, 1) }],
    [{ name: "items.ndjson", text: lines }],
    [
      { name: "tickets.ndjson", text: JSON.stringify(one) },
      { name: "pledges.csv", text: "updated,id\n2,b\n" },
    ],
  ]
  for (const files of copies) t.strictSame(readCopy(files, itemCategories), expected)
  const message = /^items\.csv has records of no category of this list\./
  t.throws(() => readCopy([{ name: "items.csv", text: csv }], itemCategories), { message })
  t.throws(() => read(lines), { message: /^guests\.txt has records of no category/ })
  t.end()
})

t.test("readCopy says what is wrong with a file", (t) => {
  for (const text of ['{"id": "a"', '[{"id": "a"}, ', ndjson.slice(0, -20)]) {
    t.throws(() => read(text), { message: /^guests\.txt is not whole, or not JSON: / }, text)
  }
  const without = [
    '[{"id":"a"}]',
    "[1, null]",
    "[null]",
    "name,updated\nx,1\n",
    "id,updated\nx,\n",
    "a b c",
    '[{"id":"a","updated":1.5}]',
    "<html>\n</html>",
  ]
  const message = "guests.txt has a record without id and updated."
  for (const text of without) t.throws(() => read(text), { message }, text)
  t.end()
})

t.test("compareCopy computes the digests that the service does, and names the buckets that differ", async (t) => {
  const digestOf = (some: ReadonlyMap<string, number>) =>
    digestRecords([...some].map(([id, time]) => ({ id, time })), {})
  const copy = read(ndjson)
  const here = digestOf(rows)
  const same = { different: [], mine: digestOfCopy(here) }
  t.strictSame(await compareCopy(copy, { guests: here }), same)

  const other = new Map(rows)
  const [first = "", second = ""] = rows.keys()
  other.delete(first)
  other.set(second, 5)
  const { different, mine } = await compareCopy(copy, { guests: digestOf(other) })
  t.strictSame(different.map(({ bucket }) => bucket), [first[0], second[0]].sort())
  t.match(different.find(({ bucket }) => bucket === first[0]), {
    category: "guests",
    count: 2,
    own: 3,
  })
  t.equal(mine, same.mine, "of the copy, whatever the service has")

  const ids = Array.from({ length: 10_001 }, (_, n) => `${n.toString(16).padStart(8, "0")}-a`)
  const many = new Map(ids.map((id, index) => [id, index]))
  const big = digestOf(many)
  t.ok(Object.keys(big.buckets).every((bucket) => bucket.length === 2))
  t.match(await compareCopy(new Map([["guests", many]]), { guests: big }), {
    different: [],
    mine: digestOfCopy(big),
  })

  const empty = { count: 0, buckets: {} }
  const all = { different: { length: Object.keys(here.buckets).length } }
  t.match(await compareCopy(new Map(), { guests: here }), all)
  t.match(await compareCopy(copy, { guests: empty }), all)
  const items = { pledges: here, tickets: empty }
  const ofItems = new Map([["pledges", rows], ["tickets", new Map()]])
  t.strictSame(await compareCopy(ofItems, items), { different: [], mine: digestOfCopy(items) })
})

t.test("compareRecords tells records apart that are missing, different, too many, or only later", (t) => {
  const own = new Map([["same", 1], ["old", 2], ["deleted", 3], ["changed since", 3]])
  const theirs = new Map([["same", 1], ["old", 3], ["missing", 2], ["changed since", 9], [
    "new",
    8,
  ]])
  t.strictSame(compareRecords(own, theirs, 3), {
    ...{ missing: ["missing"], old: ["old"], surplus: ["deleted"], later: 2 },
  })
  t.match(compareRecords(new Map(), theirs, Infinity), { missing: { length: 5 }, later: 0 })
  t.end()
})

/** Joins lines, each with an end. */
function linesOf(lines: readonly string[], end: string): string {
  return lines.map((line) => `${line}${end}`).join("")
}
