-- kysely_migration
CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);

-- kysely_migration_lock
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);

-- organization
CREATE TABLE "organization" ("id" text not null, "slug" text not null, "name" text not null, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, constraint "organization_pk" primary key ("id"), constraint "organization_slug" unique ("slug"));

-- event
CREATE TABLE "event" ("id" text not null, "organization_id" text not null, "external_id" text, "name" text not null, "status" text not null, "currency" text not null, "timezone" text not null, "starts" integer not null, "ends" integer not null, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, constraint "event_pk" primary key ("id"), constraint "event_organization" foreign key ("organization_id") references "organization" ("id"));

-- event_newest
CREATE INDEX "event_newest" on "event" ("organization_id", "updated", "id");

-- guest
CREATE TABLE "guest" ("event_id" text not null, "id" text not null, "first_name" text not null, "last_name" text not null, "email" text not null, "mobile" text not null, "external_id" text not null, "sms_opt_in" integer not null, "company_name" text, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, "export_version" integer not null default 0, constraint "guest_pk" primary key ("event_id", "id"), constraint "guest_event" foreign key ("event_id") references "event" ("id"));

-- consent
CREATE TABLE "consent" ("event_id" text not null, "guest_id" text not null, "asked" integer not null, "status" text not null, "channels" text not null, constraint "consent_pk" primary key ("event_id", "guest_id"), constraint "consent_guest" foreign key ("event_id", "guest_id") references "guest" ("event_id", "id") on delete cascade, constraint "consent_status" check (status in ('active', 'inactive')));

-- address
CREATE TABLE "address" ("event_id" text not null, "guest_id" text not null, "kind" text not null, "name" text not null, "line1" text not null, "line2" text, "line3" text, "line4" text, "town" text not null, "postcode" text not null, "state" text, "country" text not null, "recipient_name" text not null, constraint "address_pk" primary key ("event_id", "guest_id", "kind"), constraint "address_guest" foreign key ("event_id", "guest_id") references "guest" ("event_id", "id") on delete cascade, constraint "address_kind" check (kind in ('main', 'gift_aid', 'tax_receipt')));

-- buy_now_item
CREATE TABLE "buy_now_item" ("event_id" text not null, "id" text not null, "name" text not null, "status" text not null, "revenue_stream_type" text not null, "external_id" text, "categories" text not null, "irs_subcategory" text, "description" text, "terms_description" text, "price" integer not null, "quantity" integer, "tax_rate" real, "estimate" integer, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, "export_version" integer not null default 0, constraint "buy_now_item_pk" primary key ("event_id", "id"), constraint "buy_now_item_event" foreign key ("event_id") references "event" ("id"));

-- auction_item
CREATE TABLE "auction_item" ("event_id" text not null, "id" text not null, "name" text not null, "status" text not null, "revenue_stream_type" text not null, "external_id" text, "categories" text not null, "irs_subcategory" text, "description" text, "terms_description" text, "lot_number" integer not null, "start_price" integer not null, "increments" text not null, "estimate" integer, "tax_rate" real, "closes" integer, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, "export_version" integer not null default 0, constraint "auction_item_pk" primary key ("event_id", "id"), constraint "auction_item_event" foreign key ("event_id") references "event" ("id"));

-- pledge
CREATE TABLE "pledge" ("event_id" text not null, "id" text not null, "name" text not null, "status" text not null, "revenue_stream_type" text not null, "external_id" text, "categories" text not null, "irs_subcategory" text, "description" text, "terms_description" text, "amount" integer, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, "export_version" integer not null default 0, constraint "pledge_pk" primary key ("event_id", "id"), constraint "pledge_event" foreign key ("event_id") references "event" ("id"));

-- raffle
CREATE TABLE "raffle" ("event_id" text not null, "id" text not null, "name" text not null, "status" text not null, "revenue_stream_type" text not null, "external_id" text, "categories" text not null, "irs_subcategory" text, "description" text, "terms_description" text, "ticket_price" integer not null, "max_tickets" integer, "draws" integer, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, "export_version" integer not null default 0, constraint "raffle_pk" primary key ("event_id", "id"), constraint "raffle_event" foreign key ("event_id") references "event" ("id"));

-- gli_raffle
CREATE TABLE "gli_raffle" ("event_id" text not null, "id" text not null, "name" text not null, "status" text not null, "revenue_stream_type" text not null, "external_id" text, "categories" text not null, "irs_subcategory" text, "description" text, "terms_description" text, "ticket_price" integer not null, "max_tickets" integer, "draws" integer, "licence_number" text not null, "regulator" text not null, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, "export_version" integer not null default 0, constraint "gli_raffle_pk" primary key ("event_id", "id"), constraint "gli_raffle_event" foreign key ("event_id") references "event" ("id"));

-- ticket
CREATE TABLE "ticket" ("event_id" text not null, "id" text not null, "name" text not null, "status" text not null, "revenue_stream_type" text not null, "external_id" text, "categories" text not null, "irs_subcategory" text, "description" text, "terms_description" text, "price" integer not null, "capacity" integer, "admits" integer not null, "tax_rate" real, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, "export_version" integer not null default 0, constraint "ticket_pk" primary key ("event_id", "id"), constraint "ticket_event" foreign key ("event_id") references "event" ("id"));

-- account
CREATE TABLE "account" ("id" text not null primary key, "username" text not null unique, "password" text not null, "role" text not null, "epoch" integer default 0 not null, "disabled" integer default 0 not null, "demonstration" integer default 0 not null, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, constraint "account_role" check (role in ('service', 'partner', 'operator')));

