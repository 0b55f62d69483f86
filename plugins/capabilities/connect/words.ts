import type { SourceKind } from "./kinds.ts"

type Words = Readonly<Record<string, readonly string[]>>

/** Reads lines of a name and its words, each behind a slash. */
function read(text: string): Words {
  const lines = text.trim().split("\n").map((line) => line.trim().split(/:? ?\//))
  return Object.fromEntries(lines.map(([name = "", ...words]) => [name, words]))
}

/** Words in names of tables, the likeliest first. Without `_`, in lower case and in the singular. */
export const tableWords = read(`
  organization: /organization/organisation/charity/nonprofit/foundation/organizer/organiser/org/tenant/client/company/society/trust/team/host/account/customer/partner
  event: /event/gala/fundraiser/campaign/occasion/function/ball/dinner/evening
  guest: /guest/attendee/participant/registration/attendance/bidder/supporter/invitee/delegate/rsvp/booking/member
  buy_now_item: /buynow/shopitem/product/fixedprice/merchandise/good/item/thing/offering/listing/offer
  auction_item: /auctionitem/auctionlot/lot/auction
  pledge: /pledge/ask/appeal/donationlevel/donation
  raffle: /raffle/prizedraw/draw/sweepstake/tombola/lottery
  gli_raffle: /gliraffle/licensedraffle/licencedraffle/societylottery
  ticket: /tickettype/ticket/admission/entry/pass/tier
`) as Readonly<Record<SourceKind, readonly string[]>>

/** Words in names of tables that belong to a guest, or to the person behind one. */
export const relatedWords = read(`
  person: /person/people/contact/profile/customer/member/constituent/donor/individual/user
  address: /address/location/place/residence
  giftAid: /giftaid/giftaiddeclaration/giftaidaddress
  email: /email/emailaddress
  phone: /phone/telephone/phonenumber
`) as Readonly<
  Record<"person" | "address" | "giftAid" | "email" | "phone", readonly string[]>
>

/** Names of columns by field, besides the field's own name. Without `_`, in lower case. */
export const columnWords = read(`
  slug: /shortname/handle/code/subdomain/key/urlname/alias
  name: /title/label/displayname/caption/headline/fullname/heading
  status: /state/phase/stage/active/isactive/enabled/isenabled/published/ispublished/live/islive/visible/isvisible/onsale
  currency: /currencycode/money/ccy/iso4217/currencyiso
  timezone: /tz/zone/zoneinfo/tzname
  starts: /startsat/startat/startson/startdate/starttime/startdatetime/start/begins/beginsat/opensat/opens/doorsopen/doorsat/eventdate/date/doors/heldon/from/datefrom
  ends: /endsat/endat/endson/endon/enddate/endtime/enddatetime/end/closesat/closes/finish/finishesat/until/to/dateto
  created: /createdat/createddate/createdon/createtime/createdtime/datecreated/dateadded/addedat/registeredat/registerdate/insertedat
  externalId: /crmid/crmkey/externalref/extref/reference/ref/crmref/sku/legacyid
  firstName: /forename/forenames/givenname/fname/first/firstnames/given
  lastName: /surname/familyname/lname/last/lastnames/family
  wholeName: /fullname/name/displayname/sortname
  email: /mail/emailaddress/emailaddr/mailaddress/eaddress
  mobile: /mob/telmob/mobiletel/phone/telephone/tel/cell/mobilephone/phonenumber/mobilenumber/mobileno/cellphone
  companyName: /company/organisationname/organizationname/employer/employername/business/firm
  addressName: /label
  line1: /street/address1/addr1/addressline1/street1/streetaddress/firstline/address/road
  line2: /address2/addr2/addressline2/street2/secondline/supplemental/supplementaladdress1
  line3: /address3/addr3/addressline3/street3
  line4: /address4/addr4/addressline4
  town: /city/locality/posttown
  postcode: /zip/pcode/zipcode/postalcode/code
  state: /region/county/province/stateprovince
  country: /countrycode/nation/iso3166/countryiso
  price: /amount/cost/unitprice/fee/buynowprice/fixedprice/ticketprice/saleprice
  startPrice: /startingprice/startingbid/openingbid/openingprice/startbid/minimumbid/minbid/reserve/reserveprice/price/unitprice
  ticketPrice: /price/pricepertticket/entryprice/cost/unitprice/amount
  amount: /value/suggestedamount/sum/price/unitprice
  increments: /increment/bidincrement/bidstep/minincrement/minimumincrement/step/raise
  quantity: /stock/available/qty/count/qtyavailable/stocklevel/inventory/units
  capacity: /quantity/stock/allocation/maxsold/seats/limit/qtyavailable/qty/available/stocklevel
  admits: /people/seatsperticket/covers/persons
  lotNumber: /lot/number/lotno/no/position/sortorder
  maxTickets: /tickets/limit/quantity/stock/qtyavailable/qty/stocklevel
  draws: /drawsat/drawdate/drawnat/drawat/closesat/closes
  closes: /closesat/closingtime/endsat/ends/biddingends
  estimate: /estimatedvalue/value/retailvalue/retailprice/fmv/marketvalue/fairmarketvalue/valuation/guideprice/worth
  taxRate: /vat/vatrate/tax/vatpct/taxpct/vatpercent/vatpercentage/taxpercent
  description: /details/detail/body/text/blurb/longdescription
  termsDescription: /terms/termstext/smallprint/conditions/termsandconditions
  categories: /tags/keywords/labels/category
  revenueStreamType: /revenuestream/revenuetype/incometype/ledger
  licenceNumber: /licensenumber/licence/license/licenceno
  regulator: /authority/licensedby/licencedby/licensing/licencing
`)

/** What names of columns are like that say that a row is deleted. */
export const deletedPattern =
  /^(is|was)?(deleted|removed|discarded|trashed|cancell?ed|voided|purged|erased|withdrawn)(at|on|date|time)?$|^(date|time)(deleted|removed)$|^archivedat$/

export const {
  /** Columns that say which of several kinds a row is: these, or what ends with one. */
  sortWords = [],
  /** Columns that say which row comes before the others. */
  firstWords = [],
  /** Columns by which rows of another table are called. */
  labelWords = [],
  /** Values of a guest's status that say that there is no such guest. */
  cancelledValues = [],
} = read(`
  sortWords: /type/kind/sort/category/class/variant/format
  firstWords: /isprimary/primary/isdefault/isbilling/ismain
  labelWords: /code/isocode/iso/iso2/alpha2/slug/name/title/label/description
  cancelledValues: /cancelled/canceled/withdrawn/declined/refunded/void/voided/deleted/removed/rejected/notattending/no
`)

/** How values begin that say which kind a row is, in the order in which they are tried; short ones are the whole value. */
export const sortValues = read(`
  gli_raffle: /gli/regulated/licen/lottery/society
  auction_item: /auction/auc/silent/live/lot/bid/sa/la
  buy_now_item: /buynow/buyitnow/buy/bin/shop/fixed/product/merch/sale/direct/store/retail/bn
  pledge: /pledge/plg/pl/donation/don/donate/ask/appeal/fund/paddle/gift
  raffle: /raffle/raf/rf/rfl/draw/prize/tombola/sweep
  ticket: /ticket/tkt/tix/tic/tk/admission/adm/entry/seat/table/pass/place
`) as Readonly<Partial<Record<SourceKind, readonly string[]>>>
