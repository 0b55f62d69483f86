import { LiveLists } from "../records/live/live-lists.ts"
import { Cursors } from "../request/listing/cursor.ts"
import { LivePages } from "../request/listing/live-pages.ts"
import { PageTags } from "../request/listing/page-tags.ts"
import { Pages } from "../request/listing/pages.ts"
import { Walks } from "../request/listing/walks.ts"
import type { Plan } from "../routes/plan.ts"
import { version } from "./version.ts"

/** What reads lists. */
export interface Reading {
  readonly pages: Pages
  readonly tags: PageTags
  /** What cuts pages from lists in memory; undefined if none are. */
  readonly livePages: LivePages | undefined
  readonly walks: Walks
}

/** Makes what reads lists. `cache` has the bytes that pages and lists in memory may take; 0 keeps none. */
export function openReading(
  { session: { secrets }, polling, accounts }: Pick<Plan, "session" | "polling" | "accounts">,
  cache: { readonly pages: number; readonly records: number },
): Reading {
  const livePages = cache.records > 0 ? new LivePages(new LiveLists(cache.records)) : undefined
  const pages = new Pages({ bytes: cache.pages, live: livePages })
  const tags = new PageTags(secrets, version)
  const walks = new Walks(new Cursors(secrets), { ...polling, accounts })
  return { pages, tags, livePages, walks }
}
