-- access_grant
CREATE TABLE `access_grant` ( `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `organization_id` char(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `ends` bigint DEFAULT NULL, `networks` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, PRIMARY KEY (`id`), UNIQUE KEY `access_grant_organization_once` (`account_id`,`organization_id`), UNIQUE KEY `access_grant_event_once` (`account_id`,`event_id`), KEY `access_grant_organization` (`organization_id`), KEY `access_grant_event` (`event_id`), CONSTRAINT `access_grant_account` FOREIGN KEY (`account_id`) REFERENCES `account` (`id`) ON DELETE CASCADE, CONSTRAINT `access_grant_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`), CONSTRAINT `access_grant_organization` FOREIGN KEY (`organization_id`) REFERENCES `organization` (`id`), CONSTRAINT `access_grant_one_of_two` CHECK (((`organization_id` is null) <> (`event_id` is null))) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- account
CREATE TABLE `account` ( `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `username` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `password` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `role` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `epoch` int NOT NULL DEFAULT '0', `disabled` tinyint(1) NOT NULL DEFAULT '0', `demonstration` tinyint(1) NOT NULL DEFAULT '0', `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), PRIMARY KEY (`id`), UNIQUE KEY `username` (`username`), CONSTRAINT `account_role` CHECK ((`role` in (_utf8mb4'service',_utf8mb4'partner',_utf8mb4'operator'))) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- account_activity
CREATE TABLE `account_activity` ( `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `last_log_in` bigint DEFAULT NULL, `last_poll` bigint DEFAULT NULL, `refused` bigint DEFAULT NULL, `refused_code` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `refused_request` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `refused_session` char(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `refused_address` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, PRIMARY KEY (`account_id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- address
CREATE TABLE `address` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `guest_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `kind` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `line1` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `line2` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `line3` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `line4` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `town` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `postcode` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `state` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `country` varchar(2) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `recipient_name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, PRIMARY KEY (`event_id`,`guest_id`,`kind`), CONSTRAINT `address_guest` FOREIGN KEY (`event_id`, `guest_id`) REFERENCES `guest` (`event_id`, `id`) ON DELETE CASCADE, CONSTRAINT `address_kind` CHECK ((`kind` in (_utf8mb4'main',_utf8mb4'gift_aid',_utf8mb4'tax_receipt'))) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- auction_item
CREATE TABLE `auction_item` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `categories` json NOT NULL, `irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `lot_number` int NOT NULL, `start_price` bigint NOT NULL, `increments` json NOT NULL, `estimate` bigint DEFAULT NULL, `tax_rate` decimal(6,3) DEFAULT NULL, `closes` bigint DEFAULT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), `export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */, PRIMARY KEY (`event_id`,`id`), KEY `auction_item_newest` (`event_id`,`updated`,`id`,`export_version`), CONSTRAINT `auction_item_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- audit_log
CREATE TABLE `audit_log` ( `seq` bigint NOT NULL AUTO_INCREMENT, `at` bigint NOT NULL, `action` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `account` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `address` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `request_id` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `plugin` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `route` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `since` bigint DEFAULT NULL, `first` bigint DEFAULT NULL, `cursor_text` varchar(2048) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `search_length` int DEFAULT NULL, `sent` int DEFAULT NULL, `status` int NOT NULL, `code` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `milliseconds` int NOT NULL, `actor` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `detail` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, PRIMARY KEY (`seq`), KEY `audit_log_at` (`at`), KEY `audit_log_account` (`account`,`at`), KEY `audit_log_event` (`event_id`,`at`), KEY `audit_log_request` (`request_id`), KEY `audit_log_status` (`status`,`at`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- buy_now_item
CREATE TABLE `buy_now_item` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `categories` json NOT NULL, `irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `price` bigint NOT NULL, `quantity` int DEFAULT NULL, `tax_rate` decimal(6,3) DEFAULT NULL, `estimate` bigint DEFAULT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), `export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */, PRIMARY KEY (`event_id`,`id`), KEY `buy_now_item_newest` (`event_id`,`updated`,`id`,`export_version`), CONSTRAINT `buy_now_item_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- change_state
CREATE TABLE `change_state` ( `id` int NOT NULL, `complete_since` bigint NOT NULL, `clock` bigint NOT NULL, `top` bigint NOT NULL, `settled` bigint NOT NULL, `epoch` bigint DEFAULT NULL, PRIMARY KEY (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

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
CREATE TABLE `event_change` ( `seq` bigint NOT NULL AUTO_INCREMENT, `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `at` bigint NOT NULL, `mark` bigint NOT NULL, PRIMARY KEY (`seq`), KEY `event_change_event` (`event_id`,`seq`,`mark`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- event_version
CREATE TABLE `event_version` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `seq` bigint NOT NULL, `changes` bigint NOT NULL, `mark` bigint NOT NULL, PRIMARY KEY (`event_id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- field_set
CREATE TABLE `field_set` ( `id` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `fields` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, PRIMARY KEY (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

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

-- log_in_network
CREATE TABLE `log_in_network` ( `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `network` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `last_used` bigint NOT NULL, PRIMARY KEY (`account_id`,`network`), KEY `log_in_network_last_used` (`last_used`), CONSTRAINT `log_in_network_account` FOREIGN KEY (`account_id`) REFERENCES `account` (`id`) ON DELETE CASCADE ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- organization
CREATE TABLE `organization` ( `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `slug` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), PRIMARY KEY (`id`), UNIQUE KEY `organization_slug` (`slug`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- partner_hour
CREATE TABLE `partner_hour` ( `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `hour` bigint NOT NULL, `polls` int NOT NULL, `walks` int NOT NULL, `records` bigint NOT NULL, `errors` int NOT NULL, `lag` bigint DEFAULT NULL, PRIMARY KEY (`account_id`,`hour`), KEY `partner_hour_hour` (`hour`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- pledge
CREATE TABLE `pledge` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `categories` json NOT NULL, `irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `amount` bigint DEFAULT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), `export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */, PRIMARY KEY (`event_id`,`id`), KEY `pledge_newest` (`event_id`,`updated`,`id`,`export_version`), CONSTRAINT `pledge_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- raffle
CREATE TABLE `raffle` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `categories` json NOT NULL, `irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `ticket_price` bigint NOT NULL, `max_tickets` int DEFAULT NULL, `draws` bigint DEFAULT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), `export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */, PRIMARY KEY (`event_id`,`id`), KEY `raffle_newest` (`event_id`,`updated`,`id`,`export_version`), CONSTRAINT `raffle_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- rate_limit
CREATE TABLE `rate_limit` ( `name` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `points` int NOT NULL, `expires` bigint NOT NULL, `blocked_until` bigint DEFAULT NULL, PRIMARY KEY (`name`), KEY `rate_limit_expires` (`expires`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- record_start
CREATE TABLE `record_start` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `category` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `record_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `time` bigint NOT NULL, PRIMARY KEY (`event_id`,`category`,`record_id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- session
CREATE TABLE `session` ( `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `created` bigint NOT NULL, `expires` bigint NOT NULL, `used` bigint DEFAULT NULL, `reason` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, PRIMARY KEY (`id`), KEY `session_expires` (`account_id`,`expires`), KEY `session_ends` (`expires`), CONSTRAINT `session_account` FOREIGN KEY (`account_id`) REFERENCES `account` (`id`) ON DELETE CASCADE ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- sync_state
CREATE TABLE `sync_state` ( `account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `prefix` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `list` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `family` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `kind` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `last_poll` bigint DEFAULT NULL, `poll_interval` int DEFAULT NULL, `walk_started` bigint DEFAULT NULL, `walk_since` bigint DEFAULT NULL, `walk_next` bigint DEFAULT NULL, `previous_started` bigint DEFAULT NULL, `third_started` bigint DEFAULT NULL, `first_started` bigint DEFAULT NULL, `walk_completed` bigint DEFAULT NULL, `completed_next` bigint DEFAULT NULL, `acknowledged` bigint DEFAULT NULL, `acknowledged_at` bigint DEFAULT NULL, `records` bigint NOT NULL DEFAULT '0', `first_error` bigint DEFAULT NULL, `error_at` bigint DEFAULT NULL, `error_status` int DEFAULT NULL, `error_code` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, `error_request` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL, PRIMARY KEY (`account_id`,`event_id`,`prefix`,`list`), KEY `sync_state_covered` (`event_id`,`kind`,`completed_next`), KEY `sync_state_error` (`account_id`,`error_at`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- ticket
CREATE TABLE `ticket` ( `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL, `external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `categories` json NOT NULL, `irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL, `description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci, `price` bigint NOT NULL, `capacity` int DEFAULT NULL, `admits` int NOT NULL, `tax_rate` decimal(6,3) DEFAULT NULL, `created` bigint NOT NULL DEFAULT (unix_timestamp()), `updated` bigint NOT NULL DEFAULT (unix_timestamp()), `export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */, PRIMARY KEY (`event_id`,`id`), KEY `ticket_newest` (`event_id`,`updated`,`id`,`export_version`), CONSTRAINT `ticket_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- vacant_position
CREATE TABLE `vacant_position` ( `seq` bigint NOT NULL AUTO_INCREMENT, `event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `category` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `record_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `updated` bigint NOT NULL, `at` bigint NOT NULL, PRIMARY KEY (`seq`), KEY `vacant_position_newest` (`event_id`,`category`,`updated`,`record_id`,`at`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- watched_table
CREATE TABLE `watched_table` ( `name` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `made` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, PRIMARY KEY (`name`) ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- rows of access_grant
insert into access_grant (`id`, `account_id`, `organization_id`, `event_id`, `created`, `ends`, `networks`) values
  ('0fa592e7-7717-4210-8404-1142f6e32f1e', '31a8d9bc-b8b5-4351-8f16-8af31b6def8f', null, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, null, null),
  ('1465af53-27e5-47b7-ae6e-ba110d23c1df', '0e9145c3-53af-4966-ab81-367896ee225b', '463d6dfc-28f0-401c-8476-2571b11e6b8e', null, 1795408277, null, null);

-- rows of account
insert into account (`id`, `username`, `password`, `role`, `epoch`, `disabled`, `demonstration`, `created`, `updated`) values
  ('03bd0143-6092-4c96-8844-fb36b7199c9d', 'operator', '$scrypt$ln=4,r=8,p=1$GwGCZrr0Uon9uVGuoq/7+Q$fRGp/YCtfFLIVycQomQ17d55b3Als4qY3F7KBSh5OdA', 'operator', 0, 0, 0, 1795408277, 1795408277),
  ('0e9145c3-53af-4966-ab81-367896ee225b', 'acme-export', '$scrypt$ln=4,r=8,p=1$GwGCZrr0Uon9uVGuoq/7+Q$fRGp/YCtfFLIVycQomQ17d55b3Als4qY3F7KBSh5OdA', 'service', 0, 0, 0, 1795408277, 1795408277),
  ('31a8d9bc-b8b5-4351-8f16-8af31b6def8f', 'partner', '$scrypt$ln=4,r=8,p=1$GwGCZrr0Uon9uVGuoq/7+Q$fRGp/YCtfFLIVycQomQ17d55b3Als4qY3F7KBSh5OdA', 'partner', 0, 0, 0, 1795408277, 1795408277);

-- rows of account_activity
insert into account_activity (`account_id`, `last_log_in`, `last_poll`, `refused`, `refused_code`, `refused_request`, `refused_session`, `refused_address`) values
  ('0e9145c3-53af-4966-ab81-367896ee225b', 1795408277, 1795408277, null, null, null, null, null);

-- rows of address
insert into address (`event_id`, `guest_id`, `kind`, `name`, `line1`, `line2`, `line3`, `line4`, `town`, `postcode`, `state`, `country`, `recipient_name`) values
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'f5f0b296-096d-4a71-823e-8db492f37dac', 'gift_aid', 'Home', '1 High Street', 'c/o "Ada" \\ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'f5f0b296-096d-4a71-823e-8db492f37dac', 'main', 'Home', '1 High Street', 'c/o "Ada" \\ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'f5f0b296-096d-4a71-823e-8db492f37dac', 'tax_receipt', 'Home', '1 High Street', 'c/o "Ada" \\ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace');

-- rows of auction_item
insert into auction_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `lot_number`, `start_price`, `increments`, `estimate`, `tax_rate`, `closes`, `created`, `updated`) values
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'c64d7be1-bf1e-4f66-bfcf-c89deaab3b9f', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000001),
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'c6c3be84-4339-47c1-8ee8-713e72b32020', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000002);

-- rows of audit_log
insert into audit_log (`seq`, `at`, `action`, `account`, `address`, `request_id`, `plugin`, `route`, `event_id`, `since`, `first`, `cursor_text`, `search_length`, `sent`, `status`, `code`, `milliseconds`, `actor`, `detail`) values
  (1, 1795408277, 'log-in', 'acme-export', '127.0.0.1', '02e9e60c-c3e6-41e4-b3b0-03ce7c55b076', 'session', '/session', null, null, null, null, null, null, 204, null, 29, null, null),
  (2, 1795408277, 'list', 'acme-export', '127.0.0.1', '1da92367-9534-4d78-89d5-df197f760062', 'custom-export', '/acme/v1/events', null, null, null, null, null, 1, 200, null, 20, null, null),
  (3, 1795408277, 'list', 'acme-export', '127.0.0.1', '74dca4ba-d17d-4a92-af0d-4d795b6f593c', 'custom-export', '/acme/v1/events/:eventId/guests', '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', -1, null, null, null, 4, 200, null, 12, null, null),
  (4, 1795408277, 'list', 'acme-export', '127.0.0.1', '1ca6ee77-b4bc-497e-9dca-c1649fadf2ed', 'custom-export', '/acme/v1/events/:eventId/items', '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', -1, null, null, null, 13, 200, null, 15, null, null),
  (5, 1795408277, 'list', 'acme-export', '127.0.0.1', '51e817c0-268c-4671-acf5-6cb54cb323b1', 'custom-export', '/acme/v1/events/:eventId/guests/deletions', '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', null, null, null, null, 1, 200, null, 8, null, null);

-- rows of buy_now_item
insert into buy_now_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `quantity`, `tax_rate`, `estimate`, `created`, `updated`) values
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', '812d9620-6ff1-4cd2-bfdd-1d93eef9d54d', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000002),
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'd0f4d712-7785-4536-ac35-6ce36c039c05', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000001);

-- rows of change_state
insert into change_state (`id`, `complete_since`, `clock`, `top`, `settled`, `epoch`) values
  (1, 0, 1795408277, 26, 26, 2948187341936299);

-- rows of consent
insert into consent (`event_id`, `guest_id`, `asked`, `status`, `channels`) values
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'f5f0b296-096d-4a71-823e-8db492f37dac', 1, 'active', 'email');

-- rows of deletion
insert into deletion (`event_id`, `category`, `record_id`, `at`, `created`, `updated`) values
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'guests', '3a2a12c9-0f25-4a41-9058-f749ec23d3ce', 1795408277, 1700000000, 1700000002),
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'pledges', 'a93e72c2-a8f6-42b2-84f8-7b46dc39ab76', 1795408277, 1700000000, 1700000000);

-- rows of disclosure
insert into disclosure (`seq`, `event_id`, `account_id`, `prefix`, `list`, `fields`, `whole`, `from_time`, `to_time`, `first_at`, `last_at`, `first_next`) values
  (1, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', '0e9145c3-53af-4966-ab81-367896ee225b', '/acme/v1', 'guests', '3cb1b58104ee3415', 1, -1, 1795408277, 1795408277, 1795408277, 1795408274),
  (2, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', '0e9145c3-53af-4966-ab81-367896ee225b', '/acme/v1', 'items', 'd35ce9de77985259', 1, -1, 1795408277, 1795408277, 1795408277, 1795408274);

-- rows of event
insert into event (`id`, `organization_id`, `external_id`, `name`, `status`, `currency`, `timezone`, `starts`, `ends`, `created`, `updated`) values
  ('2d1298b5-2851-4c72-94ee-7734584fc8e6', 'cd8b5816-c611-4ffa-a4fa-3cd2469ebcc9', null, 'O''Neill''s ball', 'closed', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000),
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', '463d6dfc-28f0-401c-8476-2571b11e6b8e', null, 'Autumn Gala', 'running', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000);

-- rows of event_change
insert into event_change (`seq`, `event_id`, `at`, `mark`) values
  (1, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408276, 1476876456981521),
  (10, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 2205286136569767),
  (11, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 3852920787014815),
  (12, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 373821942682491),
  (13, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 1030982018709666),
  (14, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 4214607339590956),
  (15, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 2437900733130125),
  (16, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 2129942822256859),
  (17, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 3979713859314364),
  (18, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 1205521627025138),
  (19, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 4403212923970783),
  (2, '2d1298b5-2851-4c72-94ee-7734584fc8e6', 1795408277, 1606093235247216),
  (20, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 148553383166551),
  (21, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 3370740030671135),
  (22, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 2273781263043932),
  (23, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 1668771591018247),
  (24, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 330657077596778),
  (25, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 2758246822491141),
  (26, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 2956915833468081),
  (3, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 1026274384123255),
  (4, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 2829592263037965),
  (5, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 3274695799552015),
  (6, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 2918095169397158),
  (7, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 581719810770041),
  (8, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 165277551600112),
  (9, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 1795408277, 808035017308783);

-- rows of field_set
insert into field_set (`id`, `fields`) values
  ('3cb1b58104ee3415', '["Guest.id","Guest.eventId","Guest.firstName","Guest.lastName","Guest.email","Guest.mobile","Guest.mainAddress","Guest.giftAidAddress","Guest.taxReceiptAidAddress","Guest.created","Guest.updated","Guest.consentAsked","Guest.consentStatus","Guest.consentChannels","Guest.externalId","Guest.smsOptIn","Guest.companyName"]'),
  ('d35ce9de77985259', '["BuyNowItem.id","BuyNowItem.eventId","BuyNowItem.name","BuyNowItem.status","BuyNowItem.created","BuyNowItem.updated","BuyNowItem.revenueStreamType","BuyNowItem.externalId","BuyNowItem.categories","BuyNowItem.irsSubcategory","BuyNowItem.description","BuyNowItem.termsDescription","BuyNowItem.price","BuyNowItem.quantity","BuyNowItem.taxRate","BuyNowItem.estimate","AuctionItem.id","AuctionItem.eventId","AuctionItem.name","AuctionItem.status","AuctionItem.created","AuctionItem.updated","AuctionItem.revenueStreamType","AuctionItem.externalId","AuctionItem.categories","AuctionItem.irsSubcategory","AuctionItem.description","AuctionItem.termsDescription","AuctionItem.lotNumber","AuctionItem.startPrice","AuctionItem.increments","AuctionItem.estimate","AuctionItem.taxRate","AuctionItem.closes","Pledge.id","Pledge.eventId","Pledge.name","Pledge.status","Pledge.created","Pledge.updated","Pledge.revenueStreamType","Pledge.externalId","Pledge.categories","Pledge.irsSubcategory","Pledge.description","Pledge.termsDescription","Pledge.amount","Raffle.id","Raffle.eventId","Raffle.name","Raffle.status","Raffle.created","Raffle.updated","Raffle.revenueStreamType","Raffle.externalId","Raffle.categories","Raffle.irsSubcategory","Raffle.description","Raffle.termsDescription","Raffle.ticketPrice","Raffle.maxTickets","Raffle.draws","GliRaffle.id","GliRaffle.eventId","GliRaffle.name","GliRaffle.status","GliRaffle.created","GliRaffle.updated","GliRaffle.revenueStreamType","GliRaffle.externalId","GliRaffle.categories","GliRaffle.irsSubcategory","GliRaffle.description","GliRaffle.termsDescription","GliRaffle.ticketPrice","GliRaffle.maxTickets","GliRaffle.draws","GliRaffle.licenceNumber","GliRaffle.regulator","Ticket.id","Ticket.eventId","Ticket.name","Ticket.status","Ticket.created","Ticket.updated","Ticket.revenueStreamType","Ticket.externalId","Ticket.categories","Ticket.irsSubcategory","Ticket.description","Ticket.termsDescription","Ticket.price","Ticket.capacity","Ticket.admits","Ticket.taxRate"]');

-- rows of gli_raffle
insert into gli_raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `licence_number`, `regulator`, `created`, `updated`) values
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', '86e23332-852c-4c48-943e-0e38a26174b7', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000001),
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', '9d3f1972-cb12-4cf5-b6ea-c7da2ca0dbc9', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000002);

-- rows of guest
insert into guest (`event_id`, `id`, `first_name`, `last_name`, `email`, `mobile`, `external_id`, `sms_opt_in`, `company_name`, `created`, `updated`) values
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', '05153b25-c53c-4168-8c3b-c7c43bddd373', 'Ada', 'Łódź 东京 😀', 'guest1@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1795408277),
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'f5f0b296-096d-4a71-823e-8db492f37dac', 'Ada', 'Lovelace', 'guest0@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1795408277),
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'f651b2d3-020a-483d-8393-287b46496d69', 'Ada', 'Lovelace', 'guest3@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1700000001);

-- rows of kysely_migration
insert into kysely_migration (`name`, `timestamp`) values
  ('0001-records', '2026-11-23T04:31:16.020Z'),
  ('0002-change-log', '2026-11-23T04:31:16.026Z'),
  ('0003-accounts', '2026-11-23T04:31:16.054Z'),
  ('0004-polling', '2026-11-23T04:31:16.083Z'),
  ('0005-access', '2026-11-23T04:31:16.164Z'),
  ('0006-versions', '2026-11-23T04:31:16.171Z'),
  ('0007-log-in-waits', '2026-11-23T04:31:16.186Z'),
  ('0008-long-cursors', '2026-11-23T04:31:16.191Z'),
  ('0009-session-ends', '2026-11-23T04:31:16.199Z'),
  ('0010-log-in-networks', '2026-11-23T04:31:16.204Z'),
  ('0011-event-changes', '2026-11-23T04:31:16.237Z'),
  ('0012-record-versions', '2026-11-23T04:31:16.442Z'),
  ('0013-operators', '2026-11-23T04:31:16.549Z'),
  ('0014-sync-health', '2026-11-23T04:31:16.568Z'),
  ('0015-disclosures', '2026-11-23T04:31:16.615Z');

-- rows of log_in_network
insert into log_in_network (`account_id`, `network`, `last_used`) values
  ('0e9145c3-53af-4966-ab81-367896ee225b', '127.0.0.1', 1795408277);

-- rows of organization
insert into organization (`id`, `slug`, `name`, `created`, `updated`) values
  ('463d6dfc-28f0-401c-8476-2571b11e6b8e', 'acme', 'acme', 1700000000, 1700000000),
  ('cd8b5816-c611-4ffa-a4fa-3cd2469ebcc9', 'borealis', 'borealis', 1700000000, 1700000000);

-- rows of partner_hour
insert into partner_hour (`account_id`, `hour`, `polls`, `walks`, `records`, `errors`, `lag`) values
  ('0e9145c3-53af-4966-ab81-367896ee225b', 1795406400, 4, 4, 19, 0, null);

-- rows of pledge
insert into pledge (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `amount`, `created`, `updated`) values
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', '4dcaae97-1ae6-4d0f-9e78-05825578d0cd', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000001),
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'c9402585-6b26-4a8f-8f7e-12e926425213', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000002);

-- rows of raffle
insert into raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `created`, `updated`) values
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', '41b5f842-2692-4448-9bf1-a047f30e62f3', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000001),
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', '4446a5a2-8bd1-4b13-b394-429f6909ba92', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000002);

-- rows of session
insert into session (`id`, `account_id`, `created`, `expires`, `used`, `reason`) values
  ('c7dcc6b4-8827-46e6-998a-9f46bbc6e91a', '0e9145c3-53af-4966-ab81-367896ee225b', 1795408277, 1795451477, 1795408277, null);

-- rows of sync_state
insert into sync_state (`account_id`, `event_id`, `prefix`, `list`, `family`, `kind`, `last_poll`, `poll_interval`, `walk_started`, `walk_since`, `walk_next`, `previous_started`, `third_started`, `first_started`, `walk_completed`, `completed_next`, `acknowledged`, `acknowledged_at`, `records`, `first_error`, `error_at`, `error_status`, `error_code`, `error_request`) values
  ('0e9145c3-53af-4966-ab81-367896ee225b', '', '/acme/v1', 'events', 'custom-export', 'other', 1795408277, 900, 1795408277, 1606062358, 1795408274, null, null, 1795408277, 1795408277, 1795408274, null, null, 1, null, null, null, null, null),
  ('0e9145c3-53af-4966-ab81-367896ee225b', '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', '/acme/v1', 'guest deletions', 'custom-export', 'guest deletions', 1795408277, 60, 1795408277, 1606062358, 1795408274, null, null, 1795408277, 1795408277, 1795408274, null, null, 1, null, null, null, null, null),
  ('0e9145c3-53af-4966-ab81-367896ee225b', '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', '/acme/v1', 'guests', 'custom-export', 'guests', 1795408277, 60, 1795408277, -1, 1795408274, null, null, 1795408277, 1795408277, 1795408274, null, null, 4, null, null, null, null, null),
  ('0e9145c3-53af-4966-ab81-367896ee225b', '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', '/acme/v1', 'items', 'custom-export', 'items', 1795408277, 60, 1795408277, -1, 1795408274, null, null, 1795408277, 1795408277, 1795408274, null, null, 13, null, null, null, null, null);

-- rows of ticket
insert into ticket (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `capacity`, `admits`, `tax_rate`, `created`, `updated`) values
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'a679f103-d105-43ea-932c-fdfcbb073f3e', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000001),
  ('60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'f8033d91-c806-4ff4-9b36-640d3c2fec7a', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000002);

-- rows of vacant_position
insert into vacant_position (`seq`, `event_id`, `category`, `record_id`, `updated`, `at`) values
  (1, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'guests', '3a2a12c9-0f25-4a41-9058-f749ec23d3ce', 1700000002, 1795408277),
  (2, '60e7ad9b-3cb9-4a2d-9ef0-3cec066428f3', 'pledges', 'a93e72c2-a8f6-42b2-84f8-7b46dc39ab76', 1700000000, 1795408277);

-- rows of watched_table
insert into watched_table (`name`, `made`) values
  ('address', '1795408275'),
  ('auction_item', '1795408276'),
  ('buy_now_item', '1795408276'),
  ('consent', '1795408275'),
  ('event', '1795408275'),
  ('gli_raffle', '1795408276'),
  ('guest', '1795408276'),
  ('pledge', '1795408276'),
  ('raffle', '1795408276'),
  ('ticket', '1795408276');

-- trigger account_update
create trigger account_update BEFORE UPDATE on account for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); end;

-- trigger address_delete
create trigger address_delete BEFORE DELETE on address for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; update guest set updated = updated where event_id = old.event_id and id = old.guest_id; end;

-- trigger address_insert
create trigger address_insert BEFORE INSERT on address for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; update guest set updated = updated where event_id = new.event_id and id = new.guest_id; end;

-- trigger address_update
create trigger address_update BEFORE UPDATE on address for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; update guest set updated = updated where event_id = old.event_id and id = old.guest_id; if new.guest_id <> old.guest_id or new.event_id <> old.event_id then update guest set updated = updated where event_id = new.event_id and id = new.guest_id; end if; end;

-- trigger auction_item_delete
create trigger auction_item_delete BEFORE DELETE on auction_item for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (old.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'auctionItems', old.id, stamp, old.created, old.updated) on duplicate key update at = stamp, created = least(created, old.created), updated = greatest(updated, old.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'auctionItems', old.id, old.updated, stamp); end;

-- trigger auction_item_insert
create trigger auction_item_insert BEFORE INSERT on auction_item for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark; if new.created > least(new.updated, stamp) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'auctionItems', new.id, least(new.updated, stamp)) on duplicate key update time = least(time, least(new.updated, stamp)); end if; end;

-- trigger auction_item_update
create trigger auction_item_update BEFORE UPDATE on auction_item for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; if new.event_id <> old.event_id or new.id <> old.id then signal sqlstate '45000' set message_text = 'auction_item: event_id and id never change: delete and insert'; end if; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); set new.export_version = mark; if new.created > least(old.created, old.updated) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'auctionItems', new.id, least(old.created, old.updated)) on duplicate key update time = least(time, least(old.created, old.updated)); end if; end;

