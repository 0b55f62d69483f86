import t from "tap"
import {
  compareCopy,
  compareRecords,
  readCopy,
} from "../../../../plugins/documents/me/assets/copy-file.js"
import { digestOfCopy, digestRecords } from "../../../../core/records/digest.ts"
import { itemCategories } from "../../../../core/records/kinds/items.ts"

const guests = ["guests"]
const records = Array.from({ length: 40 }, (_, index) => ({
  id: `${(index * 7 % 16).toString(16)}${
    String(index).padStart(7, "0")
  }-1111-4111-8111-111111111111`,
  updated: 1_700_000_000 + index,
  lastName: index === 3 ? 'O"Brien, "Ann"\r\nand {more}' : "Lovelace",
  mainAddress: index % 2 ? { town: "London" } : null,
}))
const rows = new Map(records.map(({ id, updated }) => [id, updated]))
const ndjson = records.map((record) => `${JSON.stringify(record)}\n`).join("")
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
const csv = "id,lastName,updated,mainAddress.town\r\n" +
  records.map((record) =>
    `${record.id},${quoted(record.lastName)},${record.updated},${
      record.mainAddress?.town ?? ""
    }\r\n`
  ).join("")

/** Reads a file of guests. */
const read = (text: string, name = "guests.txt") => readCopy([{ name, text }], guests)
const messageOf = (work: () => unknown) => {
  try {
    work()
    return "none"
  } catch (error) {
    return (error as Error).message
  }
}

t.test("readCopy reads the same of NDJSON, CSV, JSON and lines, whole or in parts", (t) => {
  const end = { end: { count: 40, sha256: "9d1c", next: null } }
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
    lines: records.map(({ id, updated }) => `${id} ${updated}\n`).join(""),
    "lines with CRLF": records.map(({ id, updated }) => `${id} ${updated}\r\n`).join(""),
  }
  for (const [name, text] of Object.entries(files)) {
    t.strictSame(read(text).get("guests"), rows, name)
  }
  t.strictSame(
    readCopy(
      [0, 20].map((from) => ({
        name: "a.json",
        text: JSON.stringify(records.slice(from, from + 20)),
      })),
      guests,
    ).get("guests"),
    rows,
  )
  t.strictSame(read(JSON.stringify(records[0])).get("guests")?.size, 1, "one record")
  const twice = `${records[0]?.id} 5\n${records[0]?.id} 9\n${records[0]?.id} 7\n`
  t.strictSame([...read(twice).get("guests") ?? []], [[records[0]?.id, 9]])
  for (const empty of ["", "[]", "\n"]) t.equal(read(empty).get("guests")?.size, 0)
  t.end()
})

t.test("readCopy reads items by the category of a record, of a bundle or of a file's name", (t) => {
  const [one, two] = records
  const bundle = JSON.stringify({
    ...Object.fromEntries(itemCategories.map((each) => [each, []])),
    tickets: [one],
    pledges: [two],
  })
  const lines = `${JSON.stringify({ category: "tickets", ...one })}\n${
    JSON.stringify({ category: "pledges", ...two })
  }\n`
  const expected = new Map(itemCategories.map((each) => [
    each,
    new Map(
      each === "tickets"
        ? [[one?.id, one?.updated]]
        : each === "pledges"
        ? [[two?.id, two?.updated]]
        : [],
    ),
  ]))
  const of = (...files: readonly { name: string; text: string }[]) =>
    readCopy(files, itemCategories)
  t.strictSame(of({ name: "items.json", text: bundle }), expected)
  t.strictSame(
    of({ name: "items.json", text: JSON.stringify(JSON.parse(bundle), null, 1) }),
    expected,
  )
  t.strictSame(of({ name: "items.ndjson", text: lines }), expected)
  t.strictSame(
    of({ name: "tickets.ndjson", text: JSON.stringify(one) }, {
      name: "pledges.csv",
      text: `updated,id\n${two?.updated},${two?.id}\n`,
    }),
    expected,
  )
  t.match(
    messageOf(() => of({ name: "items.csv", text: csv })),
    /^items\.csv has records of no category of this list\./,
  )
  t.match(
    messageOf(() => read(lines)),
    /^guests\.txt has records of no category/,
    "these are no guests",
  )
  t.end()
})

t.test("readCopy says what is wrong with a file", (t) => {
  for (const text of ['{"id": "a"', '[{"id": "a"}, ', `${ndjson.slice(0, -20)}`]) {
    t.match(
      messageOf(() => read(text)),
      /^guests\.txt is not whole, or not JSON: /,
      text.slice(0, 20),
    )
  }
  for (
    const text of [
      '[{"id":"a"}]',
      "[1, null]",
      "[null]",
      "name,updated\nx,1\n",
      "id,updated\nx,\n",
      "a b c",
      '[{"id":"a","updated":1.5}]',
      "<html>\n</html>",
    ]
  ) {
    t.equal(messageOf(() => read(text)), "guests.txt has a record without id and updated.", text)
  }
  t.end()
})

t.test("compareCopy computes the digests that the service does, and names the buckets that differ", async (t) => {
  const digestOf = (some: ReadonlyMap<string, number>) =>
    digestRecords([...some].map(([id, time]) => ({ id, time })), {})
  const copy = read(ndjson)
  const here = digestOf(rows)
  t.strictSame(await compareCopy(copy, { guests: here }), {
    different: [],
    mine: digestOfCopy(here),
  })
  const other = new Map(rows)
  const [first = "", second = ""] = rows.keys()
  other.delete(first)
  other.set(second, 5)
  const changed = digestOf(other)
  const { different, mine } = await compareCopy(copy, { guests: changed })
  t.strictSame(different.map(({ bucket }) => bucket), [first[0], second[0]].sort())
  t.match(different.find(({ bucket }) => bucket === first[0]), {
    category: "guests",
    count: 2,
    own: 3,
  })
  t.equal(mine, digestOfCopy(here), "of the copy, whatever the service has")
  const many = new Map(
    Array.from(
      { length: 10_001 },
      (_, index) => [`${index.toString(16).padStart(8, "0")}-a`, index],
    ),
  )
  const big = digestOf(many)
  t.ok(Object.keys(big.buckets).every((bucket) => bucket.length === 2))
  t.match(await compareCopy(new Map([["guests", many]]), { guests: big }), {
    different: [],
    mine: digestOfCopy(big),
  })
  const empty = { count: 0, buckets: {} }
  t.match(await compareCopy(new Map(), { guests: here }), {
    different: { length: Object.keys(here.buckets).length },
  })
  t.match(await compareCopy(copy, { guests: empty }), {
    different: { length: Object.keys(here.buckets).length },
  })
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
