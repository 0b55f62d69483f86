import { Buffer } from "node:buffer"
import t from "tap"
import { items } from "../../../../core/records/items.ts"
import {
  itemCategories,
  type ItemsProjection,
  wholeItems,
} from "../../../../core/records/kinds/items.ts"
import { bindList } from "../../../../core/records/list.ts"
import { cutParts, writeParts } from "../../../../core/records/live/cut-page.ts"
import { LiveRecords } from "../../../../core/records/live/live-records.ts"
import type { EncodedBody } from "../../../../core/records/read-pages.ts"
import { RecordCache } from "../../../../core/records/record-cache.ts"

await t.test("a bundle that is cut has its categories in the usual order, whatever the order of a plugin's projections", (t) => {
  const reversed = Object.fromEntries(Object.entries(wholeItems).toReversed())
  const { live } = bindList(items, reversed as unknown as ItemsProjection)
  const records = new LiveRecords(itemCategories)
  for (const category of itemCategories) records.list(category).extend([], true)
  const cached = new RecordCache(10_000).of("event", "epoch")
  const page = { since: -1, offset: 0, limit: 1, terms: [], cached }
  const { parts = [] } = live && cutParts(records, live, page, 0) || {}
  const written = writeParts(parts, "bundle", () => undefined)
  const { bytes } = ("body" in written ? written.body : undefined) as EncodedBody
  t.strictSame(Object.keys(JSON.parse(Buffer.from(bytes).toString())), itemCategories)
  t.end()
})
