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
  ('0001-records', '2026-11-23T04:31:14.556Z'),
  ('0002-change-log', '2026-11-23T04:31:14.557Z'),
  ('0003-accounts', '2026-11-23T04:31:14.559Z'),
  ('0004-polling', '2026-11-23T04:31:14.560Z'),
  ('0005-access', '2026-11-23T04:31:14.566Z'),
  ('0006-versions', '2026-11-23T04:31:14.567Z'),
  ('0007-log-in-waits', '2026-11-23T04:31:14.568Z'),
  ('0008-long-cursors', '2026-11-23T04:31:14.569Z'),
  ('0009-session-ends', '2026-11-23T04:31:14.570Z'),
  ('0010-log-in-networks', '2026-11-23T04:31:14.571Z'),
  ('0011-event-changes', '2026-11-23T04:31:14.574Z'),
  ('0012-record-versions', '2026-11-23T04:31:14.593Z'),
  ('0013-operators', '2026-11-23T04:31:14.602Z'),
  ('0014-sync-health', '2026-11-23T04:31:14.604Z'),
  ('0015-disclosures', '2026-11-23T04:31:14.607Z');

-- rows of organization
insert into organization (`id`, `slug`, `name`, `created`, `updated`) values
  ('bea1ac64-e8ce-4a59-8959-b0cc28950ac2', 'acme', 'acme', 1700000000, 1700000000),
  ('c173d068-090e-406b-bfac-4076def41cba', 'borealis', 'borealis', 1700000000, 1700000000);

-- rows of event
insert into event (`id`, `organization_id`, `external_id`, `name`, `status`, `currency`, `timezone`, `starts`, `ends`, `created`, `updated`) values
  ('608a80f2-aca2-4965-90d2-d183812f2703', 'c173d068-090e-406b-bfac-4076def41cba', null, 'O''Neill''s ball', 'closed', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000),
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 'bea1ac64-e8ce-4a59-8959-b0cc28950ac2', null, 'Autumn Gala', 'running', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000);

-- rows of guest
insert into guest (`event_id`, `id`, `first_name`, `last_name`, `email`, `mobile`, `external_id`, `sms_opt_in`, `company_name`, `created`, `updated`, `export_version`) values
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '6b349b42-e889-46cd-8976-27fddee968a8', 'Ada', 'Lovelace', 'guest0@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1795408274, 380943455607366),
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 'ea57e07f-5c3b-47a3-87e5-adacd96f18cd', 'Ada', 'Lovelace', 'guest3@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1700000001, -1472523201025692),
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 'fdaa4dc2-b473-42b5-a2f1-b36d9b13e781', 'Ada', 'Łódź 东京 😀', 'guest1@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1795408274, 2015492231782275);

-- rows of consent
insert into consent (`event_id`, `guest_id`, `asked`, `status`, `channels`) values
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '6b349b42-e889-46cd-8976-27fddee968a8', 1, 'active', 'email');

-- rows of address
insert into address (`event_id`, `guest_id`, `kind`, `name`, `line1`, `line2`, `line3`, `line4`, `town`, `postcode`, `state`, `country`, `recipient_name`) values
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '6b349b42-e889-46cd-8976-27fddee968a8', 'gift_aid', 'Home', '1 High Street', 'c/o "Ada" \ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '6b349b42-e889-46cd-8976-27fddee968a8', 'main', 'Home', '1 High Street', 'c/o "Ada" \ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '6b349b42-e889-46cd-8976-27fddee968a8', 'tax_receipt', 'Home', '1 High Street', 'c/o "Ada" \ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace');

-- rows of buy_now_item
insert into buy_now_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `quantity`, `tax_rate`, `estimate`, `created`, `updated`, `export_version`) values
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '52fc9e30-d87b-459f-bf6a-59ca8fd7fde5', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000002, -1281192701454003),
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 'a51e2503-05d8-4320-ab1f-d5cf52099bc0', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000001, -451083695578474);

