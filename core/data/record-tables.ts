import {
  flag,
  generated,
  id,
  integer,
  json,
  long,
  longText,
  nullable,
  oneOf,
  percent,
  seconds,
  slug,
  stamp,
  type Table,
  table,
  text,
} from "./table.ts"

/** Triggers move `updated` on. */
const stamps = { created: stamp, updated: stamp }

/**
 * Declares a table of records of events: one event is one contiguous range on disk, and the narrow index carries the
 * order of lists and `since`.
 */
function recordTable<const C extends Table["columns"]>(name: string, columns: C) {
  return table({
    privileges: ["select"],
    columns: {
      event_id: id,
      id,
      ...columns,
      /** Fields of the platform's own: a JSON object. Families name those that they let through. */
      extra: nullable(json),
      ...stamps,
      /** Renewed by triggers with every change. */
      export_version: generated({ kind: "hiddenVersion" }),
    },
    key: ["event_id", "id"],
    indexes: { [`${name}_newest`]: ["event_id", "updated", "id", "export_version"] },
    references: { [`${name}_event`]: { columns: ["event_id"], table: "event", to: ["id"] } },
  })
}

/** The columns that all six categories of item share, besides what every record has. */
const item = {
  name: text(200),
  status: text(32),
  revenue_stream_type: text(64),
  external_id: nullable(text(100)),
  categories: json,
  irs_subcategory: nullable(text(100)),
  description: nullable(longText),
  terms_description: nullable(longText),
}

const raffle = {
  ...item,
  ticket_price: long,
  max_tickets: nullable(integer),
  draws: nullable(seconds),
}

export type AddressKind = "main" | "gift_aid" | "tax_receipt"

/** Refers to the guest, and is deleted with it. */
const ofGuest = {
  columns: ["event_id", "guest_id"],
  table: "guest",
  to: ["event_id", "id"],
  cascades: true,
} as const

/** The tables of the exported records. Serving only reads them. */
export const recordTables = {
  organization: table({
    privileges: ["select"],
    columns: {
      id,
      slug,
      name: text(200),
      ...stamps,
    },
    key: ["id"],
    unique: { organization_slug: ["slug"] },
  }),
  event: table({
    privileges: ["select"],
    columns: {
      id,
      organization_id: id,
      external_id: nullable(text(100)),
      name: text(200),
      status: text(32),
      currency: text(3),
      timezone: text(64),
      starts: seconds,
      ends: seconds,
      ...stamps,
    },
    key: ["id"],
    indexes: { event_newest: ["organization_id", "updated", "id"] },
    references: {
      event_organization: { columns: ["organization_id"], table: "organization", to: ["id"] },
    },
  }),
  guest: recordTable("guest", {
    first_name: text(100),
    last_name: text(100),
    email: text(254),
    mobile: text(32),
    external_id: text(100),
    sms_opt_in: flag,
    company_name: nullable(text(200)),
  }),
  /** The event owner's record of a guest's consent; at most one per guest. */
  consent: table({
    privileges: ["select"],
    columns: {
      event_id: id,
      guest_id: id,
      asked: flag,
      status: slug,
      channels: slug,
    },
    key: ["event_id", "guest_id"],
    references: { consent_guest: ofGuest },
    checks: { consent_status: "status in ('active', 'inactive')" },
  }),
  address: table({
    privileges: ["select"],
    columns: {
      event_id: id,
      guest_id: id,
      kind: oneOf<AddressKind>(),
      name: text(100),
      line1: text(200),
      line2: nullable(text(200)),
      line3: nullable(text(200)),
      line4: nullable(text(200)),
      town: text(100),
      postcode: text(32),
      state: nullable(text(100)),
      country: text(2),
      recipient_name: text(200),
    },
    key: ["event_id", "guest_id", "kind"],
    references: { address_guest: ofGuest },
    checks: { address_kind: "kind in ('main', 'gift_aid', 'tax_receipt')" },
  }),
  buy_now_item: recordTable("buy_now_item", {
    ...item,
    price: long,
    quantity: nullable(integer),
    tax_rate: nullable(percent),
    estimate: nullable(long),
  }),
  auction_item: recordTable("auction_item", {
    ...item,
    lot_number: integer,
    start_price: long,
    increments: json,
    estimate: nullable(long),
    tax_rate: nullable(percent),
    closes: nullable(seconds),
  }),
  pledge: recordTable("pledge", { ...item, amount: nullable(long) }),
  raffle: recordTable("raffle", raffle),
  gli_raffle: recordTable("gli_raffle", {
    ...raffle,
    licence_number: text(100),
    regulator: text(100),
  }),
  ticket: recordTable("ticket", {
    ...item,
    price: long,
    capacity: nullable(integer),
    admits: integer,
    tax_rate: nullable(percent),
  }),
} as const
