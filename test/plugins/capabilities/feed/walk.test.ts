import process from "node:process"
import fc from "fast-check"
import t from "tap"
import { begin, type FeedState } from "../../../../plugins/capabilities/feed/walk.ts"
import { feedScenarios, type FeedStep, playFeed } from "../../../support/feed/feed-model.ts"
import type { ListName } from "../../../support/feed/world.ts"

/** Stages of a model that is too large for all at once. */
const stages = [1, 3].flatMap((servers) => [
  { servers, configures: false },
  { servers, configures: true },
])

const wait = (seconds = 1): FeedStep => ({ do: "wait", seconds })
const setBack: FeedStep = { do: "set back", seconds: 1 }
/** The service looks at open changes. */
const look: FeedStep = { do: "look", process: 0 }
const write = (list: ListName, id: number, isDeletion = false, open?: number): FeedStep => (
  { do: "write", list, id, isDeletion, open }
)
const read = (server: number, limit: number, loses = false): FeedStep => (
  { do: "read", process: 0, server, limit, loses }
)
const serve = (hasItems: boolean): FeedStep => ({
  do: "configure",
  process: 0,
  fields: 0,
  hasItems,
})
const guest = write("guests", 0)

/** What a walk would lose if it were as the name says, by the servers and steps. Random steps seldom show it. */
const rare: Readonly<Record<string, readonly [servers: number, steps: readonly FeedStep[]]>> = {
  "the mark of the first page, although another page was of another version": [3, [
    ...[write("guests", 1), { do: "replicate", server: 1, commits: 1 } as const, guest],
    ...[read(0, 1, true), read(0, 1), read(1, 1)],
  ]],
  "the bound of the last page": [1, [
    ...[write("guests", 1, false, 1), wait(), guest, guest, write("items", 0)],
    ...[read(0, 1), read(0, 1, true), guest],
  ]],
  "steps of the clock from an earlier moment than the bound": [1, [
    ...[setBack, read(0, 1), guest, wait(3), write("guests", 1)],
  ]],
  "deletions of a list that was not served for a while": [1, [
    ...[write("items", 0), read(0, 3), serve(false), wait(), write("items", 0, true), wait()],
    ...[look, write("guests", 1), read(0, 3), wait(), look, write("guests", 1), read(0, 3)],
    ...[serve(true)],
  ]],
  "a cursor that moves without another read, although servers may be behind": [3, [
    ...[guest, { do: "replicate", server: 1, commits: 9 } as const, wait(), guest],
    ...[read(0, 3), read(1, 3, true)],
  ]],
}

for (const { servers, configures } of stages) {
  const name = `${servers} server${servers > 1 ? "s" : ""}${
    configures ? " that are configured" : ""
  }`
  t.test(`a copy by the feed of ${name} is equal to the table`, (t) => {
    const examples = Object.values(rare).filter(([count]) => count === servers)
      .map(([servers, steps]): [Parameters<typeof playFeed>[0]] => [
        { servers, steps, startsNow: false },
      ])
    const property = fc.property(feedScenarios({ servers, configures }), (scenario) => {
      const { copy, truth } = playFeed(scenario)
      if (copy.join() !== truth.join()) throw new Error(`the copy is ${copy}, and not ${truth}`)
    })
    const numRuns = Number(process.env["FEEDS"] ?? 500)
    fc.assert(property, { numRuns, examples })
    t.pass(`${numRuns} scenarios`)
    t.end()
  })
}

t.test("a cursor moves behind all that was delivered without another read, once, and then stays", (t) => {
  const mark = { version: "v", from: 5, isSettled: false }
  const lists = { guests: { fields: "f" } }
  const state: FeedState = { since: 10, gone: 10, walk: undefined, mark, lists }
  const at = (bound: number, known = state) =>
    begin(known, {
      ...{ bound, steps: [], version: "v", newest: 20, areMany: false },
      lists: { guests: "f" },
    })
  t.strictSame(at(19), { unchanged: state })
  t.strictSame(at(20), { unchanged: state }, "a deletion of that second may be forgotten later")
  const moved = { ...state, since: 21, gone: 21, mark: { ...mark, isSettled: true } }
  t.strictSame(at(21), { unchanged: moved })
  t.strictSame(at(30, moved), { unchanged: moved })
  t.end()
})
