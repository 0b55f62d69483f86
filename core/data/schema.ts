import type { Generated } from "kysely"

/**
 * The relations the service reads and writes, as Kysely types. `migrations/` creates them; an
 * operator may bring views of the same names and columns instead.
 *
 * Times are Unix seconds, money is integer minor units, ids are lower-case UUIDs. Booleans are
 * 0 or 1 and JSON is text, because both databases return them so.
 */
export interface Schema {
  organization: OrganizationTable
  event: EventTable
  guest: GuestTable
  consent: ConsentTable
  address: AddressTable
  buy_now_item: BuyNowItemTable
  auction_item: AuctionItemTable
  pledge: PledgeTable
  raffle: RaffleTable
  gli_raffle: GliRaffleTable
  ticket: TicketTable
  event_change: EventChangeTable
  event_version: EventVersionTable
  deletion: DeletionTable
  vacant_position: VacantPositionTable
  change_state: ChangeStateTable
  clock_step: ClockStepTable
  watched_table: WatchedTable
  account: AccountTable
  access_grant: AccessGrantTable
  session: SessionTable
  account_activity: AccountActivityTable
  log_in_network: LogInNetworkTable
  rate_limit: RateLimitTable
  audit_log: AuditLogTable
  sync_state: SyncStateTable
  partner_hour: PartnerHourTable
  instance: InstanceTable
  record_start: RecordStartTable
  field_set: FieldSetTable
  disclosure: DisclosureTable
  erasure_notice: ErasureNoticeTable
}

/** `created` and `updated` default to the database's clock; triggers move `updated` on. */
interface Timestamps {
  created: Generated<number>
  updated: Generated<number>
}

export interface OrganizationTable extends Timestamps {
  id: string
  slug: string
  name: string
}

export interface EventTable extends Timestamps {
  id: string
  organization_id: string
  external_id: string | null
  name: string
  status: string
  currency: string
  timezone: string
  starts: number
  ends: number
}

export interface GuestTable extends Timestamps {
  event_id: string
  id: string
  first_name: string
  last_name: string
  email: string
  mobile: string
  external_id: string
  sms_opt_in: number
  company_name: string | null
  export_version: Generated<number>
}

/** The event owner's record of a guest's consent; at most one per guest. */
export interface ConsentTable {
  event_id: string
  guest_id: string
  asked: number
  status: string
  channels: string
}

export type AddressKind = "main" | "gift_aid" | "tax_receipt"

export interface AddressTable {
  event_id: string
  guest_id: string
  kind: AddressKind
  name: string
  line1: string
  line2: string | null
  line3: string | null
  line4: string | null
  town: string
  postcode: string
  state: string | null
  country: string
  recipient_name: string
}

/** The columns that all six categories of item share. */
export interface ItemTable extends Timestamps {
  event_id: string
  id: string
  name: string
  status: string
  revenue_stream_type: string
  external_id: string | null
  categories: string
  irs_subcategory: string | null
  description: string | null
  terms_description: string | null
  export_version: Generated<number>
}

export interface BuyNowItemTable extends ItemTable {
  price: number
  quantity: number | null
  tax_rate: number | null
  estimate: number | null
}

export interface AuctionItemTable extends ItemTable {
  lot_number: number
  start_price: number
  increments: string
  estimate: number | null
  tax_rate: number | null
  closes: number | null
}

export interface PledgeTable extends ItemTable {
  amount: number | null
}

export interface RaffleTable extends ItemTable {
  ticket_price: number
  max_tickets: number | null
  draws: number | null
}

export interface GliRaffleTable extends RaffleTable {
  licence_number: string
  regulator: string
}

export interface TicketTable extends ItemTable {
  price: number
  capacity: number | null
  admits: number
  tax_rate: number | null
}

/** One row per change of an event, a guest or an item; written by triggers only, before the change. */
export interface EventChangeTable {
  seq: Generated<number>
  event_id: string
  /** Not later than the `updated` of the change. */
  at: number
  /** A random number, so that no two changes are the same, on whatever server they were made. */
  mark: number
}

/** What has been folded out of the log, by event. */
export interface EventVersionTable {
  event_id: string
  /** The last row of the log that is included. */
  seq: number
  /** The number of changes, and the sum of their marks. */
  changes: number
  mark: number
  /** A time that is not before any deletion that was forgotten; null if none was. */
  forgotten: number | null
}

