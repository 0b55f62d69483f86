-- access_grant
CREATE TABLE `access_grant` (
`id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`organization_id` char(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
`created` bigint NOT NULL DEFAULT (unix_timestamp()),
`ends` bigint DEFAULT NULL,
`networks` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
PRIMARY KEY (`id`),
UNIQUE KEY `access_grant_organization_once` (`account_id`,`organization_id`),
UNIQUE KEY `access_grant_event_once` (`account_id`,`event_id`),
KEY `access_grant_organization` (`organization_id`),
KEY `access_grant_event` (`event_id`),
CONSTRAINT `access_grant_account` FOREIGN KEY (`account_id`) REFERENCES `account` (`id`) ON DELETE CASCADE,
CONSTRAINT `access_grant_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`),
CONSTRAINT `access_grant_organization` FOREIGN KEY (`organization_id`) REFERENCES `organization` (`id`),
CONSTRAINT `access_grant_one_of_two` CHECK (((`organization_id` is null) <> (`event_id` is null)))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- account
CREATE TABLE `account` (
`id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`username` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`password` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`role` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`epoch` int NOT NULL DEFAULT '0',
`disabled` tinyint(1) NOT NULL DEFAULT '0',
`demonstration` tinyint(1) NOT NULL DEFAULT '0',
`created` bigint NOT NULL DEFAULT (unix_timestamp()),
`updated` bigint NOT NULL DEFAULT (unix_timestamp()),
PRIMARY KEY (`id`),
UNIQUE KEY `username` (`username`),
CONSTRAINT `account_role` CHECK ((`role` in (_utf8mb4'service',_utf8mb4'partner',_utf8mb4'operator')))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- account_activity
CREATE TABLE `account_activity` (
`account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`last_log_in` bigint DEFAULT NULL,
`last_poll` bigint DEFAULT NULL,
`refused` bigint DEFAULT NULL,
`refused_code` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
`refused_request` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
`refused_session` char(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
`refused_address` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
PRIMARY KEY (`account_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- address
CREATE TABLE `address` (
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`guest_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`kind` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`name` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`line1` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`line2` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`line3` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`line4` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`town` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`postcode` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`state` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`country` varchar(2) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`recipient_name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
PRIMARY KEY (`event_id`,`guest_id`,`kind`),
CONSTRAINT `address_guest` FOREIGN KEY (`event_id`, `guest_id`) REFERENCES `guest` (`event_id`, `id`) ON DELETE CASCADE,
CONSTRAINT `address_kind` CHECK ((`kind` in (_utf8mb4'main',_utf8mb4'gift_aid',_utf8mb4'tax_receipt')))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- auction_item
CREATE TABLE `auction_item` (
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`categories` json NOT NULL,
`irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci,
`terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci,
`lot_number` int NOT NULL,
`start_price` bigint NOT NULL,
`increments` json NOT NULL,
`estimate` bigint DEFAULT NULL,
`tax_rate` decimal(6,3) DEFAULT NULL,
`closes` bigint DEFAULT NULL,
`created` bigint NOT NULL DEFAULT (unix_timestamp()),
`updated` bigint NOT NULL DEFAULT (unix_timestamp()),
`export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */,
PRIMARY KEY (`event_id`,`id`),
KEY `auction_item_newest` (`event_id`,`updated`,`id`,`export_version`),
CONSTRAINT `auction_item_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- audit_log
CREATE TABLE `audit_log` (
`seq` bigint NOT NULL AUTO_INCREMENT,
`at` bigint NOT NULL,
`action` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`account` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
`address` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`request_id` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`plugin` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
`route` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
`since` bigint DEFAULT NULL,
`first` bigint DEFAULT NULL,
`cursor_text` varchar(2048) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`search_length` int DEFAULT NULL,
`sent` int DEFAULT NULL,
`status` int NOT NULL,
`code` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
`milliseconds` int NOT NULL,
`actor` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
`detail` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
PRIMARY KEY (`seq`),
KEY `audit_log_at` (`at`),
KEY `audit_log_account` (`account`,`at`),
KEY `audit_log_event` (`event_id`,`at`),
KEY `audit_log_request` (`request_id`),
KEY `audit_log_status` (`status`,`at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- buy_now_item
CREATE TABLE `buy_now_item` (
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`categories` json NOT NULL,
`irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci,
`terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci,
`price` bigint NOT NULL,
`quantity` int DEFAULT NULL,
`tax_rate` decimal(6,3) DEFAULT NULL,
`estimate` bigint DEFAULT NULL,
`created` bigint NOT NULL DEFAULT (unix_timestamp()),
`updated` bigint NOT NULL DEFAULT (unix_timestamp()),
`export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */,
PRIMARY KEY (`event_id`,`id`),
KEY `buy_now_item_newest` (`event_id`,`updated`,`id`,`export_version`),
CONSTRAINT `buy_now_item_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- change_state
CREATE TABLE `change_state` (
`id` int NOT NULL,
`complete_since` bigint NOT NULL,
`clock` bigint NOT NULL,
`top` bigint NOT NULL,
`settled` bigint NOT NULL,
`epoch` bigint DEFAULT NULL,
PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- clock_step
CREATE TABLE `clock_step` (
`reached` bigint NOT NULL,
`back_to` bigint NOT NULL,
PRIMARY KEY (`reached`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- consent
CREATE TABLE `consent` (
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`guest_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`asked` tinyint(1) NOT NULL,
`status` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`channels` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
PRIMARY KEY (`event_id`,`guest_id`),
CONSTRAINT `consent_guest` FOREIGN KEY (`event_id`, `guest_id`) REFERENCES `guest` (`event_id`, `id`) ON DELETE CASCADE,
CONSTRAINT `consent_status` CHECK ((`status` in (_utf8mb4'active',_utf8mb4'inactive')))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- deletion
CREATE TABLE `deletion` (
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`category` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`record_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`at` bigint NOT NULL,
`created` bigint DEFAULT NULL,
`updated` bigint DEFAULT NULL,
PRIMARY KEY (`event_id`,`category`,`record_id`),
KEY `deletion_latest` (`event_id`,`category`,`at`,`record_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- disclosure
CREATE TABLE `disclosure` (
`seq` bigint NOT NULL AUTO_INCREMENT,
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`prefix` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`list` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`fields` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`whole` tinyint(1) NOT NULL,
`from_time` bigint NOT NULL,
`to_time` bigint NOT NULL,
`first_at` bigint NOT NULL,
`last_at` bigint NOT NULL,
`first_next` bigint NOT NULL,
PRIMARY KEY (`seq`),
KEY `disclosure_event` (`event_id`,`list`,`account_id`,`prefix`,`fields`,`whole`,`to_time`),
KEY `disclosure_last` (`last_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- erasure_notice
CREATE TABLE `erasure_notice` (
`seq` bigint NOT NULL AUTO_INCREMENT,
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`prefix` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`list` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`kind` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`from_time` bigint NOT NULL,
`to_time` bigint NOT NULL,
`at` bigint NOT NULL,
PRIMARY KEY (`seq`),
KEY `erasure_notice_event` (`event_id`,`list`,`account_id`,`kind`,`to_time`),
KEY `erasure_notice_at` (`at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- event
CREATE TABLE `event` (
`id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`organization_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`currency` varchar(3) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`timezone` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`starts` bigint NOT NULL,
`ends` bigint NOT NULL,
`created` bigint NOT NULL DEFAULT (unix_timestamp()),
`updated` bigint NOT NULL DEFAULT (unix_timestamp()),
PRIMARY KEY (`id`),
KEY `event_newest` (`organization_id`,`updated`,`id`),
CONSTRAINT `event_organization` FOREIGN KEY (`organization_id`) REFERENCES `organization` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- event_change
CREATE TABLE `event_change` (
`seq` bigint NOT NULL AUTO_INCREMENT,
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`at` bigint NOT NULL,
`mark` bigint NOT NULL,
PRIMARY KEY (`seq`),
KEY `event_change_event` (`event_id`,`seq`,`mark`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- event_version
CREATE TABLE `event_version` (
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`seq` bigint NOT NULL,
`changes` bigint NOT NULL,
`mark` bigint NOT NULL,
PRIMARY KEY (`event_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- field_set
CREATE TABLE `field_set` (
`id` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`fields` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- gli_raffle
CREATE TABLE `gli_raffle` (
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`categories` json NOT NULL,
`irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci,
`terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci,
`ticket_price` bigint NOT NULL,
`max_tickets` int DEFAULT NULL,
`draws` bigint DEFAULT NULL,
`licence_number` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`regulator` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`created` bigint NOT NULL DEFAULT (unix_timestamp()),
`updated` bigint NOT NULL DEFAULT (unix_timestamp()),
`export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */,
PRIMARY KEY (`event_id`,`id`),
KEY `gli_raffle_newest` (`event_id`,`updated`,`id`,`export_version`),
CONSTRAINT `gli_raffle_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- guest
CREATE TABLE `guest` (
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`first_name` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`last_name` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`email` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`mobile` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`sms_opt_in` tinyint(1) NOT NULL,
`company_name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`created` bigint NOT NULL DEFAULT (unix_timestamp()),
`updated` bigint NOT NULL DEFAULT (unix_timestamp()),
`export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */,
PRIMARY KEY (`event_id`,`id`),
KEY `guest_newest` (`event_id`,`updated`,`id`,`export_version`),
CONSTRAINT `guest_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- instance
CREATE TABLE `instance` (
`id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`host` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`pid` int NOT NULL,
`url` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`version` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`started` bigint NOT NULL,
`seen` bigint NOT NULL,
`ready` tinyint(1) NOT NULL,
`config_file` varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`config_hash` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`config_since` bigint NOT NULL,
`reload_at` bigint DEFAULT NULL,
`reload_result` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
`reload_reason` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci,
PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- kysely_migration
CREATE TABLE `kysely_migration` (
`name` varchar(255) NOT NULL,
`timestamp` varchar(255) NOT NULL,
PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- kysely_migration_lock
CREATE TABLE `kysely_migration_lock` (
`id` varchar(255) NOT NULL,
`is_locked` int NOT NULL DEFAULT '0',
PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- log_in_network
CREATE TABLE `log_in_network` (
`account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`network` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`last_used` bigint NOT NULL,
PRIMARY KEY (`account_id`,`network`),
KEY `log_in_network_last_used` (`last_used`),
CONSTRAINT `log_in_network_account` FOREIGN KEY (`account_id`) REFERENCES `account` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- organization
CREATE TABLE `organization` (
`id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`slug` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`created` bigint NOT NULL DEFAULT (unix_timestamp()),
`updated` bigint NOT NULL DEFAULT (unix_timestamp()),
PRIMARY KEY (`id`),
UNIQUE KEY `organization_slug` (`slug`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- partner_hour
CREATE TABLE `partner_hour` (
`account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`hour` bigint NOT NULL,
`polls` int NOT NULL,
`walks` int NOT NULL,
`records` bigint NOT NULL,
`errors` int NOT NULL,
`lag` bigint DEFAULT NULL,
PRIMARY KEY (`account_id`,`hour`),
KEY `partner_hour_hour` (`hour`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- pledge
CREATE TABLE `pledge` (
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`categories` json NOT NULL,
`irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci,
`terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci,
`amount` bigint DEFAULT NULL,
`created` bigint NOT NULL DEFAULT (unix_timestamp()),
`updated` bigint NOT NULL DEFAULT (unix_timestamp()),
`export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */,
PRIMARY KEY (`event_id`,`id`),
KEY `pledge_newest` (`event_id`,`updated`,`id`,`export_version`),
CONSTRAINT `pledge_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- raffle
CREATE TABLE `raffle` (
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`categories` json NOT NULL,
`irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci,
`terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci,
`ticket_price` bigint NOT NULL,
`max_tickets` int DEFAULT NULL,
`draws` bigint DEFAULT NULL,
`created` bigint NOT NULL DEFAULT (unix_timestamp()),
`updated` bigint NOT NULL DEFAULT (unix_timestamp()),
`export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */,
PRIMARY KEY (`event_id`,`id`),
KEY `raffle_newest` (`event_id`,`updated`,`id`,`export_version`),
CONSTRAINT `raffle_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- rate_limit
CREATE TABLE `rate_limit` (
`name` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`points` int NOT NULL,
`expires` bigint NOT NULL,
`blocked_until` bigint DEFAULT NULL,
PRIMARY KEY (`name`),
KEY `rate_limit_expires` (`expires`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- record_start
CREATE TABLE `record_start` (
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`category` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`record_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`time` bigint NOT NULL,
PRIMARY KEY (`event_id`,`category`,`record_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- session
CREATE TABLE `session` (
`id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`created` bigint NOT NULL,
`expires` bigint NOT NULL,
`used` bigint DEFAULT NULL,
`reason` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
PRIMARY KEY (`id`),
KEY `session_expires` (`account_id`,`expires`),
KEY `session_ends` (`expires`),
CONSTRAINT `session_account` FOREIGN KEY (`account_id`) REFERENCES `account` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- sync_state
CREATE TABLE `sync_state` (
`account_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`prefix` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`list` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`family` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`kind` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`last_poll` bigint DEFAULT NULL,
`poll_interval` int DEFAULT NULL,
`walk_started` bigint DEFAULT NULL,
`walk_since` bigint DEFAULT NULL,
`walk_next` bigint DEFAULT NULL,
`previous_started` bigint DEFAULT NULL,
`third_started` bigint DEFAULT NULL,
`first_started` bigint DEFAULT NULL,
`walk_completed` bigint DEFAULT NULL,
`completed_next` bigint DEFAULT NULL,
`acknowledged` bigint DEFAULT NULL,
`acknowledged_at` bigint DEFAULT NULL,
`records` bigint NOT NULL DEFAULT '0',
`first_error` bigint DEFAULT NULL,
`error_at` bigint DEFAULT NULL,
`error_status` int DEFAULT NULL,
`error_code` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
`error_request` varchar(191) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
PRIMARY KEY (`account_id`,`event_id`,`prefix`,`list`),
KEY `sync_state_covered` (`event_id`,`kind`,`completed_next`),
KEY `sync_state_error` (`account_id`,`error_at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- ticket
CREATE TABLE `ticket` (
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`name` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`status` varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`revenue_stream_type` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci NOT NULL,
`external_id` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`categories` json NOT NULL,
`irs_subcategory` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL,
`description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci,
`terms_description` text CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci,
`price` bigint NOT NULL,
`capacity` int DEFAULT NULL,
`admits` int NOT NULL,
`tax_rate` decimal(6,3) DEFAULT NULL,
`created` bigint NOT NULL DEFAULT (unix_timestamp()),
`updated` bigint NOT NULL DEFAULT (unix_timestamp()),
`export_version` bigint NOT NULL DEFAULT '0' /*!80023 INVISIBLE */,
PRIMARY KEY (`event_id`,`id`),
KEY `ticket_newest` (`event_id`,`updated`,`id`,`export_version`),
CONSTRAINT `ticket_event` FOREIGN KEY (`event_id`) REFERENCES `event` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- vacant_position
CREATE TABLE `vacant_position` (
`seq` bigint NOT NULL AUTO_INCREMENT,
`event_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`category` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`record_id` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`updated` bigint NOT NULL,
`at` bigint NOT NULL,
PRIMARY KEY (`seq`),
KEY `vacant_position_newest` (`event_id`,`category`,`updated`,`record_id`,`at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- watched_table
CREATE TABLE `watched_table` (
`name` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
`made` varchar(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;

-- rows of access_grant
insert into access_grant (`id`, `account_id`, `organization_id`, `event_id`, `created`, `ends`, `networks`) values
  ('24cc64f4-9cef-4161-a860-f8748665cd47', '469bbb66-2a9a-491b-bfae-e89865083c30', null, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, null, null),
  ('7d51856d-e976-4e14-acdc-b95e21d1e324', '68fd86c1-2c6b-4e4f-945b-6fd128e3cc25', 'a1befb8b-51b7-47d6-9c3e-1d517541579e', null, 1795404831, null, null);

-- rows of account
insert into account (`id`, `username`, `password`, `role`, `epoch`, `disabled`, `demonstration`, `created`, `updated`) values
  ('469bbb66-2a9a-491b-bfae-e89865083c30', 'partner', '$scrypt$ln=4,r=8,p=1$bc2e5nnFA2fNNigYZSGbdw$eVV4ym77tO/B/7M87DkiW+XI1eLrrI+k9aeS2dkrag0', 'partner', 0, 0, 0, 1795404831, 1795404831),
  ('567284c7-7cde-4809-8b30-d27519c51ff4', 'operator', '$scrypt$ln=4,r=8,p=1$bc2e5nnFA2fNNigYZSGbdw$eVV4ym77tO/B/7M87DkiW+XI1eLrrI+k9aeS2dkrag0', 'operator', 0, 0, 0, 1795404831, 1795404831),
  ('68fd86c1-2c6b-4e4f-945b-6fd128e3cc25', 'acme-export', '$scrypt$ln=4,r=8,p=1$bc2e5nnFA2fNNigYZSGbdw$eVV4ym77tO/B/7M87DkiW+XI1eLrrI+k9aeS2dkrag0', 'service', 0, 0, 0, 1795404831, 1795404831);

-- rows of account_activity
insert into account_activity (`account_id`, `last_log_in`, `last_poll`, `refused`, `refused_code`, `refused_request`, `refused_session`, `refused_address`) values
  ('68fd86c1-2c6b-4e4f-945b-6fd128e3cc25', 1795404831, 1795404831, null, null, null, null, null);

-- rows of address
insert into address (`event_id`, `guest_id`, `kind`, `name`, `line1`, `line2`, `line3`, `line4`, `town`, `postcode`, `state`, `country`, `recipient_name`) values
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', '77d5b5a5-341e-402e-ba9b-603e2e662786', 'gift_aid', 'Home', '1 High Street', 'c/o "Ada" \\ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', '77d5b5a5-341e-402e-ba9b-603e2e662786', 'main', 'Home', '1 High Street', 'c/o "Ada" \\ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', '77d5b5a5-341e-402e-ba9b-603e2e662786', 'tax_receipt', 'Home', '1 High Street', 'c/o "Ada" \\ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace');

-- rows of auction_item
insert into auction_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `lot_number`, `start_price`, `increments`, `estimate`, `tax_rate`, `closes`, `created`, `updated`) values
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', 'cc99fc90-d70f-4320-a85a-d2bbafafc9b4', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000002),
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', 'fe953f27-27ca-4cb5-a0e7-b1157a304cb5', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000001);

-- rows of audit_log
insert into audit_log (`seq`, `at`, `action`, `account`, `address`, `request_id`, `plugin`, `route`, `event_id`, `since`, `first`, `cursor_text`, `search_length`, `sent`, `status`, `code`, `milliseconds`, `actor`, `detail`) values
  (1, 1795404831, 'log-in', 'acme-export', '127.0.0.1', '077ffe93-a2f5-4c43-a907-c7a257b897c1', 'session', '/session', null, null, null, null, null, null, 204, null, 10, null, null),
  (2, 1795404831, 'list', 'acme-export', '127.0.0.1', '90c262b7-3ab1-46eb-ab4a-2c063728d65f', 'custom-export', '/acme/v1/events', null, null, null, null, null, 1, 200, null, 12, null, null),
  (3, 1795404831, 'list', 'acme-export', '127.0.0.1', '42c70a79-063a-4707-8956-42dec32dffd7', 'custom-export', '/acme/v1/events/:eventId/guests', '11c28af6-228a-48a5-9aaf-ab9897d99cd2', -1, null, null, null, 4, 200, null, 9, null, null),
  (4, 1795404831, 'list', 'acme-export', '127.0.0.1', 'e15cf154-1073-43fa-9b8c-34dd2ac61674', 'custom-export', '/acme/v1/events/:eventId/items', '11c28af6-228a-48a5-9aaf-ab9897d99cd2', -1, null, null, null, 13, 200, null, 29, null, null),
  (5, 1795404831, 'list', 'acme-export', '127.0.0.1', '484e7257-9550-450b-adec-94ca07744ece', 'custom-export', '/acme/v1/events/:eventId/guests/deletions', '11c28af6-228a-48a5-9aaf-ab9897d99cd2', null, null, null, null, 1, 200, null, 7, null, null);

-- rows of buy_now_item
insert into buy_now_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `quantity`, `tax_rate`, `estimate`, `created`, `updated`) values
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', '7595e285-3fe2-4f17-bd99-f6d73f78ef91', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000002),
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', 'ee8f3ab2-bafa-4b2e-b26a-bf8b0c3636f4', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000001);

-- rows of change_state
insert into change_state (`id`, `complete_since`, `clock`, `top`, `settled`, `epoch`) values
  (1, 0, 1795404832, 26, 26, 2093738230379518);

-- rows of consent
insert into consent (`event_id`, `guest_id`, `asked`, `status`, `channels`) values
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', '77d5b5a5-341e-402e-ba9b-603e2e662786', 1, 'active', 'email');

-- rows of deletion
insert into deletion (`event_id`, `category`, `record_id`, `at`, `created`, `updated`) values
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', 'guests', '1a7cb417-78a2-410a-9e9b-a75c8ac47019', 1795404831, 1700000000, 1700000002),
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', 'pledges', 'eb97344e-380c-4166-8837-50fa66889493', 1795404831, 1700000000, 1700000000);

-- rows of disclosure
insert into disclosure (`seq`, `event_id`, `account_id`, `prefix`, `list`, `fields`, `whole`, `from_time`, `to_time`, `first_at`, `last_at`, `first_next`) values
  (1, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', '68fd86c1-2c6b-4e4f-945b-6fd128e3cc25', '/acme/v1', 'guests', '3cb1b58104ee3415', 1, -1, 1795404831, 1795404831, 1795404831, 1795404829),
  (2, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', '68fd86c1-2c6b-4e4f-945b-6fd128e3cc25', '/acme/v1', 'items', 'd35ce9de77985259', 1, -1, 1795404831, 1795404831, 1795404831, 1795404829);

-- rows of event
insert into event (`id`, `organization_id`, `external_id`, `name`, `status`, `currency`, `timezone`, `starts`, `ends`, `created`, `updated`) values
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', 'a1befb8b-51b7-47d6-9c3e-1d517541579e', null, 'Autumn Gala', 'running', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000),
  ('f28ca760-b72b-48f6-820e-2f3bef23d9ba', 'c9efd25e-f710-459c-b396-cd82e14e45e0', null, 'O''Neill''s ball', 'closed', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000);

-- rows of event_change
insert into event_change (`seq`, `event_id`, `at`, `mark`) values
  (1, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 3812226270973814),
  (10, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 1456100716026615),
  (11, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 1786167909211741),
  (12, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 3795199221460833),
  (13, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 4147211686042809),
  (14, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 2033497810013906),
  (15, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 446803847819458),
  (16, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 1519157059250562),
  (17, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 2396210060312771),
  (18, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 3616050985059138),
  (19, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 1866164819092532),
  (2, 'f28ca760-b72b-48f6-820e-2f3bef23d9ba', 1795404831, 4006882217189432),
  (20, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 2874764812405907),
  (21, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 3149553774730708),
  (22, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 79578854260501),
  (23, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 1580830533354217),
  (24, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 1390536020351242),
  (25, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 2285002425100356),
  (26, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 765753032109881),
  (3, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 2347899175974056),
  (4, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 1871807340153335),
  (5, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 4122999466811092),
  (6, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 3575847881146288),
  (7, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 3419056616364612),
  (8, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 507071751198869),
  (9, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 1795404831, 642105191211841);

-- rows of field_set
insert into field_set (`id`, `fields`) values
  ('3cb1b58104ee3415', '["Guest.id","Guest.eventId","Guest.firstName","Guest.lastName","Guest.email","Guest.mobile","Guest.mainAddress","Guest.giftAidAddress","Guest.taxReceiptAidAddress","Guest.created","Guest.updated","Guest.consentAsked","Guest.consentStatus","Guest.consentChannels","Guest.externalId","Guest.smsOptIn","Guest.companyName"]'),
  ('d35ce9de77985259', '["BuyNowItem.id","BuyNowItem.eventId","BuyNowItem.name","BuyNowItem.status","BuyNowItem.created","BuyNowItem.updated","BuyNowItem.revenueStreamType","BuyNowItem.externalId","BuyNowItem.categories","BuyNowItem.irsSubcategory","BuyNowItem.description","BuyNowItem.termsDescription","BuyNowItem.price","BuyNowItem.quantity","BuyNowItem.taxRate","BuyNowItem.estimate","AuctionItem.id","AuctionItem.eventId","AuctionItem.name","AuctionItem.status","AuctionItem.created","AuctionItem.updated","AuctionItem.revenueStreamType","AuctionItem.externalId","AuctionItem.categories","AuctionItem.irsSubcategory","AuctionItem.description","AuctionItem.termsDescription","AuctionItem.lotNumber","AuctionItem.startPrice","AuctionItem.increments","AuctionItem.estimate","AuctionItem.taxRate","AuctionItem.closes","Pledge.id","Pledge.eventId","Pledge.name","Pledge.status","Pledge.created","Pledge.updated","Pledge.revenueStreamType","Pledge.externalId","Pledge.categories","Pledge.irsSubcategory","Pledge.description","Pledge.termsDescription","Pledge.amount","Raffle.id","Raffle.eventId","Raffle.name","Raffle.status","Raffle.created","Raffle.updated","Raffle.revenueStreamType","Raffle.externalId","Raffle.categories","Raffle.irsSubcategory","Raffle.description","Raffle.termsDescription","Raffle.ticketPrice","Raffle.maxTickets","Raffle.draws","GliRaffle.id","GliRaffle.eventId","GliRaffle.name","GliRaffle.status","GliRaffle.created","GliRaffle.updated","GliRaffle.revenueStreamType","GliRaffle.externalId","GliRaffle.categories","GliRaffle.irsSubcategory","GliRaffle.description","GliRaffle.termsDescription","GliRaffle.ticketPrice","GliRaffle.maxTickets","GliRaffle.draws","GliRaffle.licenceNumber","GliRaffle.regulator","Ticket.id","Ticket.eventId","Ticket.name","Ticket.status","Ticket.created","Ticket.updated","Ticket.revenueStreamType","Ticket.externalId","Ticket.categories","Ticket.irsSubcategory","Ticket.description","Ticket.termsDescription","Ticket.price","Ticket.capacity","Ticket.admits","Ticket.taxRate"]');

-- rows of gli_raffle
insert into gli_raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `licence_number`, `regulator`, `created`, `updated`) values
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', '20039ab8-f99a-4768-aa33-872ce22541a1', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000001),
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', 'c2b4ba42-4a88-4b30-a105-bc21b4fcba1b', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000002);

-- rows of guest
insert into guest (`event_id`, `id`, `first_name`, `last_name`, `email`, `mobile`, `external_id`, `sms_opt_in`, `company_name`, `created`, `updated`) values
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', '2900ff69-1793-42f8-8df2-1e4c1c9b0c57', 'Ada', 'Łódź 东京 😀', 'guest1@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1795404831),
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', '77d5b5a5-341e-402e-ba9b-603e2e662786', 'Ada', 'Lovelace', 'guest0@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1795404831),
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', 'e7bccba2-c9b2-412f-beba-9de088216349', 'Ada', 'Lovelace', 'guest3@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1700000001);

-- rows of kysely_migration
insert into kysely_migration (`name`, `timestamp`) values
  ('0001-records', '2026-11-23T03:33:50.079Z'),
  ('0002-change-log', '2026-11-23T03:33:50.091Z'),
  ('0003-accounts', '2026-11-23T03:33:50.147Z'),
  ('0004-polling', '2026-11-23T03:33:50.171Z'),
  ('0005-access', '2026-11-23T03:33:50.463Z'),
  ('0006-versions', '2026-11-23T03:33:50.474Z'),
  ('0007-log-in-waits', '2026-11-23T03:33:50.544Z'),
  ('0008-long-cursors', '2026-11-23T03:33:50.556Z'),
  ('0009-session-ends', '2026-11-23T03:33:50.562Z'),
  ('0010-log-in-networks', '2026-11-23T03:33:50.570Z'),
  ('0011-event-changes', '2026-11-23T03:33:50.631Z'),
  ('0012-record-versions', '2026-11-23T03:33:51.032Z'),
  ('0013-operators', '2026-11-23T03:33:51.172Z'),
  ('0014-sync-health', '2026-11-23T03:33:51.201Z'),
  ('0015-disclosures', '2026-11-23T03:33:51.298Z');

-- rows of log_in_network
insert into log_in_network (`account_id`, `network`, `last_used`) values
  ('68fd86c1-2c6b-4e4f-945b-6fd128e3cc25', '127.0.0.1', 1795404831);

-- rows of organization
insert into organization (`id`, `slug`, `name`, `created`, `updated`) values
  ('a1befb8b-51b7-47d6-9c3e-1d517541579e', 'acme', 'acme', 1700000000, 1700000000),
  ('c9efd25e-f710-459c-b396-cd82e14e45e0', 'borealis', 'borealis', 1700000000, 1700000000);

-- rows of partner_hour
insert into partner_hour (`account_id`, `hour`, `polls`, `walks`, `records`, `errors`, `lag`) values
  ('68fd86c1-2c6b-4e4f-945b-6fd128e3cc25', 1795402800, 4, 4, 19, 0, null);

-- rows of pledge
insert into pledge (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `amount`, `created`, `updated`) values
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', '06e705f2-c788-4d73-9c74-b248987df487', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000001),
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', 'd49ca949-f782-4778-b310-459e1e0bb292', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000002);

-- rows of raffle
insert into raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `created`, `updated`) values
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', '65fb957d-6350-421c-97df-c8ada48af82f', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000002),
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', '81d2acf1-d12f-4721-9968-2e7f7779fdab', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000001);

-- rows of session
insert into session (`id`, `account_id`, `created`, `expires`, `used`, `reason`) values
  ('df7a2257-1c1c-4b9d-a494-0b0b96d80699', '68fd86c1-2c6b-4e4f-945b-6fd128e3cc25', 1795404831, 1795448031, 1795404831, null);

-- rows of sync_state
insert into sync_state (`account_id`, `event_id`, `prefix`, `list`, `family`, `kind`, `last_poll`, `poll_interval`, `walk_started`, `walk_since`, `walk_next`, `previous_started`, `third_started`, `first_started`, `walk_completed`, `completed_next`, `acknowledged`, `acknowledged_at`, `records`, `first_error`, `error_at`, `error_status`, `error_code`, `error_request`) values
  ('68fd86c1-2c6b-4e4f-945b-6fd128e3cc25', '', '/acme/v1', 'events', 'custom-export', 'other', 1795404831, 900, 1795404831, 1606062358, 1795404829, null, null, 1795404831, 1795404831, 1795404829, null, null, 1, null, null, null, null, null),
  ('68fd86c1-2c6b-4e4f-945b-6fd128e3cc25', '11c28af6-228a-48a5-9aaf-ab9897d99cd2', '/acme/v1', 'guest deletions', 'custom-export', 'guest deletions', 1795404831, 60, 1795404831, 1606062358, 1795404829, null, null, 1795404831, 1795404831, 1795404829, null, null, 1, null, null, null, null, null),
  ('68fd86c1-2c6b-4e4f-945b-6fd128e3cc25', '11c28af6-228a-48a5-9aaf-ab9897d99cd2', '/acme/v1', 'guests', 'custom-export', 'guests', 1795404831, 60, 1795404831, -1, 1795404829, null, null, 1795404831, 1795404831, 1795404829, null, null, 4, null, null, null, null, null),
  ('68fd86c1-2c6b-4e4f-945b-6fd128e3cc25', '11c28af6-228a-48a5-9aaf-ab9897d99cd2', '/acme/v1', 'items', 'custom-export', 'items', 1795404831, 60, 1795404831, -1, 1795404829, null, null, 1795404831, 1795404831, 1795404829, null, null, 13, null, null, null, null, null);

-- rows of ticket
insert into ticket (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `capacity`, `admits`, `tax_rate`, `created`, `updated`) values
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', '0891bd27-3fda-413c-acda-21f497785c36', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000002),
  ('11c28af6-228a-48a5-9aaf-ab9897d99cd2', '78d1c5f8-f723-4b49-a8e7-262da9c089b8', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000001);

-- rows of vacant_position
insert into vacant_position (`seq`, `event_id`, `category`, `record_id`, `updated`, `at`) values
  (1, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 'guests', '1a7cb417-78a2-410a-9e9b-a75c8ac47019', 1700000002, 1795404831),
  (2, '11c28af6-228a-48a5-9aaf-ab9897d99cd2', 'pledges', 'eb97344e-380c-4166-8837-50fa66889493', 1700000000, 1795404831);

-- rows of watched_table
insert into watched_table (`name`, `made`) values
  ('address', '1795404829'),
  ('auction_item', '1795404830'),
  ('buy_now_item', '1795404830'),
  ('consent', '1795404829'),
  ('event', '1795404829'),
  ('gli_raffle', '1795404830'),
  ('guest', '1795404830'),
  ('pledge', '1795404830'),
  ('raffle', '1795404830'),
  ('ticket', '1795404831');

-- trigger account_update
create trigger account_update BEFORE UPDATE on account for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated,
new.updated, greatest(new.updated, stamp)));
end;

-- trigger address_delete
create trigger address_delete BEFORE DELETE on address for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
update guest set updated = updated
where event_id = old.event_id and id = old.guest_id;
end;

-- trigger address_insert
create trigger address_insert BEFORE INSERT on address for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
update guest set updated = updated
where event_id = new.event_id and id = new.guest_id;
end;

-- trigger address_update
create trigger address_update BEFORE UPDATE on address for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
update guest set updated = updated
where event_id = old.event_id and id = old.guest_id;
if new.guest_id <> old.guest_id or new.event_id <> old.event_id then update guest set updated = updated
where event_id = new.event_id and id = new.guest_id; end if;
end;

-- trigger auction_item_delete
create trigger auction_item_delete BEFORE DELETE on auction_item for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (old.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
insert into deletion (event_id, category, record_id, at, created, updated)
values (old.event_id, 'auctionItems', old.id, stamp, old.created, old.updated)
on duplicate key update at = stamp, created = least(created, old.created),
updated = greatest(updated, old.updated);
insert into vacant_position (event_id, category, record_id, updated, at)
values (old.event_id, 'auctionItems', old.id, old.updated, stamp);
end;

-- trigger auction_item_insert
create trigger auction_item_insert BEFORE INSERT on auction_item for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark;
if new.created > least(new.updated, stamp) then
insert into record_start (event_id, category, record_id, time)
values (new.event_id, 'auctionItems', new.id, least(new.updated, stamp))
on duplicate key update time = least(time, least(new.updated, stamp));
end if;
end;

-- trigger auction_item_update
create trigger auction_item_update BEFORE UPDATE on auction_item for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
if new.event_id <> old.event_id or new.id <> old.id then
signal sqlstate '45000' set message_text = 'auction_item: event_id and id never change: delete and insert';
end if;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated,
new.updated, greatest(new.updated, stamp))); set new.export_version = mark;
if new.created > least(old.created, old.updated) then
insert into record_start (event_id, category, record_id, time)
values (new.event_id, 'auctionItems', new.id, least(old.created, old.updated))
on duplicate key update time = least(time, least(old.created, old.updated));
end if;
end;

-- trigger buy_now_item_delete
create trigger buy_now_item_delete BEFORE DELETE on buy_now_item for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (old.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
insert into deletion (event_id, category, record_id, at, created, updated)
values (old.event_id, 'buyNows', old.id, stamp, old.created, old.updated)
on duplicate key update at = stamp, created = least(created, old.created),
updated = greatest(updated, old.updated);
insert into vacant_position (event_id, category, record_id, updated, at)
values (old.event_id, 'buyNows', old.id, old.updated, stamp);
end;

-- trigger buy_now_item_insert
create trigger buy_now_item_insert BEFORE INSERT on buy_now_item for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark;
if new.created > least(new.updated, stamp) then
insert into record_start (event_id, category, record_id, time)
values (new.event_id, 'buyNows', new.id, least(new.updated, stamp))
on duplicate key update time = least(time, least(new.updated, stamp));
end if;
end;

-- trigger buy_now_item_update
create trigger buy_now_item_update BEFORE UPDATE on buy_now_item for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
if new.event_id <> old.event_id or new.id <> old.id then
signal sqlstate '45000' set message_text = 'buy_now_item: event_id and id never change: delete and insert';
end if;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated,
new.updated, greatest(new.updated, stamp))); set new.export_version = mark;
if new.created > least(old.created, old.updated) then
insert into record_start (event_id, category, record_id, time)
values (new.event_id, 'buyNows', new.id, least(old.created, old.updated))
on duplicate key update time = least(time, least(old.created, old.updated));
end if;
end;

-- trigger consent_delete
create trigger consent_delete BEFORE DELETE on consent for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
update guest set updated = updated
where event_id = old.event_id and id = old.guest_id;
end;

-- trigger consent_insert
create trigger consent_insert BEFORE INSERT on consent for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
update guest set updated = updated
where event_id = new.event_id and id = new.guest_id;
end;

-- trigger consent_update
create trigger consent_update BEFORE UPDATE on consent for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
update guest set updated = updated
where event_id = old.event_id and id = old.guest_id;
if new.guest_id <> old.guest_id or new.event_id <> old.event_id then update guest set updated = updated
where event_id = new.event_id and id = new.guest_id; end if;
end;

-- trigger event_insert
create trigger event_insert BEFORE INSERT on event for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp));
end;

-- trigger event_update
create trigger event_update BEFORE UPDATE on event for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated,
new.updated, greatest(new.updated, stamp)));
end;

-- trigger gli_raffle_delete
create trigger gli_raffle_delete BEFORE DELETE on gli_raffle for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (old.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
insert into deletion (event_id, category, record_id, at, created, updated)
values (old.event_id, 'gliRaffles', old.id, stamp, old.created, old.updated)
on duplicate key update at = stamp, created = least(created, old.created),
updated = greatest(updated, old.updated);
insert into vacant_position (event_id, category, record_id, updated, at)
values (old.event_id, 'gliRaffles', old.id, old.updated, stamp);
end;

-- trigger gli_raffle_insert
create trigger gli_raffle_insert BEFORE INSERT on gli_raffle for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark;
if new.created > least(new.updated, stamp) then
insert into record_start (event_id, category, record_id, time)
values (new.event_id, 'gliRaffles', new.id, least(new.updated, stamp))
on duplicate key update time = least(time, least(new.updated, stamp));
end if;
end;

-- trigger gli_raffle_update
create trigger gli_raffle_update BEFORE UPDATE on gli_raffle for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
if new.event_id <> old.event_id or new.id <> old.id then
signal sqlstate '45000' set message_text = 'gli_raffle: event_id and id never change: delete and insert';
end if;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated,
new.updated, greatest(new.updated, stamp))); set new.export_version = mark;
if new.created > least(old.created, old.updated) then
insert into record_start (event_id, category, record_id, time)
values (new.event_id, 'gliRaffles', new.id, least(old.created, old.updated))
on duplicate key update time = least(time, least(old.created, old.updated));
end if;
end;

-- trigger guest_delete
create trigger guest_delete BEFORE DELETE on guest for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (old.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
insert into deletion (event_id, category, record_id, at, created, updated)
values (old.event_id, 'guests', old.id, stamp, old.created, old.updated)
on duplicate key update at = stamp, created = least(created, old.created),
updated = greatest(updated, old.updated);
insert into vacant_position (event_id, category, record_id, updated, at)
values (old.event_id, 'guests', old.id, old.updated, stamp);
end;

-- trigger guest_insert
create trigger guest_insert BEFORE INSERT on guest for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark;
if new.created > least(new.updated, stamp) then
insert into record_start (event_id, category, record_id, time)
values (new.event_id, 'guests', new.id, least(new.updated, stamp))
on duplicate key update time = least(time, least(new.updated, stamp));
end if;
end;

-- trigger guest_update
create trigger guest_update BEFORE UPDATE on guest for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
if new.event_id <> old.event_id or new.id <> old.id then
signal sqlstate '45000' set message_text = 'guest: event_id and id never change: delete and insert';
end if;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated,
new.updated, greatest(new.updated, stamp))); set new.export_version = mark;
if new.created > least(old.created, old.updated) then
insert into record_start (event_id, category, record_id, time)
values (new.event_id, 'guests', new.id, least(old.created, old.updated))
on duplicate key update time = least(time, least(old.created, old.updated));
end if;
end;

-- trigger organization_update
create trigger organization_update BEFORE UPDATE on organization for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated,
new.updated, greatest(new.updated, stamp)));
end;

-- trigger pledge_delete
create trigger pledge_delete BEFORE DELETE on pledge for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (old.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
insert into deletion (event_id, category, record_id, at, created, updated)
values (old.event_id, 'pledges', old.id, stamp, old.created, old.updated)
on duplicate key update at = stamp, created = least(created, old.created),
updated = greatest(updated, old.updated);
insert into vacant_position (event_id, category, record_id, updated, at)
values (old.event_id, 'pledges', old.id, old.updated, stamp);
end;

-- trigger pledge_insert
create trigger pledge_insert BEFORE INSERT on pledge for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark;
if new.created > least(new.updated, stamp) then
insert into record_start (event_id, category, record_id, time)
values (new.event_id, 'pledges', new.id, least(new.updated, stamp))
on duplicate key update time = least(time, least(new.updated, stamp));
end if;
end;

-- trigger pledge_update
create trigger pledge_update BEFORE UPDATE on pledge for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
if new.event_id <> old.event_id or new.id <> old.id then
signal sqlstate '45000' set message_text = 'pledge: event_id and id never change: delete and insert';
end if;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated,
new.updated, greatest(new.updated, stamp))); set new.export_version = mark;
if new.created > least(old.created, old.updated) then
insert into record_start (event_id, category, record_id, time)
values (new.event_id, 'pledges', new.id, least(old.created, old.updated))
on duplicate key update time = least(time, least(old.created, old.updated));
end if;
end;

-- trigger raffle_delete
create trigger raffle_delete BEFORE DELETE on raffle for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (old.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
insert into deletion (event_id, category, record_id, at, created, updated)
values (old.event_id, 'prizeDraws', old.id, stamp, old.created, old.updated)
on duplicate key update at = stamp, created = least(created, old.created),
updated = greatest(updated, old.updated);
insert into vacant_position (event_id, category, record_id, updated, at)
values (old.event_id, 'prizeDraws', old.id, old.updated, stamp);
end;

-- trigger raffle_insert
create trigger raffle_insert BEFORE INSERT on raffle for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark;
if new.created > least(new.updated, stamp) then
insert into record_start (event_id, category, record_id, time)
values (new.event_id, 'prizeDraws', new.id, least(new.updated, stamp))
on duplicate key update time = least(time, least(new.updated, stamp));
end if;
end;

-- trigger raffle_update
create trigger raffle_update BEFORE UPDATE on raffle for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
if new.event_id <> old.event_id or new.id <> old.id then
signal sqlstate '45000' set message_text = 'raffle: event_id and id never change: delete and insert';
end if;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated,
new.updated, greatest(new.updated, stamp))); set new.export_version = mark;
if new.created > least(old.created, old.updated) then
insert into record_start (event_id, category, record_id, time)
values (new.event_id, 'prizeDraws', new.id, least(old.created, old.updated))
on duplicate key update time = least(time, least(old.created, old.updated));
end if;
end;

-- trigger ticket_delete
create trigger ticket_delete BEFORE DELETE on ticket for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (old.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
insert into deletion (event_id, category, record_id, at, created, updated)
values (old.event_id, 'tickets', old.id, stamp, old.created, old.updated)
on duplicate key update at = stamp, created = least(created, old.created),
updated = greatest(updated, old.updated);
insert into vacant_position (event_id, category, record_id, updated, at)
values (old.event_id, 'tickets', old.id, old.updated, stamp);
end;

-- trigger ticket_insert
create trigger ticket_insert BEFORE INSERT on ticket for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = if(@event_export_history = 1, new.updated, greatest(new.updated, stamp)); set new.export_version = mark;
if new.created > least(new.updated, stamp) then
insert into record_start (event_id, category, record_id, time)
values (new.event_id, 'tickets', new.id, least(new.updated, stamp))
on duplicate key update time = least(time, least(new.updated, stamp));
end if;
end;

-- trigger ticket_update
create trigger ticket_update BEFORE UPDATE on ticket for each row begin
declare clock char(36);
declare stamp bigint;
declare mark bigint;
if new.event_id <> old.event_id or new.id <> old.id then
signal sqlstate '45000' set message_text = 'ticket: event_id and id never change: delete and insert';
end if;
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800;
set mark = conv(left(hex(random_bytes(7)), 13), 16, 10);
insert into event_change (event_id, at, mark) values (new.event_id, stamp, mark);
set clock = uuid();
set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
/ 10000000) - 12219292800; set new.updated = greatest(old.updated, if(@event_export_history = 1 and new.updated <> old.updated,
new.updated, greatest(new.updated, stamp))); set new.export_version = mark;
if new.created > least(old.created, old.updated) then
insert into record_start (event_id, category, record_id, time)
values (new.event_id, 'tickets', new.id, least(old.created, old.updated))
on duplicate key update time = least(time, least(old.created, old.updated));
end if;
end;
