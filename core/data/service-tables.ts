import {
  flag,
  generated,
  id,
  integer,
  long,
  nullable,
  oneOf,
  seconds,
  sequence,
  slug,
  stamp,
  table,
  text,
} from "./table.ts"

export type Role = "service" | "partner" | "operator" | "viewer"

/** Why a session ended before its time. */
export type EndReason = "logged-out" | "revoked" | "replaced" | "password" | "disabled"

/** Refers to the account, and is deleted with it. */
const ofAccount = {
  columns: ["account_id"],
  table: "account",
  to: ["id"],
  cascades: true,
} as const

/**
 * The tables that the kernel keeps for itself. The privileges are for serving, which cannot change accounts
 * or grants.
 */
export const serviceTables = {
  /** One row per change of an event, a guest or an item; written by triggers only, before the change. */
  event_change: table({
    privileges: ["select", "delete"],
    columns: {
      seq: sequence,
      event_id: id,
      /** Not later than the `updated` of the change. */
      at: seconds,
      /** A random number, so that no two changes are the same, on whatever server they were made. */
      mark: long,
      /** The list of the record, as `guests`; `events` for the event itself; null if anything may have changed. */
      category: nullable(slug),
      /** Only its table says whether it is there: a replacement is logged before the deletion of what it replaces. */
      record_id: nullable(id),
      /** 1 if a record of this id was deleted. */
      deleted: generated(flag),
    },
    indexes: { event_change_event: ["event_id", "seq", "mark"] },
  }),
  /** What has been folded out of the log, by event. */
  event_version: table({
    privileges: ["select", "insert", "update"],
    columns: {
      event_id: id,
      /** The last row of the log that is included. */
      seq: long,
      /** The number of changes, and the sum of their marks. */
      changes: long,
      mark: long,
      /** A time that is not before any deletion that a former version has forgotten; null if none has. */
      forgotten: nullable(seconds),
      /** The latest time of the others that were forgotten, by list; null if none was. */
      forgotten_guests: nullable(seconds),
      forgotten_items: nullable(seconds),
      forgotten_departures: nullable(seconds),
    },
    key: ["event_id"],
  }),
  /** The last deletion of each record that has been deleted; written by triggers only. */
  deletion: table({
    privileges: ["select", "delete"],
    columns: {
      event_id: id,
      category: slug,
      record_id: id,
      at: seconds,
      /** The least `created` of all records that had the id, and the last `updated`; null if these were not kept yet. */
      created: nullable(seconds),
      updated: nullable(seconds),
    },
    key: ["event_id", "category", "record_id"],
    indexes: { deletion_latest: ["event_id", "category", "at", "record_id"] },
  }),
  /**
   * A time that is not after any `updated` that a record has had, if its `created` is or was later; written by
   * triggers only, but for the row without a record (`openGap`).
   */
  record_start: table({
    privileges: ["select", "delete"],
    columns: {
      event_id: id,
      category: slug,
      record_id: id,
      time: seconds,
    },
    key: ["event_id", "category", "record_id"],
  }),
  /** A place in a list that a deleted record keeps for a day: its last `updated`; written by triggers only. */
  vacant_position: table({
    privileges: ["select", "delete"],
    columns: {
      seq: sequence,
      event_id: id,
      category: slug,
      record_id: id,
      updated: seconds,
      /** When it was deleted. */
      at: seconds,
    },
    indexes: {
      vacant_position_newest: ["event_id", "category", "updated", "record_id", "at"],
    },
  }),
  /**
   * What lists with a filter have lost. Triggers add a row when a guest is deleted (`gone`) or its consent changes
   * (`left`); a change of a filter adds the guests that one list has lost, or gained, by it.
   */
  departure: table({
    privileges: ["select", "insert", "delete"],
    columns: {
      seq: sequence,
      event_id: id,
      record_id: id,
      /** If an insert has 0, a trigger makes it a change of this moment. */
      at: seconds,
      /** The guest's `updated` before: the place that it keeps in lists for a day. Null if it keeps none. */
      updated: nullable(seconds),
      kind: oneOf<"gone" | "left" | "lost" | "gained" | "hidden">(),
      /** The channels of an active consent that the guest had until then; null if it had none. */
      channels: nullable(slug),
      /** The one list that it is about; empty for all. */
      scope: slug,
      /** For that list, rows of the guest up to this one do not count. */
      hides: nullable(long),
    },
    indexes: {
      departure_latest: ["event_id", "at", "record_id"],
      departure_record: ["event_id", "record_id", "at"],
      departure_place: ["event_id", "updated", "record_id", "at"],
    },
  }),
  /** One row about the tables above. */
  change_state: table({
    privileges: ["select", "update"],
    columns: {
      id: integer,
      /** The time since which all deletions of all events are known. */
      complete_since: seconds,
      /** The latest time that any instance has seen on the database's clock. */
      clock: seconds,
      /** The last row of the log that existed then. */
      top: long,
      /** Up to this row of the log, all rows are committed that ever will be. */
      settled: long,
      /** Another random number each time triggers were restored. A version of a record is only unique within it. */
      epoch: nullable(long),
      /**
       * The watermark of a look at `clock`, or before: a server that has this row has all changes that are stamped with
       * an earlier time. Null until a service has looked.
       */
      watermark: nullable(seconds),
      /** A former watermark, by `Floors`; null while no service reads from replicas, or has for too short a time. */
      floor: nullable(seconds),
      /** The server on which this was written. */
      server: nullable(slug),
      /** `complete_since`, if version 1.3 moved it last, to forget deletions that `event_version` remembers. */
      retained_since: nullable(seconds),
      /** Where it was before. */
      recorded_since: nullable(seconds),
    },
    key: ["id"],
  }),
  /** Times between which the clock was set back: what changed then may be stamped with either end. */
  clock_step: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      reached: seconds,
      back_to: seconds,
    },
    key: ["reached"],
  }),
  /** The tables that have had their triggers, and when they were made. */
  watched_table: table({
    privileges: ["select"],
    columns: {
      name: slug,
      made: slug,
      /** The server that `made` is of; null if it may be of any. */
      server: nullable(slug),
    },
    key: ["name"],
  }),
  account: table({
    privileges: ["select"],
    columns: {
      id,
      username: slug,
      password: slug,
      role: oneOf<Exclude<Role, "viewer">>(),
      epoch: generated(integer),
      disabled: generated(flag),
      demonstration: generated(flag),
      created: stamp,
      updated: stamp,
      /** 1 if its role is viewer: `role` says partner then, so that former versions let it read nothing. */
      viewer: generated(flag),
    },
    key: ["id"],
    unique: { username: ["username"] },
    checks: { account_role: "role in ('service', 'partner', 'operator')" },
  }),
  /** Lets an account read one event, or all events of an organization: exactly one of the two columns is set. */
  access_grant: table({
    privileges: ["select"],
    columns: {
      id,
      account_id: id,
      organization_id: nullable(id),
      event_id: nullable(id),
      created: stamp,
      /** The time from which it no longer counts; null means never. */
      ends: nullable(seconds),
      /** The networks it counts from, comma-separated; null means anywhere. */
      networks: nullable(text(1000)),
    },
    key: ["id"],
    unique: {
      access_grant_organization_once: ["account_id", "organization_id"],
      access_grant_event_once: ["account_id", "event_id"],
    },
    checks: { access_grant_one_of_two: "(organization_id is null) <> (event_id is null)" },
    references: {
      access_grant_account: ofAccount,
      access_grant_organization: {
        columns: ["organization_id"],
        table: "organization",
        to: ["id"],
      },
      access_grant_event: { columns: ["event_id"], table: "event", to: ["id"] },
    },
  }),
  session: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      id,
      account_id: id,
      created: seconds,
      expires: seconds,
      /** The last use, exact to a minute; null means none since it began. */
      used: nullable(seconds),
      /** Where that came from: an IP address. */
      address: nullable(slug),
      /** Why it ended before its time; null if it has not, or was idle. Ending sets `expires`. */
      reason: nullable(oneOf<EndReason>()),
      /** 1 if it ends at its time only, however long nobody uses it. */
      lasting: generated(flag),
      /** Where the account logged in: an IPv4 address, or the /64 of an IPv6 address; null without a log-in. */
      network: nullable(slug),
    },
    key: ["id"],
    indexes: {
      session_expires: ["account_id", "expires"],
      session_ends: ["expires"],
      session_network: ["account_id", "network"],
    },
    references: { session_account: ofAccount },
  }),
  /** The last uses. Apart from the account, so that the service needs no right to change accounts. */
  account_activity: table({
    privileges: ["select", "insert", "update"],
    columns: {
      account_id: id,
      last_log_in: nullable(seconds),
      last_poll: nullable(seconds),
      /** The last request of the account that got 401, or log-in that was refused. */
      refused: nullable(seconds),
      refused_code: nullable(slug),
      refused_request: nullable(slug),
      /** The session that had ended; null for a log-in. */
      refused_session: nullable(id),
      refused_address: nullable(slug),
      /** The last request for a list, exact to a minute, and where it came from. */
      listed: nullable(seconds),
      listed_address: nullable(slug),
    },
    key: ["account_id"],
  }),
  /** Failed log-ins of accounts, names and networks, counted by all instances together. */
  rate_limit: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      /** A keyed hash of what they are counted for. */
      name: slug,
      points: integer,
      /** The time from which the failures no longer count. */
      expires: seconds,
      /** The time before which no attempt is let through; null if there is none. */
      blocked_until: nullable(seconds),
    },
    key: ["name"],
    indexes: { rate_limit_expires: ["expires"] },
  }),
} as const
