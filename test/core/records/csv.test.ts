import fc from "fast-check"
import t from "tap"
import { csv } from "../../../core/records/csv.ts"
import { readCsv } from "../../support/csv-reader.ts"

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

t.test("csv loses nothing: a reader gets every text back", (t) => {
  const tricky = fc.array(fc.constantFrom(..."='+-@＝ \t\r\n\",;#a0".split("")), { maxLength: 5 })
  const text = fc.oneof(fc.string({ unit: "grapheme" }), tricky.map((parts) => parts.join("")))
  const rows = fc.array(fc.array(fc.option(text), { minLength: 2, maxLength: 4 }))
  fc.assert(
    fc.property(rows, (rows) => t.strictSame(readCsv(csv(rows)), rows)),
    { numRuns: 500 },
  )
  t.end()
})
