import process from "node:process"
import fc from "fast-check"
import type { Test } from "tap"
import type { Category } from "../../../core/records/categories.ts"
import type { Engine } from "../database.ts"
import { listedCopy } from "../feed/feed-client.ts"
import { losingFeeds } from "../feed/losing-feeds.ts"
import { withoutSlow } from "../quick.ts"
import { FeedReader } from "./feed-reader.ts"
import { openWalks } from "./play.ts"
import {
  committedAtSince,
  committedBehindWalk,
  deletedAfterPoll,
  forgottenBeforePoll,
  guaranteed,
  rare,
  type Scenario,
  scenarios,
} from "./scenarios.ts"

/** The number of interleavings per database, from WALKS. */
const usual = { sqlite: 300, mysql: 90 }

const families = [
  { path: "/acme/v1", account: "acme-export", hasItems: true },
  { path: "/connector-a/v1", account: "partner", hasItems: false },
  { path: "/connector-b/v1", account: "partner", hasItems: true },
]

/** Runs the walk model with readers of feeds: they miss nothing, whatever a writer does between two pages. */
export async function feedWalkSuite(t: Test, engine: Engine): Promise<void> {
  t.setTimeout(20 * 60_000)
  const wanted = Number(process.env["WALKS"] ?? usual[engine])
  const own = await openWalks(t, engine)
  for (const family of families) {
    await t.test(`${family.path}: a copy by the feed is equal to the tables`, async (t) => {
      t.setTimeout(20 * 60_000)
      const numRuns = Math.ceil(wanted / families.length)
      const examples = [
        ...rare,
        committedAtSince,
        committedBehindWalk,
        deletedAfterPoll,
        forgottenBeforePoll,
      ].map((each): [Scenario] => [each])
      await fc.assert(propertyOf(own, family), { numRuns: numRuns + examples.length, examples })
      t.pass(`${numRuns} interleavings`)
    })
  }

  for (const name of ["the mark of the last page", "since moves during a walk"]) {
    await t.test(`the model finds what a copy by a feed loses with ${name}`, {
      skip: withoutSlow,
    }, async (t) => {
      t.setTimeout(20 * 60_000)
      const feed = losingFeeds.get(name)?.design
      if (!feed) throw new Error(`there is no design ${name}`)
      const wrong = await openWalks(t, engine, { feed })
      const property = propertyOf(wrong, families[0] as typeof families[number])
      const outcome = await fc.check(property, { numRuns: 3000, endOnFailure: true })
      await wrong.writer.commit()
      t.ok(outcome.failed, `found within ${outcome.numRuns} interleavings`)
      t.match(String(outcome.errorInstance), /copy/)
    })
  }
}

/** True if a copy by the feed of a family is equal to the tables, whatever a writer does meanwhile. */
function propertyOf(
  { app, cookies, playBy }: Awaited<ReturnType<typeof openWalks>>,
  { path, account, hasItems }: typeof families[number],
) {
  const cookie = cookies[account] ?? ""
  const get = (path: string) => app(new Request(`http://localhost${path}`, { headers: { cookie } }))
  return fc.asyncProperty(
    scenarios(guaranteed, { late: true, setBack: true }),
    async (scenario) => {
      let event = ""
      const written: Category[] = hasItems ? ["guests", ...scenario.categories] : ["guests"]
      const { limit } = scenario
      const reader = await playBy(scenario, written, (id) => {
        event = `${path}/events/${id}`
        return new FeedReader(app, { cookie, path: event, limit })
      })
      assertSame(reader.copy, await listedCopy(get, event))
    },
  )
}

function assertSame(copy: ReadonlyMap<string, string>, truth: ReadonlyMap<string, string>): void {
  const sorted = (records: ReadonlyMap<string, string>) =>
    [...records].map(([key, record]) => `${key} ${record}`).sort().join("\n")
  if (sorted(copy) !== sorted(truth)) {
    throw new Error(`the copy is\n${sorted(copy)}\nand should be\n${sorted(truth)}`)
  }
}