-- access_grant
CREATE TABLE "access_grant" ("id" text not null primary key, "account_id" text not null, "organization_id" text, "event_id" text, "created" integer default (unixepoch()) not null, "ends" integer, "networks" text, constraint "access_grant_organization_once" unique ("account_id", "organization_id"), constraint "access_grant_event_once" unique ("account_id", "event_id"), constraint "access_grant_one_of_two" check ((organization_id is null) <> (event_id is null)), constraint "access_grant_account" foreign key ("account_id") references "account" ("id") on delete cascade, constraint "access_grant_organization" foreign key ("organization_id") references "organization" ("id"), constraint "access_grant_event" foreign key ("event_id") references "event" ("id"));

-- session
CREATE TABLE "session" ("id" text not null primary key, "account_id" text not null, "created" integer not null, "expires" integer not null, "used" integer, "reason" text, constraint "session_account" foreign key ("account_id") references "account" ("id") on delete cascade);

-- session_expires
CREATE INDEX "session_expires" on "session" ("account_id", "expires");

-- account_activity
CREATE TABLE "account_activity" ("account_id" text not null primary key, "last_log_in" integer, "last_poll" integer, "refused" integer, "refused_code" text, "refused_request" text, "refused_session" text, "refused_address" text);

-- rate_limit
CREATE TABLE "rate_limit" ("name" text not null primary key, "points" integer not null, "expires" integer not null, "blocked_until" integer);

-- rate_limit_expires
CREATE INDEX "rate_limit_expires" on "rate_limit" ("expires");

-- audit_log
CREATE TABLE "audit_log" ("seq" integer not null primary key autoincrement, "at" integer not null, "action" text not null, "account" text, "address" text not null, "request_id" text not null, "plugin" text, "route" text, "event_id" text, "since" integer, "first" integer, "cursor_text" text, "search_length" integer, "sent" integer, "status" integer not null, "code" text, "milliseconds" integer not null, "actor" text, "detail" text);

-- audit_log_at
CREATE INDEX "audit_log_at" on "audit_log" ("at");

-- audit_log_account
CREATE INDEX "audit_log_account" on "audit_log" ("account", "at");

-- audit_log_event
CREATE INDEX "audit_log_event" on "audit_log" ("event_id", "at");

-- session_ends
CREATE INDEX "session_ends" on "session" ("expires");

-- log_in_network
CREATE TABLE "log_in_network" ("account_id" text not null, "network" text not null, "last_used" integer not null, constraint "log_in_network_key" primary key ("account_id", "network"), constraint "log_in_network_account" foreign key ("account_id") references "account" ("id") on delete cascade);

-- log_in_network_last_used
CREATE INDEX "log_in_network_last_used" on "log_in_network" ("last_used");

-- event_change
CREATE TABLE "event_change" ("seq" integer not null primary key autoincrement, "event_id" text not null, "at" integer not null, "mark" integer not null);

-- event_change_event
CREATE INDEX "event_change_event" on "event_change" ("event_id", "seq", "mark");

-- event_version
CREATE TABLE "event_version" ("event_id" text not null primary key, "seq" integer not null, "changes" integer not null, "mark" integer not null);

-- deletion
CREATE TABLE "deletion" ("event_id" text not null, "category" text not null, "record_id" text not null, "at" integer not null, "created" integer, "updated" integer, constraint "deletion_pk" primary key ("event_id", "category", "record_id"));

-- deletion_latest
CREATE INDEX "deletion_latest" on "deletion" ("event_id", "category", "at", "record_id");

-- vacant_position
CREATE TABLE "vacant_position" ("seq" integer not null primary key autoincrement, "event_id" text not null, "category" text not null, "record_id" text not null, "updated" integer not null, "at" integer not null);

-- vacant_position_newest
CREATE INDEX "vacant_position_newest" on "vacant_position" ("event_id", "category", "updated", "record_id", "at");

-- change_state
CREATE TABLE "change_state" ("id" integer not null primary key, "complete_since" integer not null, "clock" integer not null, "top" integer not null, "settled" integer not null, "epoch" integer);

-- clock_step
CREATE TABLE "clock_step" ("reached" integer not null primary key, "back_to" integer not null);

-- watched_table
CREATE TABLE "watched_table" ("name" text not null primary key, "made" text not null);

-- guest_newest
CREATE INDEX "guest_newest" on "guest" ("event_id", "updated", "id", "export_version");

-- buy_now_item_newest
CREATE INDEX "buy_now_item_newest" on "buy_now_item" ("event_id", "updated", "id", "export_version");

-- auction_item_newest
CREATE INDEX "auction_item_newest" on "auction_item" ("event_id", "updated", "id", "export_version");

-- pledge_newest
CREATE INDEX "pledge_newest" on "pledge" ("event_id", "updated", "id", "export_version");

-- raffle_newest
CREATE INDEX "raffle_newest" on "raffle" ("event_id", "updated", "id", "export_version");

-- gli_raffle_newest
CREATE INDEX "gli_raffle_newest" on "gli_raffle" ("event_id", "updated", "id", "export_version");

-- ticket_newest
CREATE INDEX "ticket_newest" on "ticket" ("event_id", "updated", "id", "export_version");

-- audit_log_request
CREATE INDEX "audit_log_request" on "audit_log" ("request_id");

-- audit_log_status
CREATE INDEX "audit_log_status" on "audit_log" ("status", "at");

-- sync_state
CREATE TABLE "sync_state" ("account_id" text not null, "event_id" text not null, "prefix" text not null, "list" text not null, "family" text not null, "kind" text not null, "last_poll" integer, "poll_interval" integer, "walk_started" integer, "walk_since" integer, "walk_next" integer, "previous_started" integer, "third_started" integer, "first_started" integer, "walk_completed" integer, "completed_next" integer, "acknowledged" integer, "acknowledged_at" integer, "records" integer default 0 not null, "first_error" integer, "error_at" integer, "error_status" integer, "error_code" text, "error_request" text, constraint "sync_state_pk" primary key ("account_id", "event_id", "prefix", "list"));