/** The last deletion of each record that has been deleted; written by triggers only. */
export interface DeletionTable {
  event_id: string
  category: string
  record_id: string
  at: number
  /** The least `created` of all records that had the id, and the last `updated`; null for deletions from before these were kept. */
  created: number | null
  updated: number | null
}

/** A place in a list that a deleted record keeps for a day: its last `updated`; written by triggers only. */
export interface VacantPositionTable {
  seq: Generated<number>
  event_id: string
  category: string
  record_id: string
  updated: number
  /** When it was deleted. */
  at: number
}

/** One row about the tables above. */
export interface ChangeStateTable {
  id: number
  /** The time from which on all deletions are known. */
  complete_since: number
  /** The latest time that any instance has seen on the database's clock. */
  clock: number
  /** The last row of the log that existed then. */
  top: number
  /** Up to this row of the log, all rows are committed that ever will be. */
  settled: number
  /** Another random number each time triggers were restored. A version of a record is only unique within it. */
  epoch: number | null
  /**
   * The watermark of a look at `clock`, or before: whoever has this row has all changes that are stamped with an earlier
   * time. Null until a service has looked.
   */
  watermark: number | null
  /** What `Floors` says: a former watermark; null while no service reads from replicas, or has for too short a time. */
  floor: number | null
  /** The server on which this was written. */
  server: string | null
}

/** Times between which the clock was set back: what changed then may be stamped with either end. */
export interface ClockStepTable {
  reached: number
  back_to: number
}

/** The tables that have had their triggers, and when they were made. */
export interface WatchedTable {
  name: string
  made: string
  /** The server that `made` is of; null if it may be of any. */
  server: string | null
}

export type Role = "service" | "partner" | "operator"

export interface AccountTable extends Timestamps {
  id: string
  username: string
  password: string
  role: Role
  epoch: Generated<number>
  disabled: Generated<number>
  demonstration: Generated<number>
}

/** Lets an account read one event, or all events of an organization: exactly one of the two columns is set. */
export interface AccessGrantTable {
  id: string
  account_id: string
  organization_id: string | null
  event_id: string | null
  created: Generated<number>
  /** The time from which it no longer counts; null means never. */
  ends: number | null
  /** The networks it counts from, comma-separated; null means anywhere. */
  networks: string | null
}

export interface SessionTable {
  id: string
  account_id: string
  created: number
  expires: number
  /** The last use, exact to a minute; null means none since it began. */
  used: number | null
  /** Why it ended before its time; null if it has not, or was idle. Ending sets `expires`. */
  reason: EndReason | null
}

/** Why a session ended before its time. */
export type EndReason = "logged-out" | "revoked" | "replaced" | "password" | "disabled"

/** The last uses. Apart from the account, so that the service needs no right to change accounts. */
export interface AccountActivityTable {
  account_id: string
  last_log_in: number | null
  last_poll: number | null
  /** The last request of the account that got 401, or log-in that was refused. */
  refused: number | null
  refused_code: string | null
  refused_request: string | null
  /** The session that had ended; null for a log-in. */
  refused_session: string | null
  refused_address: string | null
}

/** A network from which an account has logged in: an IPv4 address, or the /64 of an IPv6 address. */
export interface LogInNetworkTable {
  account_id: string
  network: string
  /** The last log-in. */
  last_used: number
}

/** Failed log-ins of accounts, names and networks, counted by all instances together. */
export interface RateLimitTable {
  /** A keyed hash of what they are counted for. */
  name: string
  points: number
  /** The time from which the failures no longer count. */
  expires: number
  /** The time before which no attempt is let through; null if there is none. */
  blocked_until: number | null
}

/**
 * One row per request for records or to log in, and per change that an operator makes: who, what and the
 * outcome, but no record itself.
 */
