import t from "tap"
import { ownFeeds } from "../../support/interleavings/cases.ts"
import { checkAll, checkLosing, format } from "../../support/interleavings/check.ts"
import { feedScenarios, losingScenarios } from "../../support/interleavings/feed/scenarios.ts"

t.setTimeout(20 * 60_000)

for (const scenario of Object.keys(feedScenarios)) {
  t.test(`no client of the feed loses a record in any interleaving: ${scenario}`, (t) => {
    const merges = checkAll(t, ownFeeds, scenario)
    t.comment(format(merges))
    t.end()
  })
}

for (const name of Object.keys(losingScenarios)) {
  t.test(`the model finds a record that a design of the feed loses: ${name}`, (t) => {
    t.match(checkLosing(t, `feed: ${name}`)?.problem, /./)
    t.end()
  })
}