-- sync_state_covered
CREATE INDEX "sync_state_covered" on "sync_state" ("event_id", "kind", "completed_next");

-- sync_state_error
CREATE INDEX "sync_state_error" on "sync_state" ("account_id", "error_at");

-- partner_hour
CREATE TABLE "partner_hour" ("account_id" text not null, "hour" integer not null, "polls" integer not null, "walks" integer not null, "records" integer not null, "errors" integer not null, "lag" integer, constraint "partner_hour_pk" primary key ("account_id", "hour"));

-- partner_hour_hour
CREATE INDEX "partner_hour_hour" on "partner_hour" ("hour");

-- instance
CREATE TABLE "instance" ("id" text not null primary key, "host" text not null, "pid" integer not null, "url" text, "version" text not null, "started" integer not null, "seen" integer not null, "ready" integer not null, "config_file" text not null, "config_hash" text not null, "config_since" integer not null, "reload_at" integer, "reload_result" text, "reload_reason" text);

-- record_start
CREATE TABLE "record_start" ("event_id" text not null, "category" text not null, "record_id" text not null, "time" integer not null, constraint "record_start_pk" primary key ("event_id", "category", "record_id"));

-- field_set
CREATE TABLE "field_set" ("id" text not null primary key, "fields" text not null);

-- disclosure
CREATE TABLE "disclosure" ("seq" integer not null primary key autoincrement, "event_id" text not null, "account_id" text not null, "prefix" text not null, "list" text not null, "fields" text not null, "whole" integer not null, "from_time" integer not null, "to_time" integer not null, "first_at" integer not null, "last_at" integer not null, "first_next" integer not null);

-- disclosure_event
CREATE INDEX "disclosure_event" on "disclosure" ("event_id", "list", "account_id", "prefix", "fields", "whole", "to_time");

-- disclosure_last
CREATE INDEX "disclosure_last" on "disclosure" ("last_at");

-- erasure_notice
CREATE TABLE "erasure_notice" ("seq" integer not null primary key autoincrement, "event_id" text not null, "account_id" text not null, "prefix" text not null, "list" text not null, "kind" text not null, "from_time" integer not null, "to_time" integer not null, "at" integer not null);

-- erasure_notice_event
CREATE INDEX "erasure_notice_event" on "erasure_notice" ("event_id", "list", "account_id", "kind", "to_time");

-- erasure_notice_at
CREATE INDEX "erasure_notice_at" on "erasure_notice" ("at");

-- rows of kysely_migration
insert into kysely_migration (`name`, `timestamp`) values
  ('0001-records', '2026-11-23T03:42:05.993Z'),
  ('0002-change-log', '2026-11-23T03:42:05.994Z'),
  ('0003-accounts', '2026-11-23T03:42:05.995Z'),
  ('0004-polling', '2026-11-23T03:42:05.996Z'),
  ('0005-access', '2026-11-23T03:42:06.000Z'),
  ('0006-versions', '2026-11-23T03:42:06.001Z'),
  ('0007-log-in-waits', '2026-11-23T03:42:06.002Z'),
  ('0008-long-cursors', '2026-11-23T03:42:06.003Z'),
  ('0009-session-ends', '2026-11-23T03:42:06.004Z'),
  ('0010-log-in-networks', '2026-11-23T03:42:06.005Z'),
  ('0011-event-changes', '2026-11-23T03:42:06.006Z'),
  ('0012-record-versions', '2026-11-23T03:42:06.016Z'),
  ('0013-operators', '2026-11-23T03:42:06.022Z'),
  ('0014-sync-health', '2026-11-23T03:42:06.023Z'),
  ('0015-disclosures', '2026-11-23T03:42:06.029Z');

-- rows of organization
insert into organization (`id`, `slug`, `name`, `created`, `updated`) values
  ('590f7224-1c24-4098-8a95-55ae86e91ad0', 'acme', 'acme', 1700000000, 1700000000),
  ('725e4e7c-9cb9-447f-ad3c-6eb06f35ca00', 'borealis', 'borealis', 1700000000, 1700000000);

-- rows of event
insert into event (`id`, `organization_id`, `external_id`, `name`, `status`, `currency`, `timezone`, `starts`, `ends`, `created`, `updated`) values
  ('60afc997-6d3f-4cf5-8f00-536f40d77306', '725e4e7c-9cb9-447f-ad3c-6eb06f35ca00', null, 'O''Neill''s ball', 'closed', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000),
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '590f7224-1c24-4098-8a95-55ae86e91ad0', null, 'Autumn Gala', 'running', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000);

-- rows of guest
insert into guest (`event_id`, `id`, `first_name`, `last_name`, `email`, `mobile`, `external_id`, `sms_opt_in`, `company_name`, `created`, `updated`, `export_version`) values
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '015ec078-80ab-4a0b-b4c3-3c79d77e5e8a', 'Ada', 'Łódź 东京 😀', 'guest1@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1795405326, 1674580083399205),
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '349a99ff-6f29-430f-bba6-7d0f4bb273eb', 'Ada', 'Lovelace', 'guest3@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1700000001, -1303250050342798),
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '7b98a6de-6e36-418f-84a3-a169c95cd735', 'Ada', 'Lovelace', 'guest0@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1795405326, 3753692552008552);

-- rows of consent
insert into consent (`event_id`, `guest_id`, `asked`, `status`, `channels`) values
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '7b98a6de-6e36-418f-84a3-a169c95cd735', 1, 'active', 'email');

