import t from "tap"
import { csv } from "../../../plugins/console/csv.ts"

t.test("csv quotes commas, quotes and line breaks", async (t) => {
  t.equal(csv([["a", 'say "b"', "c,d", "e\nf"], [1, null]]), 'a,"say ""b""","c,d","e\nf"\r\n1,\r\n')
})

t.test("csv keeps formulas text", async (t) => {
  const formulas = ["=1+1", "+1", "-1", "@sum(a1)", "\t=1", "\r=1", "=a,b"]
  t.equal(
    csv([formulas]),
    `'=1+1,'+1,'-1,'@sum(a1),'\t=1,"'\r=1","'=a,b"\r\n`,
  )
  t.equal(csv([[-1]]), "-1\r\n", "a number is none")
})
