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

-- guest_newest
CREATE INDEX "guest_newest" on "guest" ("event_id", "updated", "id", "export_version");

-- consent
CREATE TABLE "consent" ("event_id" text not null, "guest_id" text not null, "asked" integer not null, "status" text not null, "channels" text not null, constraint "consent_pk" primary key ("event_id", "guest_id"), constraint "consent_status" check (status in ('active', 'inactive')), constraint "consent_guest" foreign key ("event_id", "guest_id") references "guest" ("event_id", "id") on delete cascade);

-- address
CREATE TABLE "address" ("event_id" text not null, "guest_id" text not null, "kind" text not null, "name" text not null, "line1" text not null, "line2" text, "line3" text, "line4" text, "town" text not null, "postcode" text not null, "state" text, "country" text not null, "recipient_name" text not null, constraint "address_pk" primary key ("event_id", "guest_id", "kind"), constraint "address_kind" check (kind in ('main', 'gift_aid', 'tax_receipt')), constraint "address_guest" foreign key ("event_id", "guest_id") references "guest" ("event_id", "id") on delete cascade);

-- buy_now_item
CREATE TABLE "buy_now_item" ("event_id" text not null, "id" text not null, "name" text not null, "status" text not null, "revenue_stream_type" text not null, "external_id" text, "categories" text not null, "irs_subcategory" text, "description" text, "terms_description" text, "price" integer not null, "quantity" integer, "tax_rate" real, "estimate" integer, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, "export_version" integer not null default 0, constraint "buy_now_item_pk" primary key ("event_id", "id"), constraint "buy_now_item_event" foreign key ("event_id") references "event" ("id"));

-- buy_now_item_newest
CREATE INDEX "buy_now_item_newest" on "buy_now_item" ("event_id", "updated", "id", "export_version");

-- auction_item
CREATE TABLE "auction_item" ("event_id" text not null, "id" text not null, "name" text not null, "status" text not null, "revenue_stream_type" text not null, "external_id" text, "categories" text not null, "irs_subcategory" text, "description" text, "terms_description" text, "lot_number" integer not null, "start_price" integer not null, "increments" text not null, "estimate" integer, "tax_rate" real, "closes" integer, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, "export_version" integer not null default 0, constraint "auction_item_pk" primary key ("event_id", "id"), constraint "auction_item_event" foreign key ("event_id") references "event" ("id"));

-- auction_item_newest
CREATE INDEX "auction_item_newest" on "auction_item" ("event_id", "updated", "id", "export_version");

-- pledge
CREATE TABLE "pledge" ("event_id" text not null, "id" text not null, "name" text not null, "status" text not null, "revenue_stream_type" text not null, "external_id" text, "categories" text not null, "irs_subcategory" text, "description" text, "terms_description" text, "amount" integer, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, "export_version" integer not null default 0, constraint "pledge_pk" primary key ("event_id", "id"), constraint "pledge_event" foreign key ("event_id") references "event" ("id"));

-- pledge_newest
CREATE INDEX "pledge_newest" on "pledge" ("event_id", "updated", "id", "export_version");

-- raffle
CREATE TABLE "raffle" ("event_id" text not null, "id" text not null, "name" text not null, "status" text not null, "revenue_stream_type" text not null, "external_id" text, "categories" text not null, "irs_subcategory" text, "description" text, "terms_description" text, "ticket_price" integer not null, "max_tickets" integer, "draws" integer, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, "export_version" integer not null default 0, constraint "raffle_pk" primary key ("event_id", "id"), constraint "raffle_event" foreign key ("event_id") references "event" ("id"));

-- raffle_newest
CREATE INDEX "raffle_newest" on "raffle" ("event_id", "updated", "id", "export_version");

-- gli_raffle
CREATE TABLE "gli_raffle" ("event_id" text not null, "id" text not null, "name" text not null, "status" text not null, "revenue_stream_type" text not null, "external_id" text, "categories" text not null, "irs_subcategory" text, "description" text, "terms_description" text, "ticket_price" integer not null, "max_tickets" integer, "draws" integer, "licence_number" text not null, "regulator" text not null, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, "export_version" integer not null default 0, constraint "gli_raffle_pk" primary key ("event_id", "id"), constraint "gli_raffle_event" foreign key ("event_id") references "event" ("id"));

-- gli_raffle_newest
CREATE INDEX "gli_raffle_newest" on "gli_raffle" ("event_id", "updated", "id", "export_version");

-- ticket
CREATE TABLE "ticket" ("event_id" text not null, "id" text not null, "name" text not null, "status" text not null, "revenue_stream_type" text not null, "external_id" text, "categories" text not null, "irs_subcategory" text, "description" text, "terms_description" text, "price" integer not null, "capacity" integer, "admits" integer not null, "tax_rate" real, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, "export_version" integer not null default 0, constraint "ticket_pk" primary key ("event_id", "id"), constraint "ticket_event" foreign key ("event_id") references "event" ("id"));

-- ticket_newest
CREATE INDEX "ticket_newest" on "ticket" ("event_id", "updated", "id", "export_version");

-- event_change
CREATE TABLE "event_change" ("seq" integer not null primary key autoincrement, "event_id" text not null, "at" integer not null, "mark" integer not null, "category" text, "record_id" text, "deleted" integer default 0 not null);

-- event_change_event
CREATE INDEX "event_change_event" on "event_change" ("event_id", "seq", "mark");

-- event_version
CREATE TABLE "event_version" ("event_id" text not null, "seq" integer not null, "changes" integer not null, "mark" integer not null, "forgotten" integer, "forgotten_guests" integer, "forgotten_items" integer, constraint "event_version_pk" primary key ("event_id"));

-- deletion
CREATE TABLE "deletion" ("event_id" text not null, "category" text not null, "record_id" text not null, "at" integer not null, "created" integer, "updated" integer, constraint "deletion_pk" primary key ("event_id", "category", "record_id"));

-- deletion_latest
CREATE INDEX "deletion_latest" on "deletion" ("event_id", "category", "at", "record_id");

-- vacant_position
CREATE TABLE "vacant_position" ("seq" integer not null primary key autoincrement, "event_id" text not null, "category" text not null, "record_id" text not null, "updated" integer not null, "at" integer not null);

-- vacant_position_newest
CREATE INDEX "vacant_position_newest" on "vacant_position" ("event_id", "category", "updated", "record_id", "at");

-- change_state
CREATE TABLE "change_state" ("id" integer not null, "complete_since" integer not null, "clock" integer not null, "top" integer not null, "settled" integer not null, "epoch" integer, "watermark" integer, "floor" integer, "server" text, "retained_since" integer, "recorded_since" integer, constraint "change_state_pk" primary key ("id"));

-- clock_step
CREATE TABLE "clock_step" ("reached" integer not null, "back_to" integer not null, constraint "clock_step_pk" primary key ("reached"));

-- watched_table
CREATE TABLE "watched_table" ("name" text not null, "made" text not null, "server" text, constraint "watched_table_pk" primary key ("name"));

-- account
CREATE TABLE "account" ("id" text not null, "username" text not null, "password" text not null, "role" text not null, "epoch" integer default 0 not null, "disabled" integer default 0 not null, "demonstration" integer default 0 not null, "created" integer default (unixepoch()) not null, "updated" integer default (unixepoch()) not null, "viewer" integer default 0 not null, constraint "account_pk" primary key ("id"), constraint "username" unique ("username"), constraint "account_role" check (role in ('service', 'partner', 'operator')));

-- access_grant
CREATE TABLE "access_grant" ("id" text not null, "account_id" text not null, "organization_id" text, "event_id" text, "created" integer default (unixepoch()) not null, "ends" integer, "networks" text, constraint "access_grant_pk" primary key ("id"), constraint "access_grant_organization_once" unique ("account_id", "organization_id"), constraint "access_grant_event_once" unique ("account_id", "event_id"), constraint "access_grant_one_of_two" check ((organization_id is null) <> (event_id is null)), constraint "access_grant_account" foreign key ("account_id") references "account" ("id") on delete cascade, constraint "access_grant_organization" foreign key ("organization_id") references "organization" ("id"), constraint "access_grant_event" foreign key ("event_id") references "event" ("id"));

-- session
CREATE TABLE "session" ("id" text not null, "account_id" text not null, "created" integer not null, "expires" integer not null, "used" integer, "reason" text, "lasting" integer default 0 not null, constraint "session_pk" primary key ("id"), constraint "session_account" foreign key ("account_id") references "account" ("id") on delete cascade);

-- session_expires
CREATE INDEX "session_expires" on "session" ("account_id", "expires");

-- session_ends
CREATE INDEX "session_ends" on "session" ("expires");

-- account_activity
CREATE TABLE "account_activity" ("account_id" text not null, "last_log_in" integer, "last_poll" integer, "refused" integer, "refused_code" text, "refused_request" text, "refused_session" text, "refused_address" text, constraint "account_activity_pk" primary key ("account_id"));

-- log_in_network
CREATE TABLE "log_in_network" ("account_id" text not null, "network" text not null, "last_used" integer not null, constraint "log_in_network_pk" primary key ("account_id", "network"), constraint "log_in_network_account" foreign key ("account_id") references "account" ("id") on delete cascade);

-- log_in_network_last_used
CREATE INDEX "log_in_network_last_used" on "log_in_network" ("last_used");

-- rate_limit
CREATE TABLE "rate_limit" ("name" text not null, "points" integer not null, "expires" integer not null, "blocked_until" integer, constraint "rate_limit_pk" primary key ("name"));

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

-- audit_log_request
CREATE INDEX "audit_log_request" on "audit_log" ("request_id");

-- audit_log_status
CREATE INDEX "audit_log_status" on "audit_log" ("status", "at");

-- audit_name
CREATE TABLE "audit_name" ("former" text not null, "account" text not null, constraint "audit_name_pk" primary key ("former"));

-- audit_name_account
CREATE INDEX "audit_name_account" on "audit_name" ("account");