-- rows of address
insert into address (`event_id`, `guest_id`, `kind`, `name`, `line1`, `line2`, `line3`, `line4`, `town`, `postcode`, `state`, `country`, `recipient_name`) values
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '7b98a6de-6e36-418f-84a3-a169c95cd735', 'gift_aid', 'Home', '1 High Street', 'c/o "Ada" \ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '7b98a6de-6e36-418f-84a3-a169c95cd735', 'main', 'Home', '1 High Street', 'c/o "Ada" \ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '7b98a6de-6e36-418f-84a3-a169c95cd735', 'tax_receipt', 'Home', '1 High Street', 'c/o "Ada" \ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace');

-- rows of buy_now_item
insert into buy_now_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `quantity`, `tax_rate`, `estimate`, `created`, `updated`, `export_version`) values
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '80d02de7-3d61-49f6-82f5-e275a0e92f26', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000002, -4239780094882623),
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 'db452081-6652-4142-9374-5e096237a867', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000001, -968849613687529);

-- rows of auction_item
insert into auction_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `lot_number`, `start_price`, `increments`, `estimate`, `tax_rate`, `closes`, `created`, `updated`, `export_version`) values
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '4b7362fd-952d-4756-8f62-91833c7e9b80', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000001, -3807526342768971),
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 'ef9df58c-aad0-4011-8fea-5c48f53a6f90', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000002, -1658829544270160);

-- rows of pledge
insert into pledge (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `amount`, `created`, `updated`, `export_version`) values
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '38dd61be-0f42-4bf1-85c8-2a6e65642230', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000002, -1226526077817799),
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 'a029ed9d-f9f1-439d-a27d-7b7ba5b9aa54', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000001, -695309002250437);

-- rows of raffle
insert into raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `created`, `updated`, `export_version`) values
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '41e2e600-a045-436d-8dfd-2af74e6ae04f', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000001, -4262370020647178),
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 'e4d69525-a428-43ac-a5ff-5e1d099a68df', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000002, -1173510974594944);

-- rows of gli_raffle
insert into gli_raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `licence_number`, `regulator`, `created`, `updated`, `export_version`) values
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '402260e6-27b4-4a1c-aac4-48e3efcc89ca', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000002, -114641812851961),
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 'f1b0069c-6ebd-4613-85d2-e69df12c815d', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000001, -93865217896720);

-- rows of ticket
insert into ticket (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `capacity`, `admits`, `tax_rate`, `created`, `updated`, `export_version`) values
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '29848a09-7b2b-4539-9e91-4e79984b779d', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000002, -2160923584133680),
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 'a9463b62-d13a-4a3a-9022-4c46db2f83ee', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000001, -3444090212425825);

-- rows of account
insert into account (`id`, `username`, `password`, `role`, `epoch`, `disabled`, `demonstration`, `created`, `updated`) values
  ('4df8cb4a-7e3e-4512-8b1e-6f6d098270a7', 'acme-export', '$scrypt$ln=4,r=8,p=1$2ki3v8Ym18ZiZUKFz0sXcg$lDyQlnFZ5FWN9VA2WLXT01g4xfhY1DQJ+yUTWuwZw8Y', 'service', 0, 0, 0, 1795405326, 1795405326),
  ('904261fa-2c06-49ab-a697-2b0173df6465', 'operator', '$scrypt$ln=4,r=8,p=1$2ki3v8Ym18ZiZUKFz0sXcg$lDyQlnFZ5FWN9VA2WLXT01g4xfhY1DQJ+yUTWuwZw8Y', 'operator', 0, 0, 0, 1795405326, 1795405326),
  ('ed70c5b4-5312-4e1a-9593-31c30422f5b7', 'partner', '$scrypt$ln=4,r=8,p=1$2ki3v8Ym18ZiZUKFz0sXcg$lDyQlnFZ5FWN9VA2WLXT01g4xfhY1DQJ+yUTWuwZw8Y', 'partner', 0, 0, 0, 1795405326, 1795405326);

-- rows of access_grant
insert into access_grant (`id`, `account_id`, `organization_id`, `event_id`, `created`, `ends`, `networks`) values
  ('6cd9bdeb-065f-449b-8e1a-e6ba5cdb88aa', '4df8cb4a-7e3e-4512-8b1e-6f6d098270a7', '590f7224-1c24-4098-8a95-55ae86e91ad0', null, 1795405326, null, null),
  ('bf0489a4-753a-4450-a177-36cbe2a21156', 'ed70c5b4-5312-4e1a-9593-31c30422f5b7', null, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, null, null);

-- rows of session
insert into session (`id`, `account_id`, `created`, `expires`, `used`, `reason`) values
  ('ec0d78b0-bacd-414d-86b4-3beee176eb5e', '4df8cb4a-7e3e-4512-8b1e-6f6d098270a7', 1795405326, 1795448526, 1795405326, null);

-- rows of account_activity
insert into account_activity (`account_id`, `last_log_in`, `last_poll`, `refused`, `refused_code`, `refused_request`, `refused_session`, `refused_address`) values
  ('4df8cb4a-7e3e-4512-8b1e-6f6d098270a7', 1795405326, 1795405326, null, null, null, null, null);

