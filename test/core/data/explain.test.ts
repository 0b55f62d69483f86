import { sql } from "kysely"
import t from "tap"
import type { Database, Runnable, Snapshot } from "../../../core/data/database.ts"
import { findGrantedEvent } from "../../../core/data/events.ts"
import { guest, guests } from "../../../core/data/guests.ts"
import { items } from "../../../core/data/items.ts"
import { leanItems } from "../../../core/data/lean.ts"
import { whole } from "../../../core/data/projection.ts"
import { findSession } from "../../../core/data/sessions.ts"
import { Builder } from "../../support/builder.ts"
import { type Engine, freshDatabase, onEveryEngine } from "../../support/database.ts"

const page = { since: 0, offset: 500, limit: 100, terms: [] }

/** A scan of anything but the page's keys, which are a table of their own. */
const scans: Record<Engine, RegExp> = {
  mysql: /Table scan on (?!page|<temporary>)|Index scan on|-> Index lookup on record/,
  sqlite: /SCAN (?!page|\(subquery)/,
}

/** Sorting the page is fine; sorting what the page is cut from is not. */
const sortsBeforeLimit: Record<Engine, RegExp> = {
  mysql: /Limit[^\n]*\n\s*-> Sort|Sort[^\n]*limit input/,
  sqlite: /^(?!.*page).*USE TEMP B-TREE FOR ORDER BY/s,
}

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  if (database.dialect.version.startsWith("MariaDB")) {
    return void t.comment("MariaDB has no tree of a plan")
  }
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  for (const other of [event, await build.event(organization)]) {
    await build.guests(other, 1000)
    await build.items("tickets", other, 1000)
  }
  if (engine === "mysql") await sql`analyze table guest, ticket`.execute(database.writer)
  const scope = {
    access: { organizationIds: [], eventIds: [] },
    organizations: undefined,
    eventId: event,
  }

  const statements: Record<string, (snapshot: Snapshot) => Promise<unknown>> = {
    "the guests of an event": (snapshot) => guests.list(snapshot, scope, page, whole(guest)),
    "the items of an event": (snapshot) => items.list(snapshot, scope, page, leanItems),
    "a granted event": (snapshot) =>
      findGrantedEvent(
        snapshot,
        { organizationIds: ["an organization"], eventIds: [event] },
        event,
      ),
    "a session": (snapshot) => findSession(snapshot, { session: "a session", epoch: 0 }),
  }
  for (const [name, read] of Object.entries(statements)) {
    await t.test(`${name}: no statement scans a table or sorts more than a page`, async (t) => {
      const plans = await explain(database, engine, read)
      t.ok(plans.length > 0)
      for (const plan of plans) {
        t.notMatch(plan, scans[engine], plan)
        t.notMatch(plan, sortsBeforeLimit[engine], plan)
      }
    })
  }

  await t.test("a listing by another order would be seen to scan or sort", async (t) => {
    const [plan = ""] = await explain(
      database,
      engine,
      ({ db, run }) =>
        run(
          db.selectFrom("guest").select("id").where("event_id", "=", event).orderBy("email").limit(
            10,
          ),
        ),
    )
    t.ok(scans[engine].test(plan) || sortsBeforeLimit[engine].test(plan), plan)
  })
})

/** Runs `read`, and answers the plan of each statement that it sent. */
async function explain(
  database: Database,
  engine: Engine,
  read: (snapshot: Snapshot) => Promise<unknown>,
): Promise<string[]> {
  const plans: string[] = []
  await database.snapshot(async (snapshot) => {
    const run = async <Row>(query: Runnable<Row>) => {
      const { explain } = query as unknown as {
        explain: (...format: unknown[]) => Promise<Record<string, string>[]>
      }
      const format = engine === "mysql" ? ["tree"] : [undefined, sql`query plan`]
      const rows = await explain.call(query, ...format)
      plans.push(rows.map((row) => row["EXPLAIN"] ?? row["detail"]).join("\n"))
      return await query.execute()
    }
    await read({ ...snapshot, run })
  })
  return plans
}
