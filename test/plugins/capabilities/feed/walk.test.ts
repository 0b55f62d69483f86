import process from "node:process"
import fc from "fast-check"
import t from "tap"
import {
  type FeedDesign,
  type FeedScenario,
  feedScenarios,
  playFeed,
} from "../../../support/feed/feed-model.ts"
import { losingFeeds } from "../../../support/feed/losing-feeds.ts"

/** Stages of a model that is too large for all at once. */
const stages = [1, 3].flatMap((servers) => [
  { servers, configures: false },
  { servers, configures: true },
])

function property(stage: (typeof stages)[number]) {
  return fc.property(feedScenarios(stage), (scenario) => {
    const wrong = whatIsWrong(scenario)
    if (wrong !== "") throw new Error(wrong)
  })
}

/** Returns what is wrong in the end; empty if nothing is. */
function whatIsWrong(scenario: FeedScenario, design?: FeedDesign): string {
  try {
    const { copy, truth } = playFeed(scenario, design)
    const [has, should] = [copy.join("\n"), truth.join("\n")]
    return has === should ? "" : `the copy is\n${has}\nand should be\n${should}`
  } catch (error) {
    return String(error)
  }
}

for (const stage of stages) {
  const { servers, configures } = stage
  const name = `${servers} server${servers > 1 ? "s" : ""}${
    configures ? " that are configured" : ""
  }`
  t.test(`a copy by the feed of ${name} is equal to the table`, (t) => {
    fc.assert(property(stage), { numRuns: Number(process.env["FEEDS"] ?? 500) })
    t.end()
  })
}

for (const [name, { design, scenario }] of losingFeeds) {
  t.test(`the model sees what is lost by ${name}`, (t) => {
    t.match(whatIsWrong(scenario, design), /./)
    t.equal(whatIsWrong(scenario), "")
    t.end()
  })
}