-- rows of auction_item
insert into auction_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `lot_number`, `start_price`, `increments`, `estimate`, `tax_rate`, `closes`, `created`, `updated`, `export_version`) values
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '29f8f3e4-c9c4-4fdd-b526-7e9ecfd2809f', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000001, -2594479305585037),
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '5106e85a-179f-4d27-8638-b6c9fe12469c', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000002, -3159962056871862);

-- rows of pledge
insert into pledge (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `amount`, `created`, `updated`, `export_version`) values
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '79a1cbab-0c16-4a18-98c8-e197f059dbd4', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000001, -1693775595913220),
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 'eb7b316a-db63-4768-a16c-35db891984be', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000002, -991577400237906);

-- rows of raffle
insert into raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `created`, `updated`, `export_version`) values
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '7f993d0a-6f61-4701-b56f-af21a53e2645', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000001, -4397933462922798),
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 'f3100872-d405-4da9-9cfd-da938a2a996a', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000002, -1843432988214180);

-- rows of gli_raffle
insert into gli_raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `licence_number`, `regulator`, `created`, `updated`, `export_version`) values
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '1d484662-3276-43ef-b88d-25bc31c7b22e', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000001, -2946178169236833),
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 'a2967b32-dd6d-4154-862f-e4e0e65a9522', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000002, -1995740007846441);

-- rows of ticket
insert into ticket (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `capacity`, `admits`, `tax_rate`, `created`, `updated`, `export_version`) values
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '1b66737b-d327-469a-a289-ec0c719f8055', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000002, -3878598775693140),
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 'baeb4f7d-eaba-4798-972b-d55eda925581', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000001, -323775918349246);

-- rows of account
insert into account (`id`, `username`, `password`, `role`, `epoch`, `disabled`, `demonstration`, `created`, `updated`) values
  ('3300f5ad-f718-4f0b-9aff-41230cbe3b50', 'operator', '$scrypt$ln=4,r=8,p=1$GwGCZrr0Uon9uVGuoq/7+Q$fRGp/YCtfFLIVycQomQ17d55b3Als4qY3F7KBSh5OdA', 'operator', 0, 0, 0, 1795408274, 1795408274),
  ('7123529f-750a-45bd-a0bb-826912b1c18f', 'acme-export', '$scrypt$ln=4,r=8,p=1$GwGCZrr0Uon9uVGuoq/7+Q$fRGp/YCtfFLIVycQomQ17d55b3Als4qY3F7KBSh5OdA', 'service', 0, 0, 0, 1795408274, 1795408274),
  ('b3d2ac46-438c-4685-9f0b-bcefde75cc42', 'partner', '$scrypt$ln=4,r=8,p=1$GwGCZrr0Uon9uVGuoq/7+Q$fRGp/YCtfFLIVycQomQ17d55b3Als4qY3F7KBSh5OdA', 'partner', 0, 0, 0, 1795408274, 1795408274);

-- rows of access_grant
insert into access_grant (`id`, `account_id`, `organization_id`, `event_id`, `created`, `ends`, `networks`) values
  ('355df754-4cda-4f15-955d-0ccdc0d1548d', 'b3d2ac46-438c-4685-9f0b-bcefde75cc42', null, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, null, null),
  ('84e12b5c-1c8b-42b2-a856-9643711cea51', '7123529f-750a-45bd-a0bb-826912b1c18f', 'bea1ac64-e8ce-4a59-8959-b0cc28950ac2', null, 1795408274, null, null);

-- rows of session
insert into session (`id`, `account_id`, `created`, `expires`, `used`, `reason`) values
  ('798259b1-abbd-4b40-ade0-e390f471a09b', '7123529f-750a-45bd-a0bb-826912b1c18f', 1795408274, 1795451474, 1795408275, null);

-- rows of account_activity
insert into account_activity (`account_id`, `last_log_in`, `last_poll`, `refused`, `refused_code`, `refused_request`, `refused_session`, `refused_address`) values
  ('7123529f-750a-45bd-a0bb-826912b1c18f', 1795408275, 1795408275, null, null, null, null, null);

