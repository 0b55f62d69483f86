import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import type { Test } from "tap"
import { insertSession } from "../../../core/access/sessions.ts"
import { Builder } from "../builder.ts"
import { openFor } from "../database.ts"
import { emptyRow } from "../sync-rows.ts"
import type { Prometheus } from "./server.ts"

/**
 * Causes what a healthy service does not count: partners in every state, and requests that fail. The service is the
 * demonstration with `limits.burst: 5`, and the plugin of `unavailable-plugin.ts`.
 */
export async function causeEverything(
  t: Test,
  { url, databaseUrl }: { readonly url: string; readonly databaseUrl: string },
): Promise<void> {
  const database = await openFor(t, databaseUrl)
  const build = new Builder(database)
  const { writer: db } = database
  const now = Math.floor(Date.now() / 1000)
  // An event that does not change: the others are behind with it at once.
  const event = await db.selectFrom("event").select("id").where("status", "=", "closed")
    .executeTakeFirstOrThrow()
  const poll = { poll_interval: 60, walk_started: now, completed_next: 2 * now }
  const rows = {
    stuck: { ...poll, last_poll: now, previous_started: now, third_started: now },
    silent: { ...poll, last_poll: now - 7200, walk_completed: now },
    behind: { ...poll, last_poll: now, walk_completed: now, completed_next: 1, acknowledged: 1 },
  }
  for (const [name, row] of Object.entries(rows)) {
    const account_id = await build.account(name, "partner")
    await build.grant(name, { event: event.id })
    const key = { account_id, event_id: event.id }
    const lists = [
      emptyRow({ ...key, ...row }),
      emptyRow({ ...key, ...row, list: "guest deletions", kind: "guest deletions" }),
    ]
    for (const each of lists) await db.insertInto("sync_state").values(each).execute()
    const session = await insertSession(database, account_id, 30 * 86_400)
    // Only sessions that were made for more than two weeks end too soon.
    const times = { created: now - 28 * 86_400, used: now, expires: now + 2 * 86_400 }
    await db.updateTable("session").set(times).where("id", "=", session).execute()
  }

  // The one that is behind has not been told of it, and soon nobody can tell.
  const gone = { event_id: event.id, category: "guests", record_id: randomUUID() } as const
  await db.insertInto("deletion").values({ ...gone, at: now - 86 * 86_400 }).execute()

  const stranger = await build.account("stranger", "partner")
  await db.insertInto("sync_state")
    .values(emptyRow({ account_id: stranger, event_id: event.id, ...rows.behind })).execute()

  const logIn = (username: string, password: string) =>
    fetch(`${url}/session`, {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "return=representation" },
      body: JSON.stringify({ username, password }),
    })
  t.equal((await logIn("outsider", "wrong")).status, 401, "it is locked out")
  const { token } = await (await logIn("partner-a", "demo")).json()
  const statusOf = async (path: string) => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
    await response.body?.cancel()
    return response.status
  }
  t.equal(await statusOf("/absent/v1/events"), 503, "of a plugin that says so")
  const guests = `/connector-b/v1/events/${event.id}/guests`
  t.equal(await statusOf(`${guests}?limit=0`), 400)
  const wrong = await build.guest(event.id)
  await sql`update guest set created = 'today' where id = ${wrong} and event_id = ${event.id}`
    .execute(db)
  t.equal(await statusOf(`${guests}?since=-1`), 200, "of a list that leaves out a record")
  const refused = async () => {
    const response = await fetch(`${url}/openapi.json`)
    await response.body?.cancel()
    return response.status === 429
  }
  // Requests without a session, until there are too many in a second.
  while (!(await Promise.all(Array.from({ length: 80 }, refused))).includes(true));
}

/** Waits until Prometheus has scraped what was caused, and the simulated partners, and has evaluated the alerts since. */
export async function untilSeen(prometheus: Prometheus): Promise<void> {
  const states = ["locked out", "no access", "stuck", "silent", "behind", "in sync"]
  const counted = [
    ...states.map((state) => `event_export_partner_state{state="${state}"}`),
    `event_export_requests_total{status="503"}`,
    `event_export_problems_total{code=~"too_.*"}`,
    `event_export_rejected_parameters_total`,
    `event_export_erasures_overdue`,
    `event_export_partner_days_until_resync`,
    `event_export_session_expires_timestamp_seconds`,
  ]
  for (const selector of counted) {
    while ((await prometheus.query(`count_over_time(${selector}[1m]) > 2`)).length === 0) {
      await setTimeout(100)
    }
  }
}
