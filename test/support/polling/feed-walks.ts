import process from "node:process"
import fc from "fast-check"
import type { Test } from "tap"
import type { Category } from "../../../core/records/kinds/categories.ts"
import type { Engine } from "../database.ts"
import { FeedReader, listedRecords } from "../partner/feed-reader.ts"
import { getFrom } from "../partner/reply.ts"
import { chosenIds, chosenPath } from "./chosen.ts"
import { openWalks, type Walks } from "./play.ts"
import {
  committedAtSince,
  committedBehindWalk,
  deletedAfterPoll,
  deletedAtSince,
  forgottenBeforePoll,
  guaranteed,
  rare,
  type Scenario,
  scenarios,
  withdrawnAfterPoll,
  withdrawnAtSince,
} from "./scenarios.ts"

const families = [
  { path: "/acme/v1", account: "acme-export", hasItems: true },
  { path: "/connector-a/v1", account: "partner", hasItems: false },
  { path: chosenPath, account: "partner", hasItems: false },
]

/** Runs the walk model with readers of feeds: they miss nothing, whatever a writer does between two pages. */
export async function feedWalkSuite(
  t: Test,
  engine: Engine,
  { walks: usual }: { readonly walks: number },
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
        withdrawnAfterPoll,
        withdrawnAtSince,
        forgottenBeforePoll,
      ].map((each): [Scenario] => [each])
      await fc.assert(propertyOf(own, family), { numRuns: numRuns + examples.length, examples })
      t.pass(`${numRuns} interleavings`)
    })
  }
}

/** True if a copy by the feed of a family is equal to the tables, whatever a writer does meanwhile. */
function propertyOf(
  { app, cookies, playBy, world }: Walks,
  { path, account, hasItems }: typeof families[number],
) {
  const get = getFrom(app, cookies[account] ?? "")
  return fc.asyncProperty(
    scenarios(guaranteed, { late: true, setBack: true }),
    async (scenario) => {
      let event = ""
      const truth = async () => {
        if (path !== chosenPath) return await listedRecords(get, event)
        const all = await listedRecords(get, event.replace(path, "/connector-a/v1"))
        const ids = await chosenIds(world.database, event.slice(-36))
        return new Map([...all].filter(([key]) => ids.has(key.slice(-36))))
      }
      const written: Category[] = hasItems ? ["guests", ...scenario.categories] : ["guests"]
      const { limit } = scenario
      const reader = await playBy(scenario, written, (id) => {
        event = `${path}/events/${id}`
        return new FeedReader(get, event, { limit })
      })
      const found = reader.copy.differences(await truth())
      if (found.length === 0) return
      throw new Error(`the copy differs: ${found.map(({ text }) => text).join("; ")}`)
    },
  )
}