-- trigger buy_now_item_delete
create trigger buy_now_item_delete BEFORE DELETE on buy_now_item for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (old.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'buyNows', old.id, stamp, old.created, old.updated) on duplicate key update at = stamp, created = least(created, old.created), updated = greatest(updated, old.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'buyNows', old.id, old.updated, stamp); end;

-- trigger buy_now_item_insert
create trigger buy_now_item_insert BEFORE INSERT on buy_now_item for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark; if new.created > least(new.updated, stamp) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'buyNows', new.id, least(new.updated, stamp)) on duplicate key update time = least(time, least(new.updated, stamp)); end if; end;

-- trigger buy_now_item_update
create trigger buy_now_item_update BEFORE UPDATE on buy_now_item for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; if new.event_id <> old.event_id or new.id <> old.id then signal sqlstate '45000' set message_text = 'buy_now_item: event_id and id never change: delete and insert'; end if; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); set new.export_version = mark; if new.created > least(old.created, old.updated) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'buyNows', new.id, least(old.created, old.updated)) on duplicate key update time = least(time, least(old.created, old.updated)); end if; end;

-- trigger consent_delete
create trigger consent_delete BEFORE DELETE on consent for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; update guest set updated = updated where event_id = old.event_id and id = old.guest_id; end;

-- trigger consent_insert
create trigger consent_insert BEFORE INSERT on consent for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; update guest set updated = updated where event_id = new.event_id and id = new.guest_id; end;

