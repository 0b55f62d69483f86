import { type RawBuilder, sql } from "kysely"
import { boundedCache } from "../data/bounded-cache.ts"
import { type GuestFilter, latestDeparture, nameOfFilter } from "../change-log/departures.ts"
import {
  type Heartbeat,
  type HeartbeatColumns,
  heartbeatColumns,
  heartbeatOf,
  ServerBehind,
} from "../change-log/heartbeat.ts"
import {
  type ChangesBehind,
  parseChanges,
  selectChangesBehind,
} from "../change-log/changes-behind.ts"
import { type EventChanges, selectRecentChanges } from "../change-log/versions.ts"
import { Coalescer } from "../data/coalesce.ts"
import { CompiledStatement } from "../data/compiled-query.ts"
import type { Database, Reader, WaitObserver } from "../data/database.ts"
import type { Schema } from "../data/schema.ts"
import { isWithin } from "../networks.ts"
import { roleOf } from "./accounts.ts"
import { usePrecision } from "./activity.ts"
import type { Session, SessionKey } from "./sessions.ts"

/** The caller, and what they may read: everything that decides about a request. */
export interface Admission {
  readonly session: Session
  /** The grants that count now. If the request names an event, only those that let it be read. */
  readonly access: Access
  /** The event that the request names, if it exists and the caller may read it. */
  readonly event: GrantedEvent | undefined
  /** True if the session has been recorded as used within the last minute: it need not be again. */
  readonly isUseRecorded: boolean
  /** How current the snapshot is; undefined unless the question asks for it. */
  readonly heartbeat: Heartbeat | undefined
  /** When it was read, in Unix seconds: with several servers, the time of the heartbeat in its snapshot. */
  readonly at: number
}

/** The organizations and single events (by id) that an account may read now from its address. */
export interface Access {
  readonly organizationIds: readonly string[]
  readonly eventIds: readonly string[]
  /** The ids of the only events that the caller's token is for; undefined if it is for all of these. */
  readonly only?: readonly string[] | undefined
}

/** An event that the caller may read. */
export interface GrantedEvent extends EventChanges {
  /** The slug of its organization. */
  readonly organization: string
  /** `running`, `upcoming`, `closed` or another word of the operator's. */
  readonly status: string
  /** The largest `updated` in the question's tables; null if they hold no record of the event. */
  readonly newest: number | null
  /** The time of the latest deletion in the question's categories; null if none is remembered. */
  readonly deleted: number | null
  /** The changes behind the row of the log that the question names; undefined if it names none. */
  readonly changes: ChangesBehind | undefined
}

/** What the admission statement looks up. */
export interface AdmissionQuestion {
  readonly key: SessionKey
  /** Seconds without a request after which a session ends; 0 means never. */
  readonly idle: number
  /** The IP address that the request comes from. */
  readonly address: string
  /** The event that the request names, if any. */
  readonly eventId: string | undefined
  /** The tables of the requested records, for `newest`. */
  readonly tables: readonly (keyof Schema)[]
  /** The categories of the requested records, for `deleted`; none if nobody needs it. */
  readonly deletions?: readonly string[]
  /** Of a list of guests: guests that it lets through count as changes, those that have left the list as deletions. */
  readonly filter?: GuestFilter | undefined
  /** A row of the log: the admission has the changes behind it. */
  readonly behind?: number | undefined
  /** True if there are several servers, so that the snapshot has to say how current it is. */
  readonly heartbeat?: boolean
}

/**
 * Looks up who calls, what they may read, and the state of the event. Returns undefined if the session does not count:
 * it ended, was idle too long or is another account's than the key says, or the account was disabled or revoked. Runs
 * one statement, the same whether the event exists or not: timing does not reveal which events exist.
 *
 * @throws {ServerBehind} if a heartbeat is requested, and the server has none.
 */
