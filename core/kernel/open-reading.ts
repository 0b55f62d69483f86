import { EntityTags } from "../http/representation.ts"
import { RecordCache } from "../records/record-cache.ts"
import { Cursors } from "../request/listing/cursor.ts"
import { LiveLists } from "../records/live/live-lists.ts"
import { LivePages } from "../request/listing/live-pages.ts"
import { PageCache } from "../request/listing/page-cache.ts"
import { Walks } from "../request/listing/walks.ts"
import type { Plan } from "../routes/plan.ts"

/** What reads lists. */
export interface Reading {
  /** The records that are kept; undefined if none are. */
  readonly records: RecordCache | undefined
  readonly pages: PageCache
  /** What cuts pages from lists in memory; undefined if no records are kept. */
  readonly livePages: LivePages | undefined
  readonly walks: Walks
}

/** Makes what reads lists. `cache` has the bytes that pages and records in memory may take; 0 keeps none. */
export function openReading(
  { session: { secrets }, polling, accounts }: Pick<Plan, "session" | "polling" | "accounts">,
  cache: { readonly pages: number; readonly records: number },
): Reading {
  const keys = Math.floor(cache.records / 4)
  const records = cache.records > 0 ? new RecordCache(cache.records - keys) : undefined
  const livePages = records && new LivePages(new LiveLists(keys), records)
  const tags = new EntityTags(secrets)
  const pages = new PageCache({ tags, bytes: cache.pages, records, live: livePages })
  const walks = new Walks(new Cursors(secrets), { ...polling, accounts })
  return { records, pages, livePages, walks }
}
