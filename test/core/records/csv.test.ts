import fc from "fast-check"
import t from "tap"
import { csv } from "../../../core/records/csv.ts"
import { readCsv, withoutGuard } from "../../support/csv-reader.ts"

t.test("csv quotes commas, quotes, line breaks and empty text, which is not null", (t) => {
  t.equal(
    csv([["a", 'say "b"', "c,d", "e\nf"], [1, null, "", true]]),
    'a,"say ""b""","c,d","e\nf"\r\n1,,"",true\r\n',
  )
  t.end()
})

t.test("csv keeps formulas text", (t) => {
  const formulas = ["=1+1", "+1", "-1", "@sum(a1)", "\t=1", "\r=1", "=a,b", " =1", "＝1", "'=1"]
  t.equal(
    csv([formulas]),
    `'=1+1,'+1,'-1,'@sum(a1),'\t'=1,"'\r'=1","'=a,b",' =1,'＝1,''=1\r\n`,
  )
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
  t.equal(
    csv([inner]),
    `x;'=1+1,;'=1,x;' -1,"x;'""=1","x\n'=1",x;;'＠a,x;''=1,x;1=1,x;y,x\t'=1,x\ty\r\n`,
    "also where a semicolon or a tab separates cells",
  )
  t.equal(csv([[-1]]), "-1\r\n", "a number is none")
  t.equal(csv([["it's", "'tis", "a=b", "007"]]), "it's,'tis,a=b,007\r\n", "nor is other text")
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
    { numRuns: 800 },
  )
  t.end()
})

t.test("csv loses nothing: a reader gets every text back", (t) => {
  const tricky = fc.array(fc.constantFrom(..."='+-@＝ \t\r\n\",;#a0".split("")), { maxLength: 5 })
  const text = fc.oneof(fc.string({ unit: "grapheme" }), tricky.map((parts) => parts.join("")))
  const rows = fc.array(fc.array(fc.option(text), { minLength: 2, maxLength: 4 }))
  fc.assert(
    fc.property(rows, (rows) => {
      t.strictSame(readCsv(csv(rows, { isExact: true })), rows)
      const guarded = readCsv(csv(rows))
      t.strictSame(guarded.map((cells) => cells.map((cell) => cell && withoutGuard(cell))), rows)
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
