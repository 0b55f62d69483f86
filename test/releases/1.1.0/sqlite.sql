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
  ('0001-records', '2026-11-23T03:33:48.206Z'),
  ('0002-change-log', '2026-11-23T03:33:48.207Z'),
  ('0003-accounts', '2026-11-23T03:33:48.208Z'),
  ('0004-polling', '2026-11-23T03:33:48.215Z'),
  ('0005-access', '2026-11-23T03:33:48.221Z'),
  ('0006-versions', '2026-11-23T03:33:48.222Z'),
  ('0007-log-in-waits', '2026-11-23T03:33:48.223Z'),
  ('0008-long-cursors', '2026-11-23T03:33:48.224Z'),
  ('0009-session-ends', '2026-11-23T03:33:48.225Z'),
  ('0010-log-in-networks', '2026-11-23T03:33:48.226Z'),
  ('0011-event-changes', '2026-11-23T03:33:48.227Z'),
  ('0012-record-versions', '2026-11-23T03:33:48.246Z'),
  ('0013-operators', '2026-11-23T03:33:48.252Z'),
  ('0014-sync-health', '2026-11-23T03:33:48.253Z'),
  ('0015-disclosures', '2026-11-23T03:33:48.256Z');

-- rows of organization
insert into organization (`id`, `slug`, `name`, `created`, `updated`) values
  ('0c679945-4406-4f4f-8338-653773860021', 'acme', 'acme', 1700000000, 1700000000),
  ('97396fb7-508a-44bd-9458-fe13fb562f37', 'borealis', 'borealis', 1700000000, 1700000000);

-- rows of event
insert into event (`id`, `organization_id`, `external_id`, `name`, `status`, `currency`, `timezone`, `starts`, `ends`, `created`, `updated`) values
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', '0c679945-4406-4f4f-8338-653773860021', null, 'Autumn Gala', 'running', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000),
  ('79a2a4d1-fb1f-4e81-a3f1-d547633fe9fb', '97396fb7-508a-44bd-9458-fe13fb562f37', null, 'O''Neill''s ball', 'closed', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000);

-- rows of guest
insert into guest (`event_id`, `id`, `first_name`, `last_name`, `email`, `mobile`, `external_id`, `sms_opt_in`, `company_name`, `created`, `updated`, `export_version`) values
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', '587c781d-5208-4a4c-bd8d-3eb26184b19c', 'Ada', 'Lovelace', 'guest3@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1700000001, -3488096187668920),
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', '7e8692d4-a20f-4d38-a0f6-9a4f661bf37e', 'Ada', 'Lovelace', 'guest0@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1795404828, 1470928018342169),
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', 'bdcc2d9b-f20c-48e4-8a3b-a7dc41dd21c0', 'Ada', 'Łódź 东京 😀', 'guest1@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1795404828, 4414471748794799);

-- rows of consent
insert into consent (`event_id`, `guest_id`, `asked`, `status`, `channels`) values
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', '7e8692d4-a20f-4d38-a0f6-9a4f661bf37e', 1, 'active', 'email');

-- rows of address
insert into address (`event_id`, `guest_id`, `kind`, `name`, `line1`, `line2`, `line3`, `line4`, `town`, `postcode`, `state`, `country`, `recipient_name`) values
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', '7e8692d4-a20f-4d38-a0f6-9a4f661bf37e', 'gift_aid', 'Home', '1 High Street', 'c/o "Ada" \ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', '7e8692d4-a20f-4d38-a0f6-9a4f661bf37e', 'main', 'Home', '1 High Street', 'c/o "Ada" \ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', '7e8692d4-a20f-4d38-a0f6-9a4f661bf37e', 'tax_receipt', 'Home', '1 High Street', 'c/o "Ada" \ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace');

-- rows of buy_now_item
insert into buy_now_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `quantity`, `tax_rate`, `estimate`, `created`, `updated`, `export_version`) values
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', 'a659af0a-556d-44ae-8c37-1ab3c238335c', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000001, -1050025657465775),
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', 'de7fb9b0-18b1-480b-bffd-33bc6767678a', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000002, -3940142805070169);

-- rows of auction_item
insert into auction_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `lot_number`, `start_price`, `increments`, `estimate`, `tax_rate`, `closes`, `created`, `updated`, `export_version`) values
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', 'd9430e84-05fc-44d3-996c-4c9c3c803f74', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000001, -1573156999106441),
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', 'ffd33dd9-8366-4b28-9445-6574a9e84785', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000002, -2782704644149306);

