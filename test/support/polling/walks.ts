import process from "node:process"
import fc from "fast-check"
import type { Test } from "tap"
import { clockMargin } from "../../../core/change-log/clock-steps.ts"
import type { Engine } from "../database.ts"
import { recordsIn } from "../partner/copy.ts"
import type { ListSource } from "../partner/list-source.ts"
import type { ReaderKind } from "../partner/reader.ts"
import { ChosenList, chosenPath } from "./chosen.ts"
import { lists, openWalks, type WalkedList, type Walks } from "./play.ts"
import {
  bounded,
  committedAtSince,
  committedBehindWalk,
  deletedAfterEmptyPage,
  deletedAfterPoll,
  deletedAtSince,
  forgottenBeforePoll,
  guaranteed,
  rare,
  type Scenario,
  scenarios,
  tagged,
  withdrawnAfterPoll,
  withdrawnAtSince,
} from "./scenarios.ts"

/** What readers are promised. */
interface Promised {
  readonly name: string
  readonly kinds: readonly ReaderKind[]
  /** True if transactions commit late, the clock is set back, and records are deleted. */
  readonly isWild: boolean
  readonly examples: readonly Scenario[]
}

const promises: readonly Promised[] = [
  {
    name: "by Next-Since and deletions",
    kinds: guaranteed,
    isWild: true,
    examples: [committedAtSince, deletedAtSince, withdrawnAfterPoll, withdrawnAtSince],
  },
  {
    name: "by Next-Since, deletions and tags",
    kinds: tagged,
    isWild: true,
    examples: [...rare, deletedAfterEmptyPage, committedBehindWalk],
  },
  {
    name: "that is polled only if changed is not before since",
    kinds: guaranteed.map((kind) => ({ ...kind, polls: ">=" })),
    isWild: true,
    examples: [deletedAfterPoll, withdrawnAfterPoll, committedAtSince, forgottenBeforePoll]
      .map((each) => ({ ...each, kind: { ...each.kind, polls: ">=" } })),
  },
  {
    name: "by max(updated), unless transactions commit late and but for deletions,",
    kinds: bounded,
    isWild: false,
    examples: [],
  },
]

/**
 * Runs the walk model: readers miss nothing, whatever a writer does between two pages. `walks` is how many interleavings
 * are played, unless WALKS says it.
 */
export async function walkSuite(
  t: Test,
  engine: Engine,
  { walks: usual }: { readonly walks: number },
): Promise<void> {
  const wanted = Number(process.env["WALKS"] ?? usual)
  const walks = await openWalks(t, engine)
  const { world, changes, build, organization } = walks

  await t.test("the service follows the clock of the test", async (t) => {
    const source = walks.sourceOf(lists[0] as WalkedList, await build.event(organization))
    for (const seconds of [0, 7]) {
      world.clock.now += seconds
      await changes.look()
      const { nextSince } = await source.page("records", { since: -1, offset: 0, limit: 1 })
      t.equal(nextSince, world.clock.now - clockMargin)
    }
  })

  for (const [index, list] of lists.entries()) {
    for (const { name, kinds, isWild, examples: all } of promises) {
      // Those of the first family say the same of the others without a filter.
      const examples = index < 2 || list.path === chosenPath ? all : []
      await t.test(`${list.path} ${list.list}: a copy ${name} is equal to the table`, async (t) => {
        const numRuns = Math.ceil(wanted / lists.length / promises.length)
        const property = fc.asyncProperty(
          scenarios(kinds, { late: isWild, setBack: isWild }),
          (scenario) => play(walks, scenario, list, isWild),
        )
        await fc.assert(property, {
          numRuns: numRuns + examples.length,
          examples: examples.map((each): [Scenario] => [each]),
        })
        t.pass(`${numRuns} interleavings`)
      })
    }
  }

  for (const [index, { live: { asked, found } }] of walks.instances.entries()) {
    await t.test(`instance ${index} cuts many pages from lists in memory`, (t) => {
      t.ok(found > asked / 5, `${found} of ${asked}`)
      t.end()
    })
  }
}

/** Plays a scenario. @throws if the copy differs from the table in the end. */
async function play(
  walks: Walks,
  scenario: Scenario,
  list: WalkedList,
  deletions: boolean,
): Promise<void> {
  const { world: { clock } } = walks
  let service: ListSource | undefined
  const reader = await walks.play(scenario, {
    list: list.list,
    sourceOf: (event) => service = walks.sourceOf(list, event),
    deletions,
  })
  const truth = await (service instanceof ChosenList ? service.truth() : service?.everything()) ??
    []
  const wasSetBack = scenario.steps.some((step) => step.do === "set back")
  if (!wasSetBack && truth.some(({ updated }) => updated > clock.now)) {
    throw new Error("a trigger does not follow the clock of the test")
  }
  const found = reader.copy.differences(recordsIn(truth))
    .filter(({ kind }) => deletions || kind !== "phantom")
  if (found.length > 0) {
    throw new Error(`the copy differs: ${found.map(({ text }) => text).join("; ")}`)
  }
}