-- trigger consent_update
create trigger consent_update BEFORE UPDATE on consent for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; update guest set updated = updated where event_id = old.event_id and id = old.guest_id; if new.guest_id <> old.guest_id or new.event_id <> old.event_id then update guest set updated = updated where event_id = new.event_id and id = new.guest_id; end if; end;

-- trigger event_insert
create trigger event_insert BEFORE INSERT on event for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); end;

-- trigger event_update
create trigger event_update BEFORE UPDATE on event for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); end;

-- trigger gli_raffle_delete
create trigger gli_raffle_delete BEFORE DELETE on gli_raffle for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (old.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'gliRaffles', old.id, stamp, old.created, old.updated) on duplicate key update at = stamp, created = least(created, old.created), updated = greatest(updated, old.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'gliRaffles', old.id, old.updated, stamp); end;

-- trigger gli_raffle_insert
create trigger gli_raffle_insert BEFORE INSERT on gli_raffle for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark; if new.created > least(new.updated, stamp) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'gliRaffles', new.id, least(new.updated, stamp)) on duplicate key update time = least(time, least(new.updated, stamp)); end if; end;

-- trigger gli_raffle_update
create trigger gli_raffle_update BEFORE UPDATE on gli_raffle for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; if new.event_id <> old.event_id or new.id <> old.id then signal sqlstate '45000' set message_text = 'gli_raffle: event_id and id never change: delete and insert'; end if; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); set new.export_version = mark; if new.created > least(old.created, old.updated) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'gliRaffles', new.id, least(old.created, old.updated)) on duplicate key update time = least(time, least(old.created, old.updated)); end if; end;