-- rows of audit_log
insert into audit_log (`seq`, `at`, `action`, `account`, `address`, `request_id`, `plugin`, `route`, `event_id`, `since`, `first`, `cursor_text`, `search_length`, `sent`, `status`, `code`, `milliseconds`, `actor`, `detail`) values
  (1, 1795405326, 'log-in', 'acme-export', '127.0.0.1', '29eb6325-80d5-42d2-bf68-aa50f91afbe1', 'session', '/session', null, null, null, null, null, null, 204, null, 80, null, null),
  (2, 1795405326, 'list', 'acme-export', '127.0.0.1', '064c6a64-3818-4c90-aab2-a210a4bbfea2', 'custom-export', '/acme/v1/events', null, null, null, null, null, 1, 200, null, 10, null, null),
  (3, 1795405326, 'list', 'acme-export', '127.0.0.1', '8ddcecf5-8b88-4788-bb55-c3df4dc3e25b', 'custom-export', '/acme/v1/events/:eventId/guests', 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', -1, null, null, null, 4, 200, null, 14, null, null),
  (4, 1795405326, 'list', 'acme-export', '127.0.0.1', 'b0e175e3-180c-43cd-9034-03145b7f8329', 'custom-export', '/acme/v1/events/:eventId/items', 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', -1, null, null, null, 13, 200, null, 13, null, null),
  (5, 1795405326, 'list', 'acme-export', '127.0.0.1', '39fc4e6e-5cfa-45f1-befc-cf1bebc7d5a6', 'custom-export', '/acme/v1/events/:eventId/guests/deletions', 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', null, null, null, null, 1, 200, null, 4, null, null);

-- rows of log_in_network
insert into log_in_network (`account_id`, `network`, `last_used`) values
  ('4df8cb4a-7e3e-4512-8b1e-6f6d098270a7', '127.0.0.1', 1795405326);

-- rows of event_change
insert into event_change (`seq`, `event_id`, `at`, `mark`) values
  (1, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 931421952955425),
  (10, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 2372655449546807),
  (11, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 2456372254897899),
  (12, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 4014636072262406),
  (13, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 821637438743920),
  (14, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 207071717133045),
  (15, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 3743671971016007),
  (16, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 693390247299498),
  (17, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 595987441708531),
  (18, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 328142763540457),
  (19, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 3843807916485539),
  (2, '60afc997-6d3f-4cf5-8f00-536f40d77306', 1795405326, 145385284473617),
  (20, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 1538007957525799),
  (21, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 542601150484731),
  (22, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 2046669965427559),
  (23, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 252939153067993),
  (24, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 1668421923666566),
  (25, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 1434349243874892),
  (26, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 4029603633405513),
  (3, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 1938613725892939),
  (4, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 3683535822113696),
  (5, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 2390848545523205),
  (6, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 4344930528354190),
  (7, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 1825420118532882),
  (8, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 276617140079717),
  (9, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 1795405326, 4151337235662477);

-- rows of deletion
insert into deletion (`event_id`, `category`, `record_id`, `at`, `created`, `updated`) values
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 'guests', '76b047dc-de57-4691-8a53-db77f6486c79', 1795405326, 1700000000, 1700000002),
  ('ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 'pledges', '8ed0a2ce-4a26-4b35-b271-4034574ca440', 1795405326, 1700000000, 1700000000);

-- rows of vacant_position
insert into vacant_position (`seq`, `event_id`, `category`, `record_id`, `updated`, `at`) values
  (1, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 'guests', '76b047dc-de57-4691-8a53-db77f6486c79', 1700000002, 1795405326),
  (2, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', 'pledges', '8ed0a2ce-4a26-4b35-b271-4034574ca440', 1700000000, 1795405326);

-- rows of change_state
insert into change_state (`id`, `complete_since`, `clock`, `top`, `settled`, `epoch`) values
  (1, 0, 0, 0, 0, 2737908977792363);

-- rows of sync_state
insert into sync_state (`account_id`, `event_id`, `prefix`, `list`, `family`, `kind`, `last_poll`, `poll_interval`, `walk_started`, `walk_since`, `walk_next`, `previous_started`, `third_started`, `first_started`, `walk_completed`, `completed_next`, `acknowledged`, `acknowledged_at`, `records`, `first_error`, `error_at`, `error_status`, `error_code`, `error_request`) values
  ('4df8cb4a-7e3e-4512-8b1e-6f6d098270a7', '', '/acme/v1', 'events', 'custom-export', 'other', 1795405326, 900, 1795405326, 1606062358, 1795405324, null, null, 1795405326, 1795405326, 1795405324, null, null, 1, null, null, null, null, null),
  ('4df8cb4a-7e3e-4512-8b1e-6f6d098270a7', 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '/acme/v1', 'guest deletions', 'custom-export', 'guest deletions', 1795405326, 60, 1795405326, 1606062358, 1795405324, null, null, 1795405326, 1795405326, 1795405324, null, null, 1, null, null, null, null, null),
  ('4df8cb4a-7e3e-4512-8b1e-6f6d098270a7', 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '/acme/v1', 'guests', 'custom-export', 'guests', 1795405326, 60, 1795405326, -1, 1795405324, null, null, 1795405326, 1795405326, 1795405324, null, null, 4, null, null, null, null, null),
  ('4df8cb4a-7e3e-4512-8b1e-6f6d098270a7', 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '/acme/v1', 'items', 'custom-export', 'items', 1795405326, 60, 1795405326, -1, 1795405324, null, null, 1795405326, 1795405326, 1795405324, null, null, 13, null, null, null, null, null);

-- rows of partner_hour
insert into partner_hour (`account_id`, `hour`, `polls`, `walks`, `records`, `errors`, `lag`) values
  ('4df8cb4a-7e3e-4512-8b1e-6f6d098270a7', 1795402800, 4, 4, 19, 0, null);

-- rows of field_set
insert into field_set (`id`, `fields`) values
  ('3cb1b58104ee3415', '["Guest.id","Guest.eventId","Guest.firstName","Guest.lastName","Guest.email","Guest.mobile","Guest.mainAddress","Guest.giftAidAddress","Guest.taxReceiptAidAddress","Guest.created","Guest.updated","Guest.consentAsked","Guest.consentStatus","Guest.consentChannels","Guest.externalId","Guest.smsOptIn","Guest.companyName"]'),
  ('d35ce9de77985259', '["BuyNowItem.id","BuyNowItem.eventId","BuyNowItem.name","BuyNowItem.status","BuyNowItem.created","BuyNowItem.updated","BuyNowItem.revenueStreamType","BuyNowItem.externalId","BuyNowItem.categories","BuyNowItem.irsSubcategory","BuyNowItem.description","BuyNowItem.termsDescription","BuyNowItem.price","BuyNowItem.quantity","BuyNowItem.taxRate","BuyNowItem.estimate","AuctionItem.id","AuctionItem.eventId","AuctionItem.name","AuctionItem.status","AuctionItem.created","AuctionItem.updated","AuctionItem.revenueStreamType","AuctionItem.externalId","AuctionItem.categories","AuctionItem.irsSubcategory","AuctionItem.description","AuctionItem.termsDescription","AuctionItem.lotNumber","AuctionItem.startPrice","AuctionItem.increments","AuctionItem.estimate","AuctionItem.taxRate","AuctionItem.closes","Pledge.id","Pledge.eventId","Pledge.name","Pledge.status","Pledge.created","Pledge.updated","Pledge.revenueStreamType","Pledge.externalId","Pledge.categories","Pledge.irsSubcategory","Pledge.description","Pledge.termsDescription","Pledge.amount","Raffle.id","Raffle.eventId","Raffle.name","Raffle.status","Raffle.created","Raffle.updated","Raffle.revenueStreamType","Raffle.externalId","Raffle.categories","Raffle.irsSubcategory","Raffle.description","Raffle.termsDescription","Raffle.ticketPrice","Raffle.maxTickets","Raffle.draws","GliRaffle.id","GliRaffle.eventId","GliRaffle.name","GliRaffle.status","GliRaffle.created","GliRaffle.updated","GliRaffle.revenueStreamType","GliRaffle.externalId","GliRaffle.categories","GliRaffle.irsSubcategory","GliRaffle.description","GliRaffle.termsDescription","GliRaffle.ticketPrice","GliRaffle.maxTickets","GliRaffle.draws","GliRaffle.licenceNumber","GliRaffle.regulator","Ticket.id","Ticket.eventId","Ticket.name","Ticket.status","Ticket.created","Ticket.updated","Ticket.revenueStreamType","Ticket.externalId","Ticket.categories","Ticket.irsSubcategory","Ticket.description","Ticket.termsDescription","Ticket.price","Ticket.capacity","Ticket.admits","Ticket.taxRate"]');

-- rows of disclosure
insert into disclosure (`seq`, `event_id`, `account_id`, `prefix`, `list`, `fields`, `whole`, `from_time`, `to_time`, `first_at`, `last_at`, `first_next`) values
  (1, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '4df8cb4a-7e3e-4512-8b1e-6f6d098270a7', '/acme/v1', 'guests', '3cb1b58104ee3415', 1, -1, 1795405326, 1795405326, 1795405326, 1795405324),
  (2, 'ad2ea129-23f8-4de3-bb4d-5a0ef421ad6a', '4df8cb4a-7e3e-4512-8b1e-6f6d098270a7', '/acme/v1', 'items', 'd35ce9de77985259', 1, -1, 1795405326, 1795405326, 1795405326, 1795405324);

-- trigger organization_after_update
CREATE TRIGGER organization_after_update after update on organization for each row when true begin update organization set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end) where id = new.id; end;

-- trigger account_after_update
CREATE TRIGGER account_after_update after update on account for each row when true begin update account set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end) where id = new.id; end;

-- trigger event_after_insert
CREATE TRIGGER event_after_insert after insert on event for each row when true begin insert into event_change (event_id, at, mark)
values (new.id, unixepoch(), random() & 4503599627370495); end;

-- trigger event_after_update
CREATE TRIGGER event_after_update after update on event for each row when true begin update event set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end) where id = new.id; insert into event_change (event_id, at, mark)
values (new.id, unixepoch(), random() & 4503599627370495); end;

-- trigger guest_before_update
CREATE TRIGGER guest_before_update before update on guest for each row when true begin select raise(abort, 'guest: event_id and id never change: delete and insert')
where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger guest_after_insert
CREATE TRIGGER guest_after_insert after insert on guest for each row when true begin update guest set export_version = -1 - (random() & 4503599627370495) where event_id = new.event_id and id = new.id;
insert into record_start (event_id, category, record_id, time)
select new.event_id, 'guests', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch())
on conflict do update set time = min(time, excluded.time);
insert into event_change (event_id, at, mark)
values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger guest_after_update
CREATE TRIGGER guest_after_update after update on guest for each row when new.export_version = old.export_version or new.export_version >= 0 begin update guest set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end), export_version = random() & 4503599627370495
where event_id = new.event_id and id = new.id;
insert into record_start (event_id, category, record_id, time)
select new.event_id, 'guests', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated)
on conflict do update set time = min(time, excluded.time);
insert into event_change (event_id, at, mark)
values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger guest_after_delete
CREATE TRIGGER guest_after_delete after delete on guest for each row when true begin insert into event_change (event_id, at, mark)
values (old.event_id, unixepoch(), random() & 4503599627370495);
insert into deletion (event_id, category, record_id, at, created, updated)
values (old.event_id, 'guests', old.id, unixepoch(), old.created, old.updated)
on conflict do update set at = excluded.at, created = min(created, excluded.created),
updated = max(updated, excluded.updated);
insert into vacant_position (event_id, category, record_id, updated, at)
values (old.event_id, 'guests', old.id, old.updated, unixepoch()); end;