-- rows of audit_log
insert into audit_log (`seq`, `at`, `action`, `account`, `address`, `request_id`, `plugin`, `route`, `event_id`, `since`, `first`, `cursor_text`, `search_length`, `sent`, `status`, `code`, `milliseconds`, `actor`, `detail`) values
  (1, 1795408274, 'log-in', 'acme-export', '127.0.0.1', '94d54b65-7bca-436c-93ff-006c98a8a6d0', 'session', '/session', null, null, null, null, null, null, 204, null, 75, null, null),
  (2, 1795408274, 'list', 'acme-export', '127.0.0.1', '05aa6853-d1c8-4a83-a06a-aa1ad9837309', 'custom-export', '/acme/v1/events', null, null, null, null, null, 1, 200, null, 14, null, null),
  (3, 1795408274, 'list', 'acme-export', '127.0.0.1', 'b70e1b9e-93a8-444e-b862-a98fe3825650', 'custom-export', '/acme/v1/events/:eventId/guests', '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', -1, null, null, null, 4, 200, null, 21, null, null),
  (4, 1795408274, 'list', 'acme-export', '127.0.0.1', 'ecfe77d9-0824-4683-87a0-4754049a0d2b', 'custom-export', '/acme/v1/events/:eventId/items', '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', -1, null, null, null, 13, 200, null, 11, null, null),
  (5, 1795408274, 'list', 'acme-export', '127.0.0.1', '86f5fce7-2662-4fb4-9296-a9bcc79bbee3', 'custom-export', '/acme/v1/events/:eventId/guests/deletions', '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', null, null, null, null, 1, 200, null, 4, null, null);

-- rows of log_in_network
insert into log_in_network (`account_id`, `network`, `last_used`) values
  ('7123529f-750a-45bd-a0bb-826912b1c18f', '127.0.0.1', 1795408274);

-- rows of event_change
insert into event_change (`seq`, `event_id`, `at`, `mark`) values
  (1, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 3814289447112544),
  (10, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 3718301617221903),
  (11, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 480716891224851),
  (12, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 2680422542867329),
  (13, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 1012674622210480),
  (14, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 2921674794055417),
  (15, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 2763749532434384),
  (16, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 1173420738985918),
  (17, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 4198378513786472),
  (18, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 1597156934123953),
  (19, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 2893288537261553),
  (2, '608a80f2-aca2-4965-90d2-d183812f2703', 1795408274, 562928076777317),
  (20, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 3584844533490763),
  (21, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 2998112270254529),
  (22, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 4417359884850334),
  (23, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 2636045445424543),
  (24, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 2609906531702336),
  (25, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 3698443010035368),
  (26, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 1376461028639783),
  (3, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 4183234002507656),
  (4, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 3456617824904234),
  (5, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 3987486586652688),
  (6, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 3590278860974126),
  (7, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 4411992768372776),
  (8, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 4005556729991191),
  (9, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 1795408274, 1139872006967325);

