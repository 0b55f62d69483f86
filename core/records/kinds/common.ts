import { type Declaration, integer, seconds, text, uuid } from "./fields.ts"

/** The event of the examples. */
export const exampleEventId = "3b1f7f0e-4c6a-4d0b-9a52-6f0d1c2b3a49"

/** The id of a record. */
export function recordId(example: string): Declaration<string, ""> {
  return uuid("Lower-case UUID. Store records by it.", example)
}

/** The event of a record. */
export const eventId = uuid("The event that the record belongs to.", exampleEventId)

/** When a record was made. */
export function created(example: number): Declaration<number, ""> {
  return seconds("When the record was created, in Unix seconds.", example)
}

/** When a record last changed. */
export function updated(example: number): Declaration<number, ""> {
  return integer(
    "When the record last changed, in Unix seconds: `since` is compared with it.",
    example,
  )
}

/** When a record was deleted. */
export function deleted(example: number): Declaration<number, ""> {
  return integer("When the record was deleted, in Unix seconds.", example)
}

/** The name of an event or an item. */
export function givenName(example: string): Declaration<string, ""> {
  return text("The organizer's name for it.", example)
}

/** The organizer's own id. */
export function externalId(example: string): Declaration<string, ""> {
  return text("The organizer's own id for it.", example)
}