-- trigger buy_now_item_before_update
CREATE TRIGGER buy_now_item_before_update before update on buy_now_item for each row when true begin select raise(abort, 'buy_now_item: event_id and id never change: delete and insert')
where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger buy_now_item_after_insert
CREATE TRIGGER buy_now_item_after_insert after insert on buy_now_item for each row when true begin update buy_now_item set export_version = -1 - (random() & 4503599627370495) where event_id = new.event_id and id = new.id;
insert into record_start (event_id, category, record_id, time)
select new.event_id, 'buyNows', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch())
on conflict do update set time = min(time, excluded.time);
insert into event_change (event_id, at, mark)
values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger buy_now_item_after_update
CREATE TRIGGER buy_now_item_after_update after update on buy_now_item for each row when new.export_version = old.export_version or new.export_version >= 0 begin update buy_now_item set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end), export_version = random() & 4503599627370495
where event_id = new.event_id and id = new.id;
insert into record_start (event_id, category, record_id, time)
select new.event_id, 'buyNows', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated)
on conflict do update set time = min(time, excluded.time);
insert into event_change (event_id, at, mark)
values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger buy_now_item_after_delete
CREATE TRIGGER buy_now_item_after_delete after delete on buy_now_item for each row when true begin insert into event_change (event_id, at, mark)
values (old.event_id, unixepoch(), random() & 4503599627370495);
insert into deletion (event_id, category, record_id, at, created, updated)
values (old.event_id, 'buyNows', old.id, unixepoch(), old.created, old.updated)
on conflict do update set at = excluded.at, created = min(created, excluded.created),
updated = max(updated, excluded.updated);
insert into vacant_position (event_id, category, record_id, updated, at)
values (old.event_id, 'buyNows', old.id, old.updated, unixepoch()); end;

