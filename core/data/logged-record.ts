/**
 * Returns the statement of a trigger that logs a change of the record in a row, at a time and with a mark. A record that is
 * named by its `old` row is deleted. The category `events` is for the event itself.
 */
export function appendToLog(
  row: "new" | "old",
  category: string,
  { at, mark }: { readonly at: string; readonly mark: string },
): string {
  const [event, record] = category === "events" ? ["id", "null"] : ["event_id", `${row}.id`]
  return `insert into event_change (event_id, at, mark${recordColumns})
    values (${row}.${event}, ${at}, ${mark}, '${category}', ${record}, ${+(row === "old")});`
}

/** What the statement has if it says of which record a change is. */
export const recordColumns = ", category, record_id, deleted"

/** Returns a part of a trigger as it was up to version 1.2, when the log said only of which event a change is. */
export function withoutRecord(definition: string): string {
  const values = /, '\w+', (null|\w+\.id), [01](?=\);)/
  return definition.replace(recordColumns, "").replace(values, "")
}
