import {
  type ColumnsOf,
  flag,
  generated,
  id,
  nullable,
  number,
  oneOf,
  seconds,
  table,
  text,
  unread,
} from "./table.ts"

/** Default to the database's clock; triggers move `updated` on. */
const stamps = { created: generated(seconds), updated: generated(seconds) }

/** Renewed by triggers with every change. Views may lack it. */
const export_version = unread(generated(number))

export type AddressKind = "main" | "gift_aid" | "tax_receipt"

/** The columns that all six categories of item share. */
const item = {
  event_id: id,
  id,
  name: text,
  status: text,
  revenue_stream_type: text,
  external_id: nullable(text),
  categories: text,
  irs_subcategory: nullable(text),
  description: nullable(text),
  terms_description: nullable(text),
  export_version,
  ...stamps,
}
export type ItemTable = ColumnsOf<typeof item>

const raffle = {
  ...item,
  ticket_price: number,
  max_tickets: nullable(number),
  draws: nullable(seconds),
}

/** The tables of the exported records. Serving only reads them. */
export const recordTables = {
  organization: table({
    privileges: ["select"],
    columns: {
      id,
      slug: text,
      name: text,
      created: unread(stamps.created),
      updated: unread(stamps.updated),
    },
  }),
  event: table({
    privileges: ["select"],
    columns: {
      id,
      organization_id: id,
      name: text,
      status: text,
      currency: text,
      timezone: text,
      starts: seconds,
      ends: seconds,
      ...stamps,
      external_id: nullable(text),
    },
  }),
  guest: table({
    privileges: ["select"],
    columns: {
      event_id: id,
      id,
      first_name: text,
      last_name: text,
      email: text,
      mobile: text,
      external_id: text,
      sms_opt_in: flag,
      company_name: nullable(text),
      export_version,
      ...stamps,
    },
  }),
  /** The event owner's record of a guest's consent; at most one per guest. */
  consent: table({
    privileges: ["select"],
    columns: {
      event_id: id,
      guest_id: id,
      asked: flag,
      status: text,
      channels: text,
    },
  }),
  address: table({
    privileges: ["select"],
    columns: {
      event_id: id,
      guest_id: id,
      kind: oneOf<AddressKind>(),
      name: text,
      line1: text,
      line2: nullable(text),
      line3: nullable(text),
      line4: nullable(text),
      town: text,
      postcode: text,
      state: nullable(text),
      country: text,
      recipient_name: text,
    },
  }),
  buy_now_item: table({
    privileges: ["select"],
    columns: {
      ...item,
      price: number,
      quantity: nullable(number),
      tax_rate: nullable(number),
      estimate: nullable(number),
    },
  }),
  auction_item: table({
    privileges: ["select"],
    columns: {
      ...item,
      lot_number: number,
      start_price: number,
      increments: text,
      estimate: nullable(number),
      tax_rate: nullable(number),
      closes: nullable(seconds),
    },
  }),
  pledge: table({
    privileges: ["select"],
    columns: {
      ...item,
      amount: nullable(number),
    },
  }),
  raffle: table({
    privileges: ["select"],
    columns: {
      ...raffle,
    },
  }),
  gli_raffle: table({
    privileges: ["select"],
    columns: {
      ...raffle,
      licence_number: text,
      regulator: text,
    },
  }),
  ticket: table({
    privileges: ["select"],
    columns: {
      ...item,
      price: number,
      capacity: nullable(number),
      admits: number,
      tax_rate: nullable(number),
    },
  }),
} as const