-- rows of pledge
insert into pledge (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `amount`, `created`, `updated`, `export_version`) values
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', '90ebd903-48f6-4dd3-9671-1bded83a216c', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000002, -2056562025062398),
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', 'bc5f215c-2141-46f7-ae2c-5c6b0fd2ba94', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000001, -2501370474923296);

-- rows of raffle
insert into raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `created`, `updated`, `export_version`) values
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', '18433de7-97a6-4108-be1a-6f2c0587e2b8', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000002, -1899849006194501),
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', '537b8e7b-c478-4c7a-905f-535e37983797', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000001, -2020538588751910);

-- rows of gli_raffle
insert into gli_raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `licence_number`, `regulator`, `created`, `updated`, `export_version`) values
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', '9ba93a96-045e-4d6e-8672-6c23519fa8a6', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000002, -11930665587949),
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', 'f5c197c6-b445-47f8-86ef-830e78e0ca1b', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000001, -98221955191019);

-- rows of ticket
insert into ticket (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `capacity`, `admits`, `tax_rate`, `created`, `updated`, `export_version`) values
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', '041c1922-573d-4346-abd1-69597fde2a77', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000001, -1500020393317163),
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', 'd74a728d-f41b-40f3-bcbd-c66a4746cc77', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000002, -1172160269633173);

-- rows of account
insert into account (`id`, `username`, `password`, `role`, `epoch`, `disabled`, `demonstration`, `created`, `updated`) values
  ('40c8266b-ec78-4a3c-bea4-08a208eb9788', 'operator', '$scrypt$ln=4,r=8,p=1$bc2e5nnFA2fNNigYZSGbdw$eVV4ym77tO/B/7M87DkiW+XI1eLrrI+k9aeS2dkrag0', 'operator', 0, 0, 0, 1795404828, 1795404828),
  ('71f2ca70-14e6-467a-8314-3273508d9e15', 'partner', '$scrypt$ln=4,r=8,p=1$bc2e5nnFA2fNNigYZSGbdw$eVV4ym77tO/B/7M87DkiW+XI1eLrrI+k9aeS2dkrag0', 'partner', 0, 0, 0, 1795404828, 1795404828),
  ('b495cb0a-1352-45cb-97bd-8c9cec57c60a', 'acme-export', '$scrypt$ln=4,r=8,p=1$bc2e5nnFA2fNNigYZSGbdw$eVV4ym77tO/B/7M87DkiW+XI1eLrrI+k9aeS2dkrag0', 'service', 0, 0, 0, 1795404828, 1795404828);

-- rows of access_grant
insert into access_grant (`id`, `account_id`, `organization_id`, `event_id`, `created`, `ends`, `networks`) values
  ('5aeff479-3696-4424-bd9d-d3fa3c3261f6', 'b495cb0a-1352-45cb-97bd-8c9cec57c60a', '0c679945-4406-4f4f-8338-653773860021', null, 1795404828, null, null),
  ('a6e9db2a-8bc8-4f1b-8c22-18b211382f6d', '71f2ca70-14e6-467a-8314-3273508d9e15', null, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, null, null);

-- rows of session
insert into session (`id`, `account_id`, `created`, `expires`, `used`, `reason`) values
  ('5c4c9cf1-1ff2-494e-a48f-bf7ff3afaa84', 'b495cb0a-1352-45cb-97bd-8c9cec57c60a', 1795404828, 1795448028, 1795404829, null);

-- rows of account_activity
insert into account_activity (`account_id`, `last_log_in`, `last_poll`, `refused`, `refused_code`, `refused_request`, `refused_session`, `refused_address`) values
  ('b495cb0a-1352-45cb-97bd-8c9cec57c60a', 1795404829, 1795404829, null, null, null, null, null);

