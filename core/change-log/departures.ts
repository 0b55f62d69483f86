import { type RawBuilder, sql, type SqlBool } from "kysely"

/** Which guests a list has, as data. It compiles to SQL, and to a check in memory. */
export interface GuestFilter {
  /** Those with an active consent, or all: then only what has left the list is chosen. */
  readonly kind: "consented" | "everyone"
  /** Of `consented`: the channel that the consent has; empty for any. */
  readonly channel: string
  /** For people, such as `Only guests who consented to e-mail.` */
  readonly sentence?: string
  /** The list that it is of: the path of its route. What a change of filters has cost it is kept by this name. */
  readonly scope?: string
}

/** The deletions of a list of guests. */
export interface Gone {
  readonly scope: string
  /** Undefined if the list has never had one: then they are all deletions of guests. */
  filter: GuestFilter | undefined
}

/** A guest's consent, as far as filters ask for it. */
export interface Consent {
  readonly status: string | null
  readonly channels: string | null
}

/** What was there when a guest was deleted, or its consent changed: a row that triggers have written. */
export interface Departure {
  readonly kind: string
  readonly channels: string | null
}

/** Returns true if a filter lets a guest through. */
export function isChosen(filter: GuestFilter | undefined, { status, channels }: Consent): boolean {
  return filter?.kind !== "consented" || (status === "active" && has(filter, channels ?? ""))
}

/** Returns true if a filter had let a guest through until then. */
export function wasChosen(filter: GuestFilter, { kind, channels }: Departure): boolean {
  return filter.kind === "everyone" ? kind === "gone" : channels !== null && has(filter, channels)
}

/** Spaces and the case of letters do not count. Only ASCII has cases: databases fold no other letters. */
function has({ channel }: GuestFilter, channels: string): boolean {
  const folded = channels.replaceAll(" ", "").replaceAll(/[A-Z]/g, (each) => each.toLowerCase())
  return channel === "" || `,${folded},`.includes(`,${channel},`)
}

/** The same as `has`, in SQL. */
function hasSql({ channel }: GuestFilter, channels: string): RawBuilder<SqlBool> {
  if (channel === "") return sql`true`
  return sql`instr(concat(',', replace(lower(${sql.ref(channels)}), ' ', ''), ','),
    ${`,${channel},`}) > 0`
}

/**
 * Matches the guests that a filter lets through; `record` is the alias of their table. A subquery with a value, not
 * `exists`: planners would begin with the consents, and sort all guests.
 */
export function isChosenSql(
  filter: GuestFilter | undefined,
  record = "record",
): RawBuilder<SqlBool> {
  if (filter?.kind !== "consented") return sql`true`
  return sql`coalesce((select ${hasSql(filter, "consent.channels")} from consent
    where consent.event_id = ${sql.ref(`${record}.event_id`)}
    and consent.guest_id = ${sql.ref(`${record}.id`)} and consent.status = 'active'), 0) = 1`
}

/** Matches rows of `departure`, by an alias, that are about a guest whom a list had, or has lost by another filter. */
export function isOfList(filter: GuestFilter, row: string): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  const was = filter.kind === "everyone"
    ? sql`${column("kind")} = 'gone'`
    : sql`${column("channels")} is not null and ${hasSql(filter, `${row}.channels`)}`
  return sql`((${column("scope")} = '' and ${was})
    or (${column("scope")} = ${filter.scope ?? ""} and ${column("kind")} = 'lost'))`
}

/** Matches the last row of `departure` as `deletion` of each guest that has left a list. */
export function isLastOfList(filter: GuestFilter): RawBuilder<SqlBool> {
  const counts = (row: string) =>
    sql`${isOfList(filter, row)} and ${sql.ref(`${row}.seq`)} > coalesce((
      select max(hides) from departure as hiding where hiding.event_id = deletion.event_id
      and hiding.record_id = deletion.record_id and hiding.scope = ${filter.scope ?? ""}), 0)`
  return sql`(${counts("deletion")} and not exists (select 1 from departure as later
    where later.event_id = deletion.event_id and later.record_id = deletion.record_id
    and (later.at > deletion.at or (later.at = deletion.at and later.seq > deletion.seq))
    and ${counts("later")}))`
}

/** Selects the time of an event's last row of `departure` that is about a list; null if there is none. */
export function latestDeparture(
  filter: GuestFilter,
  eventId: RawBuilder<unknown>,
): RawBuilder<number | null> {
  return sql`(select departure.at from departure where departure.event_id = ${eventId}
    and ${
    isOfList(filter, "departure")
  } order by departure.event_id desc, departure.at desc limit 1)`
}

/** Returns a filter as a text that tells it from all others; empty without one. */
export function nameOfFilter(filter: GuestFilter | undefined): string {
  return filter ? `${filter.kind} ${filter.channel}`.trim() : ""
}

/** Returns the filter that `nameOfFilter` names, of a list; undefined for an empty name. */
export function filterNamed(name: string, scope: string): GuestFilter | undefined {
  const [kind, channel = ""] = name.split(" ")
  return name === "" ? undefined : { kind: kind as GuestFilter["kind"], channel, scope }
}
