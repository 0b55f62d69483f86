import {
  id,
  nullable,
  number,
  type RowsOf,
  seconds,
  sequence,
  table,
  text,
} from "../../../core/capability.ts"

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
      action: text,
      /** Null if there is no such account. */
      account: nullable(text),
      address: text,
      /** Empty for a change that no request made. */
      request_id: text,
      plugin: nullable(text),
      /** The pattern of the path. */
      route: nullable(text),
      event_id: nullable(id),
      since: nullable(seconds),
      /** The offset. */
      first: nullable(number),
      cursor_text: nullable(text),
      /** Number of characters in `q`. */
      search_length: nullable(number),
      /** Number of records in the response. */
      sent: nullable(number),
      /** 0 for changes. */
      status: number,
      code: nullable(text),
      milliseconds: number,
      /** Who made the change; null for requests. */
      actor: nullable(text),
      /** What was changed, in words. Nothing personal but names of accounts. */
      detail: nullable(text),
    },
  }),
} as const

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof auditTables> {}
}