-- rows of deletion
insert into deletion (`event_id`, `category`, `record_id`, `at`, `created`, `updated`) values
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 'guests', '6c866650-b3a1-43d1-8411-2b34ef7ab113', 1795408274, 1700000000, 1700000002),
  ('784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 'pledges', '817a3fd7-6f8d-49ed-9000-f3b58b728329', 1795408274, 1700000000, 1700000000);

-- rows of vacant_position
insert into vacant_position (`seq`, `event_id`, `category`, `record_id`, `updated`, `at`) values
  (1, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 'guests', '6c866650-b3a1-43d1-8411-2b34ef7ab113', 1700000002, 1795408274),
  (2, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', 'pledges', '817a3fd7-6f8d-49ed-9000-f3b58b728329', 1700000000, 1795408274);

-- rows of change_state
insert into change_state (`id`, `complete_since`, `clock`, `top`, `settled`, `epoch`) values
  (1, 0, 0, 0, 0, 2503650633163047);

-- rows of sync_state
insert into sync_state (`account_id`, `event_id`, `prefix`, `list`, `family`, `kind`, `last_poll`, `poll_interval`, `walk_started`, `walk_since`, `walk_next`, `previous_started`, `third_started`, `first_started`, `walk_completed`, `completed_next`, `acknowledged`, `acknowledged_at`, `records`, `first_error`, `error_at`, `error_status`, `error_code`, `error_request`) values
  ('7123529f-750a-45bd-a0bb-826912b1c18f', '', '/acme/v1', 'events', 'custom-export', 'other', 1795408274, 900, 1795408274, 1606062358, 1795408272, null, null, 1795408274, 1795408274, 1795408272, null, null, 1, null, null, null, null, null),
  ('7123529f-750a-45bd-a0bb-826912b1c18f', '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '/acme/v1', 'guest deletions', 'custom-export', 'guest deletions', 1795408274, 60, 1795408274, 1606062358, 1795408272, null, null, 1795408274, 1795408274, 1795408272, null, null, 1, null, null, null, null, null),
  ('7123529f-750a-45bd-a0bb-826912b1c18f', '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '/acme/v1', 'guests', 'custom-export', 'guests', 1795408274, 60, 1795408274, -1, 1795408272, null, null, 1795408274, 1795408274, 1795408272, null, null, 4, null, null, null, null, null),
  ('7123529f-750a-45bd-a0bb-826912b1c18f', '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '/acme/v1', 'items', 'custom-export', 'items', 1795408274, 60, 1795408274, -1, 1795408272, null, null, 1795408274, 1795408274, 1795408272, null, null, 13, null, null, null, null, null);

-- rows of partner_hour
insert into partner_hour (`account_id`, `hour`, `polls`, `walks`, `records`, `errors`, `lag`) values
  ('7123529f-750a-45bd-a0bb-826912b1c18f', 1795406400, 4, 4, 19, 0, null);

-- rows of field_set
insert into field_set (`id`, `fields`) values
  ('3cb1b58104ee3415', '["Guest.id","Guest.eventId","Guest.firstName","Guest.lastName","Guest.email","Guest.mobile","Guest.mainAddress","Guest.giftAidAddress","Guest.taxReceiptAidAddress","Guest.created","Guest.updated","Guest.consentAsked","Guest.consentStatus","Guest.consentChannels","Guest.externalId","Guest.smsOptIn","Guest.companyName"]'),
  ('d35ce9de77985259', '["BuyNowItem.id","BuyNowItem.eventId","BuyNowItem.name","BuyNowItem.status","BuyNowItem.created","BuyNowItem.updated","BuyNowItem.revenueStreamType","BuyNowItem.externalId","BuyNowItem.categories","BuyNowItem.irsSubcategory","BuyNowItem.description","BuyNowItem.termsDescription","BuyNowItem.price","BuyNowItem.quantity","BuyNowItem.taxRate","BuyNowItem.estimate","AuctionItem.id","AuctionItem.eventId","AuctionItem.name","AuctionItem.status","AuctionItem.created","AuctionItem.updated","AuctionItem.revenueStreamType","AuctionItem.externalId","AuctionItem.categories","AuctionItem.irsSubcategory","AuctionItem.description","AuctionItem.termsDescription","AuctionItem.lotNumber","AuctionItem.startPrice","AuctionItem.increments","AuctionItem.estimate","AuctionItem.taxRate","AuctionItem.closes","Pledge.id","Pledge.eventId","Pledge.name","Pledge.status","Pledge.created","Pledge.updated","Pledge.revenueStreamType","Pledge.externalId","Pledge.categories","Pledge.irsSubcategory","Pledge.description","Pledge.termsDescription","Pledge.amount","Raffle.id","Raffle.eventId","Raffle.name","Raffle.status","Raffle.created","Raffle.updated","Raffle.revenueStreamType","Raffle.externalId","Raffle.categories","Raffle.irsSubcategory","Raffle.description","Raffle.termsDescription","Raffle.ticketPrice","Raffle.maxTickets","Raffle.draws","GliRaffle.id","GliRaffle.eventId","GliRaffle.name","GliRaffle.status","GliRaffle.created","GliRaffle.updated","GliRaffle.revenueStreamType","GliRaffle.externalId","GliRaffle.categories","GliRaffle.irsSubcategory","GliRaffle.description","GliRaffle.termsDescription","GliRaffle.ticketPrice","GliRaffle.maxTickets","GliRaffle.draws","GliRaffle.licenceNumber","GliRaffle.regulator","Ticket.id","Ticket.eventId","Ticket.name","Ticket.status","Ticket.created","Ticket.updated","Ticket.revenueStreamType","Ticket.externalId","Ticket.categories","Ticket.irsSubcategory","Ticket.description","Ticket.termsDescription","Ticket.price","Ticket.capacity","Ticket.admits","Ticket.taxRate"]');

-- rows of disclosure
insert into disclosure (`seq`, `event_id`, `account_id`, `prefix`, `list`, `fields`, `whole`, `from_time`, `to_time`, `first_at`, `last_at`, `first_next`) values
  (1, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '7123529f-750a-45bd-a0bb-826912b1c18f', '/acme/v1', 'guests', '3cb1b58104ee3415', 1, -1, 1795408274, 1795408274, 1795408274, 1795408272),
  (2, '784b4cbd-7b5e-4161-b6a7-d363e8f091f3', '7123529f-750a-45bd-a0bb-826912b1c18f', '/acme/v1', 'items', 'd35ce9de77985259', 1, -1, 1795408274, 1795408274, 1795408274, 1795408272);

-- trigger organization_after_update
CREATE TRIGGER organization_after_update after update on organization for each row when true begin update organization set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end) where id = new.id; end;

-- trigger account_after_update
CREATE TRIGGER account_after_update after update on account for each row when true begin update account set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end) where id = new.id; end;

-- trigger event_after_insert
CREATE TRIGGER event_after_insert after insert on event for each row when true begin insert into event_change (event_id, at, mark) values (new.id, unixepoch(), random() & 4503599627370495); end;

-- trigger event_after_update
CREATE TRIGGER event_after_update after update on event for each row when true begin update event set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end) where id = new.id; insert into event_change (event_id, at, mark) values (new.id, unixepoch(), random() & 4503599627370495); end;

-- trigger guest_before_update
CREATE TRIGGER guest_before_update before update on guest for each row when true begin select raise(abort, 'guest: event_id and id never change: delete and insert') where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger guest_after_insert
CREATE TRIGGER guest_after_insert after insert on guest for each row when true begin update guest set export_version = -1 - (random() & 4503599627370495) where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'guests', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch()) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark) values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger guest_after_update
CREATE TRIGGER guest_after_update after update on guest for each row when new.export_version = old.export_version or new.export_version >= 0 begin update guest set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end), export_version = random() & 4503599627370495 where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'guests', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark) values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger guest_after_delete
CREATE TRIGGER guest_after_delete after delete on guest for each row when true begin insert into event_change (event_id, at, mark) values (old.event_id, unixepoch(), random() & 4503599627370495); insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'guests', old.id, unixepoch(), old.created, old.updated) on conflict do update set at = excluded.at, created = min(created, excluded.created), updated = max(updated, excluded.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'guests', old.id, old.updated, unixepoch()); end;

