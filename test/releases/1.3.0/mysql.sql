-- access_grant
CREATE TABLE `access_grant` ( `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `organization_id` char(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `ends` bigint DEFAULT NULL, `networks` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, PRIMARY KEY (`id`), UNIQUE KEY `access_grant_organization_once` (`account_id`,`organization_id`), UNIQUE KEY `access_grant_event_once` (`account_id`,`event_id`), KEY `access_grant_organization` (`organization_id`), KEY `access_grant_event` (`event_id`), CONSTRAINT `access_grant_account` FOREIGN KEY (`account_id`) REFERENCES `account` (`id`) ON DELETE CASCADE, CONSTRAINT `access_grant_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`), CONSTRAINT `access_grant_organization` FOREIGN KEY (`organization_id`) REFERENCES `organization` (`id`), CONSTRAINT `access_grant_one_of_two` CHECK (((`organization_id` is null) <> (`event_id` is null))) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- account
CREATE TABLE `account` ( `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `username` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `password` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `role` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `epoch` int NOT NULL DEFAULT '0', `disabled` tinyint(1) NOT NULL DEFAULT '0', `demonstration` tinyint(1) NOT NULL DEFAULT '0', `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), `viewer` tinyint(1) NOT NULL DEFAULT '0', PRIMARY KEY (`id`), UNIQUE KEY `username` (`username`), CONSTRAINT `account_role` CHECK ((`role` in (_utf8mb4'service',_utf8mb4'partner',_utf8mb4'operator'))) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- account_activity
CREATE TABLE `account_activity` ( `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `last_log_in` bigint DEFAULT NULL, `last_poll` bigint DEFAULT NULL, `refused` bigint DEFAULT NULL, `refused_code` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `refused_request` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `refused_session` char(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `refused_address` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, PRIMARY KEY (`account_id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- account_token
CREATE TABLE `account_token` ( `session_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `hash` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `epoch` int NOT NULL, `last_address` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, PRIMARY KEY (`session_id`), UNIQUE KEY `account_token_hash` (`hash`), KEY `account_token_account` (`account_id`), CONSTRAINT `account_token_session` FOREIGN KEY (`session_id`) REFERENCES `session` (`id`) ON DELETE CASCADE ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- address
CREATE TABLE `address` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `guest_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `kind` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `line1` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `line2` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `line3` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `line4` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `town` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `postcode` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `state` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `country` varchar(2) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `recipient_name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, PRIMARY KEY (`event_id`,`guest_id`,`kind`), CONSTRAINT `address_guest` FOREIGN KEY (`event_id`, `guest_id`) REFERENCES `guest` (`event_id`, `id`) ON DELETE CASCADE, CONSTRAINT `address_kind` CHECK ((`kind` in (_utf8mb4'main',_utf8mb4'gift_aid',_utf8mb4'tax_receipt'))) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- auction_item
CREATE TABLE `auction_item` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `categories` json NOT NULL, `irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `lot_number` int NOT NULL, `start_price` bigint NOT NULL, `increments` json NOT NULL, `estimate` bigint DEFAULT NULL, `tax_rate` decimal(6,3) DEFAULT NULL, `closes` bigint DEFAULT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), `export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */, PRIMARY KEY (`event_id`,`id`), KEY `auction_item_newest` (`event_id`,`updated`,`id`,`export_version`), CONSTRAINT `auction_item_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- audit_log
CREATE TABLE `audit_log` ( `seq` bigint NOT NULL AUTO_INCREMENT, `at` bigint NOT NULL, `action` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `account` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `address` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `request_id` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `plugin` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `route` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `since` bigint DEFAULT NULL, `first` bigint DEFAULT NULL, `cursor_text` varchar(2048) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `search_length` int DEFAULT NULL, `sent` int DEFAULT NULL, `status` int NOT NULL, `code` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `milliseconds` int NOT NULL, `actor` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `detail` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, PRIMARY KEY (`seq`), KEY `audit_log_at` (`at`), KEY `audit_log_account` (`account`,`at`), KEY `audit_log_event` (`event_id`,`at`), KEY `audit_log_request` (`request_id`), KEY `audit_log_status` (`status`,`at`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- audit_name
CREATE TABLE `audit_name` ( `former` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `account` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, PRIMARY KEY (`former`), KEY `audit_name_account` (`account`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- buy_now_item
CREATE TABLE `buy_now_item` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `categories` json NOT NULL, `irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `price` bigint NOT NULL, `quantity` int DEFAULT NULL, `tax_rate` decimal(6,3) DEFAULT NULL, `estimate` bigint DEFAULT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), `export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */, PRIMARY KEY (`event_id`,`id`), KEY `buy_now_item_newest` (`event_id`,`updated`,`id`,`export_version`), CONSTRAINT `buy_now_item_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- change_state
CREATE TABLE `change_state` ( `id` int NOT NULL, `complete_since` bigint NOT NULL, `clock` bigint NOT NULL, `top` bigint NOT NULL, `settled` bigint NOT NULL, `epoch` bigint DEFAULT NULL, `watermark` bigint DEFAULT NULL, `floor` bigint DEFAULT NULL, `server` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `retained_since` bigint DEFAULT NULL, `recorded_since` bigint DEFAULT NULL, PRIMARY KEY (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- clock_step
CREATE TABLE `clock_step` ( `reached` bigint NOT NULL, `back_to` bigint NOT NULL, PRIMARY KEY (`reached`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- consent
CREATE TABLE `consent` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `guest_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `asked` tinyint(1) NOT NULL, `status` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `channels` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, PRIMARY KEY (`event_id`,`guest_id`), CONSTRAINT `consent_guest` FOREIGN KEY (`event_id`, `guest_id`) REFERENCES `guest` (`event_id`, `id`) ON DELETE CASCADE, CONSTRAINT `consent_status` CHECK ((`status` in (_utf8mb4'active',_utf8mb4'inactive'))) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- deletion
CREATE TABLE `deletion` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `category` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `record_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `at` bigint NOT NULL, `created` bigint DEFAULT NULL, `updated` bigint DEFAULT NULL, PRIMARY KEY (`event_id`,`category`,`record_id`), KEY `deletion_latest` (`event_id`,`category`,`at`,`record_id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- disclosure
CREATE TABLE `disclosure` ( `seq` bigint NOT NULL AUTO_INCREMENT, `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `prefix` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `list` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `fields` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `whole` tinyint(1) NOT NULL, `from_time` bigint NOT NULL, `to_time` bigint NOT NULL, `first_at` bigint NOT NULL, `last_at` bigint NOT NULL, `first_next` bigint NOT NULL, PRIMARY KEY (`seq`), KEY `disclosure_event` (`event_id`,`list`,`account_id`,`prefix`,`fields`,`whole`,`to_time`), KEY `disclosure_last` (`last_at`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- erasure_notice
CREATE TABLE `erasure_notice` ( `seq` bigint NOT NULL AUTO_INCREMENT, `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `prefix` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `list` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `kind` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `from_time` bigint NOT NULL, `to_time` bigint NOT NULL, `at` bigint NOT NULL, PRIMARY KEY (`seq`), KEY `erasure_notice_event` (`event_id`,`list`,`account_id`,`kind`,`to_time`), KEY `erasure_notice_at` (`at`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- event
CREATE TABLE `event` ( `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `organization_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `currency` varchar(3) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `timezone` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `starts` bigint NOT NULL, `ends` bigint NOT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), PRIMARY KEY (`id`), KEY `event_newest` (`organization_id`,`updated`,`id`), CONSTRAINT `event_organization` FOREIGN KEY (`organization_id`) REFERENCES `organization` (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- event_change
CREATE TABLE `event_change` ( `seq` bigint NOT NULL AUTO_INCREMENT, `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `at` bigint NOT NULL, `mark` bigint NOT NULL, `category` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `record_id` char(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `deleted` tinyint(1) NOT NULL DEFAULT '0', PRIMARY KEY (`seq`), KEY `event_change_event` (`event_id`,`seq`,`mark`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- event_version
CREATE TABLE `event_version` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `seq` bigint NOT NULL, `changes` bigint NOT NULL, `mark` bigint NOT NULL, `forgotten` bigint DEFAULT NULL, `forgotten_guests` bigint DEFAULT NULL, `forgotten_items` bigint DEFAULT NULL, PRIMARY KEY (`event_id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- feed_key
CREATE TABLE `feed_key` ( `id` tinyint(1) NOT NULL, `secret` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, PRIMARY KEY (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- field_set
CREATE TABLE `field_set` ( `id` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `fields` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, PRIMARY KEY (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- former_name
CREATE TABLE `former_name` ( `username` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `until` bigint NOT NULL, `removed` tinyint(1) NOT NULL DEFAULT '0', PRIMARY KEY (`username`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- former_recipient
CREATE TABLE `former_recipient` ( `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `username` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, PRIMARY KEY (`account_id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- gli_raffle
CREATE TABLE `gli_raffle` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `categories` json NOT NULL, `irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `ticket_price` bigint NOT NULL, `max_tickets` int DEFAULT NULL, `draws` bigint DEFAULT NULL, `licence_number` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `regulator` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), `export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */, PRIMARY KEY (`event_id`,`id`), KEY `gli_raffle_newest` (`event_id`,`updated`,`id`,`export_version`), CONSTRAINT `gli_raffle_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- guest
CREATE TABLE `guest` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `first_name` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `last_name` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `email` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `mobile` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `sms_opt_in` tinyint(1) NOT NULL, `company_name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), `export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */, PRIMARY KEY (`event_id`,`id`), KEY `guest_newest` (`event_id`,`updated`,`id`,`export_version`), CONSTRAINT `guest_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- instance
CREATE TABLE `instance` ( `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `host` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `pid` int NOT NULL, `url` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `version` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `started` bigint NOT NULL, `seen` bigint NOT NULL, `ready` tinyint(1) NOT NULL, `config_file` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `config_hash` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `config_since` bigint NOT NULL, `reload_at` bigint DEFAULT NULL, `reload_result` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `reload_reason` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, PRIMARY KEY (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- kysely_migration
CREATE TABLE `kysely_migration` ( `name` varchar(255) NOT NULL, `timestamp` varchar(255) NOT NULL, PRIMARY KEY (`name`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- kysely_migration_lock
CREATE TABLE `kysely_migration_lock` ( `id` varchar(255) NOT NULL, `is_locked` int NOT NULL DEFAULT '0', PRIMARY KEY (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- last_request
CREATE TABLE `last_request` ( `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `at` bigint NOT NULL, `address` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, PRIMARY KEY (`account_id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- log_in_network
CREATE TABLE `log_in_network` ( `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `network` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `last_used` bigint NOT NULL, PRIMARY KEY (`account_id`,`network`), KEY `log_in_network_last_used` (`last_used`), CONSTRAINT `log_in_network_account` FOREIGN KEY (`account_id`) REFERENCES `account` (`id`) ON DELETE CASCADE ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- organization
CREATE TABLE `organization` ( `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `slug` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), PRIMARY KEY (`id`), UNIQUE KEY `organization_slug` (`slug`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- partner_contact
CREATE TABLE `partner_contact` ( `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `contact` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `notes` varchar(4000) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `muted_until` bigint DEFAULT NULL, `muted_because` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, PRIMARY KEY (`account_id`), CONSTRAINT `partner_contact_account` FOREIGN KEY (`account_id`) REFERENCES `account` (`id`) ON DELETE CASCADE ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- partner_hour
CREATE TABLE `partner_hour` ( `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `hour` bigint NOT NULL, `polls` int NOT NULL, `walks` int NOT NULL, `records` bigint NOT NULL, `errors` int NOT NULL, `lag` bigint DEFAULT NULL, PRIMARY KEY (`account_id`,`hour`), KEY `partner_hour_hour` (`hour`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- partner_look
CREATE TABLE `partner_look` ( `id` tinyint(1) NOT NULL, `at` bigint NOT NULL, PRIMARY KEY (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- partner_month
CREATE TABLE `partner_month` ( `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `month` bigint NOT NULL, `failing` int NOT NULL, `idle` int NOT NULL, PRIMARY KEY (`account_id`,`month`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- partner_state
CREATE TABLE `partner_state` ( `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `prefix` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `list` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `began` bigint NOT NULL, `ended` bigint DEFAULT NULL, `state` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, PRIMARY KEY (`account_id`,`event_id`,`prefix`,`list`,`began`), KEY `partner_state_ended` (`ended`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- ping_challenge
CREATE TABLE `ping_challenge` ( `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `since` bigint NOT NULL, `asked` int NOT NULL, PRIMARY KEY (`account_id`), CONSTRAINT `ping_challenge_account` FOREIGN KEY (`account_id`) REFERENCES `account` (`id`) ON DELETE CASCADE ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- ping_receiver
CREATE TABLE `ping_receiver` ( `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `url` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `secret` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `former_secret` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `former_until` bigint DEFAULT NULL, `created` bigint NOT NULL, `state` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `reason` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `since` bigint NOT NULL, `failing_since` bigint DEFAULT NULL, `attempts` int NOT NULL, `next_at` bigint NOT NULL, `last_sent` bigint DEFAULT NULL, `last_status` int DEFAULT NULL, `last_error` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `sent_seq` bigint NOT NULL, PRIMARY KEY (`id`), KEY `ping_receiver_account` (`account_id`), KEY `ping_receiver_state` (`state`,`since`), CONSTRAINT `ping_receiver_account_of` FOREIGN KEY (`account_id`) REFERENCES `account` (`id`) ON DELETE CASCADE ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- ping_sender
CREATE TABLE `ping_sender` ( `id` tinyint(1) NOT NULL, `owner` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `until` bigint NOT NULL, `looks` bigint NOT NULL, `noted` bigint DEFAULT NULL, PRIMARY KEY (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- pledge
CREATE TABLE `pledge` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `categories` json NOT NULL, `irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `amount` bigint DEFAULT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), `export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */, PRIMARY KEY (`event_id`,`id`), KEY `pledge_newest` (`event_id`,`updated`,`id`,`export_version`), CONSTRAINT `pledge_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- raffle
CREATE TABLE `raffle` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `categories` json NOT NULL, `irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `ticket_price` bigint NOT NULL, `max_tickets` int DEFAULT NULL, `draws` bigint DEFAULT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), `export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */, PRIMARY KEY (`event_id`,`id`), KEY `raffle_newest` (`event_id`,`updated`,`id`,`export_version`), CONSTRAINT `raffle_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- rate_limit
CREATE TABLE `rate_limit` ( `name` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `points` int NOT NULL, `expires` bigint NOT NULL, `blocked_until` bigint DEFAULT NULL, PRIMARY KEY (`name`), KEY `rate_limit_expires` (`expires`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- record_start
CREATE TABLE `record_start` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `category` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `record_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `time` bigint NOT NULL, PRIMARY KEY (`event_id`,`category`,`record_id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- session
CREATE TABLE `session` ( `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `created` bigint NOT NULL, `expires` bigint NOT NULL, `used` bigint DEFAULT NULL, `reason` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `lasting` tinyint(1) NOT NULL DEFAULT '0', PRIMARY KEY (`id`), KEY `session_expires` (`account_id`,`expires`), KEY `session_ends` (`expires`), CONSTRAINT `session_account` FOREIGN KEY (`account_id`) REFERENCES `account` (`id`) ON DELETE CASCADE ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- sync_state
CREATE TABLE `sync_state` ( `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `prefix` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `list` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `family` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `kind` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `last_poll` bigint DEFAULT NULL, `poll_interval` int DEFAULT NULL, `walk_started` bigint DEFAULT NULL, `walk_since` bigint DEFAULT NULL, `walk_next` bigint DEFAULT NULL, `previous_started` bigint DEFAULT NULL, `third_started` bigint DEFAULT NULL, `first_started` bigint DEFAULT NULL, `walk_completed` bigint DEFAULT NULL, `completed_next` bigint DEFAULT NULL, `acknowledged` bigint DEFAULT NULL, `acknowledged_at` bigint DEFAULT NULL, `records` bigint NOT NULL DEFAULT '0', `first_error` bigint DEFAULT NULL, `error_at` bigint DEFAULT NULL, `error_status` int DEFAULT NULL, `error_code` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `error_request` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `completed_since` bigint DEFAULT NULL, `since_from` bigint DEFAULT NULL, `sent_until` bigint DEFAULT NULL, `skipped_from` bigint DEFAULT NULL, `skipped_to` bigint DEFAULT NULL, `error_parameters` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `watched` int GENERATED ALWAYS AS ((case when ((`third_started` > coalesce(`walk_completed`,-(1))) or (`previous_started` > coalesce(`walk_completed`,-(1))) or (`error_at` > coalesce(`last_poll`,0)) or (`walk_since` > `walk_started`) or (`skipped_to` > 0) or (`since_from` <= `previous_started`) or ((`last_poll` is not null) and ((`walk_started` is null) or (`walk_completed` is null)))) then 1 end)) VIRTUAL, `acknowledged_hour` bigint GENERATED ALWAYS AS ((case when (`kind` in (_ascii'guest deletions',_ascii'item deletions')) then (`acknowledged` - (`acknowledged` % 3600)) end)) VIRTUAL, PRIMARY KEY (`account_id`,`event_id`,`prefix`,`list`), KEY `sync_state_covered` (`event_id`,`kind`,`completed_next`), KEY `sync_state_error` (`account_id`,`error_at`), KEY `sync_state_interval` (`account_id`,`poll_interval`,`last_poll`), KEY `sync_state_watched` (`watched`,`account_id`), KEY `sync_state_acknowledged` (`account_id`,`acknowledged_hour`), KEY `sync_state_hour` (`acknowledged_hour`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- ticket
CREATE TABLE `ticket` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `categories` json NOT NULL, `irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `price` bigint NOT NULL, `capacity` int DEFAULT NULL, `admits` int NOT NULL, `tax_rate` decimal(6,3) DEFAULT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), `export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */, PRIMARY KEY (`event_id`,`id`), KEY `ticket_newest` (`event_id`,`updated`,`id`,`export_version`), CONSTRAINT `ticket_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- vacant_position
CREATE TABLE `vacant_position` ( `seq` bigint NOT NULL AUTO_INCREMENT, `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `category` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `record_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `updated` bigint NOT NULL, `at` bigint NOT NULL, PRIMARY KEY (`seq`), KEY `vacant_position_newest` (`event_id`,`category`,`updated`,`record_id`,`at`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- watched_table
CREATE TABLE `watched_table` ( `name` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `made` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `server` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, PRIMARY KEY (`name`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- rows of access_grant
insert into access_grant (`id`, `account_id`, `organization_id`, `event_id`, `created`, `ends`, `networks`) values
  ('73a0be44-e002-492e-ba0c-104094726a83', '38756896-7cfb-4d14-985c-7b61a2fcd70b', null, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, null, null),
  ('969c0290-2a4a-4582-817a-52b92d48094e', '014a6085-2465-4853-8005-b4d901c58773', '8020dbfd-0636-4573-82e4-8cf459243ba2', null, 1796001084, null, null);

-- rows of account
insert into account (`id`, `username`, `password`, `role`, `epoch`, `disabled`, `demonstration`, `created`, `updated`, `viewer`) values
  ('014a6085-2465-4853-8005-b4d901c58773', 'acme-export', '$scrypt$ln=4,r=8,p=1$kFXoQxItblInAorE/gQ4uA$jONfVbOU8O961Dk8HlSP9joM1gM8uzQL4zA7mpbKuB8', 'service', 0, 0, 0, 1796001084, 1796001084, 0),
  ('38756896-7cfb-4d14-985c-7b61a2fcd70b', 'partner', '$scrypt$ln=4,r=8,p=1$kFXoQxItblInAorE/gQ4uA$jONfVbOU8O961Dk8HlSP9joM1gM8uzQL4zA7mpbKuB8', 'partner', 0, 0, 0, 1796001084, 1796001084, 0),
  ('eb966748-afd9-48ef-af3f-412fa73214c5', 'operator', '$scrypt$ln=4,r=8,p=1$kFXoQxItblInAorE/gQ4uA$jONfVbOU8O961Dk8HlSP9joM1gM8uzQL4zA7mpbKuB8', 'operator', 0, 0, 0, 1796001084, 1796001084, 0);

-- rows of account_activity
insert into account_activity (`account_id`, `last_log_in`, `last_poll`, `refused`, `refused_code`, `refused_request`, `refused_session`, `refused_address`) values
  ('014a6085-2465-4853-8005-b4d901c58773', 1796001085, 1796001085, null, null, null, null, null);

-- rows of address
insert into address (`event_id`, `guest_id`, `kind`, `name`, `line1`, `line2`, `line3`, `line4`, `town`, `postcode`, `state`, `country`, `recipient_name`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'gift_aid', 'Home', '1 High Street', 'c/o "Ada" \\ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'main', 'Home', '1 High Street', 'c/o "Ada" \\ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'tax_receipt', 'Home', '1 High Street', 'c/o "Ada" \\ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'main', 'Home', '1 High Street', null, null, null, 'Elsewhere', 'N1 1AA', null, 'GB', 'Ada Lovelace');

-- rows of auction_item
insert into auction_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `lot_number`, `start_price`, `increments`, `estimate`, `tax_rate`, `closes`, `created`, `updated`, `export_version`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000007, 980459935987111),
  ('00000000-0000-4000-8000-00000000000e', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000010, 2919339571891084),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000009, 1346152300448314),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000001, 63374072833159),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000012, 276765251571539),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000003, 3681833224543497),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000004, 4335257809011641),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000006, 3907695981570384),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000001, 132672050602533),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000002, 355474201665879),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000007, 1919578415627543),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000010, 3830140392355835),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000009, 3971655691509890),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000001, 1832577666025367),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000012, 985645993814111),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000003, 2052485835486653),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000004, 1293999147402416),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000006, 65251997875720);

-- rows of audit_log
insert into audit_log (`seq`, `at`, `action`, `account`, `address`, `request_id`, `plugin`, `route`, `event_id`, `since`, `first`, `cursor_text`, `search_length`, `sent`, `status`, `code`, `milliseconds`, `actor`, `detail`) values
  (1, 1796001084, 'log-in', 'acme-export', '127.0.0.1', '21bfbe41-9d7c-4bc8-987f-7a6a2f5f1971', 'session', '/session', null, null, null, null, null, null, 204, null, 8, null, null),
  (2, 1796001084, 'list', 'acme-export', '127.0.0.1', '36f25565-6fc7-4b8f-b131-af8f9ac7f2f7', 'custom-export', '/acme/v1/events', null, null, null, null, null, 1, 200, null, 7, null, null),
  (3, 1796001084, 'list', 'acme-export', '127.0.0.1', '7931e667-de22-4b63-8481-fe1040d870a6', 'custom-export', '/acme/v1/events/:eventId/guests', 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', -1, null, null, null, 4, 200, null, 7, null, null),
  (4, 1796001084, 'list', 'acme-export', '127.0.0.1', 'fa224707-46ad-406c-a993-f95cdb955925', 'custom-export', '/acme/v1/events/:eventId/items', 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', -1, null, null, null, 13, 200, null, 14, null, null),
  (5, 1796001084, 'list', 'acme-export', '127.0.0.1', '6ce70cee-aa26-4f64-95e8-997014276c1d', 'custom-export', '/acme/v1/events/:eventId/guests/deletions', 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', null, null, null, null, 1, 200, null, 5, null, null);

-- rows of buy_now_item
insert into buy_now_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `quantity`, `tax_rate`, `estimate`, `created`, `updated`, `export_version`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000007, 646634262679462),
  ('00000000-0000-4000-8000-00000000000e', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000010, 3833427974632444),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000009, 1971508612623667),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000001, 869933661183375),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000012, 1237410033564728),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000003, 620549171893990),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000004, 1558217725483785),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000006, 724239779148090),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000001, 660653286555496),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000002, 2669630453329238),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000007, 1918839206572322),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000010, 3601292115329349),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000009, 919313241577746),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000001, 3753269510235375),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000012, 3976628288836081),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000003, 4032692272906061),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000004, 2329928119028812),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000006, 1387567285912233);

-- rows of change_state
insert into change_state (`id`, `complete_since`, `clock`, `top`, `settled`, `epoch`, `watermark`, `floor`, `server`, `retained_since`, `recorded_since`) values
  (1, 0, 1796001085, 304, 304, 848007160139016, 1796001083, null, 'dbfd0b1c-ec5a-11f1-a5f6-02fc00000001', null, null);

-- rows of consent
insert into consent (`event_id`, `guest_id`, `asked`, `status`, `channels`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 1, 'inactive', 'post'),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 1, 'inactive', 'post'),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 1, 'inactive', 'post'),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 1, 'inactive', 'post'),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 1, 'inactive', 'post'),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 1, 'inactive', 'post'),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 1, 'inactive', 'post'),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 1, 'active', 'email'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 1, 'inactive', 'post'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 1, 'inactive', 'post'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 1, 'inactive', 'post'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 1, 'inactive', 'post'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 1, 'inactive', 'post'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 1, 'inactive', 'post'),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 1, 'inactive', 'post');

-- rows of deletion
insert into deletion (`event_id`, `category`, `record_id`, `at`, `created`, `updated`) values
  ('00000000-0000-4000-8000-00000000000e', 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1700000000, 1700000005),
  ('00000000-0000-4000-8000-00000000000e', 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1700000000, 1700000011),
  ('00000000-0000-4000-8000-00000000000e', 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1700000000, 1700000008),
  ('00000000-0000-4000-8000-00000000000e', 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1700000000, 1700000002),
  ('00000000-0000-4000-8000-00000000000e', 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1700000000, 1700000005),
  ('00000000-0000-4000-8000-00000000000e', 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1700000000, 1700000011),
  ('00000000-0000-4000-8000-00000000000e', 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1700000000, 1700000008),
  ('00000000-0000-4000-8000-00000000000e', 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1700000000, 1700000002),
  ('00000000-0000-4000-8000-00000000000e', 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1700000000, 1700000005),
  ('00000000-0000-4000-8000-00000000000e', 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1700000000, 1700000011),
  ('00000000-0000-4000-8000-00000000000e', 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1700000000, 1700000008),
  ('00000000-0000-4000-8000-00000000000e', 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1700000000, 1700000002),
  ('00000000-0000-4000-8000-00000000000e', 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1700000000, 1796001084),
  ('00000000-0000-4000-8000-00000000000e', 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1700000000, 1796001084),
  ('00000000-0000-4000-8000-00000000000e', 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001084, 1700000000, 1796001084),
  ('00000000-0000-4000-8000-00000000000e', 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1700000000, 1796001084),
  ('00000000-0000-4000-8000-00000000000e', 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1700000000, 1796001084),
  ('00000000-0000-4000-8000-00000000000e', 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1700000000, 1700000005),
  ('00000000-0000-4000-8000-00000000000e', 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1700000000, 1700000011),
  ('00000000-0000-4000-8000-00000000000e', 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001084, 1700000000, 1700000010),
  ('00000000-0000-4000-8000-00000000000e', 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1700000000, 1700000008),
  ('00000000-0000-4000-8000-00000000000e', 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1700000000, 1700000002),
  ('00000000-0000-4000-8000-00000000000e', 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1700000000, 1700000005),
  ('00000000-0000-4000-8000-00000000000e', 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1700000000, 1700000011),
  ('00000000-0000-4000-8000-00000000000e', 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1700000000, 1700000008),
  ('00000000-0000-4000-8000-00000000000e', 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1700000000, 1700000002),
  ('00000000-0000-4000-8000-00000000000e', 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1700000000, 1700000005),
  ('00000000-0000-4000-8000-00000000000e', 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1700000000, 1700000011),
  ('00000000-0000-4000-8000-00000000000e', 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1700000000, 1700000008),
  ('00000000-0000-4000-8000-00000000000e', 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1700000000, 1700000002),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001084, 1700000000, 1700000002),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001084, 1700000000, 1700000000),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1700000000, 1700000005),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1700000000, 1700000011),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1700000000, 1700000008),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1700000000, 1700000002),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1700000000, 1700000005),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1700000000, 1700000011),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1700000000, 1700000008),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1700000000, 1700000002),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1700000000, 1700000005),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1700000000, 1700000011),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1700000000, 1700000008),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1700000000, 1700000002),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1700000000, 1796001084),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1700000000, 1796001084),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001084, 1700000000, 1796001084),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1700000000, 1796001084),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1700000000, 1796001084),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1700000000, 1700000005),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1700000000, 1700000011),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001084, 1700000000, 1700000010),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1700000000, 1700000008),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1700000000, 1700000002),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1700000000, 1700000005),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1700000000, 1700000011),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1700000000, 1700000008),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1700000000, 1700000002),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1700000000, 1700000005),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1700000000, 1700000011),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1700000000, 1700000008),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1700000000, 1700000002);

-- rows of disclosure
insert into disclosure (`seq`, `event_id`, `account_id`, `prefix`, `list`, `fields`, `whole`, `from_time`, `to_time`, `first_at`, `last_at`, `first_next`) values
  (1, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', '014a6085-2465-4853-8005-b4d901c58773', '/acme/v1', 'guests', '3cb1b58104ee3415', 1, -1, 1796001084, 1796001084, 1796001084, 1796001082),
  (2, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', '014a6085-2465-4853-8005-b4d901c58773', '/acme/v1', 'items', 'd35ce9de77985259', 1, -1, 1796001084, 1796001084, 1796001084, 1796001082);

-- rows of event
insert into event (`id`, `organization_id`, `external_id`, `name`, `status`, `currency`, `timezone`, `starts`, `ends`, `created`, `updated`) values
  ('00000000-0000-4000-8000-00000000000e', '09f7594d-99c5-4571-8dca-639c99b9f434', null, 'Autumn Gala', 'running', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000),
  ('07196519-fe93-41e4-8566-f3436c7911fb', '5ccf0749-6487-42ca-b4a6-b2b0ae39d090', null, 'O''Neill''s ball', 'closed', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', '8020dbfd-0636-4573-82e4-8cf459243ba2', null, 'Autumn Gala', 'running', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '09f7594d-99c5-4571-8dca-639c99b9f434', null, 'Autumn Gala', 'running', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000);

-- rows of event_change
insert into event_change (`seq`, `event_id`, `at`, `mark`, `category`, `record_id`, `deleted`) values
  (1, '00000000-0000-4000-8000-00000000000e', 1796001084, 1588289128020078, 'events', null, 0),
  (10, '00000000-0000-4000-8000-00000000000e', 1796001084, 844778568148150, 'guests', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (100, '00000000-0000-4000-8000-00000000000e', 1796001084, 1361925590320792, 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (101, '00000000-0000-4000-8000-00000000000e', 1796001084, 697696215273257, 'prizeDraws', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (102, '00000000-0000-4000-8000-00000000000e', 1796001084, 1548145832714446, 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (103, '00000000-0000-4000-8000-00000000000e', 1796001084, 184932911646082, 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (104, '00000000-0000-4000-8000-00000000000e', 1796001084, 1736188150789167, 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (105, '00000000-0000-4000-8000-00000000000e', 1796001084, 1956311041708980, 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (106, '00000000-0000-4000-8000-00000000000e', 1796001084, 2597666376550348, 'gliRaffles', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (107, '00000000-0000-4000-8000-00000000000e', 1796001084, 874785514546283, 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (108, '00000000-0000-4000-8000-00000000000e', 1796001084, 1549133711587206, 'gliRaffles', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (109, '00000000-0000-4000-8000-00000000000e', 1796001084, 2243471180053342, 'gliRaffles', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (11, '00000000-0000-4000-8000-00000000000e', 1796001084, 3250535509139511, 'guests', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (110, '00000000-0000-4000-8000-00000000000e', 1796001084, 2675107439242005, 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (111, '00000000-0000-4000-8000-00000000000e', 1796001084, 1349546608896013, 'gliRaffles', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (112, '00000000-0000-4000-8000-00000000000e', 1796001084, 2692334259273194, 'gliRaffles', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (113, '00000000-0000-4000-8000-00000000000e', 1796001084, 2642589609439086, 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (114, '00000000-0000-4000-8000-00000000000e', 1796001084, 3082172646915067, 'gliRaffles', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (115, '00000000-0000-4000-8000-00000000000e', 1796001084, 690992809498129, 'gliRaffles', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (116, '00000000-0000-4000-8000-00000000000e', 1796001084, 110686459481548, 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (117, '00000000-0000-4000-8000-00000000000e', 1796001084, 4209369567681260, 'gliRaffles', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (118, '00000000-0000-4000-8000-00000000000e', 1796001084, 4152841198879014, 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (119, '00000000-0000-4000-8000-00000000000e', 1796001084, 668436951543341, 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (12, '00000000-0000-4000-8000-00000000000e', 1796001084, 1430556393783864, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (120, '00000000-0000-4000-8000-00000000000e', 1796001084, 2974228105686873, 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (121, '00000000-0000-4000-8000-00000000000e', 1796001084, 633361382418418, 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (122, '00000000-0000-4000-8000-00000000000e', 1796001084, 2480965370415944, 'tickets', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (123, '00000000-0000-4000-8000-00000000000e', 1796001084, 2867469513431476, 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (124, '00000000-0000-4000-8000-00000000000e', 1796001084, 1764688791125767, 'tickets', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (125, '00000000-0000-4000-8000-00000000000e', 1796001084, 2220686402445086, 'tickets', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (126, '00000000-0000-4000-8000-00000000000e', 1796001084, 3719990526396628, 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (127, '00000000-0000-4000-8000-00000000000e', 1796001084, 3431243643328852, 'tickets', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (128, '00000000-0000-4000-8000-00000000000e', 1796001084, 305790515674882, 'tickets', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (129, '00000000-0000-4000-8000-00000000000e', 1796001084, 1311000209057207, 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (13, '00000000-0000-4000-8000-00000000000e', 1796001084, 811392862242506, 'guests', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (130, '00000000-0000-4000-8000-00000000000e', 1796001084, 4183792542025404, 'tickets', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (131, '00000000-0000-4000-8000-00000000000e', 1796001084, 2853723602634888, 'tickets', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (132, '00000000-0000-4000-8000-00000000000e', 1796001084, 2252295769842920, 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (133, '00000000-0000-4000-8000-00000000000e', 1796001084, 2769634853655903, 'tickets', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (134, '00000000-0000-4000-8000-00000000000e', 1796001084, 1027075838262135, 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (135, '00000000-0000-4000-8000-00000000000e', 1796001084, 3880594790269359, 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (136, '00000000-0000-4000-8000-00000000000e', 1796001084, 3031544427994248, 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (137, '00000000-0000-4000-8000-00000000000e', 1796001084, 4409395423212392, 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (138, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3933197459838580, 'events', null, 0),
  (139, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 4355003694494479, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (14, '00000000-0000-4000-8000-00000000000e', 1796001084, 1272068121046508, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (140, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1649354443393669, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (141, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1381102214680815, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (142, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3880662658706040, 'guests', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (143, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3611531980486517, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (144, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 745325686898401, 'guests', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (145, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 467249065764454, 'guests', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (146, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 411692881998811, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (147, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2696655190428758, 'guests', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (148, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2804222083496413, 'guests', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (149, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2188139814605526, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (15, '00000000-0000-4000-8000-00000000000e', 1796001084, 91511380756221, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (150, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3361329234990343, 'guests', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (151, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 4112789416091550, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (152, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1005640879089734, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (153, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1109489375798283, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (154, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3052040279890520, 'guests', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (155, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3968089240127552, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (156, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2468521520368517, 'guests', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (157, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 929045514040468, 'guests', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (158, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2766014879232102, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (159, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2347419152483039, 'guests', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (16, '00000000-0000-4000-8000-00000000000e', 1796001084, 800551542945212, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (160, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2985799615218958, 'guests', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (161, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1893139530826939, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (162, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1606014147560798, 'guests', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (163, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3938137981290365, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (164, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2338191224708955, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (165, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3119827243453701, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (166, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3003201329490247, 'guests', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (167, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3919502482564602, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (168, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 739904322940166, 'guests', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (169, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3047571291474588, 'guests', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (17, '00000000-0000-4000-8000-00000000000e', 1796001084, 2132040170748766, 'guests', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (170, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1722054053593135, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (171, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1519689836963304, 'guests', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (172, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1055932263377944, 'guests', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (173, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 55626331635065, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (174, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1798430464006977, 'guests', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (175, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3166461141881451, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (176, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3319966726034630, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (177, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1505294185921852, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (178, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 4098043933880069, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (179, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3976628288836081, 'buyNows', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (18, '00000000-0000-4000-8000-00000000000e', 1796001084, 3235798641769694, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (180, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 4325777256318189, 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (181, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3601292115329349, 'buyNows', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (182, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 919313241577746, 'buyNows', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (183, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2302926679278953, 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (184, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1918839206572322, 'buyNows', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (185, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1387567285912233, 'buyNows', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (186, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2483029331558493, 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (187, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2329928119028812, 'buyNows', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (188, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 4032692272906061, 'buyNows', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (189, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3994023518028101, 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (19, '00000000-0000-4000-8000-00000000000e', 1796001084, 21857969807111, 'guests', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (190, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3753269510235375, 'buyNows', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (191, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2320000908790496, 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (192, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1335530902623343, 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (193, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1668762297749871, 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (194, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 313454210094983, 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (195, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 985645993814111, 'auctionItems', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (196, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3390635816319342, 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (197, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3830140392355835, 'auctionItems', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (198, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3971655691509890, 'auctionItems', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (199, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2380784633370919, 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (2, '00000000-0000-4000-8000-00000000000e', 1796001084, 4002844542495009, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (20, '00000000-0000-4000-8000-00000000000e', 1796001084, 4257726685314205, 'guests', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (200, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1919578415627543, 'auctionItems', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (201, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 65251997875720, 'auctionItems', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (202, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 935129599541090, 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (203, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1293999147402416, 'auctionItems', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (204, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2052485835486653, 'auctionItems', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (205, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1402490962220661, 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (206, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1832577666025367, 'auctionItems', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (207, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1166520590035694, 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (208, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 4115152794676460, 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (209, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 99241588608842, 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (21, '00000000-0000-4000-8000-00000000000e', 1796001084, 3319533574601769, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (210, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 193808295685336, 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (211, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3831174300214376, 'pledges', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (212, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3753598388593900, 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (213, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2749516096541010, 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (214, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1966466015597765, 'pledges', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (215, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3255633309173959, 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (216, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1328537767582029, 'pledges', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (217, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 618162179189229, 'pledges', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (218, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2119897967054168, 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (219, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3212894286495391, 'pledges', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (22, '00000000-0000-4000-8000-00000000000e', 1796001084, 1318678274240085, 'guests', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (220, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2496125641135377, 'pledges', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (221, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 695957377899925, 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (222, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1364046248480861, 'pledges', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (223, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 4262702089684862, 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (224, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2602810796885641, 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (225, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2798352230493194, 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (226, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 4083599671474731, 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (227, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3643696163979847, 'prizeDraws', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (228, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 791201298141573, 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (229, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 192349302660442, 'prizeDraws', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (23, '00000000-0000-4000-8000-00000000000e', 1796001084, 2374740929328829, 'guests', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (230, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 587078467391786, 'prizeDraws', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (231, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1523773821788331, 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (232, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3414424894107100, 'prizeDraws', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (233, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 4350981820305945, 'prizeDraws', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (234, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3622612268716553, 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (235, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1078603901955110, 'prizeDraws', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (236, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 453749875590631, 'prizeDraws', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (237, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2477071349558032, 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (238, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1923853925173582, 'prizeDraws', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (239, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1000444177570761, 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (24, '00000000-0000-4000-8000-00000000000e', 1796001084, 77818285304937, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (240, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2233198125017586, 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (241, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3924374131842091, 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (242, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3894729982355349, 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (243, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3202016192547347, 'gliRaffles', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (244, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 109379391020182, 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (245, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3117646251318492, 'gliRaffles', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (246, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1802380526264913, 'gliRaffles', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (247, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1547699472741477, 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (248, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3588386453571589, 'gliRaffles', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (249, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2843137674647724, 'gliRaffles', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (25, '00000000-0000-4000-8000-00000000000e', 1796001084, 598374427619344, 'guests', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (250, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 975726513522586, 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (251, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3617418231708473, 'gliRaffles', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (252, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3308934080906544, 'gliRaffles', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (253, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3448400528561603, 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (254, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3227489492218547, 'gliRaffles', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (255, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 4328541114230236, 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (256, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3102252696544017, 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (257, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1938292440570579, 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (258, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 43208730731778, 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (259, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3070320817155694, 'tickets', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (26, '00000000-0000-4000-8000-00000000000e', 1796001084, 601581876100698, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (260, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 278783187947794, 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (261, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 4182257206921690, 'tickets', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (262, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3728417590022647, 'tickets', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (263, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3475395449117491, 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (264, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3369950744725794, 'tickets', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (265, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 4218865128296779, 'tickets', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (266, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 301069974500040, 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (267, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3637891275519893, 'tickets', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (268, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2438358829827937, 'tickets', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (269, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 619781063989404, 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (27, '00000000-0000-4000-8000-00000000000e', 1796001084, 248523043716066, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (270, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 794274802100503, 'tickets', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (271, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 1664878084322565, 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (272, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2543999960605359, 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (273, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 3569468957284802, 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (274, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2853810676245583, 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (275, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 930843026063219, 'events', null, 0),
  (276, '07196519-fe93-41e4-8566-f3436c7911fb', 1796001084, 231294342637218, 'events', null, 0),
  (277, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 1818177756795065, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (278, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 488188809897214, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (279, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 2885655186041199, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (28, '00000000-0000-4000-8000-00000000000e', 1796001084, 2218801017601091, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (280, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 2687129635082194, 'guests', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (281, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 4156687898729984, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (282, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 4442834484273604, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (283, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 3825420015513817, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (284, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 1598250899484553, 'guests', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (285, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 2669630453329238, 'buyNows', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (286, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 660653286555496, 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (287, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 355474201665879, 'auctionItems', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (288, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 132672050602533, 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (289, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 804345917194435, 'pledges', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (29, '00000000-0000-4000-8000-00000000000e', 1796001084, 1449308194389290, 'guests', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (290, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 1082288629775683, 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (291, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 2695914275692808, 'prizeDraws', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (292, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 3239327545765117, 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (293, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 3131918568676035, 'gliRaffles', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (294, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 2537282722516965, 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (295, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 957534458828735, 'tickets', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (296, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 3428285241094784, 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (297, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 1945100744784401, 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (298, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 712250764228913, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (299, '00000000-0000-4000-8000-00000000000e', 1796001084, 1129902204843201, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1),
  (3, '00000000-0000-4000-8000-00000000000e', 1796001084, 4102068168670807, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (30, '00000000-0000-4000-8000-00000000000e', 1796001084, 3080493221752532, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (300, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 3842458068785731, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1),
  (301, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 2533406551237653, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1),
  (302, '00000000-0000-4000-8000-00000000000e', 1796001084, 284993804349817, 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1),
  (303, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 1796001084, 2671817302787055, 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1),
  (304, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 1796001084, 916016381607157, 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1),
  (31, '00000000-0000-4000-8000-00000000000e', 1796001084, 2516567738794145, 'guests', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (32, '00000000-0000-4000-8000-00000000000e', 1796001084, 1699117129400613, 'guests', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (33, '00000000-0000-4000-8000-00000000000e', 1796001084, 1629787002293924, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (34, '00000000-0000-4000-8000-00000000000e', 1796001084, 1456509500367647, 'guests', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (35, '00000000-0000-4000-8000-00000000000e', 1796001084, 4085372711394112, 'guests', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (36, '00000000-0000-4000-8000-00000000000e', 1796001084, 221640676736062, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (37, '00000000-0000-4000-8000-00000000000e', 1796001084, 4170876286854535, 'guests', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (38, '00000000-0000-4000-8000-00000000000e', 1796001084, 1559962164598486, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (39, '00000000-0000-4000-8000-00000000000e', 1796001084, 3510298761708379, 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (4, '00000000-0000-4000-8000-00000000000e', 1796001084, 983800470622463, 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (40, '00000000-0000-4000-8000-00000000000e', 1796001084, 540804498773587, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (41, '00000000-0000-4000-8000-00000000000e', 1796001084, 2222257666377828, 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (42, '00000000-0000-4000-8000-00000000000e', 1796001084, 1237410033564728, 'buyNows', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (43, '00000000-0000-4000-8000-00000000000e', 1796001084, 1718425373295451, 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (44, '00000000-0000-4000-8000-00000000000e', 1796001084, 3833427974632444, 'buyNows', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (45, '00000000-0000-4000-8000-00000000000e', 1796001084, 1971508612623667, 'buyNows', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (46, '00000000-0000-4000-8000-00000000000e', 1796001084, 1252875108021073, 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (47, '00000000-0000-4000-8000-00000000000e', 1796001084, 646634262679462, 'buyNows', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (48, '00000000-0000-4000-8000-00000000000e', 1796001084, 724239779148090, 'buyNows', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (49, '00000000-0000-4000-8000-00000000000e', 1796001084, 548608246939466, 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (5, '00000000-0000-4000-8000-00000000000e', 1796001084, 709207462171093, 'guests', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (50, '00000000-0000-4000-8000-00000000000e', 1796001084, 1558217725483785, 'buyNows', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (51, '00000000-0000-4000-8000-00000000000e', 1796001084, 620549171893990, 'buyNows', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (52, '00000000-0000-4000-8000-00000000000e', 1796001084, 4220538065636156, 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (53, '00000000-0000-4000-8000-00000000000e', 1796001084, 869933661183375, 'buyNows', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (54, '00000000-0000-4000-8000-00000000000e', 1796001084, 4409132332355920, 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (55, '00000000-0000-4000-8000-00000000000e', 1796001084, 4495618734555398, 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (56, '00000000-0000-4000-8000-00000000000e', 1796001084, 1047053203777945, 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (57, '00000000-0000-4000-8000-00000000000e', 1796001084, 2338779767180825, 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (58, '00000000-0000-4000-8000-00000000000e', 1796001084, 276765251571539, 'auctionItems', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (59, '00000000-0000-4000-8000-00000000000e', 1796001084, 12922170654352, 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (6, '00000000-0000-4000-8000-00000000000e', 1796001084, 3665859549494145, 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (60, '00000000-0000-4000-8000-00000000000e', 1796001084, 2919339571891084, 'auctionItems', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (61, '00000000-0000-4000-8000-00000000000e', 1796001084, 1346152300448314, 'auctionItems', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (62, '00000000-0000-4000-8000-00000000000e', 1796001084, 1953228807031987, 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (63, '00000000-0000-4000-8000-00000000000e', 1796001084, 980459935987111, 'auctionItems', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (64, '00000000-0000-4000-8000-00000000000e', 1796001084, 3907695981570384, 'auctionItems', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (65, '00000000-0000-4000-8000-00000000000e', 1796001084, 907651491742001, 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (66, '00000000-0000-4000-8000-00000000000e', 1796001084, 4335257809011641, 'auctionItems', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (67, '00000000-0000-4000-8000-00000000000e', 1796001084, 3681833224543497, 'auctionItems', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (68, '00000000-0000-4000-8000-00000000000e', 1796001084, 233230238383487, 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (69, '00000000-0000-4000-8000-00000000000e', 1796001084, 63374072833159, 'auctionItems', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (7, '00000000-0000-4000-8000-00000000000e', 1796001084, 562679080338966, 'guests', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (70, '00000000-0000-4000-8000-00000000000e', 1796001084, 3132022559837392, 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (71, '00000000-0000-4000-8000-00000000000e', 1796001084, 38816902991245, 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (72, '00000000-0000-4000-8000-00000000000e', 1796001084, 2801744890447558, 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (73, '00000000-0000-4000-8000-00000000000e', 1796001084, 46228847305293, 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (74, '00000000-0000-4000-8000-00000000000e', 1796001084, 2500711619177617, 'pledges', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (75, '00000000-0000-4000-8000-00000000000e', 1796001084, 4496882117324137, 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (76, '00000000-0000-4000-8000-00000000000e', 1796001084, 2880051638180208, 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (77, '00000000-0000-4000-8000-00000000000e', 1796001084, 2256267918786052, 'pledges', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (78, '00000000-0000-4000-8000-00000000000e', 1796001084, 2483277162249099, 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (79, '00000000-0000-4000-8000-00000000000e', 1796001084, 3328035177572056, 'pledges', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (8, '00000000-0000-4000-8000-00000000000e', 1796001084, 3251702004487251, 'guests', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (80, '00000000-0000-4000-8000-00000000000e', 1796001084, 1835026770598509, 'pledges', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (81, '00000000-0000-4000-8000-00000000000e', 1796001084, 1187864346052762, 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (82, '00000000-0000-4000-8000-00000000000e', 1796001084, 452848718414385, 'pledges', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (83, '00000000-0000-4000-8000-00000000000e', 1796001084, 4264117275064179, 'pledges', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0),
  (84, '00000000-0000-4000-8000-00000000000e', 1796001084, 1429264598644862, 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 0),
  (85, '00000000-0000-4000-8000-00000000000e', 1796001084, 3494409078381940, 'pledges', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 0),
  (86, '00000000-0000-4000-8000-00000000000e', 1796001084, 704379970495435, 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1),
  (87, '00000000-0000-4000-8000-00000000000e', 1796001084, 1738580296758229, 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1),
  (88, '00000000-0000-4000-8000-00000000000e', 1796001084, 155480933471889, 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1),
  (89, '00000000-0000-4000-8000-00000000000e', 1796001084, 3139272379930641, 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1),
  (9, '00000000-0000-4000-8000-00000000000e', 1796001084, 1085021206175519, 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (90, '00000000-0000-4000-8000-00000000000e', 1796001084, 313796781160385, 'prizeDraws', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 0),
  (91, '00000000-0000-4000-8000-00000000000e', 1796001084, 842164347916050, 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 0),
  (92, '00000000-0000-4000-8000-00000000000e', 1796001084, 3686596309748144, 'prizeDraws', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 0),
  (93, '00000000-0000-4000-8000-00000000000e', 1796001084, 559146174165317, 'prizeDraws', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 0),
  (94, '00000000-0000-4000-8000-00000000000e', 1796001084, 3211706415800850, 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 0),
  (95, '00000000-0000-4000-8000-00000000000e', 1796001084, 2589939596944801, 'prizeDraws', '28fdd772-5497-4723-8736-4a167ba289ff', 0),
  (96, '00000000-0000-4000-8000-00000000000e', 1796001084, 3262253006513100, 'prizeDraws', 'ff265dda-caf8-4729-845c-31beb9ab4820', 0),
  (97, '00000000-0000-4000-8000-00000000000e', 1796001084, 1370599393409063, 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 0),
  (98, '00000000-0000-4000-8000-00000000000e', 1796001084, 1697546464394183, 'prizeDraws', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 0),
  (99, '00000000-0000-4000-8000-00000000000e', 1796001084, 1648835894102688, 'prizeDraws', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 0);

-- rows of field_set
insert into field_set (`id`, `fields`) values
  ('3cb1b58104ee3415', '["Guest.id","Guest.eventId","Guest.firstName","Guest.lastName","Guest.email","Guest.mobile","Guest.mainAddress","Guest.giftAidAddress","Guest.taxReceiptAidAddress","Guest.created","Guest.updated","Guest.consentAsked","Guest.consentStatus","Guest.consentChannels","Guest.externalId","Guest.smsOptIn","Guest.companyName"]'),
  ('d35ce9de77985259', '["BuyNowItem.id","BuyNowItem.eventId","BuyNowItem.name","BuyNowItem.status","BuyNowItem.created","BuyNowItem.updated","BuyNowItem.revenueStreamType","BuyNowItem.externalId","BuyNowItem.categories","BuyNowItem.irsSubcategory","BuyNowItem.description","BuyNowItem.termsDescription","BuyNowItem.price","BuyNowItem.quantity","BuyNowItem.taxRate","BuyNowItem.estimate","AuctionItem.id","AuctionItem.eventId","AuctionItem.name","AuctionItem.status","AuctionItem.created","AuctionItem.updated","AuctionItem.revenueStreamType","AuctionItem.externalId","AuctionItem.categories","AuctionItem.irsSubcategory","AuctionItem.description","AuctionItem.termsDescription","AuctionItem.lotNumber","AuctionItem.startPrice","AuctionItem.increments","AuctionItem.estimate","AuctionItem.taxRate","AuctionItem.closes","Pledge.id","Pledge.eventId","Pledge.name","Pledge.status","Pledge.created","Pledge.updated","Pledge.revenueStreamType","Pledge.externalId","Pledge.categories","Pledge.irsSubcategory","Pledge.description","Pledge.termsDescription","Pledge.amount","Raffle.id","Raffle.eventId","Raffle.name","Raffle.status","Raffle.created","Raffle.updated","Raffle.revenueStreamType","Raffle.externalId","Raffle.categories","Raffle.irsSubcategory","Raffle.description","Raffle.termsDescription","Raffle.ticketPrice","Raffle.maxTickets","Raffle.draws","GliRaffle.id","GliRaffle.eventId","GliRaffle.name","GliRaffle.status","GliRaffle.created","GliRaffle.updated","GliRaffle.revenueStreamType","GliRaffle.externalId","GliRaffle.categories","GliRaffle.irsSubcategory","GliRaffle.description","GliRaffle.termsDescription","GliRaffle.ticketPrice","GliRaffle.maxTickets","GliRaffle.draws","GliRaffle.licenceNumber","GliRaffle.regulator","Ticket.id","Ticket.eventId","Ticket.name","Ticket.status","Ticket.created","Ticket.updated","Ticket.revenueStreamType","Ticket.externalId","Ticket.categories","Ticket.irsSubcategory","Ticket.description","Ticket.termsDescription","Ticket.price","Ticket.capacity","Ticket.admits","Ticket.taxRate"]');

-- rows of gli_raffle
insert into gli_raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `licence_number`, `regulator`, `created`, `updated`, `export_version`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000007, 1349546608896013),
  ('00000000-0000-4000-8000-00000000000e', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000010, 1549133711587206),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000009, 2243471180053342),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000001, 4209369567681260),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000012, 2597666376550348),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000003, 690992809498129),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000004, 3082172646915067),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000006, 2692334259273194),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000001, 2537282722516965),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000002, 3131918568676035),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000007, 3588386453571589),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000010, 3117646251318492),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000009, 1802380526264913),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000001, 3227489492218547),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000012, 3202016192547347),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000003, 3308934080906544),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000004, 3617418231708473),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000006, 2843137674647724);

-- rows of guest
insert into guest (`event_id`, `id`, `first_name`, `last_name`, `email`, `mobile`, `external_id`, `sms_opt_in`, `company_name`, `created`, `updated`, `export_version`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 2516567738794145),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 1449308194389290),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 4170876286854535),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 601581876100698),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 4085372711394112),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 1456509500367647),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 1699117129400613),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 'Ada', 'Łódź 东京 😀', 'guest1@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 712250764228913),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Ada', 'Lovelace', 'guest3@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1700000001, 2687129635082194),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Ada', 'Lovelace', 'guest0@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 1598250899484553),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 739904322940166),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 3003201329490247),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 1798430464006977),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 3938137981290365),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 1055932263377944),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 1519689836963304),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Eve', 'Lovelace', 'eve@neighbour.example', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1796001084, 3047571291474588);

-- rows of kysely_migration
insert into kysely_migration (`name`, `timestamp`) values
  ('0001-baseline', '2026-11-30T01:11:24.375Z'),
  ('0001-records', '2026-11-30T01:11:24.376Z'),
  ('0002-change-log', '2026-11-30T01:11:24.378Z'),
  ('0003-accounts', '2026-11-30T01:11:24.379Z'),
  ('0004-polling', '2026-11-30T01:11:24.380Z'),
  ('0005-access', '2026-11-30T01:11:24.381Z'),
  ('0006-versions', '2026-11-30T01:11:24.382Z'),
  ('0007-log-in-waits', '2026-11-30T01:11:24.383Z'),
  ('0008-long-cursors', '2026-11-30T01:11:24.384Z'),
  ('0009-session-ends', '2026-11-30T01:11:24.385Z'),
  ('0010-log-in-networks', '2026-11-30T01:11:24.386Z'),
  ('0011-event-changes', '2026-11-30T01:11:24.387Z'),
  ('0012-record-versions', '2026-11-30T01:11:24.388Z'),
  ('0013-operators', '2026-11-30T01:11:24.389Z'),
  ('0014-sync-health', '2026-11-30T01:11:24.390Z'),
  ('0015-disclosures', '2026-11-30T01:11:24.391Z'),
  ('0016-heartbeat', '2026-11-30T01:11:24.392Z'),
  ('0017-forgotten-deletions', '2026-11-30T01:11:24.394Z'),
  ('0018-changed-records', '2026-11-30T01:11:24.402Z'),
  ('0019-viewers', '2026-11-30T01:11:24.404Z'),
  ('0020-forgotten-by-list', '2026-11-30T01:11:24.409Z'),
  ('0021-lasting-sessions', '2026-11-30T01:11:24.413Z'),
  ('0022-far-times', '2026-11-30T01:11:24.414Z'),
  ('audit-0001', '2026-11-30T01:11:24.419Z'),
  ('audit-0002', '2026-11-30T01:11:24.420Z'),
  ('contacts-0001', '2026-11-30T01:11:24.422Z'),
  ('disclosures-0001', '2026-11-30T01:11:24.431Z'),
  ('disclosures-0002', '2026-11-30T01:11:24.432Z'),
  ('feed-0001', '2026-11-30T01:11:24.433Z'),
  ('former-names-0001', '2026-11-30T01:11:24.435Z'),
  ('partners-0001', '2026-11-30T01:11:24.442Z'),
  ('partners-0002', '2026-11-30T01:11:24.446Z'),
  ('partners-0003', '2026-11-30T01:11:24.449Z'),
  ('partners-0004', '2026-11-30T01:11:24.477Z'),
  ('partners-0005', '2026-11-30T01:11:24.483Z'),
  ('ping-0001', '2026-11-30T01:11:24.492Z'),
  ('ping-0002', '2026-11-30T01:11:24.496Z'),
  ('presence-0001', '2026-11-30T01:11:24.498Z'),
  ('sessions-0001', '2026-11-30T01:11:24.501Z');

-- rows of last_request
insert into last_request (`account_id`, `at`, `address`) values
  ('014a6085-2465-4853-8005-b4d901c58773', 1796001084, '127.0.0.1');

-- rows of log_in_network
insert into log_in_network (`account_id`, `network`, `last_used`) values
  ('014a6085-2465-4853-8005-b4d901c58773', '127.0.0.1', 1796001084);

-- rows of organization
insert into organization (`id`, `slug`, `name`, `created`, `updated`) values
  ('09f7594d-99c5-4571-8dca-639c99b9f434', 'neighbour', 'neighbour', 1700000000, 1700000000),
  ('5ccf0749-6487-42ca-b4a6-b2b0ae39d090', 'borealis', 'borealis', 1700000000, 1700000000),
  ('8020dbfd-0636-4573-82e4-8cf459243ba2', 'acme', 'acme', 1700000000, 1700000000);

-- rows of partner_hour
insert into partner_hour (`account_id`, `hour`, `polls`, `walks`, `records`, `errors`, `lag`) values
  ('014a6085-2465-4853-8005-b4d901c58773', 1796000400, 4, 4, 19, 0, null);

-- rows of pledge
insert into pledge (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `amount`, `created`, `updated`, `export_version`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000007, 3328035177572056),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000009, 2256267918786052),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000001, 3494409078381940),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000012, 2500711619177617),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000003, 4264117275064179),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000004, 452848718414385),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000006, 1835026770598509),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000001, 1082288629775683),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000002, 804345917194435),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000007, 1328537767582029),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000009, 1966466015597765),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000001, 1364046248480861),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000012, 3831174300214376),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000003, 2496125641135377),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000004, 3212894286495391),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000006, 618162179189229);

-- rows of raffle
insert into raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `created`, `updated`, `export_version`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000007, 2589939596944801),
  ('00000000-0000-4000-8000-00000000000e', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000010, 3686596309748144),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000009, 559146174165317),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000001, 697696215273257),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000012, 313796781160385),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000003, 1648835894102688),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000004, 1697546464394183),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000006, 3262253006513100),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000001, 3239327545765117),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000002, 2695914275692808),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000007, 3414424894107100),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000010, 192349302660442),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000009, 587078467391786),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000001, 1923853925173582),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000012, 3643696163979847),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000003, 453749875590631),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000004, 1078603901955110),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000006, 4350981820305945);

-- rows of session
insert into session (`id`, `account_id`, `created`, `expires`, `used`, `reason`, `lasting`) values
  ('9e079779-a997-487c-97a9-698bf1cad6fd', '014a6085-2465-4853-8005-b4d901c58773', 1796001084, 1796044284, 1796001085, null, 0);

-- rows of sync_state
insert into sync_state (`account_id`, `event_id`, `prefix`, `list`, `family`, `kind`, `last_poll`, `poll_interval`, `walk_started`, `walk_since`, `walk_next`, `previous_started`, `third_started`, `first_started`, `walk_completed`, `completed_next`, `acknowledged`, `acknowledged_at`, `records`, `first_error`, `error_at`, `error_status`, `error_code`, `error_request`, `completed_since`, `since_from`, `sent_until`, `skipped_from`, `skipped_to`, `error_parameters`) values
  ('014a6085-2465-4853-8005-b4d901c58773', '', '/acme/v1', 'events', 'custom-export', 'other', 1796001084, 900, 1796001084, 1606062358, 1796001082, null, null, 1796001084, 1796001084, 1796001082, null, null, 1, null, null, null, null, null, 0, 1796001084, 1796001084, null, null, null),
  ('014a6085-2465-4853-8005-b4d901c58773', 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', '/acme/v1', 'guest deletions', 'custom-export', 'guest deletions', 1796001084, 60, 1796001084, 1606062358, 1796001082, null, null, 1796001084, 1796001084, 1796001082, null, null, 1, null, null, null, null, null, 0, 1796001084, 1796001084, null, null, null),
  ('014a6085-2465-4853-8005-b4d901c58773', 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', '/acme/v1', 'guests', 'custom-export', 'guests', 1796001084, 60, 1796001084, -1, 1796001082, null, null, 1796001084, 1796001084, 1796001082, null, null, 4, null, null, null, null, null, 0, 1796001084, 1796001084, null, null, null),
  ('014a6085-2465-4853-8005-b4d901c58773', 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', '/acme/v1', 'item deletions', 'custom-export', 'item deletions', null, 60, null, null, null, null, null, null, 1796001084, 1796001082, null, null, 0, null, null, null, null, null, 0, null, 1796001084, null, null, null),
  ('014a6085-2465-4853-8005-b4d901c58773', 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', '/acme/v1', 'items', 'custom-export', 'items', 1796001084, 60, 1796001084, -1, 1796001082, null, null, 1796001084, 1796001084, 1796001082, null, null, 13, null, null, null, null, null, 0, 1796001084, 1796001084, null, null, null);

-- rows of ticket
insert into ticket (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `capacity`, `admits`, `tax_rate`, `created`, `updated`, `export_version`) values
  ('00000000-0000-4000-8000-00000000000e', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000007, 3431243643328852),
  ('00000000-0000-4000-8000-00000000000e', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000010, 1764688791125767),
  ('00000000-0000-4000-8000-00000000000e', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000009, 2220686402445086),
  ('00000000-0000-4000-8000-00000000000e', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000001, 2769634853655903),
  ('00000000-0000-4000-8000-00000000000e', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000012, 2480965370415944),
  ('00000000-0000-4000-8000-00000000000e', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000003, 2853723602634888),
  ('00000000-0000-4000-8000-00000000000e', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000004, 4183792542025404),
  ('00000000-0000-4000-8000-00000000000e', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000006, 305790515674882),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000001, 3428285241094784),
  ('d8dd3f29-c37a-4384-b69b-bec4864fee7c', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000002, 957534458828735),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '28fdd772-5497-4723-8736-4a167ba289ff', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000007, 3369950744725794),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000010, 4182257206921690),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '7322e1c3-93bf-42df-8fd7-c20450a6b421', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000009, 3728417590022647),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', '9ec94284-a307-4b39-82b3-fb30ed20b3b0', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000001, 794274802100503),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'e00d4616-051c-4ce5-89f5-0090fafabb0d', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000012, 3070320817155694),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'f36a218b-c281-4ec0-8b90-8e9f33fcf2b9', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000003, 2438358829827937),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'fed11fbc-d9bd-4f82-8bbc-a7f06501f203', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000004, 3637891275519893),
  ('ffffffff-ffff-4fff-bfff-fffffffffffe', 'ff265dda-caf8-4729-845c-31beb9ab4820', 'Of a neighbour', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000006, 4218865128296779);

-- rows of vacant_position
insert into vacant_position (`seq`, `event_id`, `category`, `record_id`, `updated`, `at`) values
  (1, '00000000-0000-4000-8000-00000000000e', 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1796001084),
  (10, '00000000-0000-4000-8000-00000000000e', 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001084),
  (11, '00000000-0000-4000-8000-00000000000e', 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001084),
  (12, '00000000-0000-4000-8000-00000000000e', 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001084),
  (13, '00000000-0000-4000-8000-00000000000e', 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001084),
  (14, '00000000-0000-4000-8000-00000000000e', 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001084),
  (15, '00000000-0000-4000-8000-00000000000e', 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001084),
  (16, '00000000-0000-4000-8000-00000000000e', 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001084),
  (17, '00000000-0000-4000-8000-00000000000e', 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001084),
  (18, '00000000-0000-4000-8000-00000000000e', 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001084),
  (19, '00000000-0000-4000-8000-00000000000e', 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001084),
  (2, '00000000-0000-4000-8000-00000000000e', 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1796001084),
  (20, '00000000-0000-4000-8000-00000000000e', 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001084),
  (21, '00000000-0000-4000-8000-00000000000e', 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001084),
  (22, '00000000-0000-4000-8000-00000000000e', 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001084),
  (23, '00000000-0000-4000-8000-00000000000e', 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001084),
  (24, '00000000-0000-4000-8000-00000000000e', 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001084),
  (25, '00000000-0000-4000-8000-00000000000e', 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001084),
  (26, '00000000-0000-4000-8000-00000000000e', 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001084),
  (27, '00000000-0000-4000-8000-00000000000e', 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001084),
  (28, '00000000-0000-4000-8000-00000000000e', 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001084),
  (29, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1796001084, 1796001084),
  (3, '00000000-0000-4000-8000-00000000000e', 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1796001084),
  (30, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1796001084, 1796001084),
  (31, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1796001084, 1796001084),
  (32, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1796001084),
  (33, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001084),
  (34, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001084),
  (35, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001084),
  (36, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001084),
  (37, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001084),
  (38, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001084),
  (39, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001084),
  (4, '00000000-0000-4000-8000-00000000000e', 'guests', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1796001084, 1796001084),
  (40, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'auctionItems', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001084),
  (41, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001084),
  (42, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001084),
  (43, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001084),
  (44, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001084),
  (45, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001084),
  (46, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001084),
  (47, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001084),
  (48, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'prizeDraws', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001084),
  (49, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001084),
  (5, '00000000-0000-4000-8000-00000000000e', 'buyNows', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001084),
  (50, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001084),
  (51, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001084),
  (52, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'gliRaffles', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001084),
  (53, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001084),
  (54, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001084),
  (55, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001084),
  (56, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'tickets', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001084),
  (57, '00000000-0000-4000-8000-00000000000e', 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001084, 1796001084),
  (58, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1700000002, 1796001084),
  (59, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'guests', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1796001084, 1796001084),
  (6, '00000000-0000-4000-8000-00000000000e', 'buyNows', '3dba37bb-0871-4ede-8fb9-5b6655128dbe', 1700000011, 1796001084),
  (60, '00000000-0000-4000-8000-00000000000e', 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1700000010, 1796001084),
  (61, 'd8dd3f29-c37a-4384-b69b-bec4864fee7c', 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1700000000, 1796001084),
  (62, 'ffffffff-ffff-4fff-bfff-fffffffffffe', 'pledges', '55f3858e-9bf3-4086-85a0-6984a61ea4e7', 1700000010, 1796001084),
  (7, '00000000-0000-4000-8000-00000000000e', 'buyNows', 'a2b36009-6f13-47fc-859d-82b5ac580e61', 1700000008, 1796001084),
  (8, '00000000-0000-4000-8000-00000000000e', 'buyNows', 'c59cca67-87e3-4f47-8cb7-f3e874696a83', 1700000002, 1796001084),
  (9, '00000000-0000-4000-8000-00000000000e', 'auctionItems', '18c49c3d-2bbf-4b66-8335-adf138654aaa', 1700000005, 1796001084);

-- rows of watched_table
insert into watched_table (`name`, `made`, `server`) values
  ('address', '1796001084', 'dbfd0b1c-ec5a-11f1-a5f6-02fc00000001'),
  ('auction_item', '1796001084', 'dbfd0b1c-ec5a-11f1-a5f6-02fc00000001'),
  ('buy_now_item', '1796001084', 'dbfd0b1c-ec5a-11f1-a5f6-02fc00000001'),
  ('consent', '1796001084', 'dbfd0b1c-ec5a-11f1-a5f6-02fc00000001'),
  ('event', '1796001084', 'dbfd0b1c-ec5a-11f1-a5f6-02fc00000001'),
  ('gli_raffle', '1796001084', 'dbfd0b1c-ec5a-11f1-a5f6-02fc00000001'),
  ('guest', '1796001084', 'dbfd0b1c-ec5a-11f1-a5f6-02fc00000001'),
  ('pledge', '1796001084', 'dbfd0b1c-ec5a-11f1-a5f6-02fc00000001'),
  ('raffle', '1796001084', 'dbfd0b1c-ec5a-11f1-a5f6-02fc00000001'),
  ('ticket', '1796001084', 'dbfd0b1c-ec5a-11f1-a5f6-02fc00000001');

-- trigger account_update
create trigger account_update BEFORE UPDATE on account for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = greatest(if(old.updated > stamp + 86400, 0, old.updated), if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); end;

-- trigger address_delete
create trigger address_delete BEFORE DELETE on address for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; declare continue handler for 1442 begin end; update guest set updated = updated where event_id = old.event_id and id = old.guest_id; end;

-- trigger address_insert
create trigger address_insert BEFORE INSERT on address for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; update guest set updated = updated where event_id = new.event_id and id = new.guest_id; end;

-- trigger address_update
create trigger address_update BEFORE UPDATE on address for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; update guest set updated = updated where event_id = old.event_id and id = old.guest_id; if new.guest_id <> old.guest_id or new.event_id <> old.event_id then update guest set updated = updated where event_id = new.event_id and id = new.guest_id; end if; end;

-- trigger auction_item_delete
create trigger auction_item_delete BEFORE DELETE on auction_item for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (old.event_id, stamp, mark, 'auctionItems', old.id, 1); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'auctionItems', old.id, stamp, old.created, old.updated) on duplicate key update at = stamp, created = least(created, old.created), updated = greatest(updated, old.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'auctionItems', old.id, old.updated, stamp); end;

-- trigger auction_item_insert
create trigger auction_item_insert BEFORE INSERT on auction_item for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, stamp, mark, 'auctionItems', new.id, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark; if new.created > least(new.updated, stamp) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'auctionItems', new.id, least(new.updated, stamp)) on duplicate key update time = least(time, least(new.updated, stamp)); end if; end;

-- trigger auction_item_update
create trigger auction_item_update BEFORE UPDATE on auction_item for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; if new.event_id <> old.event_id or new.id <> old.id then signal sqlstate '45000' set message_text = 'auction_item: event_id and id never change: delete and insert'; end if; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, stamp, mark, 'auctionItems', new.id, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = greatest(if(old.updated > stamp + 86400, 0, old.updated), if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); set new.export_version = mark; if new.created > least(old.created, old.updated) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'auctionItems', new.id, least(old.created, old.updated)) on duplicate key update time = least(time, least(old.created, old.updated)); end if; end;

-- trigger buy_now_item_delete
create trigger buy_now_item_delete BEFORE DELETE on buy_now_item for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (old.event_id, stamp, mark, 'buyNows', old.id, 1); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'buyNows', old.id, stamp, old.created, old.updated) on duplicate key update at = stamp, created = least(created, old.created), updated = greatest(updated, old.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'buyNows', old.id, old.updated, stamp); end;

-- trigger buy_now_item_insert
create trigger buy_now_item_insert BEFORE INSERT on buy_now_item for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, stamp, mark, 'buyNows', new.id, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark; if new.created > least(new.updated, stamp) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'buyNows', new.id, least(new.updated, stamp)) on duplicate key update time = least(time, least(new.updated, stamp)); end if; end;

-- trigger buy_now_item_update
create trigger buy_now_item_update BEFORE UPDATE on buy_now_item for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; if new.event_id <> old.event_id or new.id <> old.id then signal sqlstate '45000' set message_text = 'buy_now_item: event_id and id never change: delete and insert'; end if; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, stamp, mark, 'buyNows', new.id, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = greatest(if(old.updated > stamp + 86400, 0, old.updated), if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); set new.export_version = mark; if new.created > least(old.created, old.updated) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'buyNows', new.id, least(old.created, old.updated)) on duplicate key update time = least(time, least(old.created, old.updated)); end if; end;

-- trigger consent_delete
create trigger consent_delete BEFORE DELETE on consent for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; declare continue handler for 1442 begin end; update guest set updated = updated where event_id = old.event_id and id = old.guest_id; end;

-- trigger consent_insert
create trigger consent_insert BEFORE INSERT on consent for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; update guest set updated = updated where event_id = new.event_id and id = new.guest_id; end;

-- trigger consent_update
create trigger consent_update BEFORE UPDATE on consent for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; update guest set updated = updated where event_id = old.event_id and id = old.guest_id; if new.guest_id <> old.guest_id or new.event_id <> old.event_id then update guest set updated = updated where event_id = new.event_id and id = new.guest_id; end if; end;

-- trigger event_insert
create trigger event_insert BEFORE INSERT on event for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.id, stamp, mark, 'events', null, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); end;

-- trigger event_update
create trigger event_update BEFORE UPDATE on event for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.id, stamp, mark, 'events', null, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = greatest(if(old.updated > stamp + 86400, 0, old.updated), if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); end;

-- trigger gli_raffle_delete
create trigger gli_raffle_delete BEFORE DELETE on gli_raffle for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (old.event_id, stamp, mark, 'gliRaffles', old.id, 1); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'gliRaffles', old.id, stamp, old.created, old.updated) on duplicate key update at = stamp, created = least(created, old.created), updated = greatest(updated, old.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'gliRaffles', old.id, old.updated, stamp); end;

-- trigger gli_raffle_insert
create trigger gli_raffle_insert BEFORE INSERT on gli_raffle for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, stamp, mark, 'gliRaffles', new.id, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark; if new.created > least(new.updated, stamp) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'gliRaffles', new.id, least(new.updated, stamp)) on duplicate key update time = least(time, least(new.updated, stamp)); end if; end;

-- trigger gli_raffle_update
create trigger gli_raffle_update BEFORE UPDATE on gli_raffle for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; if new.event_id <> old.event_id or new.id <> old.id then signal sqlstate '45000' set message_text = 'gli_raffle: event_id and id never change: delete and insert'; end if; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, stamp, mark, 'gliRaffles', new.id, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = greatest(if(old.updated > stamp + 86400, 0, old.updated), if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); set new.export_version = mark; if new.created > least(old.created, old.updated) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'gliRaffles', new.id, least(old.created, old.updated)) on duplicate key update time = least(time, least(old.created, old.updated)); end if; end;

-- trigger guest_delete
create trigger guest_delete BEFORE DELETE on guest for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (old.event_id, stamp, mark, 'guests', old.id, 1); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'guests', old.id, stamp, old.created, old.updated) on duplicate key update at = stamp, created = least(created, old.created), updated = greatest(updated, old.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'guests', old.id, old.updated, stamp); end;

-- trigger guest_insert
create trigger guest_insert BEFORE INSERT on guest for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, stamp, mark, 'guests', new.id, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark; if new.created > least(new.updated, stamp) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'guests', new.id, least(new.updated, stamp)) on duplicate key update time = least(time, least(new.updated, stamp)); end if; end;

-- trigger guest_update
create trigger guest_update BEFORE UPDATE on guest for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; if new.event_id <> old.event_id or new.id <> old.id then signal sqlstate '45000' set message_text = 'guest: event_id and id never change: delete and insert'; end if; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, stamp, mark, 'guests', new.id, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = greatest(if(old.updated > stamp + 86400, 0, old.updated), if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); set new.export_version = mark; if new.created > least(old.created, old.updated) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'guests', new.id, least(old.created, old.updated)) on duplicate key update time = least(time, least(old.created, old.updated)); end if; end;

-- trigger organization_update
create trigger organization_update BEFORE UPDATE on organization for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = greatest(if(old.updated > stamp + 86400, 0, old.updated), if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); end;

-- trigger pledge_delete
create trigger pledge_delete BEFORE DELETE on pledge for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (old.event_id, stamp, mark, 'pledges', old.id, 1); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'pledges', old.id, stamp, old.created, old.updated) on duplicate key update at = stamp, created = least(created, old.created), updated = greatest(updated, old.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'pledges', old.id, old.updated, stamp); end;

-- trigger pledge_insert
create trigger pledge_insert BEFORE INSERT on pledge for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, stamp, mark, 'pledges', new.id, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark; if new.created > least(new.updated, stamp) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'pledges', new.id, least(new.updated, stamp)) on duplicate key update time = least(time, least(new.updated, stamp)); end if; end;

-- trigger pledge_update
create trigger pledge_update BEFORE UPDATE on pledge for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; if new.event_id <> old.event_id or new.id <> old.id then signal sqlstate '45000' set message_text = 'pledge: event_id and id never change: delete and insert'; end if; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, stamp, mark, 'pledges', new.id, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = greatest(if(old.updated > stamp + 86400, 0, old.updated), if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); set new.export_version = mark; if new.created > least(old.created, old.updated) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'pledges', new.id, least(old.created, old.updated)) on duplicate key update time = least(time, least(old.created, old.updated)); end if; end;

-- trigger raffle_delete
create trigger raffle_delete BEFORE DELETE on raffle for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (old.event_id, stamp, mark, 'prizeDraws', old.id, 1); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'prizeDraws', old.id, stamp, old.created, old.updated) on duplicate key update at = stamp, created = least(created, old.created), updated = greatest(updated, old.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'prizeDraws', old.id, old.updated, stamp); end;

-- trigger raffle_insert
create trigger raffle_insert BEFORE INSERT on raffle for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, stamp, mark, 'prizeDraws', new.id, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark; if new.created > least(new.updated, stamp) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'prizeDraws', new.id, least(new.updated, stamp)) on duplicate key update time = least(time, least(new.updated, stamp)); end if; end;

-- trigger raffle_update
create trigger raffle_update BEFORE UPDATE on raffle for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; if new.event_id <> old.event_id or new.id <> old.id then signal sqlstate '45000' set message_text = 'raffle: event_id and id never change: delete and insert'; end if; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, stamp, mark, 'prizeDraws', new.id, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = greatest(if(old.updated > stamp + 86400, 0, old.updated), if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); set new.export_version = mark; if new.created > least(old.created, old.updated) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'prizeDraws', new.id, least(old.created, old.updated)) on duplicate key update time = least(time, least(old.created, old.updated)); end if; end;

-- trigger ticket_delete
create trigger ticket_delete BEFORE DELETE on ticket for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (old.event_id, stamp, mark, 'tickets', old.id, 1); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'tickets', old.id, stamp, old.created, old.updated) on duplicate key update at = stamp, created = least(created, old.created), updated = greatest(updated, old.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'tickets', old.id, old.updated, stamp); end;

-- trigger ticket_insert
create trigger ticket_insert BEFORE INSERT on ticket for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, stamp, mark, 'tickets', new.id, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark; if new.created > least(new.updated, stamp) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'tickets', new.id, least(new.updated, stamp)) on duplicate key update time = least(time, least(new.updated, stamp)); end if; end;

-- trigger ticket_update
create trigger ticket_update BEFORE UPDATE on ticket for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; if new.event_id <> old.event_id or new.id <> old.id then signal sqlstate '45000' set message_text = 'ticket: event_id and id never change: delete and insert'; end if; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark, category, record_id, deleted) values (new.event_id, stamp, mark, 'tickets', new.id, 0); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; if new.updated > stamp + 86400 then set new.updated = stamp; end if; set new.updated = greatest(if(old.updated > stamp + 86400, 0, old.updated), if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); set new.export_version = mark; if new.created > least(old.created, old.updated) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'tickets', new.id, least(old.created, old.updated)) on duplicate key update time = least(time, least(old.created, old.updated)); end if; end;
