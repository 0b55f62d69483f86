import { isAhead, isNewError } from "./deadlines.ts"
import { type Doubt, type SyncRow, thresholds } from "./definitions.ts"

/** Why a partner does not have all of a list. */
export type Cause = keyof typeof causes

/** The words for a cause: why, and what to do. Both are texts for `voiced`. */
interface CauseWords {
  readonly why: string
  readonly advice: string
}

const ownTime =
  "[tell the partner to send|send] the Next-Since of [its|your] last complete walk as since, not a time of [its|your] " +
  "own, and [to read|read] these lists once with since=-1."
const onceWhole =
  "nothing, if [the partner needs|you need] no more; else [tell it to read|read] these lists once with since=-1, to the " +
  "last page."

const toLastPage =
  "[tell the partner to follow|follow] the links to the last page, and [to keep|keep] Next-Since only then."

/** The words for each cause, worst first. */
const causes = {
  "not served": {
    why: "The configuration no longer serves some of these paths: requests there get 404.",
    advice: "[add the family to the configuration again, or tell the partner|ask the operator].",
  },
  "own time": {
    why: "[It asks|You ask] for changes since a time of [its|your] own, in the future.",
    advice: ownTime,
  },
  skips: {
    why: "[It sends|You send] since values that the service did not issue.",
    advice: ownTime,
  },
  // The advice depends on the error, if that is still the reason.
  errors: { why: "", advice: toLastPage },
  "no last page": {
    why: "[It begins|You begin] walks, but [reads|read] none to the last page.",
    advice: toLastPage,
  },
  "same page": {
    why: "[It gets|You get] the same page again and again.",
    advice:
      "[tell the partner to go|go] on from each page: in the feed with next as after, in lists by the link to the next page.",
  },
  "never read": {
    why: "[It has|You have] never read deletions.",
    advice:
      "[tell the partner to read|read] the lists of deletions, or the feed: what was deleted is still in [its|your] copy.",
  },
  "not read now": {
    why: "[It reads|You read] other lists, but no longer these.",
    advice:
      "[ask the partner why; if it does not need the event, withdraw its grant|read these lists again. If you no longer need them, tell the operator].",
  },
  late: {
    why: "",
    advice: "wait for [its|your] next poll. If this lasts, " +
      "[ask the partner|see whether your program reads each walk to its last page].",
  },
  "own since": {
    why: "[It began|You began] with a since that no walk had given [it|you].",
    advice: onceWhole,
  },
  "same since": {
    why: "[It sends|You send] the same since again and again.",
    advice: onceWhole,
  },
  "first walk": {
    why: "[Its|Your] first walk has not ended.",
    advice: "wait until it ends.",
  },
  part: {
    why: "[It reads|You read] by category, by bucket or by search only.",
    advice: onceWhole,
  },
} as const satisfies Readonly<Record<Doubt | string, CauseWords>>

const worstFirst = Object.keys(causes) as readonly Cause[]

/** Returns the words for a cause. */
export function wordsOf(cause: Cause): CauseWords {
  return causes[cause]
}

/** Returns the distinct causes, worst first. */
export function worstCauses(some: Iterable<Cause>): readonly Cause[] {
  const given = new Set(some)
  return worstFirst.filter((cause) => given.has(cause))
}

/** Returns why a partner is stuck with a list. */
export function causeOfStuck(row: SyncRow): Cause {
  if (isAhead(row)) return "own time"
  return isNewError(row) ? "errors" : "no last page"
}

/** The columns that decide why a list is behind. */
type LateList = Pick<
  SyncRow,
  | "last_poll"
  | "poll_interval"
  | "walk_started"
  | "walk_since"
  | "walk_completed"
  | "since_from"
  | "sent_until"
>

/** Returns why a list is behind. `polled` is the account's last poll of any list. */
export function causeOfDelay(
  row: LateList,
  { isSkipped, polled }: { readonly isSkipped: boolean; readonly polled: number | null },
): Cause {
  const { last_poll: last, poll_interval: interval } = row
  if (isAhead(row)) return "own time"
  if (isSkipped) return "skips"
  if (last === null) return "never read"
  if ((polled ?? 0) - last > 3 * (interval ?? thresholds.interval)) return "not read now"
  return isSamePage(row) ? "same page" : "late"
}

/** Returns true if the last walk asked for the same as the one before, and was sent only part of the list. */
function isSamePage({ since_from, walk_started, sent_until }: LateList): boolean {
  return since_from !== null && walk_started !== null && since_from < walk_started &&
    (sent_until ?? 0) < walk_started - thresholds.grace
}
