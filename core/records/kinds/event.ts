import {
  computed,
  formatted,
  integer,
  nullable,
  recordType,
  searched,
  seconds,
  uuid,
} from "./fields.ts"
import { created, exampleEventId, externalId, givenName, updated } from "./common.ts"

/** An event. `externalId` is the customer's own. */
export const event = recordType({ name: "Event", table: "event" }, {
  id: uuid("Lower-case UUID: the `eventId` of the event's lists.", exampleEventId),
  name: searched(givenName("Autumn Gala")),
  status: formatted(
    "`upcoming`, `running`, `closed`, or another word of the organizer's platform.",
    "running",
  ),
  currency: formatted("ISO 4217. Money is in its minor units.", "GBP"),
  timezone: formatted("A name from the IANA time zone database.", "Europe/London"),
  starts: seconds("When the event begins, in Unix seconds.", 1792866600),
  ends: seconds("When the event ends, in Unix seconds.", 1792890000),
  created: created(1783000000),
  updated: updated(1790000000),
  externalId: searched(nullable(externalId("GALA-2026"))),
  changed: computed(
    "latest.changed",
    nullable(integer(
      "When a guest or an item of the event was last changed or deleted, in Unix seconds; null if none " +
        "was. A poll with a later `since` returns nothing new.",
      1790007200,
    )),
  ),
})
