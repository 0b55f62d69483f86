import t from "tap"
import { onEveryEngine } from "../../../support/database.ts"
import { playAll } from "../../../support/scenarios/play.ts"
import { rows } from "../../../support/scenarios/rows.ts"

/** Scenarios of which operators still read something wrong. */
const wrong: readonly string[] = [
  "reads items by category, all six",
]

await onEveryEngine(t, async (t, engine) => {
  const failures = await playAll(t, engine, rows)
  for (const { name } of rows) {
    const found = failures.get(name) ?? []
    await t.test(`partners says of a partner that ${name} what is true`, (t) => {
      if (wrong.includes(name)) t.not(found.length, 0, "is right now: take it off the list")
      else t.strictSame(found, [])
      t.end()
    })
  }
})
