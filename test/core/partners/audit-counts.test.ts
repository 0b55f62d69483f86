import type { Compilable } from "kysely"
import t from "tap"
import type { Snapshot } from "../../../core/data/database.ts"
import { readErrorGroups } from "../../../core/partners/list-errors.ts"
import { readTraffic } from "../../../core/partners/traffic.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

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
      if (!sql.includes("audit_log")) continue
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
    for (const account of [undefined, "ann"]) {
      const plans = await plansOf((snapshot) =>
        readErrorGroups(snapshot, { since: now - 3000, account })
      )
      t.ok(plans.some(({ key }) => key === "audit_log_status"))
      for (const plan of plans) t.ok(plan.rows < 20 * errors, JSON.stringify(plan))
    }
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
