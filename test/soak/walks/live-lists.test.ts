import process from "node:process"
import t from "tap"
import { freshUrl, onEveryEngine } from "../../support/database.ts"
import { type HostileStage, openHostilePlay } from "./hostile-play.ts"

/** Replays a run. */
const seed = Number(process.env["SEED"] ?? 1)
/** The number of plays of a hundred steps. */
const wanted = Number(process.env["LIVE_PLAYS"] ?? 4)

const usual: HostileStage = {
  // One instance has room for the lists of all events, one drops them all the time. Neither keeps pages.
  caches: [4_000_000, 200_000].map((records) => ({ pages: 0, records })),
  terms: ["ada", "item", "1", "crm", "unseen"],
  searchesOneIn: 6,
}

/** Other stages. */
const others: Readonly<Record<string, HostileStage>> = {
  "from lists that are too large for the memory": {
    ...usual,
    caches: [0, 10_000_000].map((pages) => ({ pages, records: 1_000_000 })),
    records: [2000, 150],
  },
  "from searched lists": {
    // The second one has memory for keys only, the third one not even for these.
    caches: [10_000_000, 600_000, 100_000].map((records) => ({ pages: 0, records })),
    records: [100, 10],
    names: [
      "Zoë",
      "ZOE",
      "Straße",
      "strasse",
      "Łukasz",
      "Ольга",
      "カタカナ",
      "an",
      "a\u0301da",
      "x",
    ],
    terms: [
      ...["zoe", "ZOË", "STRASSE", "ß", "lukasz", "оль", "かた", "a", "n", "ADA", "x", "nobody"],
      ...["1", "guest1", "example", "a 1", "lovelace guest", "\u0301", "%", "5 example.org"],
    ],
    searchesOneIn: 1,
  },
}

t.setTimeout(20 * 60_000)
await onEveryEngine(t, async (t, engine) => {
  for (const [name, stage] of Object.entries(others)) {
    await t.test(`pages ${name} are those that are read without caches, SEED=${seed}`, async (t) => {
      const { play, close } = await openHostilePlay(engine, await freshUrl(t, engine), stage)
      t.teardown(close)
      await play(seed, 200)
      t.pass("200 steps")
    })
  }

  const { instances, play, close } = await openHostilePlay(engine, await freshUrl(t, engine), usual)
  t.teardown(close)

  await t.test(`pages from lists in memory are those that are read without caches, SEED=${seed}`, async (t) => {
    const plays = engine === "mysql" ? Math.ceil(wanted / 2) : wanted
    for (let index = 0; index < plays; index++) await play(seed + index, 100)
    for (const [index, { live: { asked, found } }] of instances.entries()) {
      t.ok(found > 0.3 * asked, `instance ${index}: ${found} of ${asked}`)
    }
  })
})