-- partner_contact
CREATE TABLE "partner_contact" ("account_id" text not null, "contact" text, "notes" text, "muted_until" integer, "muted_because" text, constraint "partner_contact_pk" primary key ("account_id"), constraint "partner_contact_account" foreign key ("account_id") references "account" ("id") on delete cascade);

-- record_start
CREATE TABLE "record_start" ("event_id" text not null, "category" text not null, "record_id" text not null, "time" integer not null, constraint "record_start_pk" primary key ("event_id", "category", "record_id"));

-- field_set
CREATE TABLE "field_set" ("id" text not null, "fields" text not null, constraint "field_set_pk" primary key ("id"));

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

-- former_recipient
CREATE TABLE "former_recipient" ("account_id" text not null, "username" text not null, constraint "former_recipient_pk" primary key ("account_id"));

-- feed_key
CREATE TABLE "feed_key" ("id" integer not null, "secret" text not null, constraint "feed_key_pk" primary key ("id"));

-- former_name
CREATE TABLE "former_name" ("username" text not null, "account_id" text not null, "until" integer not null, "removed" integer default 0 not null, constraint "former_name_pk" primary key ("username"));

-- sync_state
CREATE TABLE "sync_state" ("account_id" text not null, "event_id" text not null, "prefix" text not null, "list" text not null, "family" text not null, "kind" text not null, "last_poll" integer, "poll_interval" integer, "walk_started" integer, "walk_since" integer, "walk_next" integer, "previous_started" integer, "third_started" integer, "first_started" integer, "walk_completed" integer, "completed_next" integer, "acknowledged" integer, "acknowledged_at" integer, "records" integer default 0 not null, "first_error" integer, "error_at" integer, "error_status" integer, "error_code" text, "error_request" text, "completed_since" integer, "since_from" integer, "sent_until" integer, "skipped_from" integer, "skipped_to" integer, "error_parameters" text, "watched" integer generated always as (case when third_started > coalesce(walk_completed, -1) or previous_started > coalesce(walk_completed, -1) or error_at > coalesce(last_poll, 0) or walk_since > walk_started or skipped_to > 0 or since_from <= previous_started or (last_poll is not null and (walk_started is null or walk_completed is null)) then 1 end), "acknowledged_hour" integer generated always as (case when kind in ('guest deletions', 'item deletions') then acknowledged - acknowledged % 3600 end), constraint "sync_state_pk" primary key ("account_id", "event_id", "prefix", "list"));

-- sync_state_error
CREATE INDEX "sync_state_error" on "sync_state" ("account_id", "error_at");

-- last_request
CREATE TABLE "last_request" ("account_id" text not null, "at" integer not null, "address" text not null, constraint "last_request_pk" primary key ("account_id"));

-- partner_hour
CREATE TABLE "partner_hour" ("account_id" text not null, "hour" integer not null, "polls" integer not null, "walks" integer not null, "records" integer not null, "errors" integer not null, "lag" integer, constraint "partner_hour_pk" primary key ("account_id", "hour"));

-- partner_hour_hour
CREATE INDEX "partner_hour_hour" on "partner_hour" ("hour");

-- sync_state_watched
CREATE INDEX "sync_state_watched" on "sync_state" ("watched", "account_id");

-- sync_state_interval
CREATE INDEX "sync_state_interval" on "sync_state" ("account_id", "poll_interval", "last_poll");

-- sync_state_acknowledged
CREATE INDEX "sync_state_acknowledged" on "sync_state" ("account_id", "acknowledged_hour");

-- sync_state_hour
CREATE INDEX "sync_state_hour" on "sync_state" ("acknowledged_hour");

-- sync_state_covered
CREATE INDEX "sync_state_covered" on "sync_state" ("event_id", "kind", "completed_next", "account_id");

-- partner_state
CREATE TABLE "partner_state" ("account_id" text not null, "event_id" text not null, "prefix" text not null, "list" text not null, "began" integer not null, "ended" integer, "state" text not null, constraint "partner_state_pk" primary key ("account_id", "event_id", "prefix", "list", "began"));

-- partner_state_ended
CREATE INDEX "partner_state_ended" on "partner_state" ("ended");

-- partner_month
CREATE TABLE "partner_month" ("account_id" text not null, "month" integer not null, "failing" integer not null, "idle" integer not null, constraint "partner_month_pk" primary key ("account_id", "month"));

-- partner_look
CREATE TABLE "partner_look" ("id" integer not null, "at" integer not null, constraint "partner_look_pk" primary key ("id"));

-- ping_receiver
CREATE TABLE "ping_receiver" ("id" text not null, "account_id" text not null, "url" text not null, "secret" text not null, "former_secret" text, "former_until" integer, "created" integer not null, "state" text not null, "reason" text, "since" integer not null, "failing_since" integer, "attempts" integer not null, "next_at" integer not null, "last_sent" integer, "last_status" integer, "last_error" text, "sent_seq" integer not null, constraint "ping_receiver_pk" primary key ("id"), constraint "ping_receiver_account_of" foreign key ("account_id") references "account" ("id") on delete cascade);

-- ping_receiver_account
CREATE INDEX "ping_receiver_account" on "ping_receiver" ("account_id");

-- ping_receiver_state
CREATE INDEX "ping_receiver_state" on "ping_receiver" ("state", "since");

-- ping_challenge
CREATE TABLE "ping_challenge" ("account_id" text not null, "since" integer not null, "asked" integer not null, constraint "ping_challenge_pk" primary key ("account_id"), constraint "ping_challenge_account" foreign key ("account_id") references "account" ("id") on delete cascade);

-- ping_sender
CREATE TABLE "ping_sender" ("id" integer not null, "owner" text not null, "until" integer not null, "looks" integer not null, "noted" integer, constraint "ping_sender_pk" primary key ("id"));

-- instance
CREATE TABLE "instance" ("id" text not null, "host" text not null, "pid" integer not null, "url" text, "version" text not null, "started" integer not null, "seen" integer not null, "ready" integer not null, "config_file" text not null, "config_hash" text not null, "config_since" integer not null, "reload_at" integer, "reload_result" text, "reload_reason" text, constraint "instance_pk" primary key ("id"));

-- account_token
CREATE TABLE "account_token" ("session_id" text not null, "account_id" text not null, "name" text not null, "hash" text not null, "epoch" integer not null, "last_address" text, constraint "account_token_pk" primary key ("session_id"), constraint "account_token_hash" unique ("hash"), constraint "account_token_session" foreign key ("session_id") references "session" ("id") on delete cascade);

-- account_token_account
CREATE INDEX "account_token_account" on "account_token" ("account_id");

-- rows of kysely_migration
insert into kysely_migration (`name`, `timestamp`) values
  ('0001-baseline', '2026-11-30T01:11:23.077Z'),
  ('0001-records', '2026-11-30T01:11:23.078Z'),
  ('0002-change-log', '2026-11-30T01:11:23.079Z'),
  ('0003-accounts', '2026-11-30T01:11:23.080Z'),
  ('0004-polling', '2026-11-30T01:11:23.081Z'),
  ('0005-access', '2026-11-30T01:11:23.082Z'),
  ('0006-versions', '2026-11-30T01:11:23.083Z'),
  ('0007-log-in-waits', '2026-11-30T01:11:23.084Z'),
  ('0008-long-cursors', '2026-11-30T01:11:23.085Z'),
  ('0009-session-ends', '2026-11-30T01:11:23.086Z'),
  ('0010-log-in-networks', '2026-11-30T01:11:23.087Z'),
  ('0011-event-changes', '2026-11-30T01:11:23.088Z'),
  ('0012-record-versions', '2026-11-30T01:11:23.089Z'),
  ('0013-operators', '2026-11-30T01:11:23.090Z'),
  ('0014-sync-health', '2026-11-30T01:11:23.091Z'),
  ('0015-disclosures', '2026-11-30T01:11:23.092Z'),
  ('0016-heartbeat', '2026-11-30T01:11:23.093Z'),
  ('0017-forgotten-deletions', '2026-11-30T01:11:23.094Z'),
  ('0018-changed-records', '2026-11-30T01:11:23.095Z'),
  ('0019-viewers', '2026-11-30T01:11:23.096Z'),
  ('0020-forgotten-by-list', '2026-11-30T01:11:23.097Z'),
  ('0021-lasting-sessions', '2026-11-30T01:11:23.098Z'),
  ('0022-far-times', '2026-11-30T01:11:23.099Z'),
  ('audit-0001', '2026-11-30T01:11:23.100Z'),
  ('audit-0002', '2026-11-30T01:11:23.101Z'),
  ('contacts-0001', '2026-11-30T01:11:23.102Z'),
  ('disclosures-0001', '2026-11-30T01:11:23.103Z'),
  ('disclosures-0002', '2026-11-30T01:11:23.104Z'),
  ('feed-0001', '2026-11-30T01:11:23.105Z'),
  ('former-names-0001', '2026-11-30T01:11:23.106Z'),
  ('partners-0001', '2026-11-30T01:11:23.107Z'),
  ('partners-0002', '2026-11-30T01:11:23.108Z'),
  ('partners-0003', '2026-11-30T01:11:23.109Z'),
  ('partners-0004', '2026-11-30T01:11:23.110Z'),
  ('partners-0005', '2026-11-30T01:11:23.111Z'),
  ('ping-0001', '2026-11-30T01:11:23.112Z'),
  ('ping-0002', '2026-11-30T01:11:23.113Z'),
  ('presence-0001', '2026-11-30T01:11:23.114Z'),
  ('sessions-0001', '2026-11-30T01:11:23.115Z');

-- rows of organization
insert into organization (`id`, `slug`, `name`, `created`, `updated`) values
  ('a78e2ba2-6580-4aee-82e4-14aa4f26b986', 'acme', 'acme', 1700000000, 1700000000),
  ('c766af5f-5b1c-4325-85e5-748dddd1fb6d', 'borealis', 'borealis', 1700000000, 1700000000),
  ('f7359af7-51ed-4257-a968-3d540ed4fa1a', 'neighbour', 'neighbour', 1700000000, 1700000000);

