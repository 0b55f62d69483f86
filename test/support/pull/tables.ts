import type { Database } from "../../../core/data/database.ts"
import { type Truth, truthOf } from "../truth.ts"

/** Reads an event's tables as records, without any other code of the service. */
export function readTables({ writer }: Database, eventId: string): Promise<Truth> {
  return truthOf(async (table) => {
    const rows = await writer.selectFrom(table as "guest").selectAll()
      .where("event_id", "=", eventId).execute()
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, parsed(value)]))
    )
  })
}

/** SQLite has lists as text. */
function parsed(value: unknown): unknown {
  return typeof value === "string" && value.startsWith("[") ? JSON.parse(value) : value
}
