import { EntityTags } from "../http/representation.ts"
import { RecordCache } from "../records/record-cache.ts"
import { Cursors } from "../request/listing/cursor.ts"
import { PageCache } from "../request/listing/page-cache.ts"
import { Walks } from "../request/listing/walks.ts"
import type { Plan } from "../routes/plan.ts"

/** What reads lists. */
export interface Reading {
  /** The records that are kept; undefined if none are. */
  readonly records: RecordCache | undefined
  readonly pages: PageCache
  readonly walks: Walks
}

/** Makes what reads lists. `cache` has the bytes that pages and records in memory may take; 0 keeps none. */
export function openReading(
  { session: { secrets }, polling, accounts }: Pick<Plan, "session" | "polling" | "accounts">,
  cache: { readonly pages: number; readonly records: number },
): Reading {
  const records = cache.records > 0 ? new RecordCache(cache.records) : undefined
  const pages = new PageCache({ tags: new EntityTags(secrets), bytes: cache.pages, records })
  const walks = new Walks(new Cursors(secrets), { ...polling, accounts })
  return { records, pages, walks }
}
