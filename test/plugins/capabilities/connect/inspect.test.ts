import { DatabaseSync } from "node:sqlite"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import t, { type Test } from "tap"
import { readMapping } from "../../../../plugins/capabilities/connect/mapping.ts"
import { planOf, watchedTables } from "../../../../plugins/capabilities/connect/triggers.ts"
import { inspect, writeMapping } from "../../../../plugins/capabilities/connect/inspect.ts"
import { openSource } from "../../../../plugins/capabilities/connect/sources/open.ts"
import { freshUrl } from "../../../support/database.ts"

/** Inspects a database with these tables. `rows` runs the SELECT that was written for a kind. */
async function inspectTables(t: Test, statements: string) {
  const url = await freshUrl(t, "sqlite")
  const database = new DatabaseSync(url.slice("sqlite:".length), {
    enableForeignKeyConstraints: false,
  })
  t.teardown(() => database.close())
  database.exec(statements)
  const source = await openSource(url)
  t.teardown(() => source.close())
  const found = await inspect(source)
  const of = (kind: string) => found.proposals.find((each) => each.kind === kind)
  const rows = (kind: string) =>
    database.prepare(of(kind)?.sql ?? "").all().map((row) => ({ ...row }))
  return { ...found, of, rows, text: writeMapping(found, url) }
}

t.test("inspect finds tables by foreign keys, endings and kinds of rows, whatever they are called", async (t) => {
  const { of, money, proposals, rows } = await inspectTables(
    t,
    `create table nonprofits (id integer primary key, legal_name text, url_slug text);
    create table gala_events (event_id integer primary key, nonprofit_id integer references nonprofits(id), headline text,
      phase text, currency_code text, "end" datetime, tz text);
    create table "order" (id integer primary key, given_name text, family_name text, primary_email text);
    create table people (person_id integer primary key, given_name text, primary_email text, deleted_at datetime);
    create table event_registrations (reg_id integer primary key, event_id integer references gala_events(event_id),
      buyer integer references people(person_id), is_deleted integer);
    create table catalogue_items (id integer primary key, event_id integer, item_type text, title text, "limit" integer,
      price_pence integer);
    insert into catalogue_items values (1, 1, 'Silent Auction', 'A', 1, 1), (2, 1, 'ticket', 'B', 1, 1);
    create table event_logs (id integer primary key, event_id integer);`,
  )
  t.equal(money, "minor")
  t.strictSame(proposals.map(({ kind }) => kind), [
    ...["organization", "event", "guest", "auction_item", "ticket"],
  ])
  t.match(
    of("organization")?.sql,
    /nonprofits\.url_slug as slug,\n {2}nonprofits\.legal_name as name/,
  )
  t.match(of("event")?.sql, /gala_events\."end" as ends/)
  t.match(of("guest")?.sql, /people\.primary_email as email/)
  t.match(
    of("guest")?.sql,
    /join people on people\.person_id = event_registrations\.buyer\nwhere coalesce\(event_registrations\.is_deleted, 0\) = 0 and people\.deleted_at is null/,
  )
  t.strictSame(of("guest")?.keys, [
    "event_registrations: reg_id",
    'people: { column: person_id, of: "select reg_id from event_registrations where buyer = ?" }',
  ])
  t.match(of("ticket")?.sql, /catalogue_items\.price_pence as price/)
  t.match(of("ticket")?.sql, /catalogue_items\."limit" as capacity[\s\S]*item_type in \('ticket'\)/)
  for (const { kind } of proposals) t.ok(rows(kind), "the database understands it")
})