-- trigger buy_now_item_before_update
CREATE TRIGGER buy_now_item_before_update before update on buy_now_item for each row when true begin select raise(abort, 'buy_now_item: event_id and id never change: delete and insert') where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger buy_now_item_after_insert
CREATE TRIGGER buy_now_item_after_insert after insert on buy_now_item for each row when true begin update buy_now_item set export_version = -1 - (random() & 4503599627370495) where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'buyNows', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch()) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark) values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger buy_now_item_after_update
CREATE TRIGGER buy_now_item_after_update after update on buy_now_item for each row when new.export_version = old.export_version or new.export_version >= 0 begin update buy_now_item set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end), export_version = random() & 4503599627370495 where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'buyNows', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark) values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger buy_now_item_after_delete
CREATE TRIGGER buy_now_item_after_delete after delete on buy_now_item for each row when true begin insert into event_change (event_id, at, mark) values (old.event_id, unixepoch(), random() & 4503599627370495); insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'buyNows', old.id, unixepoch(), old.created, old.updated) on conflict do update set at = excluded.at, created = min(created, excluded.created), updated = max(updated, excluded.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'buyNows', old.id, old.updated, unixepoch()); end;

-- trigger auction_item_before_update
CREATE TRIGGER auction_item_before_update before update on auction_item for each row when true begin select raise(abort, 'auction_item: event_id and id never change: delete and insert') where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger auction_item_after_insert
CREATE TRIGGER auction_item_after_insert after insert on auction_item for each row when true begin update auction_item set export_version = -1 - (random() & 4503599627370495) where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'auctionItems', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch()) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark) values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger auction_item_after_update
CREATE TRIGGER auction_item_after_update after update on auction_item for each row when new.export_version = old.export_version or new.export_version >= 0 begin update auction_item set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end), export_version = random() & 4503599627370495 where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'auctionItems', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark) values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger auction_item_after_delete
CREATE TRIGGER auction_item_after_delete after delete on auction_item for each row when true begin insert into event_change (event_id, at, mark) values (old.event_id, unixepoch(), random() & 4503599627370495); insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'auctionItems', old.id, unixepoch(), old.created, old.updated) on conflict do update set at = excluded.at, created = min(created, excluded.created), updated = max(updated, excluded.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'auctionItems', old.id, old.updated, unixepoch()); end;

