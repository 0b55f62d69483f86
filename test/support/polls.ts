import fc from "fast-check"
import type { Poll } from "../../plugins/capabilities/partners/progress.ts"

type PollOf<Type> = Extract<Poll, { type: Type }>

/** Returns a page at a time. */
export function page(at: number, own: Partial<PollOf<"page">> = {}): Poll {
  return { type: "page", at, interval: 60, records: 1, ...own }
}

/** Returns the first page of a walk. */
export function start(at: number, since = 0, next = 0): Poll {
  return page(at, { walk: { since, next } })
}

/** Returns an error at a time. */
export function error(at: number, request = "r", status = 400): Poll {
  return { type: "error", at, status, code: "c", request, parameters: null }
}

/** Returns the end of a walk. */
export function end(since: number, next: number, own: Partial<PollOf<"end">> = {}): Poll {
  return { type: "end", at: next, since, next, reached: next, ...own }
}

/** Polls of all types at few times. */
export const anyPoll: fc.Arbitrary<Poll> = fc.oneof(
  fc.tuple(fc.nat(40), fc.constantFrom(1, 5), fc.nat(3))
    .map(([at, interval, records]) => page(at, { interval, records })),
  fc.tuple(fc.nat(40), fc.nat(40), fc.nat(40))
    .map(([at, since, next]) => start(at, since, next)),
  fc.tuple(fc.nat(40), fc.constantFrom("r1", "r2")).map(([at, request]) => error(at, request)),
  fc.tuple(
    fc.nat(40),
    fc.nat(40),
    fc.constantFrom(undefined, "begun" as const, "completed" as const),
  )
    .map(([a, b, after]) => end(Math.min(a, b), Math.max(a, b), after && { after })),
)