-- rows of event
insert into event (`id`, `organization_id`, `external_id`, `name`, `status`, `currency`, `timezone`, `starts`, `ends`, `created`, `updated`) values
  ('00000000-0000-4000-8000-00000000000e', 'f7359af7-51ed-4257-a968-3d540ed4fa1a', null, 'Autumn Gala', 'running', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', 'a78e2ba2-6580-4aee-82e4-14aa4f26b986', null, 'Autumn Gala', 'running', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000),
  ('89198a9f-b3ee-47fc-8b43-301c8227f32d', 'c766af5f-5b1c-4325-85e5-748dddd1fb6d', null, 'O''Neill''s ball', 'closed', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f7359af7-51ed-4257-a968-3d540ed4fa1a', null, 'Autumn Gala', 'running', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000);

-- rows of guest
insert into guest (`event_id`, `id`, `first_name`, `last_name`, `email`, `mobile`, `external_id`, `sms_opt_in`, `company_name`, `created`, `updated`, `export_version`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 965216131647179),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 1269503261922526),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 2484942318664662),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 1752506359803092),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 3938811087346945),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 583248046339392),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 4452536485924666),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 'Ada', 'Łódź 东京 😀', 'guest1@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 2036583795157768),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Ada', 'Lovelace', 'guest3@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1700000001, -1657863062245137),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Ada', 'Lovelace', 'guest0@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 586258136451803),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 4358994276591827),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 1755973229598038),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 2139955808004863),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 794949755708935),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 4387719216782536),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 459299325310224),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001083, 2138020521446173);

-- rows of consent
insert into consent (`event_id`, `guest_id`, `asked`, `status`, `channels`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 1, 'inactive', 'post'),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 1, 'inactive', 'post'),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 1, 'inactive', 'post'),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 1, 'inactive', 'post'),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 1, 'inactive', 'post'),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 1, 'inactive', 'post'),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 1, 'inactive', 'post'),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 1, 'active', 'email'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 1, 'inactive', 'post'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 1, 'inactive', 'post'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 1, 'inactive', 'post'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 1, 'inactive', 'post'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 1, 'inactive', 'post'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 1, 'inactive', 'post'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 1, 'inactive', 'post');

-- rows of address
insert into address (`event_id`, `guest_id`, `kind`, `name`, `line1`, `line2`, `line3`, `line4`, `town`, `postcode`, `state`, `country`, `recipient_name`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'gift_aid', 'Home', '1 High Street', 'c/o "Ada" \ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'main', 'Home', '1 High Street', 'c/o "Ada" \ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'tax_receipt', 'Home', '1 High Street', 'c/o "Ada" \ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace');

-- rows of buy_now_item
insert into buy_now_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `quantity`, `tax_rate`, `estimate`, `created`, `updated`, `export_version`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000007, -429596949941951),
  ('00000000-0000-4000-8000-00000000000e', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000010, -3443969775432600),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000009, -3418452537308080),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000001, -2111375047188580),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000012, -2666737022818249),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000003, -3118403417768733),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000004, -1692845040598557),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000006, -2524232934719224),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000001, -4091401144771712),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000002, -1760703164618783),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000007, -1846248802994430),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000010, -4422745290880517),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000009, -380334945928251),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000001, -1358693610801870),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000012, -2430027838441658),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000003, -4466011292086130),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000004, -1139889917147468),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000006, -56719555633848);

-- rows of auction_item
insert into auction_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `lot_number`, `start_price`, `increments`, `estimate`, `tax_rate`, `closes`, `created`, `updated`, `export_version`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000007, -4202064536442109),
  ('00000000-0000-4000-8000-00000000000e', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000010, -1424151224994171),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000009, -3819285371939383),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000001, -1000644159621308),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000012, -832222978270888),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000003, -623606131373200),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000004, -3049034935471537),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000006, -4434493762592536),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000001, -1257353364003569),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000002, -1786395715661325),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000007, -3731330066987404),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000010, -1754962146632172),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000009, -4470128162624407),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000001, -1386713928940096),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000012, -353680443039177),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000003, -1882535268303935),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000004, -1797726999642117),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from":0,"step":500}]', null, null, null, 1700000000, 1700000006, -885909981251027);

-- rows of pledge
insert into pledge (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `amount`, `created`, `updated`, `export_version`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000007, -2993857559922195),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000009, -898090806777872),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000001, -934772431794054),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000012, -2983671186114100),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000003, -3872788366334093),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000004, -2174014854287225),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000006, -3699558322203920),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000001, -1948809850512397),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000002, -3083551889134419),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000007, -4153694960344584),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000009, -2034607199943226),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000001, -3303842677598723),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000012, -898880847859607),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000003, -66766652094099),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000004, -1382445470505789),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000006, -3362425640911710);

-- rows of raffle
insert into raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `created`, `updated`, `export_version`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000007, -4342530459877080),
  ('00000000-0000-4000-8000-00000000000e', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000010, -4212239275880084),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000009, -319796776034679),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000001, -4075755849713797),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000012, -310726061858295),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000003, -752215409708403),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000004, -2037521063328711),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000006, -3918755510225726),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000001, -1331994091550167),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000002, -2384582650173046),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000007, -2159639677750176),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000010, -3566800267775450),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000009, -2939840466324469),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000001, -3294863007382023),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000012, -605063004880021),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000003, -3621809385629394),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000004, -1849885265502282),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000006, -3506206578971334);

-- rows of gli_raffle
insert into gli_raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `licence_number`, `regulator`, `created`, `updated`, `export_version`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000007, -439962788055286),
  ('00000000-0000-4000-8000-00000000000e', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000010, -2879367015090430),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000009, -1541283755333794),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000001, -1001201780695097),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000012, -1175936817459104),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000003, -2030891355743869),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000004, -3053975769106700),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000006, -339905260613347),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000001, -558655428125846),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000002, -3948527320266738),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000007, -4317183666541129),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000010, -3782843354070557),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000009, -995638368216284),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000001, -3943871750761647),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000012, -482827034188102),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000003, -887872695276140),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000004, -3793673538131363),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000006, -291813744163639);

-- rows of ticket
insert into ticket (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `capacity`, `admits`, `tax_rate`, `created`, `updated`, `export_version`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000007, -1145167226027977),
  ('00000000-0000-4000-8000-00000000000e', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000010, -2077561093352610),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000009, -4393752787561452),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000001, -441601561274653),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000012, -865782125987028),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000003, -3068268459326489),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000004, -3088572922825223),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000006, -2024773021667240),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000001, -4106842287792610),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000002, -2737295595135229),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000007, -2629072171396048),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000010, -1780497710048700),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000009, -973058028483630),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000001, -2257321627888927),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000012, -2634316482364195),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000003, -659598379462884),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000004, -2788783274714592),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000006, -772127607921961);

