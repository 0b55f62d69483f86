import fc from "fast-check"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import type { ReaderKind } from "../partner/reader.ts"
import { type Change, type Operation, operations } from "./writer.ts"

/** Seconds that some transactions stay open. */
const aWhile = 30

type ItemCategory = typeof itemCategories[number]

/** What is done next: the reader reads a page, or somebody else does something. */
export type Step =
  | { readonly do: "read" | "look" | "crash" | "commit" | "roll back" }
  | { readonly do: "wait" | "set back"; readonly seconds: number }
  /** Forgets deletions that are older. */
  | { readonly do: "prune"; readonly seconds: number }
  | { readonly do: "write"; readonly change: Change }

/** A walk, and what happens meanwhile. */
export interface Scenario {
  readonly kind: ReaderKind
  readonly limit: number
  readonly deletionsFirst: boolean
  /** The categories of items that are written, if items are read. */
  readonly categories: readonly ItemCategory[]
  readonly records: readonly number[]
  /** The age of the records in seconds. The youngest are read twice in any case. */
  readonly age: number
  readonly steps: readonly Step[]
}

/** Readers that miss nothing. */
export const guaranteed: readonly ReaderKind[] = [
  { by: "offset", keeps: "Next-Since" },
  { by: "cursor", keeps: "Next-Since" },
]
/** The same, with tags, and with or without deletions after a 304. */
export const tagged: readonly ReaderKind[] = guaranteed.flatMap((kind) =>
  [false, true].map((endsPolls) => ({ ...kind, sendsTags: true, endsPolls }))
)
/** Readers without guarantees for transactions that commit late and for deletions. */
export const bounded: readonly ReaderKind[] = [
  { by: "offset", keeps: "max(updated)" },
  { by: "cursor", keeps: "max(updated)" },
]

/** Returns random scenarios of readers of some kinds. */
export function scenarios(
  kinds: readonly ReaderKind[],
  { late, setBack = false, without = [] }: {
    /** True if transactions commit late. */
    readonly late: boolean
    /** True if the database's clock is set back. */
    readonly setBack?: boolean
    readonly without?: readonly Operation[]
  },
): fc.Arbitrary<Scenario> {
  const choices = operations.filter((operation) => !without.includes(operation))
  const change = fc.record({
    operation: fc.constantFrom(...choices),
    target: fc.nat({ max: 11 }),
    late: late ? fc.boolean() : fc.constant(false),
  })
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 8, arbitrary: fc.constant({ do: "read" } as const) },
    { weight: 4, arbitrary: fc.constant({ do: "look" } as const) },
    { weight: 6, arbitrary: change.map((change) => ({ do: "write", change }) as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(0, 1, 2, aWhile - 1, aWhile, 20 * aWhile).map((seconds) =>
        ({ do: "wait", seconds }) as const
      ),
    },
    {
      weight: setBack ? 1 : 0,
      arbitrary: fc.constantFrom(1, 3, aWhile, 20 * aWhile).map((seconds) =>
        ({ do: "set back", seconds }) as const
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom("crash", "commit", "roll back").map((what) =>
        ({ do: what }) as const
      ),
    },
  )
  return fc.record({
    kind: fc.constantFrom(...kinds),
    limit: fc.integer({ min: 1, max: 4 }),
    deletionsFirst: fc.boolean(),
    // Few have pages.
    categories: fc.shuffledSubarray([...itemCategories], { minLength: 1 }),
    // Seconds from each record to the next: many share a second.
    records: fc.array(fc.nat({ max: 1 }), { minLength: 2, maxLength: 9 }),
    age: fc.constantFrom(0, 2 * aWhile),
    steps: fc.array(step, { minLength: 4, maxLength: 24 }),
  })
}

/** The reader reads a page. */
export const read: Step = { do: "read" }
export const look: Step = { do: "look" }
export const commit: Step = { do: "commit" }
export const wait = (seconds: number): Step => ({ do: "wait", seconds })
export const setBack = (seconds: number): Step => ({ do: "set back", seconds })
/** Somebody changes a record, and commits at once or late. */
export const write = (operation: Operation, target = 0, late: "late" | "now" = "now"): Step => ({
  do: "write",
  change: { operation, target, late: late === "late" },
})
const deletion = write("delete")
const insertion = write("insert again")

/** One record of a second, or several, and a reader that has all of a list on a page. */
export const once = {
  limit: 4,
  deletionsFirst: false,
  categories: itemCategories.slice(1, 3),
  records: [0],
  age: 0,
}
const byCursor = { by: "cursor", keeps: "Next-Since", sendsTags: true } as const
/**
 * Scenarios that are too rare to be found by chance: a list is the same as before although a record
 * went and came back, all in a second; and a reader crashes after the first page.
 */
export const rare: readonly Scenario[] = [
  { ...once, kind: byCursor, steps: [read, deletion, read, insertion, read] },
  { ...once, kind: byCursor, steps: [deletion, read, insertion, read, read, deletion] },
  { ...once, kind: byCursor, limit: 1, records: [0, 0], steps: [read, { do: "crash" }] },
]

const withoutTags = { ...once, kind: { by: "cursor", keeps: "Next-Since" } } as const
/** A record is deleted long after it was polled. */
export const deletedAfterPoll: Scenario = {
  ...withoutTags,
  steps: [read, wait(20 * aWhile), look, read, read, look, deletion],
}
/** A guest withdraws long after it was polled. */
export const withdrawnAfterPoll: Scenario = {
  ...deletedAfterPoll,
  steps: [...deletedAfterPoll.steps.slice(0, -1), write("withdraw")],
}
/** A record is deleted after a poll that found an empty page. */
export const deletedAfterEmptyPage: Scenario = {
  ...once,
  kind: { ...byCursor, endsPolls: true },
  age: 2 * aWhile,
  steps: [look, ...deletedAfterPoll.steps, wait(2 * aWhile), look],
}
/** A record is inserted while a walk goes on, and commits late: then it is not on the walk's first page. */
export const committedBehindWalk: Scenario = {
  ...once,
  kind: { by: "offset", keeps: "Next-Since", sendsTags: true },
  limit: 1,
  records: [0, 0],
  steps: [write("insert", 0, "late"), read, read, read],
}
/** A change is stamped with the time from which the next poll reads, and commits after this one. */
export const committedAtSince: Scenario = {
  ...withoutTags,
  steps: [write("insert", 0, "late"), wait(aWhile), read, read, commit, wait(1)],
}
/** A deletion is stamped with that time, likewise. */
export const deletedAtSince: Scenario = {
  ...committedAtSince,
  steps: [write("delete", 0, "late"), ...committedAtSince.steps.slice(1)],
}
/** The deletion of a guest that withdraws is stamped likewise. */
export const withdrawnAtSince: Scenario = {
  ...committedAtSince,
  steps: [write("withdraw", 0, "late"), ...committedAtSince.steps.slice(1)],
}
/** A record is deleted, and the deletion is forgotten before the next poll. */
export const forgottenBeforePoll: Scenario = {
  ...withoutTags,
  steps: [
    read,
    deletion,
    wait(2 * 86_400),
    look,
    { do: "prune", seconds: 86_400 },
    // No clock that is set back in another scenario reaches what was forgotten.
    wait(86_400),
    look,
  ],
}
