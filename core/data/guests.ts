import * as v from "valibot"
import {
  type Columns,
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
import { pageOfRecords, selections } from "./newest.ts"
import { recordsBefore } from "./occupied.ts"
import { cutPage } from "./page.ts"
import { columnsOf, type Projection, recordType } from "./projection.ts"
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
  summary: "The guests of an event, newest first.",
  scope: "event",
  parameters: recordParameters,
  among: ["guests"],
  nothing: [],
  async list(snapshot, { eventId }, page, projection) {
    const position = page.after?.["guests"]
    if (page.after && !position) return { body: [], next: {} }
    const { searched } = projection
    const listing = { category: "guests", eventId, page, searched } as const
    const { guests: offset = page.offset } = await recordsBefore(snapshot, [listing])
    const columns = columnsOf(projection, "record")
    const found = await snapshot.run(
      pageOfRecords(snapshot, listing, { position, offset, columns }),
    )
    const { rows, next } = cutPage(found, page.limit)
    const ids = rows.map(({ id }) => id)
    const consents = await readConsents(snapshot, { eventId, ids, projection })
    const [main, giftAid, taxReceipt] = await readAddresses(snapshot, { eventId, ids, projection })
    const body = rows.map((record) =>
      projection.project({
        record,
        consent: consents.get(record.id),
        main: main?.get(record.id),
        gift_aid: giftAid?.get(record.id),
        tax_receipt: taxReceipt?.get(record.id),
      })
    )
    return { body, next: next ? { guests: next } : {} }
  },
}

/** Which guests something is read of. */
interface Among {
  readonly eventId: string
  readonly ids: readonly string[]
  readonly projection: Projection<"Guest">
}

type ById = ReadonlyMap<string, Columns>

/**
 * The consent records of guests. They and the addresses are read by themselves: joined to the
 * guests, four wide look-ups for each would take twice the time.
 */
async function readConsents(
  { db, dialect, run }: Snapshot,
  { eventId, ids, projection }: Among,
): Promise<ById> {
  const columns = columnsOf(projection, "consent")
  if (columns.length === 0 || ids.length === 0) return new Map()
  const rows = await run(
    db
      .selectFrom(dialect.listed(ids).as("wanted"))
      .leftJoin(
        "consent",
        (join) =>
          join.onRef("consent.guest_id", "=", "wanted.id").on("consent.event_id", "=", eventId),
      )
      .select("consent.guest_id")
      .select(selections(columns)),
  )
  return byGuest(rows)
}

const kinds: readonly AddressKind[] = ["main", "gift_aid", "tax_receipt"]

/** The addresses of guests, by kind. */
async function readAddresses(
  { db, dialect, run }: Snapshot,
  { eventId, ids, projection }: Among,
): Promise<ById[]> {
  const columns = kinds.flatMap((kind) => columnsOf(projection, kind))
  if (columns.length === 0 || ids.length === 0) return []
  const wanted = new Set(columns.map((column) => column.replace(/^\w+/, "address")))
  const rows = await run(
    db
      .selectFrom(dialect.listed(ids).as("wanted"))
      .leftJoin(
        "address",
        (join) =>
          join.onRef("address.guest_id", "=", "wanted.id").on("address.event_id", "=", eventId),
      )
      .select(["address.guest_id", "address.kind"])
      .select(selections(wanted)),
  )
  return kinds.map((kind) => byGuest(rows.filter((row) => row.kind === kind)))
}

/** Guests that nothing was found of have a row of nulls, for joining from the left. */
function byGuest(rows: readonly (Columns & { readonly guest_id: string | null })[]): ById {
  const found = new Map<string, Columns>()
  for (const row of rows) if (row.guest_id !== null) found.set(row.guest_id, row)
  return found
}

/** An address goes by the name of its kind. */
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
  })
}
