import type { Kysely } from "kysely"
import {
  type ClockStep,
  type Database,
  fullResync,
  readSteps,
  recordedSince,
} from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"
import { type End, Filters, findAbsence, findEnds, type Withdrawals } from "./ends.ts"
import { beginOf, findGapEnd } from "./record-start.ts"
import type { NoticeKind } from "./tables.ts"

/** Who received a guest's record. Times are Unix seconds on the database's clock. */
export interface DisclosureReport {
  readonly guest: string
  /** When the report was made. */
  readonly at: number
  /** The records that have, or had, the guest's id: usually one. */
  readonly records: readonly GuestRecord[]
  /** Guests that were deleted before this time may not be known any more. */
  readonly deletionsSince: number
}

/** A guest of an event, and who received it. */
export interface GuestRecord {
  readonly event: { readonly id: string; readonly name: string | null }
  /** `unknown`: there is none, and no deletion of one that is remembered. */
  readonly state: "present" | "deleted" | "unknown"
  readonly deleted: number | null
  readonly recipients: readonly Recipient[]
}

/** An account that was sent a record by a family, or may have been, with these fields. */
export interface Recipient {
  readonly account: string
  /** The prefix of the family's paths. */
  readonly prefix: string
  readonly list: string
  /** Names of fields, as `Guest.email`. */
  readonly fields: readonly string[]
  /**
   * True if all records were sent that had the guest's last `updated`. False if only some were, or if the
   * guest had another `updated` then, which is not kept: it may have been among those that were sent.
   */
  readonly certain: boolean
  /** The record was sent between these times, both included. */
  readonly first: number
  readonly last: number
  /** When the guest left the family's list, though not by its deletion: its consent does not pass the filter any more. */
  readonly withdrawn: number | null
  /**
   * If the guest was withdrawn or deleted: when the account was told, said that it had applied all deletions until then, and
   * showed that its copy had the same records as the list; of deletions, by any of its families without a filter as well.
   */
  readonly told: number | null
  readonly acknowledged: number | null
  readonly attested: number | null
}

/**
 * Finds the accounts that received a guest. Reports too many rather than too few: a record's earlier `updated`
 * are not kept, only the time from which it can have had them. `eventId` says which event to report on if the
 * guest is not known any more.
 */
export async function findDisclosures(
  { writer, dialect }: Pick<Database, "writer" | "dialect">,
  guestId: string,
  { eventId, withdrawals }: {
    readonly eventId?: string | undefined
    readonly withdrawals?: Withdrawals | undefined
  } = {},
): Promise<DisclosureReport> {
  const id = guestId.toLowerCase()
  const wanted = eventId?.toLowerCase()
  const { at, recorded, ...forgotten } = await writer.selectFrom("change_state")
    .leftJoin(
      "event_version",
      (join) => wanted === undefined ? join.onTrue() : join.on("event_id", "=", wanted),
    )
    .select([dialect.now.as("at"), recordedSince.as("recorded")])
    .select(({ fn }) => [
      fn.max<number | null>("forgotten").as("former"),
      fn.max<number | null>("forgotten_guests").as("latest"),
    ])
    .groupBy(["retained_since", "complete_since", "recorded_since"])
    .executeTakeFirstOrThrow()
  const times = Object.values(forgotten).map((time) => (time ?? -1) + 1)
  const deletionsSince = Math.max(recorded, ...times)
  const events = wanted === undefined ? await findEvents(writer) : [wanted]
  const traces = await findTraces(writer, id, events)
  if (traces.length === 0 && wanted !== undefined) traces.push(unknownTrace(wanted))
  const records: GuestRecord[] = []
  const steps = await findSteps(writer)
  const options = { steps, withdrawals }
  for (const trace of traces) records.push(await reportOn(writer, id, trace, options))
  return { guest: id, at, records, deletionsSince }
}

/** What is known of a guest of an event. */
interface Trace extends Lifetime {
  readonly event: string
  readonly state: GuestRecord["state"]
  /** Its last `updated`; undefined if that is not known. */
  readonly last: number | undefined
}

function unknownTrace(event: string): Trace {
  return {
    event,
    state: "unknown",
    from: -Infinity,
    to: Infinity,
    last: undefined,
    deleted: null,
  }
}

/** Keys per statement. */
const portion = 500

