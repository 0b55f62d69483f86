import {
  id,
  integer,
  long,
  nullable,
  type RowsOf,
  seconds,
  sequence,
  slug,
  table,
  text,
} from "../../../core/tables.ts"

/** The audit log. The service cannot change what is in it. */
export const auditTables = {
  /**
   * One row per request for records or to log in, and per change that an operator makes: who, what and the
   * outcome, but no record itself.
   */
  audit_log: table({
    privileges: ["select", "insert", "delete"],
    columns: {
      seq: sequence,
      at: seconds,
      /** `list`, `log-in`, `log-out`, or the name of a change. */
      action: slug,
      /** Null if there is no such account. */
      account: nullable(slug),
      address: slug,
      /** Empty for a change that no request made. */
      request_id: slug,
      plugin: nullable(slug),
      /** The pattern of the path. */
      route: nullable(text(500)),
      event_id: nullable(id),
      since: nullable(seconds),
      /** The offset. */
      first: nullable(long),
      cursor_text: nullable(text(2048)),
      /** Number of characters in `q`. */
      search_length: nullable(integer),
      /** Number of records in the response. */
      sent: nullable(integer),
      /** 0 for changes. */
      status: integer,
      code: nullable(slug),
      milliseconds: integer,
      /** Who made the change; null for requests. */
      actor: nullable(slug),
      /** What was changed, in words, or the scope of a request's token. Nothing personal but names of accounts. */
      detail: nullable(text(1000)),
    },
    indexes: {
      audit_log_at: ["at"],
      audit_log_account: ["account", "at"],
      audit_log_event: ["event_id", "at"],
      audit_log_request: ["request_id"],
      // The errors of a day are few among millions of entries.
      audit_log_status: ["status", "at"],
    },
  }),
  /** Names that accounts had when entries were added. */
  audit_name: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      former: slug,
      /** The account's name now, or its last one. */
      account: slug,
    },
    key: ["former"],
    indexes: { audit_name_account: ["account"] },
  }),
} as const

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof auditTables> {}
}
