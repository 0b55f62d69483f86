import type { SourceKind } from "./kinds.ts"

type Words = Readonly<Record<string, readonly string[]>>

/** Reads lines of a name and its words, each behind a slash. */
function read(text: string): Words {
  const lines = text.trim().split("\n").map((line) => line.trim().split(/:? ?\//))
  return Object.fromEntries(lines.map(([name = "", ...words]) => [name, words]))
}

/** Words in names of tables, the likeliest first. Without `_`, in lower case and in the singular. */
export const tableWords = read(`
  organization: /organization/organisation/charity/nonprofit/foundation/organizer/org/tenant/client/company
  event: /event/gala/fundraiser/campaign/occasion/function
  guest: /guest/attendee/participant/registration/attendance/bidder/supporter/invitee/booking
  buy_now_item: /buynow/shopitem/product/fixedprice/merchandise/good/item/thing
  auction_item: /auctionitem/auctionlot/lot/auction
  pledge: /pledge/ask/appeal/donationlevel/donation
  raffle: /raffle/prizedraw/draw/sweepstake/tombola/lottery
  gli_raffle: /gliraffle/licensedraffle/licencedraffle/societylottery
  ticket: /tickettype/ticket/admission/entry/pass/tier
`) as Readonly<Record<SourceKind, readonly string[]>>

/** Words in names of tables that belong to a guest, or to the person behind one. */
export const relatedWords = read(`
  person: /person/people/contact/user/profile/customer/member/constituent/donor
  consent: /consent/permission/preference/optin/gdpr
  address: /address/location/place/residence
`) as Readonly<Record<"person" | "consent" | "address", readonly string[]>>

/** Names of columns by field, besides the field's own name. Without `_`, in lower case. */
export const columnWords = read(`
  slug: /shortname/handle/code/subdomain/key
  name: /title/label/displayname/caption/headline/fullname
  status: /state/phase/stage
  currency: /currencycode/money/ccy/iso4217
  timezone: /tz/zone/zoneinfo
  starts: /startsat/startat/startdate/starttime/start/begins/beginsat/opensat/opens/doorsopen/eventdate/date/doors
  ends: /endsat/endat/enddate/endtime/end/closesat/closes/finish/finishesat/until
  created: /createdat/createddate/createdon/createtime/dateadded/registeredat/registerdate/insertedat
  externalId: /crmid/crmkey/externalref/reference/ref/sku/legacyid
  firstName: /forename/givenname/fname/first
  lastName: /surname/familyname/lname/last
  email: /mail/emailaddress/mailaddress/eaddress
  mobile: /phone/telephone/tel/cell/mobilephone/phonenumber/mobilenumber/cellphone
  companyName: /company/organisationname/employer/business/firm
  smsOptIn: /wantstexts/texts/textoptin/smsok/allowsms/sms
  consentAsked: /asked/wasasked/prompted
  consentStatus: /consented/given/agreed/granted/optedin/isactive
  consentChannels: /channels/ways/means/via
  line1: /street/address1/addressline1/street1/streetaddress/firstline/address/road
  line2: /address2/addressline2/street2/secondline/supplemental
  line3: /address3/addressline3/street3
  town: /city/locality/posttown
  postcode: /zip/zipcode/postalcode/code
  state: /region/county/province/stateprovince
  country: /countrycode/iso3166/countryiso
  price: /amount/cost/unitprice/fee
  startPrice: /startingprice/startingbid/openingbid/startbid/minimumbid/reserve/price
  ticketPrice: /price/pricepertticket/entryprice/cost
  amount: /value/suggestedamount/sum/price
  quantity: /stock/available/qty/count
  capacity: /quantity/stock/allocation/maxsold/seats/limit
  admits: /people/seatsperticket/covers/persons
  lotNumber: /lot/number/lotno/position
  maxTickets: /tickets/limit/quantity/stock
  draws: /drawsat/drawdate/drawnat/drawat
  closes: /closesat/closingtime/endsat/ends
  estimate: /estimatedvalue/value/retailvalue/fmv/marketvalue
  taxRate: /vat/vatrate/tax
  description: /details/body/text/blurb/longdescription
  termsDescription: /terms/smallprint/conditions/termsandconditions
  categories: /tags/keywords/labels/category
  revenueStreamType: /revenuestream/revenuetype/incometype/ledger
  licenceNumber: /licensenumber/licence/license/licenceno
  regulator: /authority/licensedby
`)

/** Columns that say that a row is deleted, and those that say which of several kinds it is. */
export const { deletedWords, sortWords } = read(`
  deletedWords: /deletedat/deletedon/deleted/isdeleted/removedat/cancelledat/canceledat/trashed
  sortWords: /type/kind/sort/category/class/itemtype
`) as Readonly<Record<"deletedWords" | "sortWords", readonly string[]>>

/** Words in values of a column that says which kind a row is. */
export const sortValues = read(`
  buy_now_item: /buynow/buyitnow/shop/fixed/fixedprice/product/merchandise/sale/direct
  auction_item: /auction/silentauction/liveauction/lot/silent/live/bid
  pledge: /pledge/donation/ask/appeal/fundaneed/cashask
  raffle: /raffle/draw/prizedraw/tombola/sweepstake
  gli_raffle: /gliraffle/licensedraffle/lottery
  ticket: /ticket/admission/entry/table/seat
`) as Readonly<Partial<Record<SourceKind, readonly string[]>>>