async function findTraces(
  db: Kysely<Schema>,
  id: string,
  events: readonly string[],
): Promise<Trace[]> {
  const traces: Trace[] = []
  const gapEnd = await findGapEnd(db)
  for (let start = 0; start < events.length; start += portion) {
    const part = events.slice(start, start + portion)
    const guestOf = { category: "guests", record_id: id }
    // By the primary keys, which begin with the event.
    const present = await db.selectFrom("guest").select(["event_id", "created", "updated"])
      .where("event_id", "in", part).where("id", "=", id).execute()
    const deletions = await db.selectFrom("deletion")
      .select(["event_id", "at", "created", "updated"])
      .where("event_id", "in", part).where((eb) => eb.and(guestOf)).execute()
    const starts = await db.selectFrom("record_start").select(["event_id", "time"])
      .where("event_id", "in", part).where((eb) => eb.and(guestOf)).execute()
    for (const event of part) {
      const isOfEvent = (row: { readonly event_id: string }) => row.event_id === event
      const guest = present.find(isOfEvent)
      const deletion = deletions.find(isOfEvent)
      const known = [guest, deletion].filter((row) => row !== undefined)
      const [latest] = known
      if (!latest) continue
      const start = starts.find(isOfEvent)
      const times = known.flatMap(({ created, updated }) => [created, updated])
      traces.push({
        event,
        state: guest ? "present" : "deleted",
        from: beginOf(start ? [...times, start.time] : times, gapEnd),
        to: Math.max(...known.map(({ updated }) => updated ?? Infinity)),
        last: latest.updated ?? undefined,
        deleted: guest ? null : deletion?.at ?? null,
      })
    }
  }
  return traces
}

/** Returns the ids of all events that a guest can be of: an event may have been deleted with its guests. */
async function findEvents(db: Kysely<Schema>): Promise<string[]> {
  const present = await db.selectFrom("event").select("id").execute()
  const read = await db.selectFrom("disclosure").select("event_id as id").distinct().execute()
  return [...new Set([...present, ...read].map(({ id }) => id))]
}

/** Returns the times at which the clock was set back, as long as deletions are remembered. */
export async function findSteps(db: Kysely<Schema>): Promise<ClockStep[]> {
  return (await readSteps(db)).filter(({ backTo }) => backTo > fullResync)
}

async function reportOn(
  db: Kysely<Schema>,
  guest: string,
  trace: Trace,
  { steps, withdrawals }: {
    readonly steps: readonly ClockStep[]
    readonly withdrawals: Withdrawals | undefined
  },
): Promise<GuestRecord> {
  const { event, state, deleted } = trace
  const { name = null, organization = null } = await db.selectFrom("event")
    .leftJoin("organization", "organization.id", "event.organization_id")
    .select(["event.name", "organization.slug as organization"]).where("event.id", "=", event)
    .executeTakeFirst() ?? {}
  const rows = await db
    .selectFrom("disclosure")
    .leftJoin("account", "account.id", "disclosure.account_id")
    .leftJoin("former_recipient as former", "former.account_id", "disclosure.account_id")
    .leftJoin("field_set", "field_set.id", "disclosure.fields")
    .select(["disclosure.account_id", "disclosure.prefix", "disclosure.list", "disclosure.whole"])
    .select(["disclosure.from_time", "disclosure.to_time", "first_at", "last_at", "first_next"])
    .select(["account.username", "former.username as formerly", "field_set.fields"])
    .where("disclosure.event_id", "=", event)
    .execute()
  // After what was sent: by these filters, or by earlier ones.
  const filters = await Filters.read(db, withdrawals)
  const gapEnd = await findGapEnd(db)
  const ends = new Map<string, End>()
  const absences = new Map<string, number>()
  for (const prefix of new Set(rows.map(({ prefix }) => prefix))) {
    const filter = filters.of(prefix, organization)
    const [end] = filter ? await findEnds(db, gapEnd, { event, filter, guest }) : []
    if (end?.kind === "withdrawn") ends.set(prefix, end)
    const every = filters.ofDeletions(prefix, organization)
    const absence = every && await findAbsence(db, gapEnd, { event, filter: every, guest })
    if (absence !== undefined) absences.set(prefix, latestBefore(absence - 1, steps))
  }
  const times = [deleted, ...[...ends.values()].map(({ at }) => at)].filter((at) => at !== null)
  const notices = new Map<number, Awaited<ReturnType<typeof findNotices>>>()
  for (const at of new Set(times)) notices.set(at, await findNotices(db, event, at))
  const received = rows.flatMap(({ fields: text, ...row }) => {
    const fields: readonly string[] = JSON.parse(text ?? "[]")
    const end = ends.get(row.prefix)
    const gone = end?.at ?? deleted
    // What may have been in the list before that time has left it then: before this was sent.
    if (row.first_next > (absences.get(row.prefix) ?? Infinity)) return []
    if (!isOfPersons(fields) || !meets(end ? { ...end, deleted: end.at } : trace, row, steps)) {
      return []
    }
    const known = (notices.get(gone ?? NaN) ?? []).filter(({ account_id, prefix: by }) =>
      account_id === row.account_id &&
      filters.tells({ by, list: row.prefix, organization, kind: end?.kind ?? "deleted" })
    )
    const certain = row.whole === 1 && trace.last !== undefined &&
      row.from_time <= trace.last && trace.last <= Math.min(row.to_time, row.last_at) &&
      row.first_at < (deleted ?? Infinity)
    const recipient: Recipient = {
      account: row.username ?? row.formerly ?? row.account_id,
      prefix: row.prefix,
      list: row.list,
      fields,
      certain,
      first: Math.max(row.first_at, Math.min(trace.from, row.last_at)),
      last: Math.max(row.first_at, Math.min(row.last_at, gone ?? Infinity)),
      withdrawn: end?.at ?? null,
      ...noticesOf(known),
    }
    return [recipient]
  })
  const groups = Map.groupBy(
    received,
    ({ account, prefix, list, fields }) => [account, prefix, list, ...fields].join("\n"),
  )
  const recipients = [...groups].toSorted(([a], [b]) => a < b ? -1 : 1)
    .map(([, group]) => joined(group))
  return { event: { id: event, name }, state, deleted, recipients }
}

