import t from "tap"
import { onEveryEngine } from "../../../support/database.ts"
import { playAll } from "../../../support/scenarios/play.ts"
import { rows } from "../../../support/scenarios/rows.ts"

await onEveryEngine(t, async (t, engine) => {
  const failures = await playAll(t, engine, rows)
  for (const { name } of rows) {
    const found = failures.get(name) ?? []
    await t.test(`partners says of a partner that ${name} what is true`, (t) => {
      t.strictSame(found, [])
      t.end()
    })
  }
})
