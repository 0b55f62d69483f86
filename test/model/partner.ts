import type { Answer, List, Place } from "./service.ts"

/** How a partner polls. */
export interface PartnerKind {
  readonly by: "cursor" | "offset"
  readonly limit: number
  /** The lists of a poll, in the order of reading. */
  readonly lists: readonly List[]
  readonly tags?: true
  /** True if the first poll is still to come. */
  readonly isNew?: true
}

/** A partner with its copy. */
export interface Partner {
  /** The change that each record was last changed by, as far as the partner knows. */
  readonly copy: Readonly<Record<string, number>>
  /** Of the last complete poll. */
  readonly since: number
  readonly tags: Readonly<Partial<Record<List, string>>>
  /** The poll that has begun. */
  readonly poll?: Poll | undefined
}

interface Poll {
  readonly list: number
  readonly place: Place
  readonly position: number
  /** The least `Next-Since` of the first pages. */
  readonly nextSince?: number | undefined
  readonly tags: Readonly<Partial<Record<List, string>>>
}

/** What a partner asks for. */
export interface Query {
  readonly list: List
  readonly since: number
  readonly limit: number
  readonly place: Place
  readonly tag: string | undefined
}

/** Returns the next request of a partner. */
export function nextQuery({ since, tags, poll }: Partner, kind: PartnerKind): Query {
  const list = kind.lists[poll?.list ?? 0] as List
  const place = poll?.place ?? { offset: 0 }
  const isFirst = "offset" in place && place.offset === 0
  const tag = kind.tags && isFirst ? tags[list] : undefined
  return { list, since, limit: kind.limit, place, tag }
}

/** Applies the answer to a partner's request. */
export function afterAnswer(partner: Partner, kind: PartnerKind, answer: Answer): Partner {
  const { list: index, position, nextSince, tags } = partner.poll ??
    { list: 0, position: 0, nextSince: undefined, tags: {} }
  const list = kind.lists[index] as List
  const copy = { ...partner.copy }
  for (const { record, id } of answer.rows) {
    if (list === "records") copy[record] = id
    else delete copy[record]
  }
  const isFirst = position === 0
  const poll = {
    list: index,
    position: position + kind.limit,
    nextSince: isFirst ? Math.min(nextSince ?? Infinity, answer.nextSince) : nextSince,
    tags: isFirst ? { ...tags, [list]: answer.tag } : tags,
  }
  const place = followingPlace(kind, poll.position, answer)
  if (place) return { ...partner, copy, poll: { ...poll, place } }
  if (index + 1 < kind.lists.length) {
    const next = { ...poll, list: index + 1, position: 0, place: { offset: 0 } }
    return { ...partner, copy, poll: next }
  }
  return { copy, since: poll.nextSince ?? partner.since, tags: kind.tags ? poll.tags : {} }
}

function followingPlace(
  { by }: PartnerKind,
  offset: number,
  { isUnchanged, rows, next }: Answer,
): Place | undefined {
  if (isUnchanged) return undefined
  if (by === "cursor") return next
  return rows.length > 0 ? { offset } : undefined
}
