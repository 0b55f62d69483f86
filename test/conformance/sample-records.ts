import { itemKinds } from "../../core/capability.ts"
import { address as guestAddress } from "../../core/records/kinds/guest.ts"
import type { Columns } from "../../core/tables.ts"
import { event, guest } from "../../core/plugin.ts"
import { emptyValue, rowOf, sampleValue, variants } from "./sample-row.ts"

/** Rows by table, in the order in which they can be inserted. */
export type Rows = Readonly<Record<string, readonly Columns[]>>

/** A time long past, in Unix seconds. */
const past = 1_700_000_000

/** Returns an id that is the same in every run. */
export function sampleId(group: number, index: number): string {
  return `${group.toString(16).padStart(8, "0")}-0000-4000-8000-${
    index.toString(16).padStart(12, "0")
  }`
}

/** Returns an event with all fields set; if it is bare, nullable ones are null. */
export function sampleEvent(id: string, organization_id: string, bare = false): Rows {
  const row = rowOf(event, bare ? emptyValue : sampleValue)
  return {
    event: [{ ...row, id, organization_id, created: past, updated: bare ? past : past + 1 }],
  }
}

/**
 * Returns the guests and items of an event: all variants of each kind of record, and guests with
 * every kind of consent and of address, with neither, and with empty texts.
 */
export function sampleRecords(event_id: string, group: number): Rows {
  const stamped = (rows: readonly Columns[]) =>
    rows.map((row, index) => ({
      ...row,
      event_id,
      id: sampleId(group, index),
      created: past,
      // Not in the order of the ids, and with ties.
      updated: past + (index * 7) % 11,
    }))
  const people = samplePeople()
  const ofGuests = (part: "consents" | "addresses") =>
    people.flatMap((person, index) =>
      person[part]?.map((row) => ({ ...row, event_id, guest_id: sampleId(group, index) })) ?? []
    )
  return {
    // Inserted after a guest, these would set its `updated` to the present.
    consent: ofGuests("consents"),
    address: ofGuests("addresses"),
    guest: stamped(people.map(({ row }) => row)),
    ...Object.fromEntries(
      Object.values(itemKinds).map((record) => [record.table, stamped(variants(record))]),
    ),
  }
}

interface Person {
  readonly row: Columns
  readonly consents?: readonly Columns[]
  readonly addresses?: readonly Columns[]
}

function samplePeople(): Person[] {
  const row = rowOf(guest, sampleValue)
  const consent = rowOf(guest, sampleValue, "consent")
  const kinds = Object.values(guest.fields).flatMap(({ record, relation }) =>
    record ? relation : []
  )
  return [
    ...variants(guest).map((row) => ({ row })),
    { row: rowOf(guest, (field, index) => field.kind === "text" ? "" : sampleValue(field, index)) },
    ...["", "email", "email,sms"].flatMap((channels) => [
      { row, consents: [{ ...consent, asked: 1, status: "active", channels }] },
      { row, consents: [{ ...consent, asked: 0, status: "inactive", channels }] },
    ]),
    ...kinds.flatMap((kind) =>
      variants(guestAddress).map((address) => ({ row, addresses: [{ ...address, kind }] }))
    ),
    {
      row,
      consents: [consent],
      addresses: kinds.map((kind) => ({ ...rowOf(guestAddress, sampleValue), kind })),
    },
  ]
}
