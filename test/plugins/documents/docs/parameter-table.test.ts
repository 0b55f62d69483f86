import t from "tap"
import { listingParameters } from "../../../../core/request/listing/parameters.ts"
import { parameterTable } from "../../../../plugins/documents/docs/parameter-table.ts"

t.test("the table of parameters has a row for each, with its default", (t) => {
  const [head, , ...rows] = parameterTable(listingParameters).trim().split("\n")
  t.equal(head, "| Parameter | Default | Meaning |")
  const cells = rows.map((row) => row.split(" | ").slice(0, 2).join(" ").replace("| ", ""))
  t.strictSame(
    cells.map((cell) => cell.split(" ")[0]),
    Object.keys(listingParameters).map((name) => `\`${name}\``),
  )
  t.ok(cells.includes("`since` `1606062358`"))
  t.ok(cells.includes("`category` empty"), "an empty text")
  t.ok(cells.includes("`cursor` none"), "no default")
  t.strictSame(rows.filter((row) => row.split(" | ").length !== 3), [], "no description has a bar")
  t.end()
})
