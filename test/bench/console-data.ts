import { sql } from "kysely"
import { itemCategories } from "../../core/capability.ts"
import type { Database } from "../../core/data/database.ts"
import type { ListKind } from "../../plugins/capabilities/partners/tables.ts"
import { Builder } from "../support/builder.ts"
import { emptyRow } from "../support/sync-rows.ts"

/** How much there is to show. */
export const size = { partners: 300, events: 50, guests: 20, audited: 50_000, hours: 168 }
/** The lists of each event that each partner reads. */
export const kinds: readonly ListKind[] = ["guests", "items", "guest deletions", "item deletions"]

/**
 * Adds the partners, what each has read of each event, and their requests. Of ten partners one has not been heard of
 * since yesterday, of seven one is behind, of eleven one gets errors. One event in ten changes now. Returns the ids of
 * the events.
 */
export async function fillConsole(database: Database): Promise<string[]> {
  const { writer } = database
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const now = Math.floor(Date.now() / 1000)
  const events: string[] = []
  for (let n = 0; n < size.events; n++) {
    const event = await build.event(organization, { name: `Event ${n}` })
    await build.guests(event, size.guests)
    if (n % 10 === 0) await build.guest(event, { updated: now - 30 })
    for (const category of itemCategories) await build.items(category, event, 5)
    await writer.insertInto("deletion").values(
      Array.from({ length: 10 }, (_, index) => ({
        event_id: event,
        category: index % 2 === 0 ? "guests" as const : "tickets" as const,
        record_id: crypto.randomUUID(),
        at: now - (index + 1) * 86_400,
      })),
    ).execute()
    events.push(event)
  }
  await build.account("operator", "operator")
  await writer.insertInto("partner_look").values({ id: 1, at: now }).execute()
  for (let n = 0; n < size.partners; n++) {
    const account_id = await build.account(`partner-${n}`)
    await build.grant(`partner-${n}`, { organization: "acme" })
    await writer.insertInto("session").values({
      id: crypto.randomUUID(),
      account_id,
      created: now - 3600,
      expires: now + 86_400 * (n % 40),
    }).execute()
    const at = n % 10 === 0 ? now - 86_400 : now - n % 60
    const covered = n % 7 === 0 ? now - 10 * 86_400 : at
    const error = {
      first_error: at,
      error_at: at,
      error_status: 400,
      error_code: "invalid_parameter",
      error_request: crypto.randomUUID(),
    }
    for (const kind of kinds) {
      await writer.insertInto("sync_state").values(events.map((event_id, index) =>
        emptyRow({
          account_id,
          event_id,
          list: kind,
          kind,
          prefix: "/connector-b/v1",
          family: "connector-b",
          last_poll: at,
          poll_interval: index % 10 === 0 ? 60 : 900,
          walk_started: at,
          walk_since: covered,
          walk_next: at,
          previous_started: at - 60,
          third_started: at - 120,
          first_started: at - 20 * 86_400,
          walk_completed: at,
          completed_next: covered,
          acknowledged: covered,
          acknowledged_at: at,
          records: 20,
          ...n % 11 === 0 && index === 0 && error,
        })
      )).execute()
    }
    const past = { account_id, event_id: "", prefix: "", list: "", state: "behind" as const }
    await writer.insertInto("partner_state").values([
      { ...past, began: now - n % 20 * 86_400 - 7200, ended: now - n % 20 * 86_400 },
      { ...past, began: now - 3600, ended: null },
    ]).execute()
    await writer.insertInto("partner_hour").values(
      Array.from({ length: size.hours }, (_, index) => ({
        account_id,
        hour: now - now % 3600 - index * 3600,
        polls: 200,
        walks: 200,
        records: 1000,
        errors: 0,
        lag: 60,
      })),
    ).execute()
  }
  for (let n = 0; n < size.audited; n += 500) {
    await writer.insertInto("audit_log").values(Array.from({ length: 500 }, (_, index) => ({
      at: now - Math.floor((n + index) * 86_400 / size.audited),
      action: "list",
      account: `partner-${index % size.partners}`,
      address: "192.0.2.1",
      request_id: crypto.randomUUID(),
      plugin: "connector-b",
      route: "/connector-b/v1/events/:eventId/guests",
      event_id: events[index % events.length] ?? "",
      status: index % 50 === 0 ? 404 : 200,
      code: index % 50 === 0 ? "event_not_found" : null,
      sent: 20,
      milliseconds: 3,
    }))).execute()
  }
  if (database.dialect.name === "mysql") {
    // As the server does by itself after a while.
    await sql`analyze table sync_state, audit_log, partner_hour, guest, deletion`.execute(
      database.writer,
    )
  }
  return events
}