-- trigger auction_item_before_update
CREATE TRIGGER auction_item_before_update before update on auction_item for each row when true begin select raise(abort, 'auction_item: event_id and id never change: delete and insert')
where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger auction_item_after_insert
CREATE TRIGGER auction_item_after_insert after insert on auction_item for each row when true begin update auction_item set export_version = -1 - (random() & 4503599627370495) where event_id = new.event_id and id = new.id;
insert into record_start (event_id, category, record_id, time)
select new.event_id, 'auctionItems', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch())
on conflict do update set time = min(time, excluded.time);
insert into event_change (event_id, at, mark)
values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger auction_item_after_update
CREATE TRIGGER auction_item_after_update after update on auction_item for each row when new.export_version = old.export_version or new.export_version >= 0 begin update auction_item set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end), export_version = random() & 4503599627370495
where event_id = new.event_id and id = new.id;
insert into record_start (event_id, category, record_id, time)
select new.event_id, 'auctionItems', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated)
on conflict do update set time = min(time, excluded.time);
insert into event_change (event_id, at, mark)
values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger auction_item_after_delete
CREATE TRIGGER auction_item_after_delete after delete on auction_item for each row when true begin insert into event_change (event_id, at, mark)
values (old.event_id, unixepoch(), random() & 4503599627370495);
insert into deletion (event_id, category, record_id, at, created, updated)
values (old.event_id, 'auctionItems', old.id, unixepoch(), old.created, old.updated)
on conflict do update set at = excluded.at, created = min(created, excluded.created),
updated = max(updated, excluded.updated);
insert into vacant_position (event_id, category, record_id, updated, at)
values (old.event_id, 'auctionItems', old.id, old.updated, unixepoch()); end;

-- trigger pledge_before_update
CREATE TRIGGER pledge_before_update before update on pledge for each row when true begin select raise(abort, 'pledge: event_id and id never change: delete and insert')
where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger pledge_after_insert
CREATE TRIGGER pledge_after_insert after insert on pledge for each row when true begin update pledge set export_version = -1 - (random() & 4503599627370495) where event_id = new.event_id and id = new.id;
insert into record_start (event_id, category, record_id, time)
select new.event_id, 'pledges', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch())
on conflict do update set time = min(time, excluded.time);
insert into event_change (event_id, at, mark)
values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger pledge_after_update
CREATE TRIGGER pledge_after_update after update on pledge for each row when new.export_version = old.export_version or new.export_version >= 0 begin update pledge set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end), export_version = random() & 4503599627370495
where event_id = new.event_id and id = new.id;
insert into record_start (event_id, category, record_id, time)
select new.event_id, 'pledges', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated)
on conflict do update set time = min(time, excluded.time);
insert into event_change (event_id, at, mark)
values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger pledge_after_delete
CREATE TRIGGER pledge_after_delete after delete on pledge for each row when true begin insert into event_change (event_id, at, mark)
values (old.event_id, unixepoch(), random() & 4503599627370495);
insert into deletion (event_id, category, record_id, at, created, updated)
values (old.event_id, 'pledges', old.id, unixepoch(), old.created, old.updated)
on conflict do update set at = excluded.at, created = min(created, excluded.created),
updated = max(updated, excluded.updated);
insert into vacant_position (event_id, category, record_id, updated, at)
values (old.event_id, 'pledges', old.id, old.updated, unixepoch()); end;

-- trigger raffle_before_update
CREATE TRIGGER raffle_before_update before update on raffle for each row when true begin select raise(abort, 'raffle: event_id and id never change: delete and insert')
where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger raffle_after_insert
CREATE TRIGGER raffle_after_insert after insert on raffle for each row when true begin update raffle set export_version = -1 - (random() & 4503599627370495) where event_id = new.event_id and id = new.id;
insert into record_start (event_id, category, record_id, time)
select new.event_id, 'prizeDraws', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch())
on conflict do update set time = min(time, excluded.time);
insert into event_change (event_id, at, mark)
values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger raffle_after_update
CREATE TRIGGER raffle_after_update after update on raffle for each row when new.export_version = old.export_version or new.export_version >= 0 begin update raffle set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end), export_version = random() & 4503599627370495
where event_id = new.event_id and id = new.id;
insert into record_start (event_id, category, record_id, time)
select new.event_id, 'prizeDraws', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated)
on conflict do update set time = min(time, excluded.time);
insert into event_change (event_id, at, mark)
values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger raffle_after_delete
CREATE TRIGGER raffle_after_delete after delete on raffle for each row when true begin insert into event_change (event_id, at, mark)
values (old.event_id, unixepoch(), random() & 4503599627370495);
insert into deletion (event_id, category, record_id, at, created, updated)
values (old.event_id, 'prizeDraws', old.id, unixepoch(), old.created, old.updated)
on conflict do update set at = excluded.at, created = min(created, excluded.created),
updated = max(updated, excluded.updated);
insert into vacant_position (event_id, category, record_id, updated, at)
values (old.event_id, 'prizeDraws', old.id, old.updated, unixepoch()); end;

