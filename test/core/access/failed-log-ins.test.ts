import t from "tap"
import { FailedLogIns, pruneFailures } from "../../../core/access/failed-log-ins.ts"
import { afterFirst } from "../../support/after-first.ts"
import { copiedUrl, onEveryEngine, openFor } from "../../support/database.ts"

const aDay = 86_400
const ann = { key: "ann", free: 5 }
const bob = { key: "bob", free: 5 }

await onEveryEngine(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const { writer, dialect } = database
  const failures = new FailedLogIns(database, "a secret")

  const now = async () => {
    const query = writer.selectNoFrom(dialect.now.as("now"))
    return (await query.executeTakeFirstOrThrow()).now
  }
  const readRow = () => writer.selectFrom("rate_limit").selectAll().executeTakeFirstOrThrow()
  const fail = async (times: number, counter = ann) => {
    for (let n = 0; n < times; n++) await failures.add([counter])
  }
  t.afterEach(async () => {
    await writer.deleteFrom("rate_limit").execute()
  })

  await t.test("a counter closes with the first failure beyond the free ones, and doubles the wait up to 15 minutes", async (t) => {
    await fail(1)
    const waits = { 4: null, 5: 2, 6: 4, 12: 256, 13: 512, 14: 900, 40: 900, 1_000_000: 900 }
    for (const [before, wait] of Object.entries(waits)) {
      await writer.updateTable("rate_limit").set({ points: Number(before), blocked_until: null })
        .execute()
      const begin = await now()
      await fail(1)
      const { blocked_until: end } = await readRow()
      if (wait === null) t.equal(end, null)
      else t.ok(Number(end) >= begin + wait && Number(end) <= await now() + wait, `${wait} s`)
    }
    const wait = await failures.wait([ann])
    t.ok(wait > 0 && wait <= 900)
  })

  await t.test("wait returns the longest of several counters that are closed", async (t) => {
    const eve = { key: "eve", free: 5 }
    await fail(12)
    await fail(14, bob)
    await fail(1, eve)
    for (const counters of [[ann, bob, eve], [bob, ann]]) {
      const wait = await failures.wait(counters)
      t.ok(wait > 256 && wait <= 512, `${wait} s`)
    }
    await failures.forget(bob)
    const wait = await failures.wait([ann, bob])
    t.ok(wait > 0 && wait <= 128, `${wait} s`)
    t.equal(await failures.wait([eve, { key: "mia", free: 5 }]), 0)
    await writer.updateTable("rate_limit").set({ blocked_until: dialect.now }).execute()
    t.equal(await failures.wait([ann]), 0)
  })

  await t.test("a counter begins anew a day after its first failure, not after its latest", async (t) => {
    await fail(6)
    const first = await readRow()
    await writer.updateTable("rate_limit").set({ expires: first.expires - 100 }).execute()
    await fail(1)
    t.match(await readRow(), { points: 7, expires: first.expires - 100 })
    await writer.updateTable("rate_limit").set({ expires: dialect.now }).execute()
    t.equal(await failures.wait([ann]), 0, "whatever its wait was")
    const begin = await now()
    await fail(1)
    const { points, expires, blocked_until } = await readRow()
    t.strictSame([points, blocked_until], [1, null])
    t.ok(expires >= begin + aDay && expires <= await now() + aDay)
  })

  await t.test("forget deletes one counter, and pruneFailures all that have expired and do not begin anew", async (t) => {
    await fail(2)
    await fail(1, bob)
    await failures.forget(ann)
    await pruneFailures(database)
    t.equal((await readRow()).points, 1, "bob's is left")
    const row = { points: 1, expires: dialect.now }
    const expired = Array.from({ length: 2001 }, (_, n) => ({ name: `expired ${n}`, ...row }))
    await writer.updateTable("rate_limit").set({ expires: dialect.now }).execute()
    await writer.insertInto("rate_limit").values(expired).execute()
    await pruneFailures(afterFirst(database, () => fail(1, bob)))
    t.match(await writer.selectFrom("rate_limit").selectAll().execute(), [{ points: 1 }])
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

  await t.test("add loses no failure of several processes", async (t) => {
    const counters = [failures, new FailedLogIns(await openFor(t, url), "a secret")]
    await Promise.all(Array.from({ length: 20 }, (_, n) => counters[n % 2]?.add([ann, bob])))
    const rows = await writer.selectFrom("rate_limit").select("points").execute()
    t.strictSame(rows.map(({ points }) => points), [20, 20])
  })
})