-- trigger guest_delete
create trigger guest_delete BEFORE DELETE on guest for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (old.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'guests', old.id, stamp, old.created, old.updated) on duplicate key update at = stamp, created = least(created, old.created), updated = greatest(updated, old.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'guests', old.id, old.updated, stamp); end;

-- trigger guest_insert
create trigger guest_insert BEFORE INSERT on guest for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark; if new.created > least(new.updated, stamp) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'guests', new.id, least(new.updated, stamp)) on duplicate key update time = least(time, least(new.updated, stamp)); end if; end;

-- trigger guest_update
create trigger guest_update BEFORE UPDATE on guest for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; if new.event_id <> old.event_id or new.id <> old.id then signal sqlstate '45000' set message_text = 'guest: event_id and id never change: delete and insert'; end if; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); set new.export_version = mark; if new.created > least(old.created, old.updated) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'guests', new.id, least(old.created, old.updated)) on duplicate key update time = least(time, least(old.created, old.updated)); end if; end;

-- trigger organization_update
create trigger organization_update BEFORE UPDATE on organization for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); end;

-- trigger pledge_delete
create trigger pledge_delete BEFORE DELETE on pledge for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (old.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'pledges', old.id, stamp, old.created, old.updated) on duplicate key update at = stamp, created = least(created, old.created), updated = greatest(updated, old.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'pledges', old.id, old.updated, stamp); end;