-- trigger gli_raffle_before_update
CREATE TRIGGER gli_raffle_before_update before update on gli_raffle for each row when true begin select raise(abort, 'gli_raffle: event_id and id never change: delete and insert')
where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger gli_raffle_after_insert
CREATE TRIGGER gli_raffle_after_insert after insert on gli_raffle for each row when true begin update gli_raffle set export_version = -1 - (random() & 4503599627370495) where event_id = new.event_id and id = new.id;
insert into record_start (event_id, category, record_id, time)
select new.event_id, 'gliRaffles', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch())
on conflict do update set time = min(time, excluded.time);
insert into event_change (event_id, at, mark)
values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger gli_raffle_after_update
CREATE TRIGGER gli_raffle_after_update after update on gli_raffle for each row when new.export_version = old.export_version or new.export_version >= 0 begin update gli_raffle set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end), export_version = random() & 4503599627370495
where event_id = new.event_id and id = new.id;
insert into record_start (event_id, category, record_id, time)
select new.event_id, 'gliRaffles', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated)
on conflict do update set time = min(time, excluded.time);
insert into event_change (event_id, at, mark)
values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger gli_raffle_after_delete
CREATE TRIGGER gli_raffle_after_delete after delete on gli_raffle for each row when true begin insert into event_change (event_id, at, mark)
values (old.event_id, unixepoch(), random() & 4503599627370495);
insert into deletion (event_id, category, record_id, at, created, updated)
values (old.event_id, 'gliRaffles', old.id, unixepoch(), old.created, old.updated)
on conflict do update set at = excluded.at, created = min(created, excluded.created),
updated = max(updated, excluded.updated);
insert into vacant_position (event_id, category, record_id, updated, at)
values (old.event_id, 'gliRaffles', old.id, old.updated, unixepoch()); end;

-- trigger ticket_before_update
CREATE TRIGGER ticket_before_update before update on ticket for each row when true begin select raise(abort, 'ticket: event_id and id never change: delete and insert')
where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger ticket_after_insert
CREATE TRIGGER ticket_after_insert after insert on ticket for each row when true begin update ticket set export_version = -1 - (random() & 4503599627370495) where event_id = new.event_id and id = new.id;
insert into record_start (event_id, category, record_id, time)
select new.event_id, 'tickets', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch())
on conflict do update set time = min(time, excluded.time);
insert into event_change (event_id, at, mark)
values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger ticket_after_update
CREATE TRIGGER ticket_after_update after update on ticket for each row when new.export_version = old.export_version or new.export_version >= 0 begin update ticket set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end), export_version = random() & 4503599627370495
where event_id = new.event_id and id = new.id;
insert into record_start (event_id, category, record_id, time)
select new.event_id, 'tickets', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated)
on conflict do update set time = min(time, excluded.time);
insert into event_change (event_id, at, mark)
values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger ticket_after_delete
CREATE TRIGGER ticket_after_delete after delete on ticket for each row when true begin insert into event_change (event_id, at, mark)
values (old.event_id, unixepoch(), random() & 4503599627370495);
insert into deletion (event_id, category, record_id, at, created, updated)
values (old.event_id, 'tickets', old.id, unixepoch(), old.created, old.updated)
on conflict do update set at = excluded.at, created = min(created, excluded.created),
updated = max(updated, excluded.updated);
insert into vacant_position (event_id, category, record_id, updated, at)
values (old.event_id, 'tickets', old.id, old.updated, unixepoch()); end;

-- trigger consent_after_insert
CREATE TRIGGER consent_after_insert after insert on consent for each row when true begin update guest set updated = max(updated, unixepoch())
where event_id = new.event_id and id = new.guest_id and true; end;

-- trigger consent_after_update
CREATE TRIGGER consent_after_update after update on consent for each row when true begin update guest set updated = max(updated, unixepoch())
where event_id = old.event_id and id = old.guest_id and true;update guest set updated = max(updated, unixepoch())
where event_id = new.event_id and id = new.guest_id and (new.guest_id <> old.guest_id or new.event_id <> old.event_id); end;

-- trigger consent_after_delete
CREATE TRIGGER consent_after_delete after delete on consent for each row when true begin update guest set updated = max(updated, unixepoch())
where event_id = old.event_id and id = old.guest_id and true; end;

-- trigger address_after_insert
CREATE TRIGGER address_after_insert after insert on address for each row when true begin update guest set updated = max(updated, unixepoch())
where event_id = new.event_id and id = new.guest_id and true; end;

-- trigger address_after_update
CREATE TRIGGER address_after_update after update on address for each row when true begin update guest set updated = max(updated, unixepoch())
where event_id = old.event_id and id = old.guest_id and true;update guest set updated = max(updated, unixepoch())
where event_id = new.event_id and id = new.guest_id and (new.guest_id <> old.guest_id or new.event_id <> old.event_id); end;

-- trigger address_after_delete
CREATE TRIGGER address_after_delete after delete on address for each row when true begin update guest set updated = max(updated, unixepoch())
where event_id = old.event_id and id = old.guest_id and true; end;
