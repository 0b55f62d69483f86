import { DatabaseSync } from "node:sqlite"
import t from "tap"
import { inspect } from "../../../../plugins/capabilities/connect/inspect.ts"
import { openSource } from "../../../../plugins/capabilities/connect/sources/open.ts"
import { freshUrl } from "../../../support/database.ts"

t.test("inspect finds tables by foreign keys, endings and kinds of rows, whatever they are called", async (t) => {
  const url = await freshUrl(t, "sqlite")
  const database = new DatabaseSync(url.slice("sqlite:".length))
  t.teardown(() => database.close())
  database.exec(`
    create table nonprofits (id integer primary key, legal_name text, url_slug text);
    create table gala_events (event_id integer primary key, nonprofit_id integer references nonprofits(id), headline text,
      phase text, currency_code text, "end" datetime, tz text);
    create table "order" (id integer primary key, given_name text, family_name text, primary_email text);
    create table people (person_id integer primary key, given_name text, primary_email text, deleted_at datetime);
    create table event_registrations (reg_id integer primary key, event_id integer references gala_events(event_id),
      buyer integer references people(person_id), is_deleted integer);
    create table catalogue_items (id integer primary key, event_id integer, item_type text, title text, "limit" integer,
      price_pence integer);
    insert into catalogue_items values (1, 1, 'Silent Auction', 'A', 1, 1), (2, 1, 'ticket', 'B', 1, 1);
    create table event_logs (id integer primary key, event_id integer);`)
  const source = await openSource(url)
  t.teardown(() => source.close())
  const { proposals, money } = await inspect(source)
  const of = (kind: string) => proposals.find((each) => each.kind === kind)
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
  for (const { sql } of proposals) t.ok(database.prepare(sql), "the database understands it")
})
