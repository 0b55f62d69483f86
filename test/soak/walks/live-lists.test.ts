import process from "node:process"
import t from "tap"
import { type Engine, freshUrl, onEveryEngine } from "../../support/database.ts"
import { openHostilePlay, type Writing } from "./hostile-play.ts"
import { withMistake } from "../../support/live/wrong-lists.ts"

/** Replays a run. */
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1e6))
/** The number of plays of a hundred steps. */
const wanted = Number(process.env["LIVE_PLAYS"] ?? 4)

/**
 * What is written often, so that pages show mistakes soon. The model of a log (`live-records.test.ts`) finds those of a
 * failover, too, and `restored-triggers.test.ts` lists of another epoch.
 */
const seen: Readonly<Record<Engine, Readonly<Record<string, Writing | undefined>>>> = {
  sqlite: {
    "rows that name no record are passed over": "without a name",
    "records are in the order in which they change": undefined,
    "deletions are ignored": "deletion",
    "a record that has changed keeps its text": undefined,
    "places of deleted records are kept when another one is deleted": "deletion",
    "consents and addresses of records that have changed are not read": undefined,
  },
  // The embedded database has one writer at a time.
  mysql: { "a change that commits late is forgotten": "late commit" },
}

await onEveryEngine(t, async (t, engine) => {
  t.setTimeout(60 * 60_000)
  const { instances, play, close } = await openHostilePlay(engine, await freshUrl(t, engine))
  t.teardown(close)

  await t.test(`pages from lists in memory are those that are read without caches, SEED=${seed}`, async (t) => {
    t.setTimeout(60 * 60_000)
    const plays = engine === "mysql" ? Math.ceil(wanted / 2) : wanted
    for (let index = 0; index < plays; index++) await play(seed + index, 100)
    for (const [index, { live: { asked, found } }] of instances.entries()) {
      t.ok(found > 0.3 * asked, `instance ${index}: ${found} of ${asked}`)
    }
  })

  for (const [name, often] of Object.entries(seen[engine])) {
    await t.test(`a page shows it if lists have a mistake: ${name}`, async (t) => {
      t.setTimeout(60 * 60_000)
      let plays = 0
      const playMany = async () => {
        for (; plays < 100; plays++) await play(plays, 100, often)
      }
      const wrong = /sends another page than is read without caches/
      await t.rejects(withMistake(name, playMany), { message: wrong })
      t.comment(`found in play ${plays}`)
    })
  }
})
