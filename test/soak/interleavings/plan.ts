import { Random } from "../../support/random.ts"
import type { Part } from "../../support/partner/list-source.ts"
import type { ReaderKind } from "../../support/partner/reader.ts"
import { countMerges, type Merge, mergeAt } from "./merges.ts"

/** The steps of two writers (begin, a statement, commit or rollback), and four requests. */
export const lengths = [3, 3, 4] as const
/** The actor that reads. */
export const reader = 2
/** The number of interleavings: 4,200. */
export const interleavings = countMerges(lengths)

/** What a writer does with its own guest. */
const operations = ["update", "insert", "delete", "insert again", "replace", "consent"] as const

/** What one writer does. */
export interface Writing {
  readonly operation: typeof operations[number]
  readonly ends: "commit" | "rollback"
  readonly isolation: "read committed" | "repeatable read"
}

/** A look that others overtake. */
interface SlowLook {
  /** The step before which it begins. */
  readonly from: number
  /** The step before which it goes on. */
  readonly to: number
  /** The number of its statements that are answered before it stops. */
  readonly statements: number
}

/** Everything that is chosen for an interleaving. Its index decides all of it. */
export interface Plan {
  readonly merge: Merge
  readonly writers: readonly Writing[]
  readonly kind: ReaderKind
  readonly limit: number
  readonly parts: readonly Part[]
  /** The order of the guests by id. */
  readonly ranks: readonly number[]
  /** True if the reader has finished a walk before. */
  readonly hasWalked: boolean
  /** Seconds between the insertion of the guests and that walk. */
  readonly age: number
  /** True if all guests that exist change after that walk, so that the next one is long. */
  readonly isBusy: boolean
  /** For each step and each change before them, the seconds that pass. */
  readonly ticks: readonly number[]
  /** For each step, whether the service looks at open changes before it, if it begins a walk. */
  readonly looks: readonly boolean[]
  /** For each step, whether the event's log is folded before it. */
  readonly folds: readonly boolean[]
  readonly slowLook: SlowLook | undefined
  /** What becomes of the consents of the writers' guests. */
  readonly consents: readonly ("add" | "change" | "remove")[]
}

/** Returns the plan of an interleaving. @throws {RangeError} if there are not so many. */
export function planOf(index: number): Plan {
  const merge = mergeAt(lengths, index)
  const random = new Random(index)
  const coin = () => random.below(2) === 0
  // Of its own, so that everything else stays as it was.
  const endsPolls = new Random(index + interleavings).below(2) === 0
  const each = <T>(count: number, choose: () => T) => Array.from({ length: count }, choose)
  const pace = random.pick([[0, 1], [0, 1], [1]] as const)
  const from = random.below(merge.length - 1)
  const writers = each(2, (): Writing => ({
    operation: random.pick(operations),
    ends: random.below(4) === 0 ? "rollback" : "commit",
    isolation: random.pick(["read committed", "repeatable read"]),
  }))
  // A deletion locks the gap where the consents of its guest would be, and so those beside it.
  const locksGaps = writers.some(({ operation }) => ["delete", "replace"].includes(operation))
  const changes = locksGaps ? ["change", "remove"] as const : ["add", "change", "remove"] as const
  return {
    merge,
    writers,
    kind: {
      by: random.pick(["cursor", "offset"]),
      keeps: "Next-Since",
      sendsTags: coin(),
      endsPolls,
    },
    limit: random.between(1, 2),
    parts: coin() ? ["records", "deletions"] : ["deletions", "records"],
    ranks: random.shuffle([0, 1, 2, 3, 4]),
    hasWalked: random.below(4) > 0,
    age: random.pick([0, 0, 4]),
    isBusy: coin(),
    ticks: each(merge.length + 6, () => random.pick<number>(pace)),
    looks: each(merge.length, () => coin()),
    folds: each(merge.length, () => random.below(4) === 0),
    slowLook: coin()
      ? {
        from,
        to: random.between(Math.min(from + 1, merge.length), merge.length),
        statements: random.between(1, 4),
      }
      : undefined,
    consents: each(2, () => random.pick<Plan["consents"][number]>(changes)),
  }
}