-- trigger pledge_before_update
CREATE TRIGGER pledge_before_update before update on pledge for each row when true begin select raise(abort, 'pledge: event_id and id never change: delete and insert') where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger pledge_after_insert
CREATE TRIGGER pledge_after_insert after insert on pledge for each row when true begin update pledge set export_version = -1 - (random() & 4503599627370495) where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'pledges', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch()) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark) values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger pledge_after_update
CREATE TRIGGER pledge_after_update after update on pledge for each row when new.export_version = old.export_version or new.export_version >= 0 begin update pledge set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end), export_version = random() & 4503599627370495 where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'pledges', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark) values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger pledge_after_delete
CREATE TRIGGER pledge_after_delete after delete on pledge for each row when true begin insert into event_change (event_id, at, mark) values (old.event_id, unixepoch(), random() & 4503599627370495); insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'pledges', old.id, unixepoch(), old.created, old.updated) on conflict do update set at = excluded.at, created = min(created, excluded.created), updated = max(updated, excluded.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'pledges', old.id, old.updated, unixepoch()); end;

-- trigger raffle_before_update
CREATE TRIGGER raffle_before_update before update on raffle for each row when true begin select raise(abort, 'raffle: event_id and id never change: delete and insert') where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger raffle_after_insert
CREATE TRIGGER raffle_after_insert after insert on raffle for each row when true begin update raffle set export_version = -1 - (random() & 4503599627370495) where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'prizeDraws', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch()) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark) values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger raffle_after_update
CREATE TRIGGER raffle_after_update after update on raffle for each row when new.export_version = old.export_version or new.export_version >= 0 begin update raffle set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end), export_version = random() & 4503599627370495 where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'prizeDraws', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark) values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger raffle_after_delete
CREATE TRIGGER raffle_after_delete after delete on raffle for each row when true begin insert into event_change (event_id, at, mark) values (old.event_id, unixepoch(), random() & 4503599627370495); insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'prizeDraws', old.id, unixepoch(), old.created, old.updated) on conflict do update set at = excluded.at, created = min(created, excluded.created), updated = max(updated, excluded.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'prizeDraws', old.id, old.updated, unixepoch()); end;