-- rows of event_change
insert into event_change (`seq`, `event_id`, `at`, `mark`, `category`, `record_id`, `deleted`) values
  (1, '00000000-0000-4000-8000-00000000000e', 1796001083, 3296066593596808, 'events', null, 0),
  (10, '00000000-0000-4000-8000-00000000000e', 1796001083, 967830409884217, 'guests', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (100, '00000000-0000-4000-8000-00000000000e', 1796001083, 267688026007830, 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (101, '00000000-0000-4000-8000-00000000000e', 1796001083, 147922507826533, 'prizeDraws', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (102, '00000000-0000-4000-8000-00000000000e', 1796001083, 937249619111657, 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (103, '00000000-0000-4000-8000-00000000000e', 1796001083, 2269850823196471, 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (104, '00000000-0000-4000-8000-00000000000e', 1796001083, 3362530573835894, 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (105, '00000000-0000-4000-8000-00000000000e', 1796001083, 2577039915924200, 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (106, '00000000-0000-4000-8000-00000000000e', 1796001083, 2699609084768967, 'gliRaffles', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (107, '00000000-0000-4000-8000-00000000000e', 1796001083, 476635578308010, 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (108, '00000000-0000-4000-8000-00000000000e', 1796001083, 3035476505242643, 'gliRaffles', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (109, '00000000-0000-4000-8000-00000000000e', 1796001083, 3596538772686141, 'gliRaffles', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (11, '00000000-0000-4000-8000-00000000000e', 1796001083, 1009020806651526, 'guests', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (110, '00000000-0000-4000-8000-00000000000e', 1796001083, 2522128450878478, 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (111, '00000000-0000-4000-8000-00000000000e', 1796001083, 4335906095245981, 'gliRaffles', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (112, '00000000-0000-4000-8000-00000000000e', 1796001083, 111270058967153, 'gliRaffles', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (113, '00000000-0000-4000-8000-00000000000e', 1796001083, 702097037664786, 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (114, '00000000-0000-4000-8000-00000000000e', 1796001083, 1048294488373657, 'gliRaffles', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (115, '00000000-0000-4000-8000-00000000000e', 1796001083, 3175089205456763, 'gliRaffles', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (116, '00000000-0000-4000-8000-00000000000e', 1796001083, 186984253063254, 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (117, '00000000-0000-4000-8000-00000000000e', 1796001083, 219483271387656, 'gliRaffles', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (118, '00000000-0000-4000-8000-00000000000e', 1796001083, 1995096974539332, 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (119, '00000000-0000-4000-8000-00000000000e', 1796001083, 1945723073957409, 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (12, '00000000-0000-4000-8000-00000000000e', 1796001083, 625074945517964, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (120, '00000000-0000-4000-8000-00000000000e', 1796001083, 297679242933455, 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (121, '00000000-0000-4000-8000-00000000000e', 1796001083, 3403262479491104, 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (122, '00000000-0000-4000-8000-00000000000e', 1796001083, 800005727044681, 'tickets', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (123, '00000000-0000-4000-8000-00000000000e', 1796001083, 1445083483831752, 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (124, '00000000-0000-4000-8000-00000000000e', 1796001083, 394182710179998, 'tickets', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (125, '00000000-0000-4000-8000-00000000000e', 1796001083, 3801182439046179, 'tickets', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (126, '00000000-0000-4000-8000-00000000000e', 1796001083, 1870740105268082, 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (127, '00000000-0000-4000-8000-00000000000e', 1796001083, 3258809789445837, 'tickets', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (128, '00000000-0000-4000-8000-00000000000e', 1796001083, 339247212114380, 'tickets', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (129, '00000000-0000-4000-8000-00000000000e', 1796001083, 1979962680286376, 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (13, '00000000-0000-4000-8000-00000000000e', 1796001083, 1751028856506191, 'guests', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (130, '00000000-0000-4000-8000-00000000000e', 1796001083, 2107447823390597, 'tickets', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (131, '00000000-0000-4000-8000-00000000000e', 1796001083, 1030845131946957, 'tickets', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (132, '00000000-0000-4000-8000-00000000000e', 1796001083, 389458084746502, 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (133, '00000000-0000-4000-8000-00000000000e', 1796001083, 2534010516324461, 'tickets', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (134, '00000000-0000-4000-8000-00000000000e', 1796001083, 2823089159285788, 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (135, '00000000-0000-4000-8000-00000000000e', 1796001083, 2298052115080958, 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (136, '00000000-0000-4000-8000-00000000000e', 1796001083, 638622321744230, 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (137, '00000000-0000-4000-8000-00000000000e', 1796001083, 1683846247311002, 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (138, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2113567880097757, 'events', null, 0),
  (139, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 929222970479110, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (14, '00000000-0000-4000-8000-00000000000e', 1796001083, 1496957759951538, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (140, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3536921792492632, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (141, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3758845554223399, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (142, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1522847529428356, 'guests', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (143, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 100522458696733, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (144, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2513550854290763, 'guests', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (145, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3109221209591530, 'guests', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (146, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1189430147439777, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (147, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 378749021117581, 'guests', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (148, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1280158370539236, 'guests', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (149, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2621628940963369, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (15, '00000000-0000-4000-8000-00000000000e', 1796001083, 3990262572906755, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (150, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3217959485696119, 'guests', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (151, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3719154794490198, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (152, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 962450746305752, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (153, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3149594730803780, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (154, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2586902074022443, 'guests', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (155, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2154000207403450, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (156, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 610946620775805, 'guests', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (157, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2355464372104131, 'guests', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (158, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3465477965816579, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (159, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3124162684065990, 'guests', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (16, '00000000-0000-4000-8000-00000000000e', 1796001083, 2671505260725018, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (160, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2561276772587817, 'guests', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (161, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1241215052535637, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (162, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 221600864593464, 'guests', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (163, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3130250391413817, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (164, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 525543946835971, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (165, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2989448644214569, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (166, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 679996913346034, 'guests', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (167, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3791473686955631, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (168, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3414859287348967, 'guests', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (169, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1942181156662593, 'guests', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (17, '00000000-0000-4000-8000-00000000000e', 1796001083, 1095969450478772, 'guests', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (170, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1600849594888074, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (171, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1975707097441495, 'guests', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (172, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 933742634129135, 'guests', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (173, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 4098276158159577, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (174, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 274784171064393, 'guests', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (175, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3316871725681424, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (176, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2146135737926768, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (177, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2287079124877325, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (178, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3863536527930569, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (179, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 51641403740192, 'buyNows', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (18, '00000000-0000-4000-8000-00000000000e', 1796001083, 3056513595634954, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (180, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3702582450277613, 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (181, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2044563700411948, 'buyNows', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (182, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1884365549298981, 'buyNows', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (183, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 4436958872843012, 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (184, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 4345439794875893, 'buyNows', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (185, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1795666885069661, 'buyNows', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (186, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2964733460639249, 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (187, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1612613929867372, 'buyNows', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (188, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2318453427492153, 'buyNows', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (189, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 292674596929914, 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (19, '00000000-0000-4000-8000-00000000000e', 1796001083, 3233177265406496, 'guests', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (190, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 833012500097109, 'buyNows', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (191, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3190126005131805, 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (192, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2260870664292977, 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (193, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 283037280195390, 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (194, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1052407183598517, 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (195, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1442737903178206, 'auctionItems', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (196, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 500133790274179, 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (197, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 966461372149263, 'auctionItems', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (198, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 498110289378019, 'auctionItems', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (199, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 4091276100356472, 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (2, '00000000-0000-4000-8000-00000000000e', 1796001083, 4493086372854200, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (20, '00000000-0000-4000-8000-00000000000e', 1796001083, 3328512363058476, 'guests', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (200, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3588192120287198, 'auctionItems', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (201, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 328403722834657, 'auctionItems', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (202, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1423126668434113, 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (203, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 742047991957462, 'auctionItems', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (204, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 501339437467511, 'auctionItems', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (205, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3484775927068968, 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (206, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2081578318975201, 'auctionItems', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (207, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3420380504642391, 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (208, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1903596451593527, 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (209, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 176407981535412, 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (21, '00000000-0000-4000-8000-00000000000e', 1796001083, 3529601555057799, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (210, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 821149756273635, 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (211, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3984032884149374, 'pledges', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (212, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3011809118122346, 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (213, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 7244905331161, 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (214, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1434929994545959, 'pledges', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (215, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 959981070162356, 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (216, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 4356068165087919, 'pledges', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (217, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2503795450798084, 'pledges', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (218, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3818400987909839, 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (219, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3716621607239160, 'pledges', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (22, '00000000-0000-4000-8000-00000000000e', 1796001083, 2592666061955720, 'guests', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (220, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 984729495161647, 'pledges', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (221, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1371388543192235, 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (222, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2952591330401783, 'pledges', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (223, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3908301909366150, 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (224, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3824465312144998, 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (225, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3122910077511172, 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (226, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 194750195827765, 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (227, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 110338954910166, 'prizeDraws', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (228, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 880768539293758, 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (229, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 192338591511216, 'prizeDraws', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (23, '00000000-0000-4000-8000-00000000000e', 1796001083, 2794665511289445, 'guests', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (230, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1263467329118414, 'prizeDraws', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (231, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3256419257345856, 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (232, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1087439495952961, 'prizeDraws', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (233, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 4054878426191631, 'prizeDraws', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (234, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1575485816971350, 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (235, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3276694587833970, 'prizeDraws', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (236, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1258268740831230, 'prizeDraws', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (237, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 926663968042783, 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (238, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3225026098648158, 'prizeDraws', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (239, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 682832018325687, 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (24, '00000000-0000-4000-8000-00000000000e', 1796001083, 311420659126140, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (240, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 507385744739220, 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (241, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 4413285168693277, 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (242, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3538805531853144, 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (243, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3681771846265591, 'gliRaffles', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (244, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1579984519658325, 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (245, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1041144181240538, 'gliRaffles', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (246, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 454151529766153, 'gliRaffles', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (247, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3116120486071662, 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (248, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3660067296805201, 'gliRaffles', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (249, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2168247072053294, 'gliRaffles', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (25, '00000000-0000-4000-8000-00000000000e', 1796001083, 4194247060054915, 'guests', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (250, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1072836500846882, 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (251, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1957943186525887, 'gliRaffles', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (252, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 56155251128063, 'gliRaffles', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (253, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2376355691381574, 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (254, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3479427208644839, 'gliRaffles', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (255, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2904878045879700, 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (256, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2506231332546330, 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (257, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2156255057309273, 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (258, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2429797837947916, 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (259, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 670067718028101, 'tickets', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (26, '00000000-0000-4000-8000-00000000000e', 1796001083, 4108886271418012, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (260, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 257968654855450, 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (261, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 174649917233946, 'tickets', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (262, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1532214627715799, 'tickets', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (263, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1259423446603653, 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (264, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 4027461201951329, 'tickets', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (265, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1875282039502919, 'tickets', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (266, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3002323867985813, 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (267, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3156124615714881, 'tickets', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (268, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1505578140007251, 'tickets', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (269, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 699623348064208, 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (27, '00000000-0000-4000-8000-00000000000e', 1796001083, 1042332237953962, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (270, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 3582166915533470, 'tickets', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (271, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1418022209509773, 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (272, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 1065591590921288, 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (273, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 2798218612136511, 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (274, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 848200707087921, 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (275, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 2402225601508415, 'events', null, 0),
  (276, '89198a9f-b3ee-47fc-8b43-301c8227f32d', 1796001083, 1675978115596320, 'events', null, 0),
  (277, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 4491700142295663, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (278, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 705614757413306, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (279, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 1220328117536219, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (28, '00000000-0000-4000-8000-00000000000e', 1796001083, 1844207063353346, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (280, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 832333846956364, 'guests', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (281, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 2835981276607941, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (282, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 2992965670185582, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (283, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 999256519938984, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (284, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 716912876144377, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (285, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 24268844687315, 'buyNows', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (286, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 2725246216402979, 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (287, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 1116953710730270, 'auctionItems', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (288, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 1997036822483900, 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (289, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 1319384277398272, 'pledges', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (29, '00000000-0000-4000-8000-00000000000e', 1796001083, 1042139372615833, 'guests', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (290, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 138831795306672, 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (291, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 2234905819132127, 'prizeDraws', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (292, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 4266991469137594, 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (293, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 2352528375005097, 'gliRaffles', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (294, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 2936944715076451, 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (295, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 2213666470406504, 'tickets', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (296, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 4499664522293089, 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (297, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 4348001793467981, 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (298, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 309543715586196, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (299, '00000000-0000-4000-8000-00000000000e', 1796001083, 4482711615455027, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1),
  (3, '00000000-0000-4000-8000-00000000000e', 1796001083, 1806285080048290, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (30, '00000000-0000-4000-8000-00000000000e', 1796001083, 3747232695392299, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (300, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 4209014677843541, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1),
  (301, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 2457617092452010, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1),
  (302, '00000000-0000-4000-8000-00000000000e', 1796001083, 2971184130141037, 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1),
  (303, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001083, 404586509385201, 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1),
  (304, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, 896656342182121, 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1),
  (31, '00000000-0000-4000-8000-00000000000e', 1796001083, 3917037983786606, 'guests', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (32, '00000000-0000-4000-8000-00000000000e', 1796001083, 159196817504532, 'guests', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (33, '00000000-0000-4000-8000-00000000000e', 1796001083, 997409231121540, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (34, '00000000-0000-4000-8000-00000000000e', 1796001083, 964193673538890, 'guests', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (35, '00000000-0000-4000-8000-00000000000e', 1796001083, 113473627995351, 'guests', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (36, '00000000-0000-4000-8000-00000000000e', 1796001083, 2602148048141724, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (37, '00000000-0000-4000-8000-00000000000e', 1796001083, 4263593081634925, 'guests', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (38, '00000000-0000-4000-8000-00000000000e', 1796001083, 2657060942315124, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (39, '00000000-0000-4000-8000-00000000000e', 1796001083, 2130070444550862, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (4, '00000000-0000-4000-8000-00000000000e', 1796001083, 2290660219902018, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (40, '00000000-0000-4000-8000-00000000000e', 1796001083, 4026310342439169, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (41, '00000000-0000-4000-8000-00000000000e', 1796001083, 2578045256222166, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (42, '00000000-0000-4000-8000-00000000000e', 1796001083, 3227044025603355, 'buyNows', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (43, '00000000-0000-4000-8000-00000000000e', 1796001083, 3842630537457900, 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (44, '00000000-0000-4000-8000-00000000000e', 1796001083, 4321983331453899, 'buyNows', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (45, '00000000-0000-4000-8000-00000000000e', 1796001083, 3238295740544122, 'buyNows', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (46, '00000000-0000-4000-8000-00000000000e', 1796001083, 4025898703843037, 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (47, '00000000-0000-4000-8000-00000000000e', 1796001083, 3435774959138248, 'buyNows', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (48, '00000000-0000-4000-8000-00000000000e', 1796001083, 2522018375427320, 'buyNows', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (49, '00000000-0000-4000-8000-00000000000e', 1796001083, 2450483116705034, 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (5, '00000000-0000-4000-8000-00000000000e', 1796001083, 1658544525949833, 'guests', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (50, '00000000-0000-4000-8000-00000000000e', 1796001083, 17175100690604, 'buyNows', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (51, '00000000-0000-4000-8000-00000000000e', 1796001083, 2006366919322000, 'buyNows', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (52, '00000000-0000-4000-8000-00000000000e', 1796001083, 1163452670245187, 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (53, '00000000-0000-4000-8000-00000000000e', 1796001083, 911731203131164, 'buyNows', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (54, '00000000-0000-4000-8000-00000000000e', 1796001083, 3396931008471489, 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (55, '00000000-0000-4000-8000-00000000000e', 1796001083, 4420112502897234, 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (56, '00000000-0000-4000-8000-00000000000e', 1796001083, 2249057180982730, 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (57, '00000000-0000-4000-8000-00000000000e', 1796001083, 3412369018701, 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (58, '00000000-0000-4000-8000-00000000000e', 1796001083, 677244883344873, 'auctionItems', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (59, '00000000-0000-4000-8000-00000000000e', 1796001083, 1986666144727081, 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (6, '00000000-0000-4000-8000-00000000000e', 1796001083, 4494530515864220, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (60, '00000000-0000-4000-8000-00000000000e', 1796001083, 824289517418095, 'auctionItems', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (61, '00000000-0000-4000-8000-00000000000e', 1796001083, 2321818177356287, 'auctionItems', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (62, '00000000-0000-4000-8000-00000000000e', 1796001083, 4246268078304924, 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (63, '00000000-0000-4000-8000-00000000000e', 1796001083, 1088187493258649, 'auctionItems', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (64, '00000000-0000-4000-8000-00000000000e', 1796001083, 4462909905835459, 'auctionItems', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (65, '00000000-0000-4000-8000-00000000000e', 1796001083, 1273131839924556, 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (66, '00000000-0000-4000-8000-00000000000e', 1796001083, 888307796887193, 'auctionItems', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (67, '00000000-0000-4000-8000-00000000000e', 1796001083, 2837122831852272, 'auctionItems', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (68, '00000000-0000-4000-8000-00000000000e', 1796001083, 3713052010519246, 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (69, '00000000-0000-4000-8000-00000000000e', 1796001083, 713366945363871, 'auctionItems', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (7, '00000000-0000-4000-8000-00000000000e', 1796001083, 1230372297807479, 'guests', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (70, '00000000-0000-4000-8000-00000000000e', 1796001083, 3743763640314866, 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (71, '00000000-0000-4000-8000-00000000000e', 1796001083, 3289597269863869, 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (72, '00000000-0000-4000-8000-00000000000e', 1796001083, 3015150882096641, 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (73, '00000000-0000-4000-8000-00000000000e', 1796001083, 1253640481723014, 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (74, '00000000-0000-4000-8000-00000000000e', 1796001083, 2306707046454729, 'pledges', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (75, '00000000-0000-4000-8000-00000000000e', 1796001083, 3585719924177998, 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (76, '00000000-0000-4000-8000-00000000000e', 1796001083, 2036177725413543, 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (77, '00000000-0000-4000-8000-00000000000e', 1796001083, 3276008227139729, 'pledges', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (78, '00000000-0000-4000-8000-00000000000e', 1796001083, 893914034831471, 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (79, '00000000-0000-4000-8000-00000000000e', 1796001083, 2335498390444543, 'pledges', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (8, '00000000-0000-4000-8000-00000000000e', 1796001083, 1343865425002067, 'guests', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (80, '00000000-0000-4000-8000-00000000000e', 1796001083, 1062711660542358, 'pledges', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (81, '00000000-0000-4000-8000-00000000000e', 1796001083, 1530570839716121, 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (82, '00000000-0000-4000-8000-00000000000e', 1796001083, 1071616678473722, 'pledges', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (83, '00000000-0000-4000-8000-00000000000e', 1796001083, 347496521464137, 'pledges', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (84, '00000000-0000-4000-8000-00000000000e', 1796001083, 2937906253575915, 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (85, '00000000-0000-4000-8000-00000000000e', 1796001083, 1865677261338658, 'pledges', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (86, '00000000-0000-4000-8000-00000000000e', 1796001083, 2376795751753952, 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (87, '00000000-0000-4000-8000-00000000000e', 1796001083, 2906874522414727, 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (88, '00000000-0000-4000-8000-00000000000e', 1796001083, 225503046581581, 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (89, '00000000-0000-4000-8000-00000000000e', 1796001083, 2392118893570834, 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (9, '00000000-0000-4000-8000-00000000000e', 1796001083, 538512023325309, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (90, '00000000-0000-4000-8000-00000000000e', 1796001083, 3624108962457256, 'prizeDraws', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (91, '00000000-0000-4000-8000-00000000000e', 1796001083, 2507642357865578, 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (92, '00000000-0000-4000-8000-00000000000e', 1796001083, 3321166653925600, 'prizeDraws', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (93, '00000000-0000-4000-8000-00000000000e', 1796001083, 3113530525997207, 'prizeDraws', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (94, '00000000-0000-4000-8000-00000000000e', 1796001083, 4267869949544897, 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (95, '00000000-0000-4000-8000-00000000000e', 1796001083, 881605660125820, 'prizeDraws', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (96, '00000000-0000-4000-8000-00000000000e', 1796001083, 527680276652694, 'prizeDraws', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (97, '00000000-0000-4000-8000-00000000000e', 1796001083, 2637111437408389, 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (98, '00000000-0000-4000-8000-00000000000e', 1796001083, 973448541515257, 'prizeDraws', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (99, '00000000-0000-4000-8000-00000000000e', 1796001083, 3690915302700323, 'prizeDraws', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0);

-- rows of deletion
insert into deletion (`event_id`, `category`, `record_id`, `at`, `created`, `updated`) values
  ('00000000-0000-4000-8000-00000000000e', 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1700000000, 1700000005),
  ('00000000-0000-4000-8000-00000000000e', 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1700000000, 1700000011),
  ('00000000-0000-4000-8000-00000000000e', 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1700000000, 1700000008),
  ('00000000-0000-4000-8000-00000000000e', 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1700000000, 1700000002),
  ('00000000-0000-4000-8000-00000000000e', 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1700000000, 1700000005),
  ('00000000-0000-4000-8000-00000000000e', 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1700000000, 1700000011),
  ('00000000-0000-4000-8000-00000000000e', 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1700000000, 1700000008),
  ('00000000-0000-4000-8000-00000000000e', 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1700000000, 1700000002),
  ('00000000-0000-4000-8000-00000000000e', 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1700000000, 1700000005),
  ('00000000-0000-4000-8000-00000000000e', 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1700000000, 1700000011),
  ('00000000-0000-4000-8000-00000000000e', 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1700000000, 1700000008),
  ('00000000-0000-4000-8000-00000000000e', 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1700000000, 1700000002),
  ('00000000-0000-4000-8000-00000000000e', 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1700000000, 1796001083),
  ('00000000-0000-4000-8000-00000000000e', 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1700000000, 1796001083),
  ('00000000-0000-4000-8000-00000000000e', 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001083, 1700000000, 1796001083),
  ('00000000-0000-4000-8000-00000000000e', 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1700000000, 1796001083),
  ('00000000-0000-4000-8000-00000000000e', 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1700000000, 1796001083),
  ('00000000-0000-4000-8000-00000000000e', 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1700000000, 1700000005),
  ('00000000-0000-4000-8000-00000000000e', 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1700000000, 1700000011),
  ('00000000-0000-4000-8000-00000000000e', 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001083, 1700000000, 1700000010),
  ('00000000-0000-4000-8000-00000000000e', 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1700000000, 1700000008),
  ('00000000-0000-4000-8000-00000000000e', 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1700000000, 1700000002),
  ('00000000-0000-4000-8000-00000000000e', 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1700000000, 1700000005),
  ('00000000-0000-4000-8000-00000000000e', 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1700000000, 1700000011),
  ('00000000-0000-4000-8000-00000000000e', 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1700000000, 1700000008),
  ('00000000-0000-4000-8000-00000000000e', 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1700000000, 1700000002),
  ('00000000-0000-4000-8000-00000000000e', 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1700000000, 1700000005),
  ('00000000-0000-4000-8000-00000000000e', 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1700000000, 1700000011),
  ('00000000-0000-4000-8000-00000000000e', 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1700000000, 1700000008),
  ('00000000-0000-4000-8000-00000000000e', 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1700000000, 1700000002),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001083, 1700000000, 1700000002),
  ('83ac30d9-eaad-432d-ab83-b2f447a16043', 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001083, 1700000000, 1700000000),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1700000000, 1700000005),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1700000000, 1700000011),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1700000000, 1700000008),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1700000000, 1700000002),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1700000000, 1700000005),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1700000000, 1700000011),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1700000000, 1700000008),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1700000000, 1700000002),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1700000000, 1700000005),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1700000000, 1700000011),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1700000000, 1700000008),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1700000000, 1700000002),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1700000000, 1796001083),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1700000000, 1796001083),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001083, 1700000000, 1796001083),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1700000000, 1796001083),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1700000000, 1796001083),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1700000000, 1700000005),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1700000000, 1700000011),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001083, 1700000000, 1700000010),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1700000000, 1700000008),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1700000000, 1700000002),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1700000000, 1700000005),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1700000000, 1700000011),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1700000000, 1700000008),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1700000000, 1700000002),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1700000000, 1700000005),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1700000000, 1700000011),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1700000000, 1700000008),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1700000000, 1700000002);

-- rows of vacant_position
insert into vacant_position (`seq`, `event_id`, `category`, `record_id`, `updated`, `at`) values
  (1, '00000000-0000-4000-8000-00000000000e', 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1796001083),
  (10, '00000000-0000-4000-8000-00000000000e', 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001083),
  (11, '00000000-0000-4000-8000-00000000000e', 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001083),
  (12, '00000000-0000-4000-8000-00000000000e', 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001083),
  (13, '00000000-0000-4000-8000-00000000000e', 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001083),
  (14, '00000000-0000-4000-8000-00000000000e', 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001083),
  (15, '00000000-0000-4000-8000-00000000000e', 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001083),
  (16, '00000000-0000-4000-8000-00000000000e', 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001083),
  (17, '00000000-0000-4000-8000-00000000000e', 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001083),
  (18, '00000000-0000-4000-8000-00000000000e', 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001083),
  (19, '00000000-0000-4000-8000-00000000000e', 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001083),
  (2, '00000000-0000-4000-8000-00000000000e', 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1796001083),
  (20, '00000000-0000-4000-8000-00000000000e', 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001083),
  (21, '00000000-0000-4000-8000-00000000000e', 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001083),
  (22, '00000000-0000-4000-8000-00000000000e', 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001083),
  (23, '00000000-0000-4000-8000-00000000000e', 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001083),
  (24, '00000000-0000-4000-8000-00000000000e', 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001083),
  (25, '00000000-0000-4000-8000-00000000000e', 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001083),
  (26, '00000000-0000-4000-8000-00000000000e', 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001083),
  (27, '00000000-0000-4000-8000-00000000000e', 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001083),
  (28, '00000000-0000-4000-8000-00000000000e', 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001083),
  (29, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001083, 1796001083),
  (3, '00000000-0000-4000-8000-00000000000e', 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1796001083),
  (30, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001083, 1796001083),
  (31, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001083, 1796001083),
  (32, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1796001083),
  (33, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001083),
  (34, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001083),
  (35, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001083),
  (36, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001083),
  (37, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001083),
  (38, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001083),
  (39, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001083),
  (4, '00000000-0000-4000-8000-00000000000e', 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001083, 1796001083),
  (40, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001083),
  (41, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001083),
  (42, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001083),
  (43, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001083),
  (44, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001083),
  (45, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001083),
  (46, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001083),
  (47, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001083),
  (48, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001083),
  (49, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001083),
  (5, '00000000-0000-4000-8000-00000000000e', 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001083),
  (50, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001083),
  (51, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001083),
  (52, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001083),
  (53, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001083),
  (54, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001083),
  (55, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001083),
  (56, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001083),
  (57, '00000000-0000-4000-8000-00000000000e', 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001083, 1796001083),
  (58, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001083, 1796001083),
  (59, '83ac30d9-eaad-432d-ab83-b2f447a16043', 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1700000002, 1796001083),
  (6, '00000000-0000-4000-8000-00000000000e', 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001083),
  (60, '00000000-0000-4000-8000-00000000000e', 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1700000010, 1796001083),
  (61, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1700000010, 1796001083),
  (62, '83ac30d9-eaad-432d-ab83-b2f447a16043', 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1700000000, 1796001083),
  (7, '00000000-0000-4000-8000-00000000000e', 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001083),
  (8, '00000000-0000-4000-8000-00000000000e', 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001083),
  (9, '00000000-0000-4000-8000-00000000000e', 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001083);

-- rows of change_state
insert into change_state (`id`, `complete_since`, `clock`, `top`, `settled`, `epoch`, `watermark`, `floor`, `server`, `retained_since`, `recorded_since`) values
  (1, 0, 0, 0, 0, 4034040776, null, null, null, null, null);

-- rows of account
insert into account (`id`, `username`, `password`, `role`, `epoch`, `disabled`, `demonstration`, `created`, `updated`, `viewer`) values
  ('39434219-7ab8-4b89-b680-55a8452008ed', 'operator', '$scrypt$ln=4,r=8,p=1$kFXoQxItblInAorE/gQ4uA$jONfVbOU8O961Dk8HlSP9joM1gM8uzQL4zA7mpbKuB8', 'operator', 0, 0, 0, 1796001083, 1796001083, 0),
  ('a9802ae1-b958-44c0-8414-20505ee1cc44', 'partner', '$scrypt$ln=4,r=8,p=1$kFXoQxItblInAorE/gQ4uA$jONfVbOU8O961Dk8HlSP9joM1gM8uzQL4zA7mpbKuB8', 'partner', 0, 0, 0, 1796001083, 1796001083, 0),
  ('b828e8cd-6f4f-43f8-bb79-42850cf06d0d', 'acme-export', '$scrypt$ln=4,r=8,p=1$kFXoQxItblInAorE/gQ4uA$jONfVbOU8O961Dk8HlSP9joM1gM8uzQL4zA7mpbKuB8', 'service', 0, 0, 0, 1796001083, 1796001083, 0);

-- rows of access_grant
insert into access_grant (`id`, `account_id`, `organization_id`, `event_id`, `created`, `ends`, `networks`) values
  ('70f84ce2-cd33-4f1c-81ea-0565f98b9056', 'b828e8cd-6f4f-43f8-bb79-42850cf06d0d', 'a78e2ba2-6580-4aee-82e4-14aa4f26b986', null, 1796001083, null, null),
  ('7e77b254-5f80-4128-ad39-8a8e311451d0', 'a9802ae1-b958-44c0-8414-20505ee1cc44', null, '83ac30d9-eaad-432d-ab83-b2f447a16043', 1796001083, null, null);

-- rows of session
insert into session (`id`, `account_id`, `created`, `expires`, `used`, `reason`, `lasting`) values
  ('d7d65d5f-d5dc-4693-9327-9d0dd42c9727', 'b828e8cd-6f4f-43f8-bb79-42850cf06d0d', 1796001083, 1796044283, 1796001083, null, 0);

-- rows of account_activity
insert into account_activity (`account_id`, `last_log_in`, `last_poll`, `refused`, `refused_code`, `refused_request`, `refused_session`, `refused_address`) values
  ('b828e8cd-6f4f-43f8-bb79-42850cf06d0d', 1796001083, 1796001083, null, null, null, null, null);

-- rows of log_in_network
insert into log_in_network (`account_id`, `network`, `last_used`) values
  ('b828e8cd-6f4f-43f8-bb79-42850cf06d0d', '127.0.0.1', 1796001083);

-- rows of audit_log
insert into audit_log (`seq`, `at`, `action`, `account`, `address`, `request_id`, `plugin`, `route`, `event_id`, `since`, `first`, `cursor_text`, `search_length`, `sent`, `status`, `code`, `milliseconds`, `actor`, `detail`) values
  (1, 1796001083, 'log-in', 'acme-export', '127.0.0.1', '8e6b7d18-3cf3-4d1c-a13a-e703d20d8fd3', 'session', '/session', null, null, null, null, null, null, 204, null, 12, null, null),
  (2, 1796001083, 'list', 'acme-export', '127.0.0.1', 'fa7751c0-22fb-4bc5-8b6f-df84d393d9ea', 'custom-export', '/acme/v1/events', null, null, null, null, null, 1, 200, null, 9, null, null),
  (3, 1796001083, 'list', 'acme-export', '127.0.0.1', 'b2058b7c-d2f4-499b-a2bc-97b7c2deb810', 'custom-export', '/acme/v1/events/:eventId/guests', '83ac30d9-eaad-432d-ab83-b2f447a16043', -1, null, null, null, 4, 200, null, 10, null, null),
  (4, 1796001083, 'list', 'acme-export', '127.0.0.1', '1afb10d8-4e54-4910-a41b-587c22390881', 'custom-export', '/acme/v1/events/:eventId/items', '83ac30d9-eaad-432d-ab83-b2f447a16043', -1, null, null, null, 13, 200, null, 5, null, null),
  (5, 1796001083, 'list', 'acme-export', '127.0.0.1', '6ba1f1ff-fd97-4caf-9253-b1ef1a7cfd38', 'custom-export', '/acme/v1/events/:eventId/guests/deletions', '83ac30d9-eaad-432d-ab83-b2f447a16043', null, null, null, null, 1, 200, null, 3, null, null);

-- rows of field_set
insert into field_set (`id`, `fields`) values
  ('3cb1b58104ee3415', '["Guest.id","Guest.eventId","Guest.firstName","Guest.lastName","Guest.email","Guest.mobile","Guest.mainAddress","Guest.giftAidAddress","Guest.taxReceiptAidAddress","Guest.created","Guest.updated","Guest.consentAsked","Guest.consentStatus","Guest.consentChannels","Guest.externalId","Guest.smsOptIn","Guest.companyName"]'),
  ('d35ce9de77985259', '["BuyNowItem.id","BuyNowItem.eventId","BuyNowItem.name","BuyNowItem.status","BuyNowItem.created","BuyNowItem.updated","BuyNowItem.revenueStreamType","BuyNowItem.externalId","BuyNowItem.categories","BuyNowItem.irsSubcategory","BuyNowItem.description","BuyNowItem.termsDescription","BuyNowItem.price","BuyNowItem.quantity","BuyNowItem.taxRate","BuyNowItem.estimate","AuctionItem.id","AuctionItem.eventId","AuctionItem.name","AuctionItem.status","AuctionItem.created","AuctionItem.updated","AuctionItem.revenueStreamType","AuctionItem.externalId","AuctionItem.categories","AuctionItem.irsSubcategory","AuctionItem.description","AuctionItem.termsDescription","AuctionItem.lotNumber","AuctionItem.startPrice","AuctionItem.increments","AuctionItem.estimate","AuctionItem.taxRate","AuctionItem.closes","Pledge.id","Pledge.eventId","Pledge.name","Pledge.status","Pledge.created","Pledge.updated","Pledge.revenueStreamType","Pledge.externalId","Pledge.categories","Pledge.irsSubcategory","Pledge.description","Pledge.termsDescription","Pledge.amount","Raffle.id","Raffle.eventId","Raffle.name","Raffle.status","Raffle.created","Raffle.updated","Raffle.revenueStreamType","Raffle.externalId","Raffle.categories","Raffle.irsSubcategory","Raffle.description","Raffle.termsDescription","Raffle.ticketPrice","Raffle.maxTickets","Raffle.draws","GliRaffle.id","GliRaffle.eventId","GliRaffle.name","GliRaffle.status","GliRaffle.created","GliRaffle.updated","GliRaffle.revenueStreamType","GliRaffle.externalId","GliRaffle.categories","GliRaffle.irsSubcategory","GliRaffle.description","GliRaffle.termsDescription","GliRaffle.ticketPrice","GliRaffle.maxTickets","GliRaffle.draws","GliRaffle.licenceNumber","GliRaffle.regulator","Ticket.id","Ticket.eventId","Ticket.name","Ticket.status","Ticket.created","Ticket.updated","Ticket.revenueStreamType","Ticket.externalId","Ticket.categories","Ticket.irsSubcategory","Ticket.description","Ticket.termsDescription","Ticket.price","Ticket.capacity","Ticket.admits","Ticket.taxRate"]');

-- rows of disclosure
insert into disclosure (`seq`, `event_id`, `account_id`, `prefix`, `list`, `fields`, `whole`, `from_time`, `to_time`, `first_at`, `last_at`, `first_next`) values
  (1, '83ac30d9-eaad-432d-ab83-b2f447a16043', 'b828e8cd-6f4f-43f8-bb79-42850cf06d0d', '/acme/v1', 'guests', '3cb1b58104ee3415', 1, -1, 1796001083, 1796001083, 1796001083, 1796001081),
  (2, '83ac30d9-eaad-432d-ab83-b2f447a16043', 'b828e8cd-6f4f-43f8-bb79-42850cf06d0d', '/acme/v1', 'items', 'd35ce9de77985259', 1, -1, 1796001083, 1796001083, 1796001083, 1796001081);

-- rows of sync_state
insert into sync_state (`account_id`, `event_id`, `prefix`, `list`, `family`, `kind`, `last_poll`, `poll_interval`, `walk_started`, `walk_since`, `walk_next`, `previous_started`, `third_started`, `first_started`, `walk_completed`, `completed_next`, `acknowledged`, `acknowledged_at`, `records`, `first_error`, `error_at`, `error_status`, `error_code`, `error_request`, `completed_since`, `since_from`, `sent_until`, `skipped_from`, `skipped_to`, `error_parameters`) values
  ('b828e8cd-6f4f-43f8-bb79-42850cf06d0d', '', '/acme/v1', 'events', 'custom-export', 'other', 1796001083, 900, 1796001083, 1606062358, 1796001081, null, null, 1796001083, 1796001083, 1796001081, null, null, 1, null, null, null, null, null, 0, 1796001083, 1796001083, null, null, null),
  ('b828e8cd-6f4f-43f8-bb79-42850cf06d0d', '83ac30d9-eaad-432d-ab83-b2f447a16043', '/acme/v1', 'guest deletions', 'custom-export', 'guest deletions', 1796001083, 60, 1796001083, 1606062358, 1796001081, null, null, 1796001083, 1796001083, 1796001081, null, null, 1, null, null, null, null, null, 0, 1796001083, 1796001083, null, null, null),
  ('b828e8cd-6f4f-43f8-bb79-42850cf06d0d', '83ac30d9-eaad-432d-ab83-b2f447a16043', '/acme/v1', 'guests', 'custom-export', 'guests', 1796001083, 60, 1796001083, -1, 1796001081, null, null, 1796001083, 1796001083, 1796001081, null, null, 4, null, null, null, null, null, 0, 1796001083, 1796001083, null, null, null),
  ('b828e8cd-6f4f-43f8-bb79-42850cf06d0d', '83ac30d9-eaad-432d-ab83-b2f447a16043', '/acme/v1', 'item deletions', 'custom-export', 'item deletions', null, 60, null, null, null, null, null, null, 1796001083, 1796001081, null, null, 0, null, null, null, null, null, 0, null, 1796001083, null, null, null),
  ('b828e8cd-6f4f-43f8-bb79-42850cf06d0d', '83ac30d9-eaad-432d-ab83-b2f447a16043', '/acme/v1', 'items', 'custom-export', 'items', 1796001083, 60, 1796001083, -1, 1796001081, null, null, 1796001083, 1796001083, 1796001081, null, null, 13, null, null, null, null, null, 0, 1796001083, 1796001083, null, null, null);

-- rows of last_request
insert into last_request (`account_id`, `at`, `address`) values
  ('b828e8cd-6f4f-43f8-bb79-42850cf06d0d', 1796001083, '127.0.0.1');

-- rows of partner_hour
insert into partner_hour (`account_id`, `hour`, `polls`, `walks`, `records`, `errors`, `lag`) values
  ('b828e8cd-6f4f-43f8-bb79-42850cf06d0d', 1796000400, 4, 4, 19, 0, null);

-- trigger organization_after_update
CREATE TRIGGER organization_after_update after update on organization for each row when true begin update organization set updated = max(case when old.updated > unixepoch() + 86400 then 0 else old.updated end, case when new.updated = old.updated or new.updated > unixepoch() + 86400 then unixepoch() else new.updated end) where id = new.id; end;

-- trigger account_after_update
CREATE TRIGGER account_after_update after update on account for each row when true begin update account set updated = max(case when old.updated > unixepoch() + 86400 then 0 else old.updated end, case when new.updated = old.updated or new.updated > unixepoch() + 86400 then unixepoch() else new.updated end) where id = new.id; end;

-- trigger event_after_insert
CREATE TRIGGER event_after_insert after insert on event for each row when true begin insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.id, unixepoch(), random() & 4503599627370495, 'events', null, 0); end;

-- trigger event_after_update
CREATE TRIGGER event_after_update after update on event for each row when true begin update event set updated = max(case when old.updated > unixepoch() + 86400 then 0 else old.updated end, case when new.updated = old.updated or new.updated > unixepoch() + 86400 then unixepoch() else new.updated end) where id = new.id; insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.id, unixepoch(), random() & 4503599627370495, 'events', null, 0); end;

-- trigger guest_before_update
CREATE TRIGGER guest_before_update before update on guest for each row when true begin select raise(abort, 'guest: event_id and id never change: delete and insert') where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger guest_after_insert
CREATE TRIGGER guest_after_insert after insert on guest for each row when true begin update guest set export_version = -1 - (random() & 4503599627370495), updated = case when new.updated > unixepoch() + 86400 then unixepoch() else new.updated end where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'guests', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch()) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, unixepoch(), random() & 4503599627370495, 'guests', new.id, 0); end;

-- trigger guest_after_update
CREATE TRIGGER guest_after_update after update on guest for each row when new.export_version = old.export_version or new.export_version >= 0 begin update guest set updated = max(case when old.updated > unixepoch() + 86400 then 0 else old.updated end, case when new.updated = old.updated or new.updated > unixepoch() + 86400 then unixepoch() else new.updated end), export_version = random() & 4503599627370495 where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'guests', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, unixepoch(), random() & 4503599627370495, 'guests', new.id, 0); end;

-- trigger guest_after_delete
CREATE TRIGGER guest_after_delete after delete on guest for each row when true begin insert into event_change (event_id, at, mark, category, record_id, deleted) values (old.event_id, unixepoch(), random() & 4503599627370495, 'guests', old.id, 1); insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'guests', old.id, unixepoch(), old.created, old.updated) on conflict do update set at = excluded.at, created = min(created, excluded.created), updated = max(updated, excluded.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'guests', old.id, old.updated, unixepoch()); end;

-- trigger buy_now_item_before_update
CREATE TRIGGER buy_now_item_before_update before update on buy_now_item for each row when true begin select raise(abort, 'buy_now_item: event_id and id never change: delete and insert') where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger buy_now_item_after_insert
CREATE TRIGGER buy_now_item_after_insert after insert on buy_now_item for each row when true begin update buy_now_item set export_version = -1 - (random() & 4503599627370495), updated = case when new.updated > unixepoch() + 86400 then unixepoch() else new.updated end where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'buyNows', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch()) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, unixepoch(), random() & 4503599627370495, 'buyNows', new.id, 0); end;

-- trigger buy_now_item_after_update
CREATE TRIGGER buy_now_item_after_update after update on buy_now_item for each row when new.export_version = old.export_version or new.export_version >= 0 begin update buy_now_item set updated = max(case when old.updated > unixepoch() + 86400 then 0 else old.updated end, case when new.updated = old.updated or new.updated > unixepoch() + 86400 then unixepoch() else new.updated end), export_version = random() & 4503599627370495 where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'buyNows', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, unixepoch(), random() & 4503599627370495, 'buyNows', new.id, 0); end;

-- trigger buy_now_item_after_delete
CREATE TRIGGER buy_now_item_after_delete after delete on buy_now_item for each row when true begin insert into event_change (event_id, at, mark, category, record_id, deleted) values (old.event_id, unixepoch(), random() & 4503599627370495, 'buyNows', old.id, 1); insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'buyNows', old.id, unixepoch(), old.created, old.updated) on conflict do update set at = excluded.at, created = min(created, excluded.created), updated = max(updated, excluded.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'buyNows', old.id, old.updated, unixepoch()); end;

-- trigger auction_item_before_update
CREATE TRIGGER auction_item_before_update before update on auction_item for each row when true begin select raise(abort, 'auction_item: event_id and id never change: delete and insert') where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger auction_item_after_insert
CREATE TRIGGER auction_item_after_insert after insert on auction_item for each row when true begin update auction_item set export_version = -1 - (random() & 4503599627370495), updated = case when new.updated > unixepoch() + 86400 then unixepoch() else new.updated end where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'auctionItems', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch()) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, unixepoch(), random() & 4503599627370495, 'auctionItems', new.id, 0); end;

-- trigger auction_item_after_update
CREATE TRIGGER auction_item_after_update after update on auction_item for each row when new.export_version = old.export_version or new.export_version >= 0 begin update auction_item set updated = max(case when old.updated > unixepoch() + 86400 then 0 else old.updated end, case when new.updated = old.updated or new.updated > unixepoch() + 86400 then unixepoch() else new.updated end), export_version = random() & 4503599627370495 where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'auctionItems', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, unixepoch(), random() & 4503599627370495, 'auctionItems', new.id, 0); end;

-- trigger auction_item_after_delete
CREATE TRIGGER auction_item_after_delete after delete on auction_item for each row when true begin insert into event_change (event_id, at, mark, category, record_id, deleted) values (old.event_id, unixepoch(), random() & 4503599627370495, 'auctionItems', old.id, 1); insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'auctionItems', old.id, unixepoch(), old.created, old.updated) on conflict do update set at = excluded.at, created = min(created, excluded.created), updated = max(updated, excluded.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'auctionItems', old.id, old.updated, unixepoch()); end;

-- trigger pledge_before_update
CREATE TRIGGER pledge_before_update before update on pledge for each row when true begin select raise(abort, 'pledge: event_id and id never change: delete and insert') where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger pledge_after_insert
CREATE TRIGGER pledge_after_insert after insert on pledge for each row when true begin update pledge set export_version = -1 - (random() & 4503599627370495), updated = case when new.updated > unixepoch() + 86400 then unixepoch() else new.updated end where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'pledges', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch()) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, unixepoch(), random() & 4503599627370495, 'pledges', new.id, 0); end;

-- trigger pledge_after_update
CREATE TRIGGER pledge_after_update after update on pledge for each row when new.export_version = old.export_version or new.export_version >= 0 begin update pledge set updated = max(case when old.updated > unixepoch() + 86400 then 0 else old.updated end, case when new.updated = old.updated or new.updated > unixepoch() + 86400 then unixepoch() else new.updated end), export_version = random() & 4503599627370495 where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'pledges', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, unixepoch(), random() & 4503599627370495, 'pledges', new.id, 0); end;

-- trigger pledge_after_delete
CREATE TRIGGER pledge_after_delete after delete on pledge for each row when true begin insert into event_change (event_id, at, mark, category, record_id, deleted) values (old.event_id, unixepoch(), random() & 4503599627370495, 'pledges', old.id, 1); insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'pledges', old.id, unixepoch(), old.created, old.updated) on conflict do update set at = excluded.at, created = min(created, excluded.created), updated = max(updated, excluded.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'pledges', old.id, old.updated, unixepoch()); end;

-- trigger raffle_before_update
CREATE TRIGGER raffle_before_update before update on raffle for each row when true begin select raise(abort, 'raffle: event_id and id never change: delete and insert') where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger raffle_after_insert
CREATE TRIGGER raffle_after_insert after insert on raffle for each row when true begin update raffle set export_version = -1 - (random() & 4503599627370495), updated = case when new.updated > unixepoch() + 86400 then unixepoch() else new.updated end where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'prizeDraws', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch()) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, unixepoch(), random() & 4503599627370495, 'prizeDraws', new.id, 0); end;

-- trigger raffle_after_update
CREATE TRIGGER raffle_after_update after update on raffle for each row when new.export_version = old.export_version or new.export_version >= 0 begin update raffle set updated = max(case when old.updated > unixepoch() + 86400 then 0 else old.updated end, case when new.updated = old.updated or new.updated > unixepoch() + 86400 then unixepoch() else new.updated end), export_version = random() & 4503599627370495 where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'prizeDraws', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, unixepoch(), random() & 4503599627370495, 'prizeDraws', new.id, 0); end;

-- trigger raffle_after_delete
CREATE TRIGGER raffle_after_delete after delete on raffle for each row when true begin insert into event_change (event_id, at, mark, category, record_id, deleted) values (old.event_id, unixepoch(), random() & 4503599627370495, 'prizeDraws', old.id, 1); insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'prizeDraws', old.id, unixepoch(), old.created, old.updated) on conflict do update set at = excluded.at, created = min(created, excluded.created), updated = max(updated, excluded.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'prizeDraws', old.id, old.updated, unixepoch()); end;

-- trigger gli_raffle_before_update
CREATE TRIGGER gli_raffle_before_update before update on gli_raffle for each row when true begin select raise(abort, 'gli_raffle: event_id and id never change: delete and insert') where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger gli_raffle_after_insert
CREATE TRIGGER gli_raffle_after_insert after insert on gli_raffle for each row when true begin update gli_raffle set export_version = -1 - (random() & 4503599627370495), updated = case when new.updated > unixepoch() + 86400 then unixepoch() else new.updated end where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'gliRaffles', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch()) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, unixepoch(), random() & 4503599627370495, 'gliRaffles', new.id, 0); end;

-- trigger gli_raffle_after_update
CREATE TRIGGER gli_raffle_after_update after update on gli_raffle for each row when new.export_version = old.export_version or new.export_version >= 0 begin update gli_raffle set updated = max(case when old.updated > unixepoch() + 86400 then 0 else old.updated end, case when new.updated = old.updated or new.updated > unixepoch() + 86400 then unixepoch() else new.updated end), export_version = random() & 4503599627370495 where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'gliRaffles', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, unixepoch(), random() & 4503599627370495, 'gliRaffles', new.id, 0); end;

-- trigger gli_raffle_after_delete
CREATE TRIGGER gli_raffle_after_delete after delete on gli_raffle for each row when true begin insert into event_change (event_id, at, mark, category, record_id, deleted) values (old.event_id, unixepoch(), random() & 4503599627370495, 'gliRaffles', old.id, 1); insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'gliRaffles', old.id, unixepoch(), old.created, old.updated) on conflict do update set at = excluded.at, created = min(created, excluded.created), updated = max(updated, excluded.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'gliRaffles', old.id, old.updated, unixepoch()); end;

-- trigger ticket_before_update
CREATE TRIGGER ticket_before_update before update on ticket for each row when true begin select raise(abort, 'ticket: event_id and id never change: delete and insert') where new.event_id <> old.event_id or new.id <> old.id; end;

-- trigger ticket_after_insert
CREATE TRIGGER ticket_after_insert after insert on ticket for each row when true begin update ticket set export_version = -1 - (random() & 4503599627370495), updated = case when new.updated > unixepoch() + 86400 then unixepoch() else new.updated end where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'tickets', new.id, min(new.updated, unixepoch()) where new.created > min(new.updated, unixepoch()) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, unixepoch(), random() & 4503599627370495, 'tickets', new.id, 0); end;

-- trigger ticket_after_update
CREATE TRIGGER ticket_after_update after update on ticket for each row when new.export_version = old.export_version or new.export_version >= 0 begin update ticket set updated = max(case when old.updated > unixepoch() + 86400 then 0 else old.updated end, case when new.updated = old.updated or new.updated > unixepoch() + 86400 then unixepoch() else new.updated end), export_version = random() & 4503599627370495 where event_id = new.event_id and id = new.id; insert into record_start (event_id, category, record_id, time) select new.event_id, 'tickets', new.id, min(old.created, old.updated) where new.created > min(old.created, old.updated) on conflict do update set time = min(time, excluded.time); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, unixepoch(), random() & 4503599627370495, 'tickets', new.id, 0); end;

-- trigger ticket_after_delete
CREATE TRIGGER ticket_after_delete after delete on ticket for each row when true begin insert into event_change (event_id, at, mark, category, record_id, deleted) values (old.event_id, unixepoch(), random() & 4503599627370495, 'tickets', old.id, 1); insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'tickets', old.id, unixepoch(), old.created, old.updated) on conflict do update set at = excluded.at, created = min(created, excluded.created), updated = max(updated, excluded.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'tickets', old.id, old.updated, unixepoch()); end;

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
