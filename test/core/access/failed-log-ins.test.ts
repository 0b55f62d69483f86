import t from "tap"
import { FailedLogIns, pruneFailures } from "../../../core/access/failed-log-ins.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { afterFirst } from "../../support/after-first.ts"
import { copiedUrl, freshDatabase, onEveryEngine, openFor } from "../../support/database.ts"

const aDay = 86_400
const ann = { key: "ann", free: 5 }
const bob = { key: "bob", free: 5 }

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer, dialect } = database
  const failures = new FailedLogIns(database, "a secret")

  /** Reads the only row. */
  const readRow = async () =>
    await writer
      .selectFrom("rate_limit")
      .select((eb) => [
        "points",
        eb("expires", "-", dialect.now).as("remembered"),
        eb("blocked_until", "-", dialect.now).as("blocked"),
      ])
      .executeTakeFirstOrThrow()
  const fail = async (times: number, counter = ann) => {
    for (let n = 0; n < times; n++) await failures.add([counter])
  }
  t.afterEach(async () => {
    await writer.deleteFrom("rate_limit").execute()
  })

  await t.test("a counter closes with the first failure beyond the free ones", async (t) => {
    await fail(5)
    t.equal(await failures.wait([ann]), 0)
    await fail(1)
    const wait = await failures.wait([ann])
    t.ok(wait === 2 || wait === 1, `${wait} s`)
  })

  await t.test("a counter doubles the wait up to 15 minutes", async (t) => {
    const waits = []
    for (const before of [4, 5, 6, 12, 13, 14, 40, 1_000_000]) {
      await fail(1)
      await writer.updateTable("rate_limit").set({ points: before, blocked_until: null }).execute()
      await fail(1)
      waits.push((await readRow()).blocked)
    }
    const expected = [null, 2, 4, 256, 512, 900, 900, 900]
    t.ok(
      waits.every((wait, n) => wait === expected[n] || wait === (expected[n] ?? 0) - 1),
      JSON.stringify(waits),
    )
  })

  await t.test("wait returns the longest of several counters, and the same of one that is open", async (t) => {
    await fail(6)
    await fail(8, bob)
    await fail(6, { key: "eve", free: 5 })
    for (const counters of [[ann, bob], [bob, ann]]) t.ok(await failures.wait(counters) > 2)
    await failures.forget(bob)
    await fail(8, ann)
    t.ok(await failures.wait([ann, bob, { key: "eve", free: 5 }]) > 4, "whichever it is")
    await fail(8, bob)
    t.equal(await failures.wait([{ key: "mia", free: 5 }]), 0)
    await writer.updateTable("rate_limit").set({ blocked_until: dialect.now }).execute()
    t.equal(await failures.wait([ann, bob]), 0)
  })

  await t.test("a counter begins anew a day after its first failure", async (t) => {
    await fail(7)
    await writer.updateTable("rate_limit").set({ expires: dialect.now }).execute()
    t.equal(await failures.wait([ann]), 0, "whatever its wait was")
    await fail(1)
    const { points, remembered, blocked } = await readRow()
    t.strictSame([points, blocked], [1, null])
    t.ok(remembered > aDay - 10 && remembered <= aDay, `for ${remembered} s`)
  })

  await t.test("a counter remembers failures from the first one on, not from the latest", async (t) => {
    await fail(1)
    await writer.updateTable("rate_limit")
      .set((eb) => ({ expires: eb(dialect.now, "+", 100) })).execute()
    await fail(1)
    const { points, remembered } = await readRow()
    t.equal(points, 2)
    t.ok(remembered <= 100, `for ${remembered} s`)
  })

  await t.test("forget deletes one counter, and pruneFailures all that have expired", async (t) => {
    await fail(6)
    await fail(1, bob)
    await failures.forget(ann)
    t.equal((await readRow()).points, 1, "bob's is left")
    await pruneFailures(database)
    t.equal((await readRow()).points, 1)
    await writer.updateTable("rate_limit").set({ expires: dialect.now }).execute()
    const expired = Array.from({ length: 2001 }, (_, n) => ({
      name: `expired ${n}`,
      points: 1,
      expires: dialect.now,
    }))
    await writer.insertInto("rate_limit").values(expired).execute()
    await pruneFailures(database)
    t.strictSame(await writer.selectFrom("rate_limit").selectAll().execute(), [])
  })

  await t.test("pruneFailures keeps a counter that begins anew meanwhile", async (t) => {
    await fail(1)
    await writer.updateTable("rate_limit").set({ expires: dialect.now }).execute()
    await pruneFailures(afterFirst(database, () => fail(1)))
    t.equal((await readRow()).points, 1)
  })

  await t.test("counters are stored as hashes that need the secret", async (t) => {
    const name = async (secret: string) => {
      await new FailedLogIns(database, secret).add([ann])
      const [row] = await writer.selectFrom("rate_limit").select("name").execute()
      await writer.deleteFrom("rate_limit").execute()
      return row?.name ?? ""
    }
    t.match(await name("a"), /^[0-9a-f]{64}$/)
    t.equal(await name("a"), await name("a"))
    t.not(await name("a"), await name("b"))
  })
})

await onEveryEngine(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const databases = [await openFor(t, url), await openFor(t, url)] as const
  await migrate(databases[0])

  await t.test("add loses no failure of several processes", async (t) => {
    const counters = databases.map((database) => new FailedLogIns(database, "a secret"))
    await Promise.all(Array.from({ length: 40 }, (_, n) => counters[n % 2]?.add([ann, bob])))
    const rows = await databases[0].writer.selectFrom("rate_limit").select("points").execute()
    t.strictSame(rows.map(({ points }) => points), [40, 40])
  })
})
