import type fc from "fast-check"
import type { Engine } from "../database.ts"
import type { ListSource, Source } from "../partner/list-source.ts"
import type { ReaderKind } from "../partner/reader.ts"
import {
  BytesTagSource,
  type Design,
  EmptyTagSource,
  ForgetfulSource,
  UsualSource,
} from "./designs.ts"
import { lists, type WalkedList, type Walks } from "./play.ts"
import {
  commit,
  committedAtSince,
  committedBehindWalk,
  deletedAfterEmptyPage,
  deletedAfterPoll,
  guaranteed,
  once,
  read,
  type Scenario,
  scenarios,
  type Step,
  tagged,
  wait,
  write,
} from "./scenarios.ts"
import { lag } from "./service.ts"
import { deletingOperations } from "./writer.ts"

/** How a scenario is played. */
export interface Way {
  readonly list: WalkedList
  /** False if the reader reads no deletions. */
  readonly deletions?: boolean
  /** Returns what it reads in place of the service's list. */
  readonly sourceOf?: (source: ListSource, event: string, walks: Walks) => Source
}

/** A design in which readers lose something. */
interface Loss {
  readonly way: Way
  /** In some of these. */
  readonly scenarios: fc.Arbitrary<Scenario>
  /** One of them: found at random, and shortened. */
  readonly example: Scenario
  /** The databases on which chance finds a loss soon. The interleavings find the others on MySQL. */
  readonly engines: readonly Engine[]
}

const [guests] = lists as [WalkedList]

interface UsualExample extends Partial<Omit<Scenario, "kind">> {
  readonly keeps: ReaderKind["keeps"]
  readonly steps: readonly Step[]
  /** True if transactions commit late, and if records are deleted, when it is looked for at random. */
  readonly late?: boolean
  readonly deletes?: boolean
  readonly engines?: readonly Engine[]
}

/** A design that knows no deletions. Its pages have one of two records in the example, unless that says otherwise. */
function usual(
  design: Partial<Design>,
  { keeps, late = false, deletes = false, engines = ["sqlite"], ...example }: UsualExample,
): Loss {
  const kind = { by: "offset", keeps } as const
  const sourceOf = (_: ListSource, event: string, { world }: Walks) =>
    new UsualSource(world, event, { order: "newest first", hides: 0, lag, ...design })
  return {
    way: { list: guests, deletions: false, sourceOf },
    scenarios: scenarios([kind], { late, without: deletes ? [] : deletingOperations }),
    example: { ...once, kind, limit: 1, records: [0, 0], ...example },
    engines,
  }
}

const byTags = scenarios(tagged, { late: true, setBack: true })
/** A reader that polls an event only if the list of events says that it has changed. */
const selective = (polls: ">=" | ">", { kind, ...scenario }: Scenario): Scenario => ({
  ...scenario,
  kind: { ...kind, polls },
})
const bySelection = (polls: ">=" | ">") =>
  scenarios(guaranteed, { late: true, setBack: true }).map((each) => selective(polls, each))

/** Designs in which readers lose something, by name. */
export const losses: Readonly<Record<string, Loss>> = {
  "the tag covers only the first page": {
    way: { list: guests, sourceOf: (source) => new BytesTagSource(source) },
    scenarios: byTags,
    example: committedBehindWalk,
    engines: ["sqlite", "mysql"],
  },
  "all empty pages have the same tag": {
    way: { list: guests, sourceOf: (source) => new EmptyTagSource(source) },
    scenarios: byTags,
    example: deletedAfterEmptyPage,
    engines: ["sqlite"],
  },
  "changed says nothing of deletions": {
    way: { list: guests, sourceOf: (source) => new ForgetfulSource(source) },
    scenarios: bySelection(">="),
    example: selective(">=", deletedAfterPoll),
    engines: ["sqlite", "mysql"],
  },
  "a reader polls only if changed is after since": {
    way: { list: guests },
    scenarios: bySelection(">"),
    example: selective(">", committedAtSince),
    // On MySQL, Next-Since stays further behind.
    engines: ["sqlite"],
  },
  "oldest first": usual({ order: "oldest first" }, {
    keeps: "max(updated)",
    records: [0, 0, 0],
    steps: [wait(20 * lag), read, write("take back", 10), read, read, read, read],
  }),
  "order by id": usual({ order: "by id" }, {
    keeps: "max(updated)",
    steps: [read, write("take back", 1), wait(20 * lag), write("insert")],
  }),
  "young records are hidden": usual({ hides: lag }, {
    keeps: "max(updated)",
    limit: 3,
    records: [0, 0, 1, 0, 0, 0, 0],
    age: 2 * lag,
    steps: [read, read, write("address"), read, read],
  }),
  "positions of deleted records are reused": usual({}, {
    keeps: "Next-Since",
    deletes: true,
    records: [0, 0, 0],
    steps: [wait(20 * lag), read, write("delete"), write("delete")],
  }),
  "no lag although transactions commit late": usual({ lag: 0 }, {
    keeps: "Next-Since",
    late: true,
    age: 2 * lag,
    steps: [write("insert", 0, "late"), wait(lag), read],
    engines: ["sqlite", "mysql"],
  }),
  "max(updated) although transactions commit late": usual({}, {
    keeps: "max(updated)",
    late: true,
    steps: [write("insert", 0, "late"), wait(2), write("update"), read, read, commit],
    // The embedded database has one writer at a time, so a newer record is never committed first.
    engines: ["mysql"],
  }),
}
