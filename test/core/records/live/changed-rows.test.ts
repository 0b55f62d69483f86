import t from "tap"
import { guest } from "../../../../core/records/kinds/guest.ts"
import { wholeItems } from "../../../../core/records/kinds/items.ts"
import { whole } from "../../../../core/records/projection.ts"

// ChangedRows reads a record with all that belongs to it as one row: of two columns of one name, it would have only one.
for (const [list, { columns }] of Object.entries({ guests: whole(guest), ...wholeItems })) {
  t.test(`no two columns of ${list}, and of what belongs to them, have the same name`, (t) => {
    const inTables = columns
      .map((column) => column.replace(/^(main|gift_aid|tax_receipt)\./, "address."))
    const names = [...new Set(inTables)].map((column) => column.replace(/^\w+\./, ""))
    t.ok(names.length > 5)
    t.strictSame(
      names.filter((name, index) => names.indexOf(name) !== index || name === "place"),
      [],
    )
    t.end()
  })
}