export async function lookUpAdmission(
  reader: Reader,
  question: AdmissionQuestion,
): Promise<Admission | undefined> {
  const { key, idle, address, eventId, behind, heartbeat = false } = question
  const values = { session: key.session, epoch: key.epoch, idle, eventId, behind }
  const rows = await reader.run(statementFor(question).with(reader, values))
  const [first] = rows
  if (!first) return undefined
  const { now, expires, used, account_id, username, role } = first
  // The account in the cookie decides which account's requests are counted.
  if (key.account !== account_id) return undefined
  const account = { id: account_id, username, role }
  // Viewers read no records, whatever grants they have.
  const granted = accessOf(role === "viewer" ? [] : rows, { now, address })
  const { program, scope } = key
  const access = scope?.event ? { ...granted, only: scope.event } : granted
  const beat = heartbeat ? heartbeatOf(first as HeartbeatColumns) : undefined
  const readable = access.organizationIds.length > 0 || access.eventIds.length > 0
  return {
    session: {
      id: key.session,
      expires,
      now,
      account,
      isForProgram: program === true,
      ...scope && { scope },
    },
    access,
    isUseRecorded: used !== null && used <= now && used > now - usePrecision,
    event: readable ? eventOf(first) : undefined,
    heartbeat: beat,
    at: beat?.at ?? now,
  }
}

/**
 * Looks up admissions. Equal questions that come together share one statement. A session that has ended is
 * remembered for a second, so that a flood of its cookie costs no statements; a live one never is.
 */
export class Admissions {
  readonly #coalescer = new Coalescer<Admission | undefined>()
  readonly #ended = boundedCache<true>({ most: 10_000, ttl: 1000 })

  /** Like `lookUpAdmission`, at one server. An admission is never older than the call. @throws {Unavailable} */
  async lookUp(
    { name: server, database, isPrimary }: AdmissionServer,
    question: AdmissionQuestion,
    waits: WaitObserver,
  ): Promise<Admission | undefined> {
    const { session, epoch, account } = question.key
    const key = `${session} ${epoch} ${account}`
    if (this.#ended.has(key)) return undefined
    const name = `${server} ${JSON.stringify(question)}`
    waits.begin()
    try {
      const admission = await this.#coalescer.run(
        name,
        () => database.readOnce((reader) => lookUpAdmission(reader, question)),
      )
      if (!admission && !isPrimary) {
        throw new ServerBehind(
          "This server knows no such session: it may have been opened just now.",
        )
      }
      if (!admission) this.#ended.set(key, true)
      return admission
    } finally {
      waits.end()
    }
  }
}

/** A server to look up admissions at. Only the primary knows for sure that a session does not exist. */
interface AdmissionServer {
  readonly name: string
  readonly database: Database
  readonly isPrimary: boolean
}

/** A grant, or nulls if an account has none. */
type GrantRow = Pick<Schema["access_grant"], "organization_id" | "event_id" | "ends" | "networks">

/** Returns what the grants that count now give to a caller at an address. */
export function accessOf(
  grants: readonly GrantRow[],
  { now, address }: { readonly now: number; readonly address: string },
): Access {
  const counting = grants.filter(({ ends, networks }) =>
    (ends === null || ends > now) && (networks === null || isWithin(networks, address))
  )
  return {
    organizationIds: counting.flatMap(({ organization_id }) => organization_id ?? []),
    eventIds: counting.flatMap(({ event_id }) => event_id ?? []),
  }
}

type Statement = ReturnType<typeof compile>
type AdmissionRow = Awaited<ReturnType<ReturnType<Statement["with"]>["execute"]>>[number]

/** Its columns are null if the request names no event, or if that does not exist. */
function eventOf(
  { id, organization, status, newest, deleted, recent, changes: text, ...folded }: AdmissionRow,
): GrantedEvent | undefined {
  if (id === null || organization === null || status === null || recent === null) return undefined
  const { folded_changes: foldedChanges, folded_mark: foldedMark } = folded
  const changes = text === null ? undefined : parseChanges(text)
  return { id, organization, status, newest, deleted, recent, changes, foldedChanges, foldedMark }
}

type Slot = "session" | "epoch" | "idle" | "eventId" | "behind"

