import type { Answer, List, Place, Query } from "./answer.ts"

/** How a partner polls. */
export interface PartnerKind {
  readonly by: "cursor" | "offset"
  readonly limit: number
  /** The lists of a poll, in the order of reading. */
  readonly lists: readonly List[]
  /** True if it has no copy yet. */
  readonly isNew?: true
  /** True if it sends entity tags. */
  readonly tags?: true
  /** True if it ends its poll at a 304 for the records, and then reads no deletions. */
  readonly endsPolls?: true
  /** True if it may read all records again between two polls, as after a digest that differs. */
  readonly repairs?: true
  /** What it sends as `since` with the next poll: `Next-Since` of the first page, or the largest `updated`. */
  readonly keeps?: "Next-Since" | "max(updated)"
}

/** A partner with its copy. */
export interface Partner {
  /** The change that each record was last changed by, as far as the partner knows. */
  readonly copy: Readonly<Record<string, number>>
  /** Of the last complete poll. */
  readonly since: number
  readonly tags: Tags
  /** The poll that has begun. */
  readonly poll?: Poll | undefined
}

type Tags = Readonly<Partial<Record<List, string | undefined>>>

interface Poll {
  readonly list: number
  readonly place: Place
  /** What the next poll sends. */
  readonly since: number
  readonly tags: Tags
}

/** Returns the next request of a partner. */
export function nextQuery({ since, tags, poll }: Partner, kind: PartnerKind): Query {
  const list = kind.lists[poll?.list ?? 0] as List
  const place = poll?.place ?? { offset: 0 }
  const tag = kind.tags && isFirst(place) ? tags[list] : undefined
  return { list, since, limit: kind.limit, place, tag }
}

/** Applies the answer to a partner's request. */
export function afterAnswer(partner: Partner, kind: PartnerKind, answer: Answer): Partner {
  const start: Poll = { list: 0, place: { offset: 0 }, since: NaN, tags: {} }
  const { list: index, place, since, tags } = partner.poll ?? start
  const list = kind.lists[index] as List
  const copy = { ...partner.copy }
  for (const { record, id } of answer.rows) {
    if (list === "records") copy[record] = id
    else delete copy[record]
  }
  const poll = {
    list: index,
    since: Number.isNaN(since) ? sinceAfter(partner, kind, answer) : since,
    tags: isFirst(place) && kind.tags ? { ...tags, [list]: answer.tag } : tags,
  }
  if (kind.endsPolls && list === "records" && answer.isUnchanged) {
    return { copy, since: poll.since, tags: { ...partner.tags, ...poll.tags } }
  }
  const next = placeAfter(place, kind, answer)
  if (next) return { ...partner, copy, poll: { ...poll, place: next } }
  if (index + 1 < kind.lists.length) {
    return { ...partner, copy, poll: { ...poll, list: index + 1, place: { offset: 0 } } }
  }
  return { copy, since: poll.since, tags: poll.tags }
}

function isFirst(place: Place): boolean {
  return "offset" in place && place.offset === 0
}

function sinceAfter({ since }: Partner, { keeps }: PartnerKind, answer: Answer): number {
  if (keeps !== "max(updated)") return answer.nextSince
  return Math.max(since, ...answer.rows.map(({ stamp }) => stamp))
}

function placeAfter(
  place: Place,
  { by, limit }: PartnerKind,
  { isUnchanged, rows, next }: Answer,
): Place | undefined {
  if (isUnchanged) return undefined
  if (by === "cursor") return next
  return rows.length > 0 && "offset" in place ? { offset: place.offset + limit } : undefined
}
