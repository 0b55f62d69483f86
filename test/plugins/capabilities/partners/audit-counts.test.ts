import type { Compilable } from "kysely"
import t from "tap"
import type { Snapshot } from "../../../../core/data/database.ts"
import { readErrorGroups } from "../../../../plugins/capabilities/partners/list-errors.ts"
import { readTraffic, trafficOf } from "../../../../plugins/capabilities/audit/traffic.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { withinOneSecond } from "../../../support/one-second.ts"

const errors = 30

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer, dialect } = database
  const { now } = await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  const entry = { action: "list", address: "", request_id: "r", milliseconds: 1 } as const
  await writer.insertInto("audit_log").values([
    ...Array.from(
      { length: 3600 },
      (_, n) => ({ ...entry, at: now - n, account: "ann", status: 304 }),
    ),
    ...Array.from({ length: errors }, (_, n) => ({
      ...entry,
      at: now - n,
      account: "ann",
      status: 404,
      code: "event_not_found",
    })),
    ...[200, 204, 204, 303, 303, 303].map((status, n) => ({ ...entry, at: now - 3 * n, status })),
    { ...entry, action: "grant", at: now, status: 0 },
  ]).execute()
  if (engine === "mysql") await analyze()

  /** Runs some work in a snapshot, and returns the plans of its statements about the audit log. */
  async function plansOf(work: (snapshot: Snapshot) => Promise<unknown>) {
    const asked: Compilable[] = []
    await database.snapshot((snapshot) =>
      work({
        ...snapshot,
        run: (query) => {
          asked.push(query as unknown as Compilable)
          return snapshot.run(query)
        },
      })
    )
    const plans = []
    for (const query of asked) {
      const { sql, parameters } = query.compile()
      if (!/audit_(log|name)/.test(sql)) continue
      const text = { ...query.compile(), sql: `explain format=traditional ${sql}`, parameters }
      const { rows } = await writer.executeQuery<{ key: string; rows: number; Extra: string }>(text)
      plans.push(...rows)
    }
    return plans
  }

  async function analyze() {
    await writer.executeQuery({
      ...writer.selectFrom("audit_log").select("seq").compile(),
      sql: "analyze table audit_log",
    })
  }

  await t.test("readErrorGroups reads no other entries than errors", async (t) => {
    const found = await database.snapshot((snapshot) =>
      readErrorGroups(snapshot, { since: now - 3000 })
    )
    t.match(found, [{ status: 404, code: "event_not_found", account: "ann", count: errors }])
    if (engine !== "mysql") return
    await writer.insertInto("audit_name").values([
      { former: "amy", account: "ann" },
      ...Array.from({ length: 500 }, (_, n) => ({ former: `x${n}`, account: `y${n}` })),
    ]).execute()
    await writer.executeQuery({
      ...writer.selectFrom("audit_name").select("former").compile(),
      sql: "analyze table audit_name",
    })
    for (const account of [undefined, "ann"]) {
      const plans = await plansOf((snapshot) =>
        readErrorGroups(snapshot, { since: now - 3000, account })
      )
      t.ok(plans.some(({ key }) => key === "audit_log_status"))
      t.ok(plans.some(({ key }) => key === (account ? "audit_name_account" : "PRIMARY")))
      for (const plan of plans) t.ok(plan.rows < 20 * errors, JSON.stringify(plan))
    }
    await writer.deleteFrom("audit_name").execute()
  })

  await t.test("readErrorGroups tells apart statuses, codes, accounts and endpoints, the latest first, 200 at most", async (t) => {
    const since = now + 5000
    const error = {
      ...{ ...entry, request_id: "", at: since },
      ...{ account: "ann", status: 404, code: "a", route: "/a" },
    }
    const read = (account?: string) =>
      database.snapshot((snapshot) => readErrorGroups(snapshot, { since, account }))
    const add = async (...rows: Partial<typeof error>[]) => {
      await writer.insertInto("audit_log").values(rows.map((row) => ({ ...error, ...row })))
        .execute()
    }
    await add(
      { request_id: "too early", at: since - 1 },
      { request_id: "1", at: since + 7 },
      { request_id: "2", status: 410 },
      { request_id: "3", code: "b" },
      { request_id: "4", account: "bob" },
      { request_id: "5", route: "/b" },
      { request_id: "no error", status: 200 },
      { request_id: "6", at: since + 9 },
      { request_id: "7", at: since },
    )
    await writer.insertInto("audit_log")
      .values({ ...entry, at: since, status: 401, request_id: "8" }).execute()
    const times = { count: 1, first: since, last: since, lastEvent: null, lastAddress: "" }
    const group = { ...{ status: 404, code: "a", account: "ann", route: "/a" }, ...times }
    const ofAll = [
      { ...group, status: 401, code: "", account: null, route: null, lastRequestId: "8", ...times },
      { ...group, count: 3, last: since + 9, lastRequestId: "7" },
      { ...group, route: "/b", lastRequestId: "5" },
      { ...group, account: "bob", lastRequestId: "4" },
      { ...group, code: "b", lastRequestId: "3" },
      { ...group, status: 410, lastRequestId: "2" },
    ]
    t.strictSame(await read(), ofAll)
    t.strictSame(await read("ann"), ofAll.filter(({ account }) => account === "ann"))
    await add({ request_id: "9", account: "ann", at: since + 3 })
    await add({ request_id: "10", account: "amy", at: since }, { account: "amy", route: "/c" })
    await writer.insertInto("audit_name").values({ former: "amy", account: "ann" }).execute()
    const renamed = [
      { ...group, route: "/c", lastRequestId: "" },
      { ...group, count: 5, last: since + 9, lastRequestId: "10" },
      ...ofAll.filter(({ account, route, code, status }) =>
        account === "ann" && (route !== "/a" || code !== "a" || status !== 404)
      ),
    ]
    t.strictSame(await read("ann"), renamed, "errors follow a rename")
    t.strictSame((await read()).filter(({ account }) => account === "ann"), renamed)
    t.notOk((await read()).some(({ account }) => account === "amy"))
    await writer.deleteFrom("audit_name").execute()
    const many = Array.from({ length: 200 }, (_, n) => ({ request_id: "r", account: `c${n}` }))
    await add(...many)
    t.strictSame(
      (await read()).map(({ account }) => account),
      many.map(({ account }) => account).reverse(),
    )
    await writer.deleteFrom("audit_log").where("at", ">=", since - 1).execute()
  })

  await t.test("readTraffic counts requests, errors and changes by minute, up to the one that runs", async (t) => {
    const times = [0, 1, 59, 60, 61, 170, 180, 240, 241, 300, 359, 360]
    await writer.insertInto("event_change")
      .values(times.map((ago, mark) => ({ event_id: "event", at: now - ago, mark }))).execute()
    const requests = await writer.selectFrom("audit_log").select(["at", "status"])
      .where("status", ">", 0).execute()
    const errors = requests.filter(({ status }) => status >= 400)
    const changes = times.map((ago) => ({ at: now - ago }))
    const { found, expected } = await withinOneSecond(database, async (now) => {
      const found = await trafficOf(database, 70)
      const last = Math.floor(now / 60) * 60
      const expected = Array.from({ length: 70 }, (_, n) => 69 - n).map((ago) => {
        const minute = last - ago * 60
        const countOf = (rows: readonly { at: number }[]) =>
          rows.filter(({ at }) => minute <= at && at < minute + 60).length
        return {
          minute,
          requests: countOf(requests),
          errors: countOf(errors),
          changes: countOf(changes),
        }
      })
      return { found, expected }
    })
    t.strictSame(found, expected)
  })

  await t.test("readTraffic counts the latest 20,000 changes", async (t) => {
    await writer.insertInto("event_change").columns(["event_id", "at", "mark"])
      .expression((eb) =>
        eb.selectFrom([
          "audit_log as one",
          eb.selectFrom("audit_log").select("seq").limit(6).as("six"),
        ])
          .select((
            eb,
          ) => [eb.val("event").as("event_id"), eb.lit(now).as("at"), eb.lit(1).as("mark")])
          .limit(20_001)
      ).execute()
    const counts = (await trafficOf(database, 10)).filter(({ changes }) => changes > 0)
    t.match(counts, [{ minute: now - now % 60, changes: 20_000 }])
    t.equal(counts.length, 1, "and none that were before")
  })

  await t.test("readTraffic counts the requests of each minute from an index alone", async (t) => {
    const found = await database.snapshot((snapshot) => readTraffic(snapshot, 60))
    t.equal(found.reduce((sum, { errors }) => sum + errors, 0), errors)
    t.ok(found.slice(1, 57).every(({ requests }) => requests >= 60), "one per second")
    t.ok((found.at(-1)?.requests ?? 0) + (found.at(-2)?.requests ?? 0) >= 60 + errors)
    if (engine !== "mysql") return
    const plans = await plansOf((snapshot) => readTraffic(snapshot, 60))
    t.match(plans, [{ key: "audit_log_status", Extra: /Using index/ }])
  })
})
