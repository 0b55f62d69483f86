import { CompiledQuery } from "kysely"
import t from "tap"
import { readPlan } from "../../../../core/routes/plan.ts"
import { findConsequences } from "../../../../plugins/capabilities/check/consequences.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { freshWorkshop } from "../../../support/service.ts"
import { plansOf } from "../../../support/statements.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const [partners, hours, lists, deletions] = [40, 1500, 20, 500]
const aDay = 86_400

await onEveryEngine(t, async (t, engine) => {
  const { file, build, database, write } = await freshWorkshop(t, engine)
  const { writer, dialect } = database
  const { now } = await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  const event_id = await build.event(await build.organization("acme"))
  const hour = now - now % 3600
  for (let n = 0; n < partners; n++) {
    const account_id = await build.account(`p${n}`)
    await build.grant(`p${n}`, { organization: "acme" })
    const counts = { polls: 60, walks: 60, records: 0, errors: 0, lag: null }
    await writer.insertInto("partner_hour").values(
      Array.from({ length: hours }, (_, n) => ({ account_id, hour: hour - n * 3600, ...counts })),
    ).execute()
    await writer.insertInto("sync_state").values(
      Array.from({ length: lists }, (_, n) =>
        emptyRow({
          ...{ account_id, event_id, prefix: `/f${n}/v1`, last_poll: now },
          ...n % 10 === 0
            ? { list: "guest deletions", kind: "guest deletions", acknowledged: now - 5 * aDay }
            : { acknowledged: now },
        })),
    ).execute()
  }
  await writer.insertInto("deletion").values(
    Array.from({ length: deletions }, (_, n) => ({
      ...{ event_id, category: n % 2 ? "guests" as const : "tickets" as const },
      ...{ record_id: crypto.randomUUID(), at: now - n * 600 },
    })),
  ).execute()
  if (engine === "mysql") {
    await writer.executeQuery(
      CompiledQuery.raw("analyze table partner_hour, sync_state, deletion, account, access_grant"),
    )
  }
  write(
    `  - use: connector-b
    with: { segment: connector-b, organizations: [acme] }`,
    "limits: { quota: 50 }\npolling: { retention: 3 }",
  )
  const after = await readPlan(file, {})
  const before = { "limits.quota": 100, "polling.retention": 90 }
  const plansFor = (name: string) =>
    plansOf(
      database,
      engine,
      (database) => findConsequences(database, { names: [name], before, after }),
    )

  await t.test("who exceeds a quota is read from the hours of the last week alone", async (t) => {
    const plans = (await plansFor("limits.quota")).filter(({ sql }) => /partner_hour/.test(sql))
    t.equal(plans.length, 1)
    const steps = plans.flatMap(({ steps }) => steps).filter((step) => /partner_hour/.test(step))
    t.match(steps, [
      {
        mysql: /^partner_hour range partner_hour_hour /,
        sqlite: /^SEARCH partner_hour USING INDEX partner_hour_hour \(hour>\?\)/,
      }[engine],
    ])
  })

  await t.test("what a shorter retention forgets is looked up by event and category", async (t) => {
    const plans = (await plansFor("polling.retention")).filter(({ sql }) => /deletion/.test(sql))
    t.equal(plans.length, 1)
    const steps = plans.flatMap(({ steps }) => steps).filter((step) => /deletion/.test(step))
    t.equal(steps.length, 2)
    for (const step of steps) {
      t.match(
        step,
        {
          mysql: /^deletion (ref|range) (PRIMARY|deletion_latest) /,
          sqlite:
            /^SEARCH deletion USING COVERING INDEX deletion_latest \(event_id=\? AND category=\?/,
        }[engine],
      )
    }
  })
})