const statements = new Map<string, Statement>()

function statementFor(
  { eventId, tables, deletions = [], filter, behind, heartbeat = false }: AdmissionQuestion,
): Statement {
  const ofEvent = eventId !== undefined
  const isAboutChanges = behind !== undefined
  const choice = filter ? ` ${nameOfFilter(filter)} ${filter.scope}` : ""
  const event = `event ${tables.join(" ")}, ${deletions.join(" ")}, ${isAboutChanges}${choice}`
  const name = `${heartbeat} ${ofEvent ? event : ""}`
  const statement = statements.get(name) ??
    compile({ ofEvent, tables, deletions, filter, isAboutChanges, heartbeat })
  statements.set(name, statement)
  return statement
}

/** Returns one row per grant, or one row in all if there is no grant. */
function compile(
  { ofEvent, tables, deletions, filter, isAboutChanges, heartbeat }:
    & { readonly ofEvent: boolean; readonly isAboutChanges: boolean }
    & Pick<AdmissionQuestion, "filter">
    & Required<Pick<AdmissionQuestion, "tables" | "deletions" | "heartbeat">>,
) {
  return new CompiledStatement(({ db, dialect }, slot: (name: Slot) => RawBuilder<never>) => {
    // A replica's own clock may be behind.
    const now = heartbeat
      ? sql<number>`greatest(${dialect.now}, (select clock from change_state where id = 1))`
      : dialect.now
    const requested = ofEvent ? sql<string>`${slot("eventId")}` : sql<string>`null`
    const question = { eventId: requested, behind: slot("behind"), tables }
    return db
      .selectFrom("session")
      .innerJoin("account", "account.id", "session.account_id")
      .leftJoin("event", (join) => join.on("event.id", "=", requested))
      .leftJoin("organization", "organization.id", "event.organization_id")
      .leftJoin("event_version as folded", "folded.event_id", "event.id")
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
        now.as("now"),
        "session.expires",
        "session.used",
        "account.id as account_id",
        "account.username",
        roleOf.as("role"),
        "g.organization_id",
        "g.event_id",
        "g.ends",
        "g.networks",
        "event.id",
        "event.status",
        "organization.slug as organization",
        latestOf(
          tables.map((table) =>
            sql`select max(updated) as latest from ${
              sql.table(table)
            } where event_id = ${requested}`
          ),
        ).as("newest"),
        latestOf(
          deletions.map((category) =>
            filter && category === "guests"
              ? sql`select ${latestDeparture(filter, requested)} as latest`
              : sql`select max(at) as latest from deletion
            where event_id = ${requested} and category = ${sql.lit(category)}`
          ),
        ).as("deleted"),
        "folded.changes as folded_changes",
        "folded.mark as folded_mark",
        (ofEvent ? selectRecentChanges(requested) : sql<string | null>`null`).as("recent"),
        (ofEvent && isAboutChanges
          ? selectChangesBehind({ dialect }, { ...question, filter })
          : sql<string | null>`null`).as("changes"),
      ])
      .$if(heartbeat, (query) => query.select(heartbeatColumns(dialect)))
      .where("session.id", "=", slot("session"))
      .where("session.expires", ">", now)
      // The clock may have been set back since. Sessions that were replaced last until they expire.
      .where(sql<boolean>`coalesce(session.reason, 'replaced') = 'replaced'`)
      .where(
        sql<boolean>`(${slot("idle")} = 0 or session.lasting = 1 or
          coalesce(session.used, session.created) > ${now} - ${slot("idle")})`,
      )
      .where("account.epoch", "=", slot("epoch"))
      .where("account.disabled", "=", 0)
  })
}

/** Returns the largest result; null if there is none. Each part reads only the end of an index. */
function latestOf(parts: readonly RawBuilder<unknown>[]): RawBuilder<number | null> {
  if (parts.length === 0) return sql`null`
  if (parts.length === 1) return sql`(${parts[0]})`
  return sql`(select max(latest) from (${sql.join(parts, sql` union all `)}) as each_part)`
}