export interface AuditLogTable {
  seq: Generated<number>
  at: number
  /** `list`, `log-in`, `log-out`, or the name of a change. */
  action: string
  /** Null if there is no such account. */
  account: string | null
  address: string
  /** Empty for a change that no request made. */
  request_id: string
  plugin: string | null
  /** The pattern of the path. */
  route: string | null
  event_id: string | null
  since: number | null
  /** The offset. */
  first: number | null
  cursor_text: string | null
  /** Number of characters in `q`. */
  search_length: number | null
  /** Number of records in the response. */
  sent: number | null
  /** 0 for changes. */
  status: number
  code: string | null
  milliseconds: number
  /** Who made the change; null for requests. */
  actor: string | null
  /** What was changed, in words. Nothing personal but names of accounts. */
  detail: string | null
}

/**
 * How far an account is with a list. Times are Unix seconds on the database's clock. `event_id` is empty for lists
 * that are of no event, and for errors about events that the account may not read.
 */
export interface SyncStateTable {
  account_id: string
  event_id: string
  /** The prefix of the family's paths. */
  prefix: string
  /** The list's name. */
  list: string
  /** The plugin. */
  family: string
  kind: ListKind
  /** The last page or 304. */
  last_poll: number | null
  /** The `Poll-Interval` that was recommended then. */
  poll_interval: number | null
  /** The first page of the last walk, its `since` and its `Next-Since`. */
  walk_started: number | null
  walk_since: number | null
  walk_next: number | null
  /** The first pages of the two walks before. */
  previous_started: number | null
  third_started: number | null
  /** The first page of the first walk of all. */
  first_started: number | null
  /**
   * When a last page was sent in full, or a 304, and its `Next-Since`: the partner has been sent everything that
   * changed before. (Of a walk by offset, everything but what changed during the walk: the next poll returns that.)
   */
  walk_completed: number | null
  completed_next: number | null
  /** The `since` of the last walk, if it was not negative: what changed before has been applied. */
  acknowledged: number | null
  acknowledged_at: number | null
  /** Number of records sent so far. */
  records: Generated<number>
  /** The first error and the last one. */
  first_error: number | null
  error_at: number | null
  error_status: number | null
  error_code: string | null
  error_request: string | null
}

/** What the records of a list are. */
export type ListKind = "guests" | "items" | "guest deletions" | "item deletions" | "other"

/** What an account did in an hour, over all lists. */
export interface PartnerHourTable {
  account_id: string
  /** The beginning of the hour in Unix seconds. */
  hour: number
  /** Pages and 304s. */
  polls: number
  /** Walks completed. */
  walks: number
  records: number
  errors: number
  /** The longest that the `since` of a walk was behind the clock, in seconds; null if none had any. */
  lag: number | null
}

/** A running process, which renews `seen`. */
export interface InstanceTable {
  id: string
  host: string
  pid: number
  /** The address that partners use. */
  url: string | null
  /** The runtime and its version. */
  version: string
  started: number
  seen: number
  ready: number
  config_file: string
  config_hash: string
  config_since: number
  reload_at: number | null
  reload_result: string | null
  reload_reason: string | null
}

/**
 * A time that is not after any `updated` that a record has had, if its `created` is or was later; written by
 * triggers only.
 */
export interface RecordStartTable {
  event_id: string
  category: string
  record_id: string
  time: number
}

/** The fields that a family let through, by a hash of their names. */
export interface FieldSetTable {
  id: string
  /** JSON: `["Guest.id", …]`. */
  fields: string
}

/**
 * Records of a list that were sent to an account: those with `updated` from `from_time` to `to_time`, both
 * included, as it was at some time from `first_at` to `last_at`.
 */
export interface DisclosureTable {
  seq: Generated<number>
  event_id: string
  account_id: string
  prefix: string
  list: string
  /** A row of `field_set`. */
  fields: string
  /** 1 if all records of the range were sent, 0 if only some were, such as those that `q` found. */
  whole: number
  from_time: number
  to_time: number
  first_at: number
  last_at: number
  /** The least `Next-Since` of the pages: whatever was deleted before it was on none of them. */
  first_next: number
}

export type NoticeKind = "told" | "acknowledged" | "attested"

/** Deletions from `from_time` to `to_time`, both included, of which an account was told, or said that it has applied them. */
export interface ErasureNoticeTable {
  seq: Generated<number>
  event_id: string
  account_id: string
  prefix: string
  /** `guests` or `items`. */
  list: string
  kind: NoticeKind
  from_time: number
  to_time: number
  at: number
}
