// slow: plays millions of interleavings
import t from "tap"
import { ownVersions } from "../../support/interleavings/cases.ts"
import { checkAll, checkLosing } from "../../support/interleavings/check.ts"
import {
  losingVersions,
  safeVersionScenarios,
} from "../../support/interleavings/versions/version-designs.ts"

t.setTimeout(20 * 60_000)

for (const scenario of safeVersionScenarios) {
  t.test(`equal versions have equal records in any interleaving: ${scenario}`, (t) => {
    checkAll(t, ownVersions, scenario)
    t.end()
  })
}

for (const design of Object.keys(losingVersions)) {
  t.test(`the model finds one version of different records: ${design}`, (t) => {
    t.match(checkLosing(t, design)?.problem, /^version .* is of .* and of /)
    t.end()
  })
}
