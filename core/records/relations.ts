import { categories } from "./categories.ts"
import type { Database } from "../data/database.ts"
import { wrongTypes } from "../data/column-types.ts"
import { migrationState } from "../data/migrate.ts"
import type { Schema } from "../data/schema.ts"

/** The columns that the service reads or writes, by relation; TypeScript holds the names to the schema. */
const needed: { readonly [R in keyof Schema]: readonly (keyof Schema[R] & string)[] } = {
  organization: ["id", "slug", "name"],
  event: [
    ...["id", "organization_id", "external_id", "name", "status", "currency"] as const,
    ...["timezone", "starts", "ends", "created", "updated"] as const,
  ],
  guest: [
    ...["event_id", "id", "first_name", "last_name", "email", "mobile", "external_id"] as const,
    ...["sms_opt_in", "company_name", "created", "updated"] as const,
  ],
  consent: ["event_id", "guest_id", "asked", "status", "channels"],
  address: [
    ...["event_id", "guest_id", "kind", "name", "line1", "line2", "line3", "line4"] as const,
    ...["town", "postcode", "state", "country", "recipient_name"] as const,
  ],
  buy_now_item: [...item(), "price", "quantity", "tax_rate", "estimate"],
  auction_item: [
    ...item(),
    ...["lot_number", "start_price", "increments", "estimate", "tax_rate", "closes"] as const,
  ],
  pledge: [...item(), "amount"],
  raffle: [...item(), "ticket_price", "max_tickets", "draws"],
  gli_raffle: [
    ...item(),
    ...["ticket_price", "max_tickets", "draws", "licence_number", "regulator"] as const,
  ],
  ticket: [...item(), "price", "capacity", "admits", "tax_rate"],
  change_log: ["seq", "event_id", "category", "record_id", "operation", "updated", "at"],
  change_log_horizon: ["id", "complete_since"],
  account: ["id", "username", "password", "role", "epoch", "disabled", "demonstration"],
  access_grant: ["id", "account_id", "organization_id", "event_id", "ends", "networks"],
  session: ["id", "account_id", "created", "expires", "used"],
  account_activity: ["account_id", "last_log_in", "last_poll"],
  rate_limit: ["name", "points", "expires", "blocked_until"],
  audit_log: [
    ...["seq", "at", "action", "account", "address", "request_id", "plugin", "route"] as const,
    ...["event_id", "since", "first", "cursor_text", "search_length", "sent"] as const,
    ...["status", "code", "milliseconds"] as const,
  ],
}

/**
 * What the database lacks: the relations (tables or views) and columns that are not there, as
 * `guest` or `guest.mobile`; and, where it was made by migrations, those that are pending.
 */
export async function missingRelations(database: Database): Promise<string[]> {
  const tables = await database.writer.introspection.getTables()
  const columns = new Map(
    tables.map((table) => [table.name, new Set(table.columns.map((column) => column.name))]),
  )
  const missing = Object.entries(needed).flatMap(([relation, names]) => {
    const found = columns.get(relation)
    return found
      ? names.filter((name) => !found.has(name)).map((name) => `${relation}.${name}`)
      : [relation]
  })
  const { applied, pending } = await migrationState(database)
  return applied.length > 0 ? [...pending.map((name) => `migration ${name}`), ...missing] : missing
}

/**
 * True where every change of a guest or item is written to the change log: where they are tables, for
 * views have no triggers.
 */
export async function hasLoggedTables(database: Database): Promise<boolean> {
  const names = new Set<string>([...Object.values(categories), "consent", "address"])
  const tables = await database.writer.introspection.getTables()
  return tables.every(({ name, isView }) => !isView || !names.has(name))
}

/** What is there and cannot be read: columns of a type other than the service expects, in words. */
export async function unusableColumns(database: Database): Promise<string[]> {
  return wrongTypes(await database.writer.introspection.getTables(), needed)
}

function item() {
  return [
    ...["event_id", "id", "name", "status", "revenue_stream_type", "external_id"] as const,
    ...["categories", "irs_subcategory", "description", "terms_description"] as const,
    ...["created", "updated"] as const,
  ] as const
}