/** Returns the notices about a deletion, the earliest of each kind, account and family. */
async function findNotices(db: Kysely<Schema>, event: string, deleted: number) {
  return await db
    .selectFrom("erasure_notice")
    .select((eb) => ["account_id", "prefix", "kind", eb.fn.min("at").as("at")])
    .where("event_id", "=", event)
    .where("list", "=", "guests")
    .where("from_time", "<=", deleted)
    .where("to_time", ">=", deleted)
    .groupBy(["account_id", "prefix", "kind"])
    .execute()
}

function noticesOf(
  notices: Awaited<ReturnType<typeof findNotices>>,
): Pick<Recipient, NoticeKind> {
  const timeOf = (kind: NoticeKind) => {
    const times = notices.filter((notice) => notice.kind === kind).map(({ at }) => at)
    return times.length === 0 ? null : Math.min(...times)
  }
  return {
    told: timeOf("told"),
    acknowledged: timeOf("acknowledged"),
    attested: timeOf("attested"),
  }
}

/** Returns true for the fields of a list that has persons; true if they are not known. */
export function isOfPersons(fields: readonly string[]): boolean {
  return fields.length === 0 || fields.some((field) => field.startsWith("Guest."))
}

/** What is known of a record: its `updated` has always been between `from` and `to`. */
interface Lifetime {
  readonly from: number
  readonly to: number
  readonly deleted: number | null
}

/** Returns true if a record may have been sent with a row: it may have had an `updated` of its range. */
export function meets(
  { from, to, deleted }: Lifetime,
  row: { readonly from_time: number; readonly to_time: number; readonly first_next: number },
  steps: readonly ClockStep[],
): boolean {
  // A record that is being deleted can still be read, but Next-Since is then not later than its deletion.
  const until = deleted === null ? Infinity : latestBefore(deleted, steps)
  if (row.first_next > until) return false
  return row.from_time <= to && from <= row.to_time
}

/**
 * Returns the latest time that the clock can have shown before a moment that it called `time`: a later one if it
 * was set back before.
 */
function latestBefore(time: number, steps: readonly ClockStep[]): number {
  const around = steps.filter(({ reached, backTo }) => backTo <= time && time < reached)
  const latest = Math.max(time, ...around.map(({ reached }) => reached))
  return latest === time ? time : latestBefore(latest, steps)
}

function joined(group: readonly Recipient[]): Recipient {
  return group.reduce((one, other) => ({
    ...one,
    certain: one.certain || other.certain,
    first: Math.min(one.first, other.first),
    last: Math.max(one.last, other.last),
  }))
}