-- trigger pledge_insert
create trigger pledge_insert BEFORE INSERT on pledge for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark; if new.created > least(new.updated, stamp) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'pledges', new.id, least(new.updated, stamp)) on duplicate key update time = least(time, least(new.updated, stamp)); end if; end;

-- trigger pledge_update
create trigger pledge_update BEFORE UPDATE on pledge for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; if new.event_id <> old.event_id or new.id <> old.id then signal sqlstate '45000' set message_text = 'pledge: event_id and id never change: delete and insert'; end if; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); set new.export_version = mark; if new.created > least(old.created, old.updated) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'pledges', new.id, least(old.created, old.updated)) on duplicate key update time = least(time, least(old.created, old.updated)); end if; end;

-- trigger raffle_delete
create trigger raffle_delete BEFORE DELETE on raffle for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (old.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'prizeDraws', old.id, stamp, old.created, old.updated) on duplicate key update at = stamp, created = least(created, old.created), updated = greatest(updated, old.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'prizeDraws', old.id, old.updated, stamp); end;

-- trigger raffle_insert
create trigger raffle_insert BEFORE INSERT on raffle for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark; if new.created > least(new.updated, stamp) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'prizeDraws', new.id, least(new.updated, stamp)) on duplicate key update time = least(time, least(new.updated, stamp)); end if; end;

