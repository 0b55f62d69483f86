import t from "tap"
import {
  countAttempt,
  forgetFailures,
  pruneFailures,
  takeBackAttempt,
} from "../../../core/access/failed-log-ins.ts"
import { freshDatabase, onEveryEngine, openFor } from "../../support/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { freshUrl } from "../../support/database.ts"

const aDay = 86_400

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer, dialect } = database

  /** Reads the only counter of a test. */
  const readCounter = async () => {
    const row = await writer
      .selectFrom("rate_limit")
      .select((eb) => [
        "points",
        eb("expires", "-", dialect.now).as("remembered"),
        eb("blocked_until", "-", dialect.now).as("blocked"),
      ])
      .executeTakeFirstOrThrow()
    return row
  }
  t.afterEach(async () => {
    await writer.deleteFrom("rate_limit").execute()
  })

  await t.test("countAttempt starts again a day after the first failure", async (t) => {
    for (let n = 0; n < 3; n++) t.equal(await countAttempt(database, "name ann", 5), 0)
    t.equal((await readCounter()).points, 3)
    await writer.updateTable("rate_limit").set({ expires: dialect.now }).execute()
    t.equal(await countAttempt(database, "name ann", 5), 0)
    const { points, remembered } = await readCounter()
    t.equal(points, 1)
    t.ok(remembered > aDay - 10 && remembered <= aDay, `for ${remembered} s`)
  })

  await t.test("countAttempt remembers failures for a day from the first one, not from the latest", async (t) => {
    await countAttempt(database, "name ann", 5)
    await writer.updateTable("rate_limit")
      .set((eb) => ({ expires: eb(dialect.now, "+", 100) })).execute()
    await countAttempt(database, "name ann", 5)
    const { points, remembered } = await readCounter()
    t.equal(points, 2)
    t.ok(remembered <= 100, `for ${remembered} s`)
  })

  await t.test("countAttempt doubles the wait up to 15 minutes", async (t) => {
    const waits = []
    for (const failures of [4, 5, 6, 12, 13, 14, 40, 1_000_000]) {
      await countAttempt(database, "name ann", 5)
      await writer.updateTable("rate_limit").set({ points: failures, blocked_until: null })
        .execute()
      t.equal(await countAttempt(database, "name ann", 5), 0)
      waits.push((await readCounter()).blocked)
    }
    const expected = [null, 2, 4, 256, 512, 900, 900, 900]
    t.ok(
      waits.every((wait, n) => wait === expected[n] || wait === (expected[n] ?? 0) - 1),
      JSON.stringify(waits),
    )
  })

  await t.test("countAttempt returns the seconds left, and does not count a refused attempt", async (t) => {
    for (let n = 0; n < 6; n++) t.equal(await countAttempt(database, "name ann", 5), 0)
    await writer.updateTable("rate_limit")
      .set((eb) => ({ blocked_until: eb(dialect.now, "+", 60) })).execute()
    const left = await countAttempt(database, "name ann", 5)
    t.ok(left === 60 || left === 59, `${left} s`)
    t.equal((await readCounter()).points, 6)
  })

  await t.test("takeBackAttempt allows one more attempt, and never counts below zero", async (t) => {
    await countAttempt(database, "name ann", 5)
    await takeBackAttempt(database, "name ann")
    await takeBackAttempt(database, "name ann")
    t.equal((await readCounter()).points, 0)
    for (let n = 0; n < 6; n++) await countAttempt(database, "name ann", 5)
    t.not(await countAttempt(database, "name ann", 5), 0)
    await takeBackAttempt(database, "name ann")
    await takeBackAttempt(database, "name ann")
    t.equal(await countAttempt(database, "name ann", 5), 0)
  })

  await t.test("forgetFailures deletes one key, and pruneFailures the expired ones", async (t) => {
    for (let n = 0; n < 6; n++) await countAttempt(database, "name ann", 5)
    await countAttempt(database, "name bob", 5)
    await forgetFailures(database, "name ann")
    t.equal((await readCounter()).points, 1, "bob's counter is left")
    await pruneFailures(database)
    t.equal((await readCounter()).points, 1)
    await writer.updateTable("rate_limit").set({ expires: dialect.now }).execute()
    await pruneFailures(database)
    t.strictSame(await writer.selectFrom("rate_limit").selectAll().execute(), [])
  })
})

await onEveryEngine(t, async (t, engine) => {
  const url = await freshUrl(t, engine)
  const databases = [await openFor(t, url), await openFor(t, url)] as const
  await migrate(databases[0])

  await t.test("countAttempt allows exactly one of many concurrent attempts beyond the free ones", async (t) => {
    const waits = await Promise.all(
      Array.from({ length: 40 }, (_, n) => countAttempt(databases[n % 2 ? 1 : 0], "name eve", 5)),
    )
    t.equal(waits.filter((wait) => wait === 0).length, 6)
  })
})
