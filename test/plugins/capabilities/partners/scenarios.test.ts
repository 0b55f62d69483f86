import t from "tap"
import { onEveryEngine } from "../../../support/database.ts"
import { playAll } from "../../../support/scenarios/play.ts"
import { type Row, rows } from "../../../support/scenarios/rows.ts"

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

await onEveryEngine(t, async (t, engine) => {
  // The embedded database does not promise that its clock may be set back.
  const ofClock = ["polls a busy event as the guide says", "stops, on a busy event"]
  const clocked = rows.filter(({ name }) => ofClock.includes(name)).map((row): Row => {
    if (row.isWell) return row
    const [first, , last] = row.shows
    // Its last poll seems to be as late as the present clock.
    return { ...row, shows: [first, ["behind"], last], says: /no request|not fetched/ }
  })
  await t.test("partners says the truth of partners when the clock was set back by an hour", {
    skip: engine === "sqlite",
  }, async (t) => {
    t.equal(clocked.length, ofClock.length)
    const failures = await playAll(t, engine, clocked, { setBack: 3600 })
    t.strictSame([...failures.values()].flat(), [])
  })
})
