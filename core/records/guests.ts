import { sql } from "kysely"
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
import type { Snapshot } from "../data/database.ts"
import { pageOfRecords, selections } from "./newest.ts"
import { recordsBefore } from "./stable-offset.ts"
import { cutPage } from "./page.ts"
import { columnsOf, listRecords, type Projection, recordType, rowsFor } from "./projection.ts"
import { recordParameters, type Resource } from "./resource.ts"
import { type SentRow, valueOf } from "../data/mysql/raw-row.ts"
import type { AddressKind } from "../data/schema.ts"

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
  categories: ["guests"],
  emptyBody: [],
  async list(snapshot, { eventId }, page, projection) {
    const position = page.after?.["guests"]
    if (page.after && !position) return { body: [], next: {} }
    const { searched } = projection
    const listing = { category: "guests", eventId, page, searched } as const
    const { guests: offset = page.offset } = await recordsBefore(snapshot, [listing])
    const columns = columnsOf(projection, "record")
    const query = pageOfRecords(snapshot, listing, { position, offset, columns })
    const found = await rowsFor(projection, snapshot, query)
    const { rows, next } = cutPage(found, page.limit)
    const ids = rows.map((row) => valueOf(row, "id"))
    const consents = await readConsents(snapshot, { eventId, ids, projection })
    const addresses = await readAddresses(snapshot, { eventId, ids, projection })
    const read = rows.map((record, index) => ({
      record,
      consent: consents[index],
      main: addresses.main[index],
      gift_aid: addresses.gift_aid[index],
      tax_receipt: addresses.tax_receipt[index],
    }))
    return { body: listRecords(projection, read), next: next ? { guests: next } : {} }
  },
}

/** Which guests something is read of. */
interface Among {
  readonly eventId: string
  readonly ids: readonly string[]
  readonly projection: Projection<"Guest">
}

/** The row of each guest, in the order of their ids. */
type Rows = readonly (SentRow | undefined)[]

/** The consent records of guests. */
async function readConsents(snapshot: Snapshot, among: Among): Promise<Rows> {
  const consents: SentRow[] = []
  const columns = columnsOf(among.projection, "consent")
  if (columns.length === 0 || among.ids.length === 0) return consents
  const query = keptBeside(snapshot, "consent", { ...among, columns })
  for (const row of await rowsFor(among.projection, snapshot, query)) {
    if (valueOf(row, "found")) consents[valueOf(row, "place") - 1] = row
  }
  return consents
}

/** The addresses of guests, by kind. */
async function readAddresses(
  snapshot: Snapshot,
  among: Among,
): Promise<Readonly<Record<AddressKind, Rows>>> {
  const addresses = { main: [], gift_aid: [], tax_receipt: [] } as Record<AddressKind, SentRow[]>
  const columns = kinds.flatMap((kind) => columnsOf(among.projection, kind))
  if (columns.length === 0 || among.ids.length === 0) return addresses
  const wanted = ["address.kind", ...columns]
  const query = keptBeside(snapshot, "address", { ...among, columns: wanted })
    .$castTo<KeptBeside & { readonly kind: AddressKind }>()
  for (const row of await rowsFor(among.projection, snapshot, query)) {
    if (valueOf(row, "found")) addresses[valueOf(row, "kind")][valueOf(row, "place") - 1] = row
  }
  return addresses
}

/**
 * What a table keeps beside each of some guests: these columns, and the guest's place among the ids.
 * Guests that nothing is kept of have a row of nulls, for joining from the left. Consents and
 * addresses are read by themselves: joined to the guests, four wide look-ups for each would take
 * twice the time.
 */
function keptBeside(
  { db, dialect }: Snapshot,
  table: "consent" | "address",
  { eventId, ids, columns }: Pick<Among, "eventId" | "ids"> & { columns: readonly string[] },
) {
  return db
    .selectFrom(dialect.listed(ids).as("wanted"))
    .leftJoin(
      // Both have the columns that are used here.
      `${table} as beside` as "address as beside",
      (join) => join.onRef("beside.guest_id", "=", "wanted.id").on("beside.event_id", "=", eventId),
    )
    // In front, because rows are read from there on, no further than has to be.
    .select(["wanted.place", sql<number>`beside.guest_id is not null`.as("found")])
    .select(selections(new Set(columns.map((column) => column.replace(/^\w+/, "beside")))))
    .$castTo<KeptBeside>()
}

/** A row for one guest, whether something is kept of it or not. */
interface KeptBeside extends Columns {
  /** Among the ids, from 1 on. */
  readonly place: number
  /** 0 where nothing is kept. */
  readonly found: number
}

const kinds: readonly AddressKind[] = ["main", "gift_aid", "tax_receipt"]

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