-- trigger raffle_update
create trigger raffle_update BEFORE UPDATE on raffle for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; if new.event_id <> old.event_id or new.id <> old.id then signal sqlstate '45000' set message_text = 'raffle: event_id and id never change: delete and insert'; end if; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); set new.export_version = mark; if new.created > least(old.created, old.updated) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'prizeDraws', new.id, least(old.created, old.updated)) on duplicate key update time = least(time, least(old.created, old.updated)); end if; end;

-- trigger ticket_delete
create trigger ticket_delete BEFORE DELETE on ticket for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (old.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; insert into deletion (event_id, category, record_id, at, created, updated) values (old.event_id, 'tickets', old.id, stamp, old.created, old.updated) on duplicate key update at = stamp, created = least(created, old.created), updated = greatest(updated, old.updated); insert into vacant_position (event_id, category, record_id, updated, at) values (old.event_id, 'tickets', old.id, old.updated, stamp); end;

-- trigger ticket_insert
create trigger ticket_insert BEFORE INSERT on ticket for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark; if new.created > least(new.updated, stamp) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'tickets', new.id, least(new.updated, stamp)) on duplicate key update time = least(time, least(new.updated, stamp)); end if; end;

-- trigger ticket_update
create trigger ticket_update BEFORE UPDATE on ticket for each row begin declare clock char(36); declare stamp bigint; declare mark bigint; if new.event_id <> old.event_id or new.id <> old.id then signal sqlstate '45000' set message_text = 'ticket: event_id and id never change: delete and insert'; end if; set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set mark = conv(left(hex(random_bytes(7)), 13), 16, 10); insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark); set clock = uuid(); set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10) / 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated, new.updated, greatest(new.updated, stamp))); set new.export_version = mark; if new.created > least(old.created, old.updated) then insert into record_start (event_id, category, record_id, time) values (new.event_id, 'tickets', new.id, least(old.created, old.updated)) on duplicate key update time = least(time, least(old.created, old.updated)); end if; end;