-- trigger gli_raffle_before_update
CREATE TRIGGER gli_raffle_before_update before update on gli_raffle for each row when true begin select raise(abort, 'gli_raffle: event_id and id never change: delete and insert') where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger gli_raffle_after_insert
CREATE TRIGGER gli_raffle_after_insert after insert on gli_raffle for each row when true begin update gli_raffle set export_version = -1 - (random() & 4503599627370495) where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'gliRaffles', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch()) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark) values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger gli_raffle_after_update
CREATE TRIGGER gli_raffle_after_update after update on gli_raffle for each row when new.export_version = old.export_version or new.export_version >= 0 begin update gli_raffle set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end), export_version = random() & 4503599627370495 where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'gliRaffles', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark) values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger gli_raffle_after_delete
CREATE TRIGGER gli_raffle_after_delete after delete on gli_raffle for each row when true begin insert into event_change (event_id, at, mark) values (old.event_id, unixepoch(), random() & 4503599627370495); insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'gliRaffles', old.id, unixepoch(), old.created, old.updated) on conflict do update set at = excluded.at, created = min(created, excluded.created), updated = max(updated, excluded.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'gliRaffles', old.id, old.updated, unixepoch()); end;

-- trigger ticket_before_update
CREATE TRIGGER ticket_before_update before update on ticket for each row when true begin select raise(abort, 'ticket: event_id and id never change: delete and insert') where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger ticket_after_insert
CREATE TRIGGER ticket_after_insert after insert on ticket for each row when true begin update ticket set export_version = -1 - (random() & 4503599627370495) where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'tickets', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch()) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark) values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger ticket_after_update
CREATE TRIGGER ticket_after_update after update on ticket for each row when new.export_version = old.export_version or new.export_version >= 0 begin update ticket set updated = max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end), export_version = random() & 4503599627370495 where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'tickets', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark) values (new.event_id, unixepoch(), random() & 4503599627370495); end;

-- trigger ticket_after_delete
CREATE TRIGGER ticket_after_delete after delete on ticket for each row when true begin insert into event_change (event_id, at, mark) values (old.event_id, unixepoch(), random() & 4503599627370495); insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'tickets', old.id, unixepoch(), old.created, old.updated) on conflict do update set at = excluded.at, created = min(created, excluded.created), updated = max(updated, excluded.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'tickets', old.id, old.updated, unixepoch()); end;

-- trigger consent_after_insert
CREATE TRIGGER consent_after_insert after insert on consent for each row when true begin update guest set updated = max(updated, unixepoch()) where event_id = new.event_id and id = new.guest_id and true; end;

-- trigger consent_after_update
CREATE TRIGGER consent_after_update after update on consent for each row when true begin update guest set updated = max(updated, unixepoch()) where event_id = old.event_id and id = old.guest_id and true;update guest set updated = max(updated, unixepoch()) where event_id = new.event_id and id = new.guest_id and (new.guest_id <> old.guest_id or new.event_id <> old.event_id); end;

-- trigger consent_after_delete
CREATE TRIGGER consent_after_delete after delete on consent for each row when true begin update guest set updated = max(updated, unixepoch()) where event_id = old.event_id and id = old.guest_id and true; end;

-- trigger address_after_insert
CREATE TRIGGER address_after_insert after insert on address for each row when true begin update guest set updated = max(updated, unixepoch()) where event_id = new.event_id and id = new.guest_id and true; end;

-- trigger address_after_update
CREATE TRIGGER address_after_update after update on address for each row when true begin update guest set updated = max(updated, unixepoch()) where event_id = old.event_id and id = old.guest_id and true;update guest set updated = max(updated, unixepoch()) where event_id = new.event_id and id = new.guest_id and (new.guest_id <> old.guest_id or new.event_id <> old.event_id); end;

-- trigger address_after_delete
CREATE TRIGGER address_after_delete after delete on address for each row when true begin update guest set updated = max(updated, unixepoch()) where event_id = old.event_id and id = old.guest_id and true; end;
