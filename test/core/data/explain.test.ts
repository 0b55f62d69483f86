import { sql } from "kysely"
import t from "tap"
import type { Database, Runnable, Snapshot } from "../../../core/data/database.ts"
import { findGrantedEvent } from "../../../core/data/events.ts"
import {
  guestDeletions,
  itemDeletions,
  wholeGuestDeletion,
  wholeItemDeletion,
} from "../../../core/data/deletions.ts"
import { guestDigest, itemDigest, wholeDigest } from "../../../core/data/digest.ts"
import { guest, guests } from "../../../core/data/guests.ts"
import { items } from "../../../core/data/items.ts"
import { leanItems } from "../../../core/data/lean.ts"
import { whole } from "../../../core/data/projection.ts"
import { findSession } from "../../../core/data/sessions.ts"
import { Builder, past } from "../../support/builder.ts"
import { type Engine, freshDatabase, onEveryEngine } from "../../support/database.ts"

const page = { since: 0, offset: 500, limit: 100, terms: [] }
const key = [past + 500, "8"] as const
const cursor = { ...page, offset: 0, after: { guests: key, tickets: key, pledges: key } }
const feed = {
  ...page,
  offset: 0,
  after: { "guest deletions": [past, "500"], "item deletions": [past, "500"] },
} as const

/** A scan of anything but the page's keys, which are a table of their own. */
const scans: Record<Engine, RegExp> = {
  mysql: /Table scan on (?!page|<temporary>)|Index scan on|-> Index lookup on record/,
  sqlite: /SCAN (?!page|json_each|\(subquery)/,
}

/** Sorting pages is fine, and cutting one from several; sorting what a page is cut from is not. */
const sortsBeforeLimit: Record<Engine, RegExp> = {
  mysql:
    /(Limit[^\n]*\n\s*-> Sort[^\n]*|Sort[^\n]*limit input[^\n]*)\n(?!\s*-> Table scan on page)/,
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
    const gone = [...await build.guests(other, 700), ...await build.items("tickets", other, 700)]
    for (const table of ["guest", "ticket"] as const) {
      await database.writer.deleteFrom(table).where("id", "in", gone).execute()
    }
  }
  if (engine === "mysql") {
    await sql`analyze table guest, ticket, change_log`.execute(database.writer)
  }
  const scope = {
    access: { organizationIds: [], eventIds: [] },
    organizations: undefined,
    eventId: event,
  }

  const statements: Record<string, (snapshot: Snapshot) => Promise<unknown>> = {
    "the guests of an event": (snapshot) => guests.list(snapshot, scope, page, whole(guest)),
    "the items of an event": (snapshot) => items.list(snapshot, scope, page, leanItems),
    "guests by cursor": (snapshot) => guests.list(snapshot, scope, cursor, whole(guest)),
    "items by cursor": (snapshot) => items.list(snapshot, scope, cursor, leanItems),
    "guests of a bucket": (snapshot) =>
      guests.list(snapshot, scope, { ...cursor, bucket: "1f" }, whole(guest)),
    "deleted guests": (snapshot) => guestDeletions.list(snapshot, scope, page, wholeGuestDeletion),
    "deleted guests by cursor": (snapshot) =>
      guestDeletions.list(snapshot, scope, feed, wholeGuestDeletion),
    "deleted items": (snapshot) => itemDeletions.list(snapshot, scope, page, wholeItemDeletion),
    "deleted items by cursor": (snapshot) =>
      itemDeletions.list(snapshot, scope, feed, wholeItemDeletion),
    "the digest of guests": (snapshot) => guestDigest.list(snapshot, scope, page, wholeDigest),
    "the digest of items": (snapshot) => itemDigest.list(snapshot, scope, page, wholeDigest),
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