t.test("inspect writes a mapping that can be read, whatever it does not find", async (t) => {
  const tables = [
    "create table guests (id integer primary key, first_name text, last_name text, event_id integer)",
    "create table events (id integer primary key, name text, starts_at datetime)",
    "create table events (a integer, b integer, name text, starts_at datetime, primary key (a, b))",
    `create table "crm.Events" (id integer primary key, "name" text, "Starts at" datetime);
    create table "true" (id integer primary key, "crm.Events_id" integer references "crm.Events"(id), first_name text,
      last_name text, "e-mail" text)`,
    `create table "événements" ("clé" integer primary key, name text, starts_at datetime);
    create table "guest""s list" ("id.no" integer primary key, "événement_id" integer references "événements"("clé"),
      "last name" text, email text)`,
  ]
  for (const statements of tables) {
    const { text, proposals, rows } = await inspectTables(t, statements)
    if (proposals.length === 0) continue
    const file = join(t.testdir(), "platform.yaml")
    writeFileSync(file, text)
    const { selects, keys } = readMapping(file, {})
    t.strictSame([...selects.keys()].slice(0, 2), ["organization", "event"], statements)
    for (const kind of selects.keys()) t.strictSame(rows(kind).slice(1), [], kind)
    for (const { apply } of planOf("sqlite", watchedTables({ keys }))) t.ok(apply.length > 0)
  }
  const { text } = await inspectTables(t, tables[0] as string)
  t.match(text, /# event: no table looks like one of events/)
})

t.test("inspect joins addresses although a person has an e-mail address, and guesses no consent", async (t) => {
  const { of, rows } = await inspectTables(
    t,
    `create table events (id integer primary key, name text, starts_at datetime);
    create table people (id integer primary key, given_names text, family_name text, email_address text,
      sms integer);
    create table attendances (id integer primary key, event_id integer, person_id integer);
    create table addresses (id integer primary key, person_id integer, line_1 text, is_primary tinyint);
    create table marketing_prefs (id integer primary key, person_id integer, email_opt_in tinyint, do_not_call tinyint);
    insert into people values (1, 'Ada', 'L', 'a@x.example', 1);
    insert into attendances values (1, 1, 1);
    insert into addresses values (1, 1, 'Mill', 0), (2, 1, 'Lane', 1);
    insert into marketing_prefs values (1, 1, 1, 0);`,
  )
  t.match(rows("guest"), [{ email: "a@x.example", mainAddressLine1: "Lane" }])
  t.notMatch(of("guest")?.sql, /consent|marketing_prefs|sms/)
  t.match(of("guest")?.notes.join("\n"), /consent is never guessed/)
})

t.test("inspect prefers a table with the columns of a kind to one with its name, and knows frameworks", async (t) => {
  const { of, rows, timeZone, text } = await inspectTables(
    t,
    `create table django_migrations (id integer primary key, app text, name text);
    create table mailer_campaign (id integer primary key, client_id integer, subject text, sent datetime);
    create table tenancy_client (id integer primary key, legal_name text, subdomain text, is_deleted bool);
    create table functions_function (id integer primary key, client_id integer references tenancy_client(id), title text,
      state text, currency text, tz text, doors_open datetime, finish datetime, is_deleted bool);
    create table auth_user (id integer primary key, first_name text, last_name text, email text);
    create table crm_person (id integer primary key, given_name text, family_name text, email text);
    create table crm_preference (id integer primary key, person_id integer references crm_person(id), email bool, sms bool,
      asked_on date);
    create table crm_address (id integer primary key, person_id integer references crm_person(id), kind text, line1 text);
    create table functions_invitee (id integer primary key, function_id integer references functions_function(id),
      created_by_id integer references auth_user(id), person_id integer references crm_person(id), rsvp text);
    create table offering (id integer primary key, function_id integer references functions_function(id), offering_type text,
      headline text, unit_price decimal, is_live bool, category_id integer);
    create table category (id integer primary key, name text);
    insert into crm_person values (1, 'Ada', 'L', 'a@x.example'), (2, 'Bo', 'M', 'n/a'), (3, 'Cy', 'N', '');
    insert into crm_preference values (1, 1, 1, 1, '2026-01-01'), (2, 2, 0, 0, null);
    insert into crm_address values (1, 1, 'work', 'Mill'), (2, 1, 'home', 'Lane'), (3, 2, 'work', 'Road');
    insert into functions_invitee values (1, 1, 1, 1, 'yes'), (2, 1, 1, 2, 'maybe'), (3, 1, 1, 3, 'no');
    insert into category values (1, 'Food, Drink');
    insert into offering values (1, 1, 'AUC', 'A', 1, 1, 1), (2, 1, 'BUY', 'B', 1, 0, null), (3, 1, 'EXP', 'C', 1, 1, 1);`,
  )
  t.equal(timeZone, "UTC")
  t.match(text, /# offering\.offering_type: nothing takes EXP\./)
  t.match(of("event")?.sql, /functions_function\.doors_open as starts/)
  t.match(rows("guest"), [
    { id: 1, event: 1, firstName: "Ada", email: "a@x.example", mainAddressLine1: "Mill" },
    { id: 2, firstName: "Bo", email: "n/a", mainAddressLine1: "Road" },
  ])
  t.equal(rows("guest").length, 2, "who has declined is left out")
  t.match(rows("auction_item"), [{ name: "A", status: "active", categories: '["Food, Drink"]' }])
  t.match(rows("buy_now_item"), [{ name: "B", status: "inactive", categories: null }])
})

t.test("inspect takes no volunteers for guests, but the members of a party by way of it", async (t) => {
  const { of } = await inspectTables(
    t,
    `create table events (id integer primary key, name text, starts_at datetime, ends_at datetime);
    create table individuals (id integer primary key, first_name text, last_name text, email text, city text, county text);
    create table parties (id integer primary key, event_id int, lead_individual_id int, total decimal(10,2));
    create table party_members (id integer primary key, party_id int, individual_id int, state text);
    create table volunteers (id integer primary key, event_id int, first_name text, last_name text, email text);
    create table waiting_list (id integer primary key, event_id int, first_name text, last_name text, email text);`,
  )
  t.match(of("guest")?.sql, /parties\.event_id as event,[^]*from party_members\n/)
  t.match(of("guest")?.sql, /individuals\.county as mainAddressState/)
})

t.test("inspect takes nobody for the person who only served the guest", async (t) => {
  const { of } = await inspectTables(
    t,
    `create table events (id integer primary key, name text, starts_at datetime, ends_at datetime);
    create table admins (id integer primary key, last_name text, email text);
    create table attendees (id integer primary key, event_id int, last_name text, email text,
      admin_id int references admins (id));`,
  )
  t.match(of("guest")?.sql, /attendees\.last_name as lastName/)
  t.notMatch(of("guest")?.sql, /admins/)
})

t.test("inspect follows tables between and tables of values", async (t) => {
  const { of, rows } = await inspectTables(
    t,
    `create table "Account" (id integer primary key, "displayName" text);
    create table "Currency" (id integer primary key, code text, name text);
    create table "Fundraiser" (id integer primary key, "accountId" integer references "Account"(id), heading text,
      "currencyId" integer references "Currency"(id), "beginsAt" datetime, "removedAt" datetime);
    create table "Person" (id integer primary key, "firstName" text, "lastName" text, "addressId" integer);
    create table "PersonEmail" (id integer primary key, "personId" integer references "Person"(id), address text,
      "isPrimary" boolean);
    create table "Address" (id integer primary key, line1 text);
    create table "Booking" (id integer primary key, "fundraiserId" integer references "Fundraiser"(id), ref text);
    create table "Attendee" (id integer primary key, "bookingId" integer references "Booking"(id),
      "personId" integer references "Person"(id));
    create table "ListingType" (id integer primary key, code text, label text);
    create table "Listing" (id integer primary key, "fundraiserId" integer references "Fundraiser"(id), title text,
      "listingTypeId" integer references "ListingType"(id), "priceGbp" decimal, "minIncrement" decimal);
    insert into "Currency" values (1, 'USD', 'Dollar');
    insert into "Fundraiser" values (1, 1, 'Night', 1, '2026-01-01', null);
    insert into "Person" values (1, 'Ada', 'L', 1);
    insert into "PersonEmail" values (1, 1, 'old@x.example', 0), (2, 1, 'new@x.example', 1);
    insert into "Address" values (1, 'Lane');
    insert into "Booking" values (7, 1, 'B');
    insert into "Attendee" values (1, 7, 1);
    insert into "ListingType" values (4, 'DRAW', 'Prize draw'), (5, 'X', 'Live auction');
    insert into "Listing" values (1, 1, 'Hamper', 4, 5, null), (2, 1, 'Trip', 5, 100, 10);`,
  )
  t.match(rows("event"), [{ name: "Night", currency: "USD" }])
  t.match(of("organization")?.sql, /concat\('organization-', "Account"\.id\) as slug/)
  t.match(rows("guest"), [{ event: 1, email: "new@x.example", mainAddressLine1: "Lane" }])
  t.match(rows("raffle"), [{ name: "Hamper", ticketPrice: 5 }])
  t.match(rows("auction_item"), [{ name: "Trip", startPrice: 100, increments: 10 }])
  t.match(of("guest")?.keys, [
    "Attendee: id",
    /^Booking: .*where \\"bookingId\\" = \?/,
    "Person: { column: id",
    /^Address: .*where \\"Person\\"\.\\"addressId\\" = \?/,
    "PersonEmail: { column: personId",
  ])
  t.strictSame(of("event")?.keys, ["Fundraiser: id"], "a list of currencies needs no triggers")
})

t.test("inspect takes columns whose names are like those of a field, if their type can hold it", async (t) => {
  const { of, rows } = await inspectTables(
    t,
    `create table charities (id integer primary key, name text, slug text, billing_email text);
    create table venues (id integer primary key, name text);
    create table "gift aid" ("contact-id" integer references contacts(id), address1 text);
    create table events (id integer primary key, charity_id integer, venue_id integer, title text, aasm_state text,
      currency text, time_zone text, start_on datetime, end_on datetime, starting_count integer, discarded_at datetime);
    create table contacts (id integer primary key, first_name text, last_name text, primary_email text,
      contact_by_sms boolean, consent_given_at datetime);
    create table orders (id integer primary key, event_id integer, contact_id integer, total decimal);
    create table guests (id integer primary key, event_id integer, invited_by_id integer, contact_id integer,
      crm_reference text);
    create table items (id integer primary key, event_id integer, type text, name text, start_price decimal,
      price_in_pounds decimal, quantity_available integer, vat_percentage decimal, licence_no text, licensing_body text);
    insert into events values (1, 1, 1, 'Ball', 'open', 'GBP', 'Europe/London', '2026-01-01', '2026-01-02', 4, null),
      (2, 1, 1, 'Gone', 'open', 'GBP', 'Europe/London', '2026-01-01', '2026-01-02', 4, '2026-01-01');
    insert into contacts values (1, 'Ada', 'L', 'a@x.example', 1, '2026-01-01'), (2, 'Bo', 'M', '', 0, null);
    insert into guests values (1, 1, 2, 1, 'R1');
    insert into items values (1, 1, 'BuyItNow', 'A', 1, 12.5, 3, 20, null, null),
      (2, 1, 'LicensedRaffle', 'B', null, 2, 100, null, 'L1', 'GC');`,
  )
  t.match(of("organization")?.sql, /from charities/)
  t.match(rows("event"), [{
    name: "Ball",
    status: "open",
    starts: "2026-01-01",
    ends: "2026-01-02",
  }])
  t.equal(rows("event").length, 1, "what is discarded is left out")
  t.match(rows("guest"), [{ firstName: "Ada", email: "a@x.example", externalId: "R1" }])
  t.match(of("guest")?.sql, /left join "gift aid" on "gift aid"\."contact-id" = contacts\.id/)
  t.match(of("guest")?.keys.at(-1), /^"gift aid": \{ column: "contact-id", of: /)
  t.match(rows("buy_now_item"), [{ price: 12.5, quantity: 3, taxRate: 20 }])
  t.match(rows("gli_raffle"), [{ ticketPrice: 2, licenceNumber: "L1", regulator: "GC" }])
  t.match(of("event")?.notes.join("; "), /starts: start_on is a guess/)
})

t.test("inspect reads names that begin with their table's, letters for flags, and codes that only people know", async (t) => {
  const { of, rows, text } = await inspectTables(
    t,
    `create table tblEvents (EventID integer primary key, EventName text, EventStatus tinyint, StartDateTime datetime);
    create table tblCustomers (CustomerID integer primary key, FullName text, EmailOptIn char(1), Deleted char(1),
      DoNotPhone char(1), PostOptIn char(1), DoNotPost char(1), PreferredPhoneID integer);
    create table tblEventCustomers (ID integer primary key, EventID integer, CustomerID integer, Cancelled tinyint);
    create table tblMailingLog (LogID integer primary key, EventID integer, Status text, CustomerName text);
    create table tblItems (ItemID integer primary key, EventID integer, ItemType tinyint, ItemName text, Price decimal);
    insert into tblEvents values (1, 'Ball', 2, '2026-01-01');
    insert into tblCustomers values (1, 'Ada Lovelace', 'Y', 'N', 'N', 'Y', 'Y', 1), (2, 'Bo', 'N', 'Y', 'N', 'N', 'N', 1);
    insert into tblEventCustomers values (1, 1, 1, 0), (2, 1, 1, 1), (3, 1, 2, 0);
    insert into tblItems values (1, 1, 1, 'A', 5), (2, 1, 2, 'B', 5);`,
  )
  t.match(rows("organization"), [{ id: 1, slug: "main" }])
  t.match(rows("event"), [{ organization: 1, name: "Ball", status: 2, starts: "2026-01-01" }])
  t.match(rows("guest"), [{ id: 1, event: 1, lastName: "Ada Lovelace" }])
  t.equal(
    rows("guest").length,
    1,
    "a guest who is cancelled, and a person who is deleted, are left out",
  )
  t.notMatch(of("guest")?.sql, / as mobile/, "a letter is not a telephone number")
  t.match(rows("raffle"), [])
  t.match(text, /# raffle: ItemType has 1, 2: write in place of null which of them it is\./)
  t.match(of("gli_raffle")?.notes.join("\n"), /licenceNumber: .*rows without it are refused/)
})

t.test("inspect takes texts named like times for times, and makes up no time and no price", async (t) => {
  const { of, rows } = await inspectTables(
    t,
    `create table tenant (id integer primary key, handle text, display_name text);
    create table happening (id integer primary key, tenant_id integer references tenant(id), headline text, state text,
      begun text, finishes text, tz text, ccy text, removed_at text);
    create table contact (id integer primary key, given_name text, family_name text, asked_on text);
    create table booking (id integer primary key, happening_id integer references happening(id),
      contact_id integer references contact(id), cancelled_on text);
    create table sale_item (id integer primary key, happening_id integer references happening(id), item_kind text,
      headline text, detail text);
    insert into tenant values (1, 'agnes', 'St Agnes');
    insert into happening values (1, 1, 'Ball', 'open', '2026-01-01', '2026-01-02', 'Europe/London', 'GBP', null),
      (2, 1, 'Gone', 'open', '2026-01-01', '2026-01-02', 'Europe/London', 'GBP', '2026-01-01 10:00:00');
    insert into contact values (1, 'Ada', 'L', '2026-01-01 10:00:00'), (2, 'Bo', 'M', null);
    insert into booking values (1, 1, 1, null), (2, 1, 2, null), (3, 1, 1, '2026-01-01');
    insert into sale_item values (1, 1, 'buy_now', 'Week', 'By the sea');`,
  )
  t.match(rows("event"), [{ name: "Ball", starts: null }])
  t.match(of("event")?.notes.join("; "), /starts: .* rows without it are refused/)
  t.strictSame(rows("guest").map(({ id }) => id), [1, 2])
  t.match(rows("buy_now_item"), [{ description: "By the sea", price: null }])
})

t.test("inspect takes the first of several rows, also of a table with a key of two columns", async (t) => {
  const { of, rows } = await inspectTables(
    t,
    `create table events (id integer primary key, name text, starts_at datetime);
    create table guests (id integer primary key, event_id integer references events(id), last_name text);
    create table addresses (guest_id integer references guests(id), sort text, street text, primary key (guest_id, sort));
    insert into events values (1, 'Ball', '2026-01-01');
    insert into guests values (1, 1, 'Lovelace'), (2, 1, 'Moore'), (3, 1, 'None');
    insert into addresses values (1, 'billing', 'Mill'), (1, 'home', 'Lane'), (2, 'work', 'Road'), (2, 'club', 'Yard');`,
  )
  t.match(rows("guest"), [
    { id: 1, mainAddressLine1: "Mill" },
    { id: 2, mainAddressLine1: "Yard" },
    { id: 3, mainAddressLine1: null },
  ])
  t.equal(rows("guest").length, 3)
  t.strictSame(of("guest")?.keys, ["guests: id", "addresses: guest_id"])
})

t.test("inspect keeps guests who have no person, and leaves out those whose person is erased", async (t) => {
  const { of, rows } = await inspectTables(
    t,
    `create table events (id integer primary key, name json, starts_at datetime);
    create table customers (id integer primary key, last_name text, phone text, erased_at datetime not null default '0000-00-00');
    create table orders (id integer primary key, event_id integer references events(id));
    create table order_lines (id integer primary key, order_id integer references orders(id));
    create table attendees (id integer primary key, order_line_id integer references order_lines(id),
      customer_id integer references customers(id), last_name text);
    insert into events values (1, 'Ball', '2026-01-01');
    insert into orders values (1, 1);
    insert into order_lines values (1, 1);
    insert into customers (id, phone) values (1, '1');
    insert into customers (id, phone, erased_at) values (2, '2', '2026-01-01');
    insert into attendees values (1, 1, 1, 'Moore'), (2, 1, 2, 'Erased'), (3, 1, null, 'Friend');`,
  )
  t.match(rows("guest"), [
    { id: 1, event: 1, lastName: "Moore", mobile: "1" },
    { id: 3, event: 1, lastName: "Friend", mobile: null },
  ])
  t.match(of("guest")?.notes.join(), /guests without one are taken/)
  t.match(of("event")?.notes.join(), /name: name is JSON/)
})

t.test("inspect follows foreign keys of SQLite without a column, and takes the guest rather than who booked", async (t) => {
  const { of, rows } = await inspectTables(
    t,
    `create table EventStatuses (EventStatusId integer primary key, Description text);
    create table Events (EventId integer primary key, Title text, StartsAt datetime, EndsAt datetime,
      EventStatusId int references eventstatuses);
    create table People (PersonId integer primary key, FamilyName text, Email text,
      MergedIntoPersonId int references People);
    create table AttendeeStatuses (AttendeeStatusId integer primary key, Description text);
    insert into AttendeeStatuses values (1, 'Accepted'), (2, 'Declined');
    create table Attendees (AttendeeId integer primary key, EventId int references Events,
      AttendeeStatusId int references AttendeeStatuses,
      BookedByPersonId int references People, AttendingPersonId int references People, HostPersonId int references People);
    create table Companions (CompanionId integer primary key, EventId int references Events,
      Buyer int references People, PersonId int references People);
    insert into EventStatuses values (1, 'Draft');
    insert into Events values (1, 'Gala', '2027-01-01', '2027-01-02', 1);
    insert into People values (1, 'Booker', 'b@x.example', null), (2, 'Guest', 'g@x.example', null);
    insert into Attendees values (1, 1, 1, 1, 2, 1), (2, 1, 2, 1, 2, 1);`,
  )
  t.match(rows("event"), [{ status: "Draft" }])
  t.match(rows("guest"), [{ id: 1, lastName: "Guest" }])
  t.equal(rows("guest").length, 1, "nobody who declined, as another table says")
  t.match(of("guest")?.keys, ["Attendees: AttendeeId", /^People: \{ column: PersonId, of: /])
})

t.test("inspect follows keys that are called alike, shortened names of tables, and no times of day", async (t) => {
  const { of, rows, text } = await inspectTables(
    t,
    `create table clients (client_code text primary key, client_name text);
    create table functions (func_no integer primary key, client_code text, func_title text, func_date date, start_time time,
      func_status enum, code text);
    create table countries (code text primary key, name text);
    create table persons (pers_no integer primary key, forenames text, surname text, email_addr text);
    create table bookings (booking_no integer primary key, func_no integer, pers_no integer);
    create table seats (func_no integer, seat_no integer, primary key (func_no, seat_no));
    insert into clients values ('AGNES', 'St Agnes');
    insert into functions values (1, 'AGNES', 'Ball', '2026-10-25', '19:30:00', 'P', 'GB');
    insert into persons values (5, 'Ada', 'L', 'a@x.example');
    insert into bookings values (7, 1, 5);`,
  )
  t.match(rows("event"), [
    { id: 1, organization: "AGNES", name: "Ball", status: "P", starts: "2026-10-25" },
  ])
  t.match(rows("guest"), [{ id: 7, event: 1, firstName: "Ada", email: "a@x.example" }])
  t.notMatch(of("event")?.sql, /countries/)
  t.match(text, /No table was found for .*; those with a key of several columns are not tried/)
})
