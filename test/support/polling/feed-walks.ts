import process from "node:process"
import fc from "fast-check"
import type { Test } from "tap"
import type { Category } from "../../../core/records/categories.ts"
import type { Engine } from "../database.ts"
import { losingFeeds } from "../feed/losing-feeds.ts"
import { FeedReader, listedRecords } from "../partner/feed-reader.ts"
import type { ReaderKind } from "../partner/reader.ts"
import { getFrom } from "../partner/reply.ts"
import { openWalks, type Walks } from "./play.ts"
import {
  commit,
  committedAtSince,
  committedBehindWalk,
  deletedAfterPoll,
  deletedAtSince,
  forgottenBeforePoll,
  guaranteed,
  look,
  once,
  rare,
  read,
  type Scenario,
  scenarios,
  type Step,
  write,
} from "./scenarios.ts"
import type { WalkOptions } from "./walks.ts"

const families = [
  { path: "/acme/v1", account: "acme-export", hasItems: true },
  { path: "/connector-a/v1", account: "partner", hasItems: false },
  { path: "/connector-b/v1", account: "partner", hasItems: true },
]

/** Designs of feeds that lose something, each with a scenario in which it does. */
const losses: Readonly<Record<string, readonly Step[]>> = {
  "the mark of the last page": [write("insert", 0, "late"), read, commit, look],
  "since moves during a walk": [read, look, write("insert")],
}

/** Runs the walk model with readers of feeds: they miss nothing, whatever a writer does between two pages. */
export async function feedWalkSuite(
  t: Test,
  engine: Engine,
  { walks: usual, searched }: WalkOptions,
): Promise<void> {
  const wanted = Number(process.env["WALKS"] ?? usual)
  const own = await openWalks(t, engine)
  for (const family of families) {
    await t.test(`${family.path}: a copy by the feed is equal to the tables`, async (t) => {
      const numRuns = Math.ceil(wanted / families.length)
      const examples = [
        ...rare,
        committedAtSince,
        deletedAtSince,
        committedBehindWalk,
        deletedAfterPoll,
        forgottenBeforePoll,
      ].map((each): [Scenario] => [each])
      await fc.assert(propertyOf(own, family), { numRuns: numRuns + examples.length, examples })
      t.pass(`${numRuns} interleavings`)
    })
  }

  for (const [name, steps] of Object.entries(losses)) {
    await t.test(`the model finds what a copy by a feed loses with ${name}`, async (t) => {
      const feed = losingFeeds.get(name)?.design
      if (!feed) throw new Error(`there is no design ${name}`)
      const wrong = await openWalks(t, engine, { feed })
      const property = propertyOf(wrong, families[0] as typeof families[number])
      const [kind] = guaranteed as [ReaderKind]
      const examples: [Scenario][] = [[{ ...once, kind, limit: 1, records: [0, 0], steps }]]
      const outcome = await fc.check(property, {
        endOnFailure: true,
        ...searched === undefined ? { numRuns: 1, examples } : { numRuns: searched },
      })
      await wrong.writer.commit()
      t.ok(outcome.failed, `found within ${outcome.numRuns} interleavings`)
      t.match(String(outcome.errorInstance), /the copy differs/)
    })
  }
}

/** True if a copy by the feed of a family is equal to the tables, whatever a writer does meanwhile. */
function propertyOf(
  { app, cookies, playBy }: Walks,
  { path, account, hasItems }: typeof families[number],
) {
  const get = getFrom(app, cookies[account] ?? "")
  return fc.asyncProperty(
    scenarios(guaranteed, { late: true, setBack: true }),
    async (scenario) => {
      let event = ""
      const written: Category[] = hasItems ? ["guests", ...scenario.categories] : ["guests"]
      const { limit } = scenario
      const reader = await playBy(scenario, written, (id) => {
        event = `${path}/events/${id}`
        return new FeedReader(get, event, { limit })
      })
      const found = reader.copy.differences(await listedRecords(get, event))
      if (found.length === 0) return
      throw new Error(`the copy differs: ${found.map(({ text }) => text).join("; ")}`)
    },
  )
}
