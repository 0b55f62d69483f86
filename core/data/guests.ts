import { sql } from "kysely"
import * as v from "valibot"
import {
  type Field,
  flag,
  integer,
  nested,
  nullable,
  searched,
  text,
  textOr,
  uuid,
} from "./fields.ts"
import type { Snapshot } from "./database.ts"
import { pageOfKeys, selections } from "./newest.ts"
import { recordsBefore } from "./occupied.ts"
import { cutPage } from "./page.ts"
import { type Projection, recordType } from "./projection.ts"
import { recordParameters, type Resource } from "./resource.ts"
import type { AddressKind } from "./schema.ts"

/** A guest with the consent record that the event's owner keeps, and up to three addresses. */
export const guest = recordType("Guest", {
  id: uuid("record.id"),
  eventId: uuid("record.event_id"),
  firstName: searched(text("record.first_name")),
  lastName: searched(text("record.last_name")),
  email: searched(text("record.email")),
  mobile: searched(text("record.mobile")),
  mainAddress: address("main"),
  giftAidAddress: address("gift_aid"),
  taxReceiptAidAddress: address("tax_receipt"),
  created: integer("record.created"),
  updated: integer("record.updated"),
  consentAsked: flag("consent.asked"),
  consentStatus: textOr("consent.status", "inactive"),
  consentChannels: textOr("consent.channels", ""),
  externalId: searched(text("record.external_id")),
  smsOptIn: flag("record.sms_opt_in"),
  companyName: searched(nullable(text("record.company_name"))),
})

/** The guests of an event, as a JSON array of what the projection lets through. */
export const guests: Resource<Projection<"Guest">> = {
  name: "guests",
  scope: "event",
  parameters: recordParameters,
  async list(snapshot, { eventId }, page, projection) {
    const position = page.after?.["guests"]
    if (page.after && !position) return { body: [], next: {} }
    const listing = { category: "guests", eventId, page, searched: projection.searched } as const
    const { guests: offset = page.offset } = await recordsBefore(snapshot, [listing])
    const keys = pageOfKeys(snapshot, listing, { position, offset })
    const found = await snapshot.run(guestsOf(snapshot, { eventId, keys, projection }))
    const { rows, next } = cutPage(found, page.limit)
    return { body: rows.map(projection.project), next: next ? { guests: next } : {} }
  },
}

/** The guests that have these keys, with what the projection needs of consent and addresses. */
function guestsOf(
  { db }: Snapshot,
  { eventId, keys, projection }: {
    readonly eventId: string
    readonly keys: ReturnType<typeof pageOfKeys>
    readonly projection: Projection<"Guest">
  },
) {
  const tables = new Set(projection.columns.map((column) => column.split(".")[0]))
  let query = db
    .selectFrom(keys.as("page"))
    .leftJoin(
      "guest as record",
      (join) => join.onRef("record.id", "=", "page.id").on("record.event_id", "=", eventId),
    )
    .select(["page.time as page.time", "page.id as page.id"])
    .select(selections(projection.columns))
    .orderBy("record.updated", "desc")
    .orderBy("record.id", "desc")
  if (tables.has("consent")) {
    query = query.leftJoin(
      "consent",
      (join) => join.onRef("consent.guest_id", "=", "page.id").on("consent.event_id", "=", eventId),
    )
  }
  for (const kind of kinds.filter((kind) => tables.has(kind))) {
    query = query.leftJoin(`address as ${kind}`, (join) =>
      join
        .on(sql.ref(`${kind}.event_id`), "=", eventId)
        .on(sql.ref(`${kind}.guest_id`), "=", sql.ref("page.id"))
        .on(sql.ref(`${kind}.kind`), "=", kind))
  }
  return query
}

const kinds: readonly AddressKind[] = ["main", "gift_aid", "tax_receipt"]

/** Addresses are joined once a kind, each under the kind's name. */
function address(kind: AddressKind): Field {
  return nested({
    name: text(`${kind}.name`),
    line1: text(`${kind}.line1`),
    line2: nullable(text(`${kind}.line2`)),
    line3: nullable(text(`${kind}.line3`)),
    line4: nullable(text(`${kind}.line4`)),
    town: text(`${kind}.town`),
    postcode: text(`${kind}.postcode`),
    state: nullable(text(`${kind}.state`)),
    country: { ...text(`${kind}.country`), schema: v.pipe(v.string(), v.length(2)) },
    recipient_name: text(`${kind}.recipient_name`),
  }, "name")
}
