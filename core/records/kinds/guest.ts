import * as v from "valibot"
import {
  flag,
  formatted,
  from,
  integer,
  narrowed,
  nested,
  nullable,
  otherwise,
  recordType,
  searched,
  text,
} from "./fields.ts"
import { created, eventId, externalId, recordId } from "./common.ts"

/** A postal address. A guest has up to three, each of another kind. */
export const address = recordType({ name: "AddressDetail", table: "address" }, {
  name: text("The label of the address.", "Home"),
  line1: text("First line.", "12 St James's Square"),
  line2: nullable(text("Second line.", null)),
  line3: nullable(text("Third line.", null)),
  line4: nullable(text("Fourth line.", null)),
  town: text("Town or city.", "London"),
  postcode: text("As it is written in that country.", "SW1Y 4JH"),
  state: nullable(text("State or region.", null)),
  country: narrowed(
    v.pipe(v.string(), v.regex(/^(?:[A-Za-z]{2})?$/)),
    formatted("ISO 3166-1 alpha-2. Empty if the address has none.", "GB"),
  ),
  recipient_name: text("The person who receives post there.", "Ada Byron"),
})

/** A guest with the consent record that the event's owner keeps, and an address of each kind. */
export const guest = recordType({ name: "Guest", table: "guest" }, {
  id: recordId("c2a9d3f4-1b8e-4f67-8d21-0e5a7b9c4d36"),
  eventId,
  firstName: searched(text("May be empty.", "Ada")),
  lastName: searched(text("May be empty.", "Byron")),
  email: searched(formatted("E-mail address. May be empty.", "ada@example.org")),
  mobile: searched(formatted("Telephone number. May be empty.", "+44 20 7946 0018")),
  mainAddress: nested("Primary postal address.", address, { relation: "main" }),
  giftAidAddress: nested("The address of a Gift Aid declaration (United Kingdom).", address, {
    relation: "gift_aid",
    example: null,
  }),
  taxReceiptAidAddress: nested("The address for tax receipts (United States).", address, {
    relation: "tax_receipt",
    example: null,
  }),
  created: created(1790000000),
  updated: integer(
    "When the guest, its consent or one of its addresses last changed, in Unix seconds.",
    1790003600,
  ),
  consentAsked: from(
    "consent.asked",
    flag("Whether the guest has been asked for consent.", true),
  ),
  consentStatus: from(
    "consent.status",
    otherwise(
      "inactive",
      formatted("Usually `active` or `inactive`. The set is not closed.", "active"),
    ),
  ),
  consentChannels: from(
    "consent.channels",
    otherwise(
      "",
      formatted("What the guest agreed to, such as `email,sms`; empty if nothing.", "email,post"),
    ),
  ),
  externalId: searched(externalId("crm-1815")),
  smsOptIn: flag("Whether the guest agreed to text messages.", false),
  companyName: searched(nullable(text("Null if there is none.", null))),
})
