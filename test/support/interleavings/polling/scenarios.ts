import type { Scenario, WriterStep } from "./polling-machine.ts"
import type { ReaderKind } from "./reader.ts"
import type { Operation } from "./tables.ts"

const bools = [true, false] as const

/**
 * Readers of each kind: by offset and by cursor, one or two records a page, with and without tags. Half of those that
 * read deletions last read none after a 304.
 */
export const allReaders: readonly ReaderKind[] = (["offset", "cursor"] as const).flatMap((by) =>
  [1, 2].flatMap((limit) =>
    bools.flatMap((tags) =>
      (["first", "last"] as const).map((deletions) => ({
        ...{ by, limit, tags, deletions },
        endsPolls: tags && deletions === "last" && (by === "cursor") === (limit === 1),
      }))
    )
  )
)
// Each half has every way to count, limit, and use of tags.
const halfOfReaders = halfWith("last")
const otherHalf = halfWith("first")

function halfWith(slow: ReaderKind["deletions"]): readonly ReaderKind[] {
  return allReaders.filter(({ limit, deletions }) => (limit === 1) === (deletions === slow))
}

const operations: readonly Operation[] = ["update", "insert", "delete", "insert again"]
const ends = ["commit", "roll back"] as const
type End = typeof ends[number]
type Writing = readonly [operation: Operation, end: End]

/** How long the walk is that the merge begins with. */
const states = ["much has changed", "nothing has changed"] as const
type State = typeof states[number]
const rhythms = { "a second per step": [1], "a second per two steps": [0, 1] } as const
type Rhythm = keyof typeof rhythms

/** Four records, and three that do not exist yet. The first poll was at 2. */
function scenario(
  writings: readonly Writing[],
  { state, rhythm, ...options }:
    & { readonly state: State; readonly rhythm: Rhythm }
    & Partial<Scenario>,
): Scenario {
  const owned = [0, 2, 3]
  const writers = writings.map(([operation, end], writer): readonly WriterStep[] => {
    const id = operation === "insert" ? 4 + writer : owned[writer] as number
    return [{ do: "begin" }, { do: "change", operation, id }, { do: end }]
  })
  const much = [["update", 1, 3], ["update", 0, 4], ["update", 2, 4], ["update", 3, 5]] as const
  const gone = writings.flatMap(([operation], writer) =>
    operation === "insert again" ? [["delete", owned[writer] as number, 5] as const] : []
  )
  return {
    writers,
    requests: 4,
    ticks: rhythms[rhythm],
    records: [1, 1, 1, 1, undefined, undefined, undefined],
    meanwhile: [...state === "much has changed" ? much : [], ...gone],
    now: 5,
    readers: allReaders,
    ...options,
  }
}

const usual = { state: "much has changed", rhythm: "a second per two steps" } as const
const updates: readonly Writing[] = [["update", "commit"], ["update", "commit"]]

/** Returns steps of transactions of one statement each. */
function atOnce(id: number, ...operations: readonly Operation[]): readonly WriterStep[] {
  return operations.map((operation) => ({ do: "change", operation, id, atOnce: true }))
}

/** Returns the steps of a transaction that commits. */
function transaction(
  ...changes: readonly (readonly [operation: Operation, id: number])[]
): readonly WriterStep[] {
  const statements = changes.map(([operation, id]) => ({ do: "change", operation, id }) as const)
  return [{ do: "begin" }, ...statements, { do: "commit" }]
}

/** The name of the scenario in which no design without a margin is safe. */
export const setBack = "a clock that is set back"

/** Scenarios that are named for what is special about them. */
export const special: Readonly<Record<string, Scenario>> = {
  "two updates": scenario(updates, usual),
  "two deletions": scenario([["delete", "commit"], ["delete", "commit"]], usual),
  "three writers": scenario([["update", "commit"], ["delete", "commit"], ["insert", "roll back"]], {
    ...usual,
    readers: halfOfReaders,
  }),
  "requests in parts": scenario([["update", "commit"], ["delete", "roll back"]], {
    ...usual,
    readers: halfOfReaders,
    inParts: true,
  }),
  "two requests in parts": scenario(updates, { ...usual, requests: 2, inParts: true }),
  "two statements on one record": scenario([], {
    ...usual,
    writers: [
      transaction(["update", 0], ["delete", 0]),
      transaction(["delete", 2], ["insert again", 2]),
    ],
  }),
  "readers start again": scenario([], {
    ...usual,
    writers: [transaction(["update", 0]), atOnce(2, "update", "delete"), [{ do: "start again" }]],
  }),
  "changes at once": scenario([], {
    ...usual,
    writers: [[...atOnce(0, "update"), ...atOnce(2, "update")], atOnce(3, "update")],
    requests: 6,
  }),
  "the same again within a second": scenario([], {
    ...usual,
    writers: [atOnce(1, "delete", "insert again", "delete", "insert again")],
    ticks: [0],
    requests: 6,
  }),
  "the same again": scenario([], {
    ...usual,
    writers: [
      atOnce(1, "delete", "insert again", "delete", "insert again"),
      transaction(["update", 0]),
    ],
  }),
  "two statements each": scenario([], {
    ...usual,
    writers: [0, 2].map((id) => transaction(["update", id], ["delete", id + 1])),
  }),
  [setBack]: scenario(updates, { ...usual, ticks: [1, 1, -1] }),
}

/**
 * All scenarios of two writers with one statement each, of which one commits. Each rhythm is for one
 * half of the readers.
 */
export const pairs: ReadonlyMap<string, Scenario> = new Map(
  writings().flatMap((one) =>
    writings().flatMap((other) =>
      states.flatMap((state) =>
        (Object.keys(rhythms) as Rhythm[]).map((rhythm) => {
          const readers = rhythm === "a second per step" ? halfOfReaders : otherHalf
          const name = `${one.join(", ")}; ${other.join(", ")}; ${state}; ${rhythm}`
          return [name, scenario([one, other], { state, rhythm, readers })] as const
        })
      )
    ).filter(([name]) => name.includes("commit"))
  ),
)

function writings(): readonly Writing[] {
  return operations.flatMap((operation) => ends.map((end) => [operation, end] as const))
}

/** The names of the scenarios that take seconds. */
export const long: readonly string[] = ["three writers", "requests in parts"]

/** All scenarios by name. */
export const scenarios: ReadonlyMap<string, Scenario> = new Map([
  ...Object.entries(special),
  ...pairs,
])
