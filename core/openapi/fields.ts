/** What the fields of records mean: of every record first, then of one kind, which has the last word. */
const ofAll: Readonly<Record<string, string>> = {
  id: "Lower-case UUID. Store records by it.",
  eventId: "The event that the record belongs to.",
  name: "What the organizer calls it.",
  status: "A word of the organizer's platform. The set is not closed.",
  created: "When the record was made, in Unix seconds.",
  updated: "When the record last changed, in Unix seconds: what `since` is compared with.",
  externalId: "The organizer's own id for it.",
  revenueStreamType: "How the organizer books what it brings in.",
  categories: "The organizer's own categories.",
  irsSubcategory: "The subcategory for the tax authority of the United States.",
  description: "What it is, for guests.",
  termsDescription: "The terms that apply to it.",
  price: "In minor units of the event's currency.",
  taxRate: "Percent, with up to three decimals.",
  estimate: "What it is worth, in minor units of the event's currency.",
  ticketPrice: "In minor units of the event's currency.",
  maxTickets: "How many tickets there are; null is any number.",
  draws: "When the draw is, in Unix seconds; null where that is open.",
  deleted: "When the record was deleted, in Unix seconds.",
}

const ofOne: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Event: {
    id: "Lower-case UUID: the `eventId` of the event's lists.",
    status: "`upcoming`, `running`, `closed`, or another word of the organizer's platform.",
    currency: "ISO 4217. Money is in minor units of it.",
    timezone: "A name of the IANA time zone database.",
    starts: "When the event begins, in Unix seconds.",
    ends: "When the event ends, in Unix seconds.",
  },
  Guest: {
    firstName: "May be empty.",
    lastName: "May be empty.",
    email: "E-mail address. May be empty.",
    mobile: "Telephone number. May be empty.",
    mainAddress: "Primary postal address.",
    giftAidAddress: "The address of a Gift Aid declaration (United Kingdom).",
    taxReceiptAidAddress: "The address for tax receipts (United States).",
    updated: "When the guest, its consent or one of its addresses last changed, in Unix seconds.",
    consentAsked: "Whether the guest has been asked for consent.",
    consentStatus: "Usually `active` or `inactive`. The set is not closed.",
    consentChannels: "What the guest agreed to, such as `email,sms`; empty where nothing.",
    smsOptIn: "Whether the guest agreed to text messages.",
    companyName: "Null where there is none.",
  },
  AddressDetail: {
    name: "The label of the address.",
    line1: "First line.",
    line2: "Second line.",
    line3: "Third line.",
    line4: "Fourth line.",
    town: "Town or city.",
    postcode: "As it is written in its country.",
    state: "State or region.",
    country: "ISO 3166-1 alpha-2.",
    recipient_name: "Who receives post there.",
  },
  BuyNowItem: { quantity: "How many there are; null is any number." },
  AuctionItem: {
    lotNumber: "Its number in the auction.",
    startPrice: "Where bids begin, in minor units of the event's currency.",
    increments: "From a price upwards, bids rise by a step; both in minor units.",
    closes: "When bidding ends, in Unix seconds; null where that is open.",
  },
  Pledge: { amount: "In minor units of the event's currency; null lets the guest choose." },
  GliRaffle: {
    licenceNumber: "The number of the licence.",
    regulator: "Who gave the licence.",
  },
  Ticket: {
    capacity: "How many are sold at most; null is any number.",
    admits: "How many people a ticket lets in.",
  },
  ItemDeletion: { category: "The array of the bundle that the item was in." },
}

/** The names of records within records, by the field that has them. */
export const nestedRecords: Readonly<Record<string, string>> = {
  mainAddress: "AddressDetail",
  giftAidAddress: "AddressDetail",
  taxReceiptAidAddress: "AddressDetail",
}

/** What a field of a kind of record means; undefined where nobody has said. */
export function describeField(record: string, field: string): string | undefined {
  return ofOne[record]?.[field] ?? ofAll[field]
}
