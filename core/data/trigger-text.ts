/**
 * Returns the statement of a trigger that logs a change of the record in a row, at a time and with a mark. A record that is
 * named by its `old` row is deleted. The category `events` is for the event itself. `id` is the column of its id.
 */
export function appendToLog(
  row: "new" | "old",
  category: string,
  { at, mark, id = "id" }: { readonly at: string; readonly mark: string; readonly id?: string },
): string {
  const [event, record] = category === "events" ? ["id", "null"] : ["event_id", `${row}.${id}`]
  return `insert into event_change (event_id, at, mark, category, record_id, deleted)
    values (${row}.${event}, ${at}, ${mark}, '${category}', ${record}, ${+(row === "old")});`
}

/** Returns true if a trigger has the same definition in the database as here. */
export function isSameDefinition(one: string, other: string): boolean {
  return normalize(one) === normalize(other)
}

function normalize(text: string): string {
  return text.replaceAll(/\s+/g, " ").toLowerCase()
}
