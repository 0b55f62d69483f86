/**
 * The values of the sample records. Every text is one that no other column of its record has, so that
 * a search for it tells which column was read.
 */
import type { AddressKind } from "../data/schema.ts"

/** A time long past, in Unix seconds. */
export const past = 1_700_000_000

/** An event of which nothing is null. */
export const fullEvent = {
  external_id: "gala-0815",
  name: 'Größte 夜 🎁 "Gala"',
  status: "running",
  currency: "GBP",
  timezone: "Europe/London",
  starts: past,
  ends: past + 18_000,
}

/** A guest of whom nothing is null. */
export const fullGuest = {
  first_name: "Zoë",
  last_name: "O’Brien-王",
  email: "post@example.org",
  mobile: "+442079460001",
  external_id: "crm-4711",
  sms_opt_in: 1,
  company_name: "Söhne🎁",
}

const fullItem = {
  name: "Tâche<b>№1</b>",
  status: "sold",
  revenue_stream_type: "merchandise",
  external_id: "sku-0042",
  categories: '["sport","künste"]',
  irs_subcategory: "collectibles",
  description: "Getragen: „einmal“",
  terms_description: "Rückgabe ausgeschlossen",
}

/** No value for each column of an item that may have none. */
export const nullItem = {
  external_id: null,
  categories: "[]",
  irs_subcategory: null,
  description: null,
  terms_description: null,
}

const draw = { ticket_price: 500, max_tickets: 2000, draws: past }

/** The same of a draw. */
export const nullDraw = { max_tickets: null, draws: null }

/** An address of which nothing is null. */
export const fullAddress = {
  name: "Zuhause",
  line1: "Straße 1",
  line2: "Hinterhaus",
  line3: "3. OG",
  line4: "links",
  town: "Łódź",
  postcode: "90-001",
  state: "Łódzkie",
  country: "PL",
  recipient_name: "Анна",
}

/** No value for each column of an address that may have none. */
export const nullAddress = { line2: null, line3: null, line4: null, state: null }

/** The addresses that a guest may have. */
export const kinds: readonly AddressKind[] = ["main", "gift_aid", "tax_receipt"]

/** What a guest may have agreed to. */
export const consent = { asked: 1, status: "active", channels: "email" }

/** The row of each kind of record in which nothing is null, by the record's name. */
export const fullRecords = {
  Event: fullEvent,
  Guest: fullGuest,
  BuyNowItem: { ...fullItem, price: 12_345_678_901, quantity: 3, tax_rate: 17.5, estimate: 4000 },
  AuctionItem: {
    ...fullItem,
    lot_number: 7,
    start_price: 10_000,
    increments: '[{"from":0,"step":500}]',
    estimate: 60_000,
    tax_rate: 0.125,
    closes: past,
  },
  Pledge: { ...fullItem, amount: 5000 },
  Raffle: { ...fullItem, ...draw },
  GliRaffle: { ...fullItem, ...draw, licence_number: "GLI-9", regulator: "Commission" },
  Ticket: { ...fullItem, price: 7500, capacity: 10, admits: 2, tax_rate: 20 },
} satisfies Record<string, Readonly<Record<string, string | number>>>
