import type { SessionSettings } from "../access/sessions.ts"
import { EntityTags } from "../http/representation.ts"
import { RecordCache } from "../records/record-cache.ts"
import { Cursors } from "../request/listing/cursor.ts"
import { PageCache } from "../request/listing/page-cache.ts"
import { type Polling, Walks } from "../request/listing/walks.ts"

/** What lists are read with. */
export interface ReadingSettings {
  readonly session: Pick<SessionSettings, "secrets">
  readonly polling: Polling
  /** Bytes that pages and records in memory may take; 0 keeps none. */
  readonly cache: { readonly pages: number; readonly records: number }
}

/** What reads lists. */
export interface Reading {
  /** The records that are kept; undefined if none are. */
  readonly records: RecordCache | undefined
  readonly pages: PageCache
  readonly walks: Walks
}

/** Makes what reads lists. */
export function openReading({ session: { secrets }, polling, cache }: ReadingSettings): Reading {
  const records = cache.records > 0 ? new RecordCache(cache.records) : undefined
  const pages = new PageCache({ tags: new EntityTags(secrets), bytes: cache.pages, records })
  return { records, pages, walks: new Walks({ cursors: new Cursors(secrets), polling }) }
}
