import fc from "fast-check"
import t from "tap"
import { csv } from "../../../../core/records/bytes/csv.ts"
import { readCsv, withoutGuard } from "../../../support/csv-reader.ts"

const inner = [
  "x;=1+1",
  ";=1",
  "x; -1",
  'x;"=1',
  "x\n=1",
  "x;;＠a",
  "x;'=1",
  "x;1=1",
  "x;y",
  "x\t=1",
  "x\ty",
]
const rows: Record<string, [row: (string | number | boolean | null)[], text: string]> = {
  "quotes commas, quotes, line breaks and empty text, which is not null": [
    ["a", 'say "b"', "c,d", "e\nf", 1, null, "", true],
    'a,"say ""b""","c,d","e\nf",1,,"",true',
  ],
  "keeps formulas text": [
    ["=1+1", "+1", "-1", "@sum(a1)", "\t=1", "\r=1", "=a,b", " =1", "＝1", "'=1"],
    `'=1+1,'+1,'-1,'@sum(a1),'\t'=1,"'\r'=1","'=a,b",' =1,'＝1,''=1`,
  ],
  "keeps formulas text where a semicolon or a tab separates cells": [
    inner,
    `x;'=1+1,;'=1,x;' -1,"x;'""=1","x\n'=1",x;;'＠a,x;''=1,x;1=1,x;y,x\t'=1,x\ty`,
  ],
  "replaces NUL, at which readers of CSV end, and no other character": [
    ["a\0b\0", "\0", "\x01\x1f\x7f", "\ufffd"],
    "a\ufffdb\ufffd,\ufffd,\x01\x1f\x7f,\ufffd",
  ],
  "takes no number for a formula, nor other text": [
    [-1, "it's", "'tis", "a=b", "007"],
    "-1,it's,'tis,a=b,007",
  ],
}
t.test("csv of exact values replaces NUL as well", async (t) => {
  t.equal(csv([["=a\0b"]], { isExact: true }), "=a\ufffdb\r\n")
})

for (const [name, [row, text]] of Object.entries(rows)) {
  t.test(`csv ${name}`, async (t) => t.equal(csv([row]), `${text}\r\n`))
}

t.test("csv of text guards what a spreadsheet takes for another value, and no other text", (t) => {
  const values = [
    ...[
      "007",
      "02134",
      "1E5",
      "1e-5",
      "12345678901234567890",
      "1,000",
      "1.000,5",
      "1'000",
      "1 000",
      ".5",
      "50 %",
    ],
    ...[
      "$5",
      "5 €",
      "(5)",
      "１２",
      "MAR1",
      "1-2",
      "1/2",
      "1 1/2",
      "2026-01-02",
      "2026-01-02T10:00:00Z",
      "1.2.2026",
    ],
    ...[
      "5 Sept",
      "Sep-20",
      "3. März 2026",
      "3 stycznia",
      "3 de enero de 2026",
      "1 août",
      "12 dez",
      "10:30",
      "5 p.m.",
      "12:00 PM",
    ],
    ...["true", "FALSE", "Wahr", "faux", "#N/A", " 007", "'007", "'tis"],
  ]
  t.strictSame(
    values.filter((value) => csv([[value]], { isText: true })[value.includes(",") ? 1 : 0] !== "'"),
    [],
  )
  const texts = [
    ...[
      "Ada",
      "may",
      "Table 12",
      "A1",
      "E1 6AN",
      "crm-1815",
      "12 Sea Road",
      "2 for 1",
      "it's",
      "#1a",
      "email, sms",
    ],
    ...["12345678-1e5a-4e5a-8a5e-123456789012", "", "ada@example.org"],
  ]
  t.strictSame(csv([texts], { isText: true }), csv([texts], { isExact: true }))
  t.equal(csv([[7, true, null]], { isText: true }), "7,true,\r\n", "what is no text stays")
  t.end()
})

t.test("csv of exact cells has the values themselves", (t) => {
  const values = ["=1+1", "+44 20", "'=1", "x;=1", "\t=1", "007", "a,b", "", null, -1]
  t.equal(
    csv([values], { isExact: true }),
    `=1+1,+44 20,'=1,x;=1,\t=1,007,"a,b","",,-1\r\n`,
  )
  t.end()
})

t.test("csv leaves no formula where a semicolon separates cells", (t) => {
  const texts = fc.array(fc.constantFrom(...'=+-@;;""\', \t\r\n0a'.split("")), { maxLength: 8 })
    .map((parts) => parts.join(""))
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), (cells) => {
      const text = csv([["id", ...cells]])
      return [",", ";", "\t"].every((separator) =>
        cellsOf(text, separator).every((cell) => !/^\s*[=+\-@]/.test(cell))
      )
    }),
    { numRuns: 300 },
  )
  t.end()
})

t.test("csv loses nothing but NUL: a reader gets every text back", (t) => {
  const tricky = fc.array(fc.constantFrom(..."='+-@＝ \t\r\n\",;#a0".split("")), { maxLength: 5 })
  const text = fc.oneof(
    fc.array(fc.constantFrom(..."é🎟👩‍❤️ａ\u0000\u2028x")).map((letters) => letters.join("")),
    tricky.map((parts) => parts.join("")),
  )
  const rows = fc.array(fc.array(fc.option(text), { minLength: 2, maxLength: 4 }))
  fc.assert(
    fc.property(rows, (rows) => {
      const read = rows.map((cells) =>
        cells.map((cell) => cell?.replaceAll("\0", "\ufffd") ?? null)
      )
      t.strictSame(readCsv(csv(rows, { isExact: true })), read)
      const guarded = readCsv(csv(rows, { isText: true }))
      t.strictSame(guarded.map((cells) => cells.map((cell) => cell && withoutGuard(cell))), read)
    }),
    { numRuns: 60 },
  )
  t.end()
})

/** Returns the cells that a spreadsheet makes of a text: a quote counts where a cell begins, and ends at the next one. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = []
  let [cell, isQuoted, isBegun] = ["", false, false]
  for (let at = 0; at < text.length; at++) {
    const each = text[at] as string
    if (isQuoted && each === '"' && text[at + 1] === '"') cell += text[++at]
    else if (isQuoted) each === '"' ? isQuoted = false : cell += each
    else if (each === '"' && !isBegun) isQuoted = isBegun = true
    else if (each === separator || each === "\r" || each === "\n") {
      cells.push(cell)
      cell = ""
      isBegun = false
    } else {
      cell += each
      isBegun = true
    }
  }
  return [...cells, cell]
}
