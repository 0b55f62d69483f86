import type { Insertable } from "kysely"
import type { AddressKind, Schema } from "../data/schema.ts"
import {
  consent,
  fullAddress,
  fullEvent,
  fullGuest,
  fullRecords,
  kinds,
  nullAddress,
  nullDraw,
  nullItem,
  past,
} from "./sample-values.ts"

/** Rows by table, in the order in which they can be inserted. */
export type Rows = { readonly [Table in keyof Schema]?: readonly Insertable<Schema[Table]>[] }

/** An id that is the same in every run. */
export function sampleId(group: number, index: number): string {
  return `${group.toString(16).padStart(8, "0")}-0000-4000-8000-${
    index.toString(16).padStart(12, "0")
  }`
}

/** An event that has everything, and one without an id of the customer's. */
export function sampleEvent(id: string, organization_id: string, bare = false): Rows {
  const stamps = { created: past, updated: bare ? past : past + 1 }
  return {
    event: [{
      id,
      organization_id,
      ...fullEvent,
      ...stamps,
      ...(bare ? { external_id: null } : {}),
    }],
  }
}

/**
 * The guests and items of an event: of each kind one with everything, one with every nullable column
 * null, one for each such column alone, and one that is all zeros. Besides, guests with every sort
 * of consent and of address, without either, and with empty texts.
 */
export function sampleRecords(event_id: string, group: number): Rows {
  const stamped = <Row extends object>(rows: readonly Row[]) =>
    rows.map((row, index) => ({
      ...row,
      event_id,
      id: sampleId(group, index),
      created: past,
      // Not in the order of the ids, and with ties.
      updated: past + (index * 7) % 11,
    }))
  const items = <Row extends object>(full: Row, nulls: object) =>
    stamped(variants(full, { ...nullItem, ...nulls }))

  const persons = sampleGuests()
  const ofGuest = <Row>(part: (person: Person) => readonly Row[]) =>
    persons.flatMap((person, index) =>
      part(person).map((row) => ({ ...row, event_id, guest_id: sampleId(group, index) }))
    )
  const { BuyNowItem, AuctionItem, Pledge, Raffle, GliRaffle, Ticket } = fullRecords
  return {
    // Inserted after a guest, these would set its `updated` to the present.
    consent: ofGuest(({ consents = [] }) => consents),
    address: ofGuest(({ addresses = [] }) => addresses),
    guest: stamped(persons.map(({ guest }) => guest)),
    buy_now_item: items(BuyNowItem, { quantity: null, tax_rate: null, estimate: null }),
    auction_item: items(AuctionItem, { estimate: null, tax_rate: null, closes: null }),
    pledge: items(Pledge, { amount: null }),
    raffle: items(Raffle, nullDraw),
    gli_raffle: items(GliRaffle, nullDraw),
    ticket: items(Ticket, { capacity: null, tax_rate: null }),
  }
}

interface Person {
  readonly guest: typeof fullGuest
  readonly consents?: readonly (typeof consent)[]
  readonly addresses?: readonly (typeof fullAddress & { readonly kind: AddressKind })[]
}

function sampleGuests(): Person[] {
  const guest = fullGuest
  const addresses = variants(fullAddress, nullAddress)
  return [
    ...variants(guest, { company_name: null }).map((guest) => ({ guest })),
    { guest: { ...guest, email: "", mobile: "", external_id: "", company_name: "" } },
    ...["", "email", "email,sms"].flatMap((channels) => [
      { guest, consents: [{ ...consent, channels }] },
      { guest, consents: [{ asked: 0, status: "inactive", channels }] },
    ]),
    ...kinds.flatMap((kind) =>
      addresses.map((address) => ({ guest, addresses: [{ ...address, kind }] }))
    ),
    {
      guest,
      consents: [consent],
      addresses: kinds.map((kind) => ({ ...fullAddress, kind })),
    },
  ]
}

/** `nulls` stands for no value in each column that may have none. */
function variants<Row extends object>(full: Row, nulls: object): Row[] {
  const zeros = Object.entries(full).map((
    [name, value],
  ) => [name, typeof value === "number" ? 0 : value])
  return [
    full,
    { ...full, ...nulls },
    ...Object.entries(nulls).map(([name, value]) => ({ ...full, [name]: value })),
    Object.fromEntries(zeros),
  ]
}