-- rows of audit_log
insert into audit_log (`seq`, `at`, `action`, `account`, `address`, `request_id`, `plugin`, `route`, `event_id`, `since`, `first`, `cursor_text`, `search_length`, `sent`, `status`, `code`, `milliseconds`, `actor`, `detail`) values
  (1, 1795404828, 'log-in', 'acme-export', '127.0.0.1', '19f04840-32ea-4e2a-bacb-6de55f2414df', 'session', '/session', null, null, null, null, null, null, 204, null, 242, null, null),
  (2, 1795404828, 'list', 'acme-export', '127.0.0.1', 'df0e36ae-2fba-4ec6-a25d-288d1855b36e', 'custom-export', '/acme/v1/events', null, null, null, null, null, 1, 200, null, 9, null, null),
  (3, 1795404828, 'list', 'acme-export', '127.0.0.1', '0af289e2-22f9-4b81-97ff-60400d032e28', 'custom-export', '/acme/v1/events/:eventId/guests', '45f9f189-7df0-44d4-9cbd-748e5732e56e', -1, null, null, null, 4, 200, null, 10, null, null),
  (4, 1795404828, 'list', 'acme-export', '127.0.0.1', '8fff334e-f065-47f8-ab28-834c8cff9154', 'custom-export', '/acme/v1/events/:eventId/items', '45f9f189-7df0-44d4-9cbd-748e5732e56e', -1, null, null, null, 13, 200, null, 7, null, null),
  (5, 1795404828, 'list', 'acme-export', '127.0.0.1', 'fcfaecd6-4e08-455e-98a8-16e206a70e32', 'custom-export', '/acme/v1/events/:eventId/guests/deletions', '45f9f189-7df0-44d4-9cbd-748e5732e56e', null, null, null, null, 1, 200, null, 4, null, null);

-- rows of log_in_network
insert into log_in_network (`account_id`, `network`, `last_used`) values
  ('b495cb0a-1352-45cb-97bd-8c9cec57c60a', '127.0.0.1', 1795404828);

-- rows of event_change
insert into event_change (`seq`, `event_id`, `at`, `mark`) values
  (1, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 805346506171646),
  (10, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 782437971313123),
  (11, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 457951094190639),
  (12, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 3989589601281376),
  (13, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 251534201668474),
  (14, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 820540696566403),
  (15, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 2774203281970276),
  (16, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 4295525496320454),
  (17, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 2660356157450265),
  (18, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 998315875882816),
  (19, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 296845894683786),
  (2, '79a2a4d1-fb1f-4e81-a3f1-d547633fe9fb', 1795404828, 869179750419738),
  (20, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 2813455846716170),
  (21, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 2543145897128504),
  (22, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 1476182545705221),
  (23, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 343720795303200),
  (24, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 3118185474086679),
  (25, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 4055089528615345),
  (26, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 4390763311789083),
  (3, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 1453851825719472),
  (4, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 2375693187082679),
  (5, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 215985728803201),
  (6, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 2977789322754973),
  (7, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 1169305178096778),
  (8, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 2278013202565197),
  (9, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 1795404828, 681190125697183);

-- rows of deletion
insert into deletion (`event_id`, `category`, `record_id`, `at`, `created`, `updated`) values
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', 'guests', '69b1df1f-89b9-460c-bc0c-96c85656647a', 1795404828, 1700000000, 1700000002),
  ('45f9f189-7df0-44d4-9cbd-748e5732e56e', 'pledges', 'f1c05bac-1261-46ff-9d3d-53cef351bd9c', 1795404828, 1700000000, 1700000000);

-- rows of vacant_position
insert into vacant_position (`seq`, `event_id`, `category`, `record_id`, `updated`, `at`) values
  (1, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 'guests', '69b1df1f-89b9-460c-bc0c-96c85656647a', 1700000002, 1795404828),
  (2, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 'pledges', 'f1c05bac-1261-46ff-9d3d-53cef351bd9c', 1700000000, 1795404828);

-- rows of change_state
insert into change_state (`id`, `complete_since`, `clock`, `top`, `settled`, `epoch`) values
  (1, 0, 0, 0, 0, 4234222861254087);

-- rows of sync_state
insert into sync_state (`account_id`, `event_id`, `prefix`, `list`, `family`, `kind`, `last_poll`, `poll_interval`, `walk_started`, `walk_since`, `walk_next`, `previous_started`, `third_started`, `first_started`, `walk_completed`, `completed_next`, `acknowledged`, `acknowledged_at`, `records`, `first_error`, `error_at`, `error_status`, `error_code`, `error_request`) values
  ('b495cb0a-1352-45cb-97bd-8c9cec57c60a', '', '/acme/v1', 'events', 'custom-export', 'other', 1795404828, 900, 1795404828, 1606062358, 1795404826, null, null, 1795404828, 1795404828, 1795404826, null, null, 1, null, null, null, null, null),
  ('b495cb0a-1352-45cb-97bd-8c9cec57c60a', '45f9f189-7df0-44d4-9cbd-748e5732e56e', '/acme/v1', 'guest deletions', 'custom-export', 'guest deletions', 1795404828, 60, 1795404828, 1606062358, 1795404826, null, null, 1795404828, 1795404828, 1795404826, null, null, 1, null, null, null, null, null),
  ('b495cb0a-1352-45cb-97bd-8c9cec57c60a', '45f9f189-7df0-44d4-9cbd-748e5732e56e', '/acme/v1', 'guests', 'custom-export', 'guests', 1795404828, 60, 1795404828, -1, 1795404826, null, null, 1795404828, 1795404828, 1795404826, null, null, 4, null, null, null, null, null),
  ('b495cb0a-1352-45cb-97bd-8c9cec57c60a', '45f9f189-7df0-44d4-9cbd-748e5732e56e', '/acme/v1', 'items', 'custom-export', 'items', 1795404828, 60, 1795404828, -1, 1795404826, null, null, 1795404828, 1795404828, 1795404826, null, null, 13, null, null, null, null, null);

