import type fc from "fast-check"
import type { ListSource, Source } from "../partner/list-source.ts"
import { BytesTagSource, EmptyTagSource, ForgetfulSource } from "./designs.ts"
import { lists, type WalkedList } from "./play.ts"
import {
  committedBehindWalk,
  deletedAfterEmptyPage,
  deletedAfterPoll,
  guaranteed,
  type Scenario,
  scenarios,
  tagged,
} from "./scenarios.ts"

/** How a scenario is played. */
export interface Way {
  readonly list: WalkedList
  /** False if the reader reads no deletions. */
  readonly deletions?: boolean
  /** Returns what it reads in place of the service's list. */
  readonly sourceOf?: (source: ListSource) => Source
}

/** A design in which readers lose something. */
interface Loss {
  readonly way: Way
  /** In some of these. */
  readonly scenarios: fc.Arbitrary<Scenario>
  /** One of them: found at random, and shortened. */
  readonly example: Scenario
}

const [guests] = lists as [WalkedList]
const byTags = scenarios(tagged, { late: true, setBack: true })
/** A reader that polls an event only if the list of events says that it has changed. */
const selective = ({ kind, ...scenario }: Scenario): Scenario => ({
  ...scenario,
  kind: { ...kind, polls: ">=" },
})

/** Designs in which readers lose something, by name. */
export const losses: Readonly<Record<string, Loss>> = {
  "the tag covers only the first page": {
    way: { list: guests, sourceOf: (source) => new BytesTagSource(source) },
    scenarios: byTags,
    example: committedBehindWalk,
  },
  "all empty pages have the same tag": {
    way: { list: guests, sourceOf: (source) => new EmptyTagSource(source) },
    scenarios: byTags,
    example: deletedAfterEmptyPage,
  },
  "changed says nothing of deletions": {
    way: { list: guests, sourceOf: (source) => new ForgetfulSource(source) },
    scenarios: scenarios(guaranteed, { late: true, setBack: true }).map(selective),
    example: selective(deletedAfterPoll),
  },
}
