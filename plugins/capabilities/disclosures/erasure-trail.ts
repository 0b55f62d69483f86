import {
  boundedCache,
  type CapabilityHost,
  type Database,
  type Observer,
  type SentPage,
} from "../../../core/capability.ts"
import { filterOf } from "./ends.ts"
import { addNotices, type Notice } from "./notices.ts"

/**
 * Returns an observer that records which deletions accounts have been told of, and which they say they have applied,
 * also by a digest that is the one of their copy.
 *
 * They are told by a page that was sent in full, or by a 304, whose tag they have from that page. A range is
 * never too wide: changes that were still open when the page was read may get times from `Next-Since` on.
 * With `since`, a client says that it has applied everything before.
 */
export function erasureTrail(
  database: Database,
  { batch }: { readonly batch: CapabilityHost["batch"] },
): Observer {
  const write = (notices: readonly Notice[], signal: AbortSignal) =>
    addNotices(database, notices, signal)
  const notices = batch(write, { name: "erasures" })
  const lists = boundedCache<ListState>({ most: 100_000 })
  return ({ asked: { method, match }, decided: { admission }, sent }) => {
    const { status, pages, isWhole } = sent
    const eventId = admission?.event?.id
    if (!match || !admission || eventId === undefined) return
    if (method === "HEAD" || (status !== 200 && status !== 304)) return
    const accountId = admission.session.account.id
    const { prefix } = match.route
    for (const page of pages) {
      if (!page.list.hasHorizon && !page.isSame) continue
      const list = page.list.categories?.includes("guests") ? "guests" : "items"
      const filter = filterOf(page.list)
      const subject = { eventId, accountId, prefix, list, filter, at: page.at } as const
      if (page.isSame) {
        if (page.isFiltered) continue
        notices.add({ ...subject, kind: "attested", from: 0, to: page.nextSince - 1 })
        continue
      }
      const key = [eventId, accountId, prefix, list].join("\n")
      const state = lists.get(key) ?? { told: undefined, news: undefined, checked: -Infinity }
      lists.set(key, state)
      const applied = page.feed?.applied ?? page.since
      if (page.isFirst && isNews(state, applied, page.at)) {
        state.checked = page.at
        state.news = undefined
        // Nobody has applied what may still happen.
        const to = Math.min(applied, page.feed?.bound ?? page.nextSince) - 1
        notices.add({ ...subject, kind: "acknowledged", from: 0, to })
      }
      if (page.rows === 0) continue
      const newest = page.span?.newest ?? Infinity
      state.news = Math.max(state.news ?? 0, newest)
      const range = toldBy(page, status === 304)
      if (!range || !isWhole || isKnown(state.told, range, newest)) continue
      state.told = range
      notices.add({ ...subject, kind: "told", ...range })
    }
  }
}

/** What this process knows of an account and a list of deletions. Another process may know the rest. */
interface ListState {
  /** The last range that it was told of. */
  told: ToldRange | undefined
  /** The newest deletion on a page since the last `since` that was recorded. */
  news: number | undefined
  /** When a `since` was recorded. */
  checked: number
}

type ToldRange = SentPage["range"]

/** Seconds after which a `since` is recorded, even if this process has sent no deletion from before it. */
const longestUnchecked = 600

function isNews({ news, checked }: ListState, applied: number, at: number): boolean {
  if (applied <= 0) return false
  return (news !== undefined && news < applied) || Math.abs(at - checked) > longestUnchecked
}

/**
 * True if it was told of all of them: what changes later gets later times, so another deletion would be the
 * newest one.
 */
function isKnown(told: ListState["told"], { from }: ToldRange, newest: number): boolean {
  return told !== undefined && told.from <= from && newest <= told.to
}

/** Returns the times of the deletions that a page tells of, together with the pages before it; undefined if none. */
function toldBy(page: SentPage, isUnchanged: boolean): ToldRange | undefined {
  const { range, since, completeSince = 0, nextSince, hasNext, isFirst, isFiltered, span } = page
  if (isFiltered) return undefined
  const goesOn = hasNext || isUnchanged || range.from > since
  const from = goesOn ? range.from + 1 : Math.max(since, completeSince)
  const isByOffset = !isFirst && page.cursor === undefined
  const last = isByOffset ? (span?.newest ?? 0) - 1 : range.to
  const to = Math.min(last, nextSince - 1)
  return from <= to ? { from, to } : undefined
}