-- rows of partner_hour
insert into partner_hour (`account_id`, `hour`, `polls`, `walks`, `records`, `errors`, `lag`) values
  ('b495cb0a-1352-45cb-97bd-8c9cec57c60a', 1795402800, 4, 4, 19, 0, null);

-- rows of field_set
insert into field_set (`id`, `fields`) values
  ('3cb1b58104ee3415', '["Guest.id","Guest.eventId","Guest.firstName","Guest.lastName","Guest.email","Guest.mobile","Guest.mainAddress","Guest.giftAidAddress","Guest.taxReceiptAidAddress","Guest.created","Guest.updated","Guest.consentAsked","Guest.consentStatus","Guest.consentChannels","Guest.externalId","Guest.smsOptIn","Guest.companyName"]'),
  ('d35ce9de77985259', '["BuyNowItem.id","BuyNowItem.eventId","BuyNowItem.name","BuyNowItem.status","BuyNowItem.created","BuyNowItem.updated","BuyNowItem.revenueStreamType","BuyNowItem.externalId","BuyNowItem.categories","BuyNowItem.irsSubcategory","BuyNowItem.description","BuyNowItem.termsDescription","BuyNowItem.price","BuyNowItem.quantity","BuyNowItem.taxRate","BuyNowItem.estimate","AuctionItem.id","AuctionItem.eventId","AuctionItem.name","AuctionItem.status","AuctionItem.created","AuctionItem.updated","AuctionItem.revenueStreamType","AuctionItem.externalId","AuctionItem.categories","AuctionItem.irsSubcategory","AuctionItem.description","AuctionItem.termsDescription","AuctionItem.lotNumber","AuctionItem.startPrice","AuctionItem.increments","AuctionItem.estimate","AuctionItem.taxRate","AuctionItem.closes","Pledge.id","Pledge.eventId","Pledge.name","Pledge.status","Pledge.created","Pledge.updated","Pledge.revenueStreamType","Pledge.externalId","Pledge.categories","Pledge.irsSubcategory","Pledge.description","Pledge.termsDescription","Pledge.amount","Raffle.id","Raffle.eventId","Raffle.name","Raffle.status","Raffle.created","Raffle.updated","Raffle.revenueStreamType","Raffle.externalId","Raffle.categories","Raffle.irsSubcategory","Raffle.description","Raffle.termsDescription","Raffle.ticketPrice","Raffle.maxTickets","Raffle.draws","GliRaffle.id","GliRaffle.eventId","GliRaffle.name","GliRaffle.status","GliRaffle.created","GliRaffle.updated","GliRaffle.revenueStreamType","GliRaffle.externalId","GliRaffle.categories","GliRaffle.irsSubcategory","GliRaffle.description","GliRaffle.termsDescription","GliRaffle.ticketPrice","GliRaffle.maxTickets","GliRaffle.draws","GliRaffle.licenceNumber","GliRaffle.regulator","Ticket.id","Ticket.eventId","Ticket.name","Ticket.status","Ticket.created","Ticket.updated","Ticket.revenueStreamType","Ticket.externalId","Ticket.categories","Ticket.irsSubcategory","Ticket.description","Ticket.termsDescription","Ticket.price","Ticket.capacity","Ticket.admits","Ticket.taxRate"]');

-- rows of disclosure
insert into disclosure (`seq`, `event_id`, `account_id`, `prefix`, `list`, `fields`, `whole`, `from_time`, `to_time`, `first_at`, `last_at`, `first_next`) values
  (1, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 'b495cb0a-1352-45cb-97bd-8c9cec57c60a', '/acme/v1', 'guests', '3cb1b58104ee3415', 1, -1, 1795404828, 1795404828, 1795404828, 1795404826),
  (2, '45f9f189-7df0-44d4-9cbd-748e5732e56e', 'b495cb0a-1352-45cb-97bd-8c9cec57c60a', '/acme/v1', 'items', 'd35ce9de77985259', 1, -1, 1795404828, 1795404828, 1795404828, 1795404826);

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
