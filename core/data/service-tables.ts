import type { SelectType } from "kysely"
import type { Schema } from "./schema.ts"
import type { Table, Tables } from "./table.ts"

/**
 * The tables that the service keeps for itself: all but the exported records. The privileges are those
 * of serving, which cannot change accounts, grants or the rows of a log.
 */
export const serviceTables = {
  event_change: {
    privileges: ["select", "delete"],
    columns: { seq: "number", event_id: "text", at: "number", mark: "number" },
  },
  event_version: {
    privileges: ["select", "insert", "update"],
    columns: {
      event_id: "text",
      seq: "number",
      changes: "number",
      mark: "number",
      forgotten: "number",
    },
  },
  deletion: {
    privileges: ["select", "delete"],
    columns: {
      event_id: "text",
      category: "text",
      record_id: "text",
      at: "number",
      created: "number",
      updated: "number",
    },
  },
  vacant_position: {
    privileges: ["select", "delete"],
    columns: {
      seq: "number",
      event_id: "text",
      category: "text",
      record_id: "text",
      updated: "number",
      at: "number",
    },
  },
  change_state: {
    privileges: ["select", "update"],
    columns: {
      id: "number",
      complete_since: "number",
      clock: "number",
      top: "number",
      settled: "number",
      epoch: "number",
      watermark: "number",
      floor: "number",
      server: "text",
    },
  },
  clock_step: {
    privileges: ["select", "insert", "update", "delete"],
    columns: { reached: "number", back_to: "number" },
  },
  watched_table: {
    privileges: ["select"],
    columns: { name: "text", made: "text", server: "text" },
  },
  account: {
    privileges: ["select"],
    columns: {
      id: "text",
      username: "text",
      password: "text",
      role: "text",
      epoch: "number",
      disabled: "number",
      demonstration: "number",
    },
  },
  access_grant: {
    privileges: ["select"],
    columns: {
      id: "text",
      account_id: "text",
      organization_id: "text",
      event_id: "text",
      ends: "number",
      networks: "text",
    },
  },
  session: {
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      id: "text",
      account_id: "text",
      created: "number",
      expires: "number",
      used: "number",
      reason: "text",
    },
  },
  account_activity: {
    privileges: ["select", "insert", "update"],
    columns: {
      account_id: "text",
      last_log_in: "number",
      last_poll: "number",
      refused: "number",
      refused_code: "text",
      refused_request: "text",
      refused_session: "text",
      refused_address: "text",
    },
  },
  log_in_network: {
    privileges: ["select", "insert", "update", "delete"],
    columns: { account_id: "text", network: "text", last_used: "number" },
  },
  rate_limit: {
    privileges: ["select", "insert", "update", "delete"],
    columns: { name: "text", points: "number", expires: "number", blocked_until: "number" },
  },
  audit_log: {
    privileges: ["select", "insert", "delete"],
    columns: {
      seq: "number",
      at: "number",
      action: "text",
      account: "text",
      address: "text",
      request_id: "text",
      plugin: "text",
      route: "text",
      event_id: "text",
      since: "number",
      first: "number",
      cursor_text: "text",
      search_length: "number",
      sent: "number",
      status: "number",
      code: "text",
      milliseconds: "number",
      actor: "text",
      detail: "text",
    },
  },
  sync_state: {
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      account_id: "text",
      event_id: "text",
      prefix: "text",
      list: "text",
      family: "text",
      kind: "text",
      last_poll: "number",
      poll_interval: "number",
      walk_started: "number",
      walk_since: "number",
      walk_next: "number",
      previous_started: "number",
      third_started: "number",
      first_started: "number",
      walk_completed: "number",
      completed_next: "number",
      acknowledged: "number",
      acknowledged_at: "number",
      records: "number",
      first_error: "number",
      error_at: "number",
      error_status: "number",
      error_code: "text",
      error_request: "text",
    },
  },
  partner_hour: {
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      account_id: "text",
      hour: "number",
      polls: "number",
      walks: "number",
      records: "number",
      errors: "number",
      lag: "number",
    },
  },
  instance: {
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      id: "text",
      host: "text",
      pid: "number",
      url: "text",
      version: "text",
      started: "number",
      seen: "number",
      ready: "number",
      config_file: "text",
      config_hash: "text",
      config_since: "number",
      reload_at: "number",
      reload_result: "text",
      reload_reason: "text",
    },
  },
  record_start: {
    privileges: ["select", "delete"],
    columns: { event_id: "text", category: "text", record_id: "text", time: "number" },
  },
  field_set: {
    privileges: ["select", "insert", "update"],
    columns: { id: "text", fields: "text" },
  },
  disclosure: {
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      seq: "number",
      event_id: "text",
      account_id: "text",
      prefix: "text",
      list: "text",
      fields: "text",
      whole: "number",
      from_time: "number",
      to_time: "number",
      first_at: "number",
      last_at: "number",
      first_next: "number",
    },
  },
  erasure_notice: {
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      seq: "number",
      event_id: "text",
      account_id: "text",
      prefix: "text",
      list: "text",
      kind: "text",
      from_time: "number",
      to_time: "number",
      at: "number",
    },
  },
} as const satisfies { readonly [T in keyof Schema]?: TableOf<Schema[T]> }

/** Returns tables with the privileges that changing accounts and grants needs, besides those of serving. */
export function withAccountChanges(tables: Tables): Tables {
  const added = { account: ["insert", "update"], access_grant: ["insert", "delete"] } as const
  return Object.fromEntries(
    Object.entries(tables).map(([name, table]) => {
      const more = Object.hasOwn(added, name) ? added[name as keyof typeof added] : []
      return [name, { ...table, privileges: [...table.privileges, ...more] }]
    }),
  )
}

/** The declaration of a table whose columns are in the schema: all but the database's own stamps. */
interface TableOf<Columns> extends Table {
  readonly columns:
    & { readonly [C in Exclude<keyof Columns, Stamp>]: KindOf<SelectType<Columns[C]>> }
    & { readonly [C in Stamp & keyof Columns]?: "number" }
}

type Stamp = "created" | "updated"
type KindOf<Value> = NonNullable<Value> extends number ? "number" : "text"
