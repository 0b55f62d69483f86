import { type RawBuilder, sql } from "kysely"
import { categories, type Category } from "../records/categories.ts"
import { Compiled } from "../data/compiled-query.ts"
import type { Reader } from "../data/database.ts"
import { type Access, accessOf } from "./grants.ts"
import type { Role } from "../data/schema.ts"
import type { Session, SessionKey } from "./session-rows.ts"

/** Who calls, and what they may read: all that a request is decided by. */
export interface Caller {
  readonly session: Session
  /** What counts now; where an event was asked for, only what lets it be read. */
  readonly access: Access
  /** The event that was asked for, where there is one and it may be read. */
  readonly event: GrantedEvent | undefined
}

/** An event that an account may read. */
export interface GrantedEvent {
  readonly id: string
  /** The slug of its organization. */
  readonly organization: string
  /** `running`, `upcoming`, `closed` or another word of the operator's. */
  readonly status: string
  /** The largest `updated` of the records that were asked about; null where there is none. */
  readonly newest: number | null
  /** Rows of the change log behind the row `base`, up to one more than `mostChanges`. */
  readonly changes: number
  readonly base: number
  /** From when on the change log is complete. */
  readonly completeSince: number
}

export interface CallerQuestion {
  readonly key: SessionKey
  /** Seconds without a request after which a session ends; 0 is any time. */
  readonly idle: number
  /** The address that the request comes from. */
  readonly address: string
  /** The event that is asked for; undefined where the request is about none. */
  readonly eventId: string | undefined
  /** The categories of the records that are asked for. */
  readonly among: readonly Category[]
  /** The row of the change log behind which the event's changes are counted. */
  readonly base: number
}

/** Beyond this many changes nobody counts on: what changes so fast is not worth remembering. */
export const mostChanges = 1000

/**
 * Who calls; undefined where the session has ended, expired, was not used for `idle` seconds, or its
 * account has been disabled or revoked since. One statement, the same for every event, whether it
 * is there or not: nobody can tell by the time that it takes.
 */
export async function findCaller(
  reader: Reader,
  { key, idle, address, eventId, among, base }: CallerQuestion,
): Promise<Caller | undefined> {
  const values = { session: key.session, epoch: key.epoch, idle, eventId, base }
  const rows = await reader.run(questionAbout(eventId, among).with(reader, values))
  const [first] = rows
  if (!first) return undefined
  const { now, expires, account_id, username, role } = first
  const session = {
    id: key.session,
    expires,
    now,
    account: { id: account_id, username, role },
  }
  const access = accessOf(rows, { now, address })
  const readable = access.organizationIds.length > 0 || access.eventIds.length > 0
  return { session, access, event: readable ? eventOf(first, base) : undefined }
}

/** Null where an event was not asked for, or is not there. */
type EventColumns<Null> = {
  readonly id: string | Null
  readonly organization: string | Null
  readonly status: string | Null
  readonly newest: number | null
  readonly changes: number | Null
  readonly complete_since: number | Null
}

type CallerRow = EventColumns<null> & {
  readonly now: number
  readonly expires: number
  readonly account_id: string
  readonly username: string
  readonly role: Role
  readonly organization_id: string | null
  readonly event_id: string | null
  readonly ends: number | null
  readonly networks: string | null
}

function eventOf(row: CallerRow, base: number): GrantedEvent | undefined {
  if (row.id === null) return undefined
  const { complete_since: completeSince, ...event } = row as EventColumns<never>
  const { id, organization, status, newest, changes } = event
  return { id, organization, status, newest, changes, base, completeSince }
}

type Slot = "session" | "epoch" | "idle" | "eventId" | "base"
type Question = Compiled<Slot, CallerRow>

const questions = new Map<string, Question>()

function questionAbout(eventId: string | undefined, among: readonly Category[]): Question {
  const name = eventId === undefined ? "" : `event ${among.join(" ")}`
  const question = questions.get(name) ?? compile(eventId !== undefined, among)
  questions.set(name, question)
  return question
}

/** One row for each grant. */
function compile(ofEvent: boolean, among: readonly Category[]): Question {
  return new Compiled<Slot, CallerRow>(({ db, dialect }, slot) => {
    const asked = ofEvent ? sql<string>`${slot("eventId")}` : sql<string>`null`
    const changes = sql<number>`(select count(*) from (
      select 1 as one from change_log where event_id = ${asked} and seq > ${slot("base")}
      and at >= (select complete_since from change_log_horizon where id = 1)
      limit ${sql.lit(mostChanges + 1)}) as recent)`
    return db
      .selectFrom("session")
      .innerJoin("account", "account.id", "session.account_id")
      .leftJoin("event", (join) => join.on("event.id", "=", asked))
      .leftJoin("organization", "organization.id", "event.organization_id")
      .leftJoin("access_grant as g", (join) =>
        join
          .onRef("g.account_id", "=", "account.id")
          .on((eb) =>
            ofEvent
              ? eb.or([
                eb("g.organization_id", "=", eb.ref("event.organization_id")),
                eb("g.event_id", "=", eb.ref("event.id")),
              ])
              : eb.lit(true)
          ))
      .select([
        dialect.now.as("now"),
        "session.expires",
        "account.id as account_id",
        "account.username",
        "account.role",
        "g.organization_id",
        "g.event_id",
        "g.ends",
        "g.networks",
        "event.id",
        "event.status",
        "organization.slug as organization",
        newestOf(asked, among).as("newest"),
        ofEvent ? changes.as("changes") : sql<null>`null`.as("changes"),
        sql<number>`(select complete_since from change_log_horizon where id = 1)`.as(
          "complete_since",
        ),
      ])
      .where("session.id", "=", slot("session"))
      .where("session.expires", ">", dialect.now)
      .where(
        sql<boolean>`(${slot("idle")} = 0 or
          coalesce(session.used, session.created) > ${dialect.now} - ${slot("idle")})`,
      )
      .where("account.epoch", "=", slot("epoch"))
      .where("account.disabled", "=", 0)
      .$castTo<CallerRow>()
  })
}

/** Of each category, the end of its index. */
function newestOf(eventId: RawBuilder<string>, among: readonly Category[]) {
  const parts = among.map((category) =>
    sql`select max(updated) as newest from ${sql.table(categories[category])}
      where event_id = ${eventId}`
  )
  if (parts.length === 0) return sql<number | null>`null`
  if (parts.length === 1) return sql<number | null>`(${parts[0]})`
  return sql<number | null>`(select max(newest) from (${
    sql.join(parts, sql` union all `)
  }) as each_category)`
}
