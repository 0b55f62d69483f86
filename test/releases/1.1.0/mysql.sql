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
  ('13b75423-dd4f-4346-aa92-7cf78293c2ef', '45e7c733-89bb-4838-b4f9-4b0d330fca68', null, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, null, null),
  ('fc7af575-b1c6-4318-b389-08a5186a7598', '1ec3f48d-59fa-47a6-85f1-693883f130e6', 'aaf29f75-4c75-4020-852d-127b31954da6', null, 1795405328, null, null);

-- rows of account
insert into account (`id`, `username`, `password`, `role`, `epoch`, `disabled`, `demonstration`, `created`, `updated`) values
  ('17f29fbf-9919-4a65-8235-d24e53f921db', 'operator', '$scrypt$ln=4,r=8,p=1$2ki3v8Ym18ZiZUKFz0sXcg$lDyQlnFZ5FWN9VA2WLXT01g4xfhY1DQJ+yUTWuwZw8Y', 'operator', 0, 0, 0, 1795405328, 1795405328),
  ('1ec3f48d-59fa-47a6-85f1-693883f130e6', 'acme-export', '$scrypt$ln=4,r=8,p=1$2ki3v8Ym18ZiZUKFz0sXcg$lDyQlnFZ5FWN9VA2WLXT01g4xfhY1DQJ+yUTWuwZw8Y', 'service', 0, 0, 0, 1795405328, 1795405328),
  ('45e7c733-89bb-4838-b4f9-4b0d330fca68', 'partner', '$scrypt$ln=4,r=8,p=1$2ki3v8Ym18ZiZUKFz0sXcg$lDyQlnFZ5FWN9VA2WLXT01g4xfhY1DQJ+yUTWuwZw8Y', 'partner', 0, 0, 0, 1795405328, 1795405328);

-- rows of account_activity
insert into account_activity (`account_id`, `last_log_in`, `last_poll`, `refused`, `refused_code`, `refused_request`, `refused_session`, `refused_address`) values
  ('1ec3f48d-59fa-47a6-85f1-693883f130e6', 1795405328, 1795405328, null, null, null, null, null);

-- rows of address
insert into address (`event_id`, `guest_id`, `kind`, `name`, `line1`, `line2`, `line3`, `line4`, `town`, `postcode`, `state`, `country`, `recipient_name`) values
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '3cc6203a-5e44-4964-845d-a0c557c37a5b', 'gift_aid', 'Home', '1 High Street', 'c/o "Ada" \\ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '3cc6203a-5e44-4964-845d-a0c557c37a5b', 'main', 'Home', '1 High Street', 'c/o "Ada" \\ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace'),
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '3cc6203a-5e44-4964-845d-a0c557c37a5b', 'tax_receipt', 'Home', '1 High Street', 'c/o "Ada" \\ ''Charles''', null, null, 'London', 'N1 1AA', null, 'GB', 'Ada Lovelace');

-- rows of auction_item
insert into auction_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `lot_number`, `start_price`, `increments`, `estimate`, `tax_rate`, `closes`, `created`, `updated`) values
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '04b334ae-8b27-41c7-beb2-f4cdbc6a0317', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000002),
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 'efa45601-ebed-461e-824e-69a1ad0cac6e', 'Item', 'active', 'donation', null, '[]', null, null, null, 1, 10000, '[{"from": 0, "step": 500}]', null, null, null, 1700000000, 1700000001);

-- rows of audit_log
insert into audit_log (`seq`, `at`, `action`, `account`, `address`, `request_id`, `plugin`, `route`, `event_id`, `since`, `first`, `cursor_text`, `search_length`, `sent`, `status`, `code`, `milliseconds`, `actor`, `detail`) values
  (1, 1795405328, 'log-in', 'acme-export', '127.0.0.1', '0d4a4a92-2e01-4f50-b664-56f08b117794', 'session', '/session', null, null, null, null, null, null, 204, null, 10, null, null),
  (2, 1795405328, 'list', 'acme-export', '127.0.0.1', 'c8d984d8-8f2c-40a0-8959-17ce65f3117d', 'custom-export', '/acme/v1/events', null, null, null, null, null, 1, 200, null, 15, null, null),
  (3, 1795405328, 'list', 'acme-export', '127.0.0.1', '5c1a8dbd-9341-4b0b-a29c-07c79d93f2ae', 'custom-export', '/acme/v1/events/:eventId/guests', '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', -1, null, null, null, 4, 200, null, 15, null, null),
  (4, 1795405328, 'list', 'acme-export', '127.0.0.1', 'e18b378d-942a-4cde-9ca5-fa59d6d2cb24', 'custom-export', '/acme/v1/events/:eventId/items', '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', -1, null, null, null, 13, 200, null, 20, null, null),
  (5, 1795405328, 'list', 'acme-export', '127.0.0.1', 'f94e9ad9-7cda-4d9e-a934-b1adaa5edf11', 'custom-export', '/acme/v1/events/:eventId/guests/deletions', '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', null, null, null, null, 1, 200, null, 8, null, null);

-- rows of buy_now_item
insert into buy_now_item (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `quantity`, `tax_rate`, `estimate`, `created`, `updated`) values
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '3f395477-1bdd-4f56-ada2-bf00c574a38a', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000002),
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '4a31cc74-96c4-4cd2-affa-2c3eba9435b4', 'Item', 'active', 'donation', null, '[]', null, null, null, 2500, null, null, null, 1700000000, 1700000001);

-- rows of change_state
insert into change_state (`id`, `complete_since`, `clock`, `top`, `settled`, `epoch`) values
  (1, 0, 1795405329, 26, 26, 3126211870925978);

-- rows of consent
insert into consent (`event_id`, `guest_id`, `asked`, `status`, `channels`) values
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '3cc6203a-5e44-4964-845d-a0c557c37a5b', 1, 'active', 'email');

-- rows of deletion
insert into deletion (`event_id`, `category`, `record_id`, `at`, `created`, `updated`) values
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 'guests', '880079cc-3484-4b14-9a90-eb12a978f7b4', 1795405328, 1700000000, 1700000002),
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 'pledges', 'e9bcf561-1b95-49d4-8ef2-ce8b8d8b6575', 1795405328, 1700000000, 1700000000);

-- rows of disclosure
insert into disclosure (`seq`, `event_id`, `account_id`, `prefix`, `list`, `fields`, `whole`, `from_time`, `to_time`, `first_at`, `last_at`, `first_next`) values
  (1, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '1ec3f48d-59fa-47a6-85f1-693883f130e6', '/acme/v1', 'guests', '3cb1b58104ee3415', 1, -1, 1795405328, 1795405328, 1795405328, 1795405326),
  (2, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '1ec3f48d-59fa-47a6-85f1-693883f130e6', '/acme/v1', 'items', 'd35ce9de77985259', 1, -1, 1795405328, 1795405328, 1795405328, 1795405326);

-- rows of event
insert into event (`id`, `organization_id`, `external_id`, `name`, `status`, `currency`, `timezone`, `starts`, `ends`, `created`, `updated`) values
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 'aaf29f75-4c75-4020-852d-127b31954da6', null, 'Autumn Gala', 'running', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000),
  ('3cbfe1ef-630f-494f-b3aa-79cd6a1893d0', 'a136e756-0576-49b5-bf08-ddd2af0c9937', null, 'O''Neill''s ball', 'closed', 'GBP', 'Europe/London', 1700000000, 1700018000, 1700000000, 1700000000);

-- rows of event_change
insert into event_change (`seq`, `event_id`, `at`, `mark`) values
  (1, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 2244946720141591),
  (10, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 1745440005604950),
  (11, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 4094153355251882),
  (12, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 3259958165741550),
  (13, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 3419591199683427),
  (14, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 3641084409202363),
  (15, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 3258413184880812),
  (16, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 471214608939477),
  (17, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 1453929278615961),
  (18, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 3406351619973490),
  (19, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 3432918676631467),
  (2, '3cbfe1ef-630f-494f-b3aa-79cd6a1893d0', 1795405328, 2767901246879913),
  (20, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 3105556670906860),
  (21, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 453215106097826),
  (22, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 1448706508500828),
  (23, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 3716313023478255),
  (24, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 1357229767416475),
  (25, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 2295966326826583),
  (26, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 4205132876747567),
  (3, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 40851452887553),
  (4, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 3933860026492600),
  (5, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 812568531473365),
  (6, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 2363021323416997),
  (7, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 171409851697275),
  (8, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 2134231793643782),
  (9, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 1795405328, 874003503271582);

-- rows of field_set
insert into field_set (`id`, `fields`) values
  ('3cb1b58104ee3415', '["Guest.id","Guest.eventId","Guest.firstName","Guest.lastName","Guest.email","Guest.mobile","Guest.mainAddress","Guest.giftAidAddress","Guest.taxReceiptAidAddress","Guest.created","Guest.updated","Guest.consentAsked","Guest.consentStatus","Guest.consentChannels","Guest.externalId","Guest.smsOptIn","Guest.companyName"]'),
  ('d35ce9de77985259', '["BuyNowItem.id","BuyNowItem.eventId","BuyNowItem.name","BuyNowItem.status","BuyNowItem.created","BuyNowItem.updated","BuyNowItem.revenueStreamType","BuyNowItem.externalId","BuyNowItem.categories","BuyNowItem.irsSubcategory","BuyNowItem.description","BuyNowItem.termsDescription","BuyNowItem.price","BuyNowItem.quantity","BuyNowItem.taxRate","BuyNowItem.estimate","AuctionItem.id","AuctionItem.eventId","AuctionItem.name","AuctionItem.status","AuctionItem.created","AuctionItem.updated","AuctionItem.revenueStreamType","AuctionItem.externalId","AuctionItem.categories","AuctionItem.irsSubcategory","AuctionItem.description","AuctionItem.termsDescription","AuctionItem.lotNumber","AuctionItem.startPrice","AuctionItem.increments","AuctionItem.estimate","AuctionItem.taxRate","AuctionItem.closes","Pledge.id","Pledge.eventId","Pledge.name","Pledge.status","Pledge.created","Pledge.updated","Pledge.revenueStreamType","Pledge.externalId","Pledge.categories","Pledge.irsSubcategory","Pledge.description","Pledge.termsDescription","Pledge.amount","Raffle.id","Raffle.eventId","Raffle.name","Raffle.status","Raffle.created","Raffle.updated","Raffle.revenueStreamType","Raffle.externalId","Raffle.categories","Raffle.irsSubcategory","Raffle.description","Raffle.termsDescription","Raffle.ticketPrice","Raffle.maxTickets","Raffle.draws","GliRaffle.id","GliRaffle.eventId","GliRaffle.name","GliRaffle.status","GliRaffle.created","GliRaffle.updated","GliRaffle.revenueStreamType","GliRaffle.externalId","GliRaffle.categories","GliRaffle.irsSubcategory","GliRaffle.description","GliRaffle.termsDescription","GliRaffle.ticketPrice","GliRaffle.maxTickets","GliRaffle.draws","GliRaffle.licenceNumber","GliRaffle.regulator","Ticket.id","Ticket.eventId","Ticket.name","Ticket.status","Ticket.created","Ticket.updated","Ticket.revenueStreamType","Ticket.externalId","Ticket.categories","Ticket.irsSubcategory","Ticket.description","Ticket.termsDescription","Ticket.price","Ticket.capacity","Ticket.admits","Ticket.taxRate"]');

-- rows of gli_raffle
insert into gli_raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `licence_number`, `regulator`, `created`, `updated`) values
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '214ecac8-0a9c-4568-a1ef-599f565a74b9', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000001),
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '897ed1cf-a4f7-4599-af7a-12360300b924', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 'GLI-1', 'Gambling Commission', 1700000000, 1700000002);

-- rows of guest
insert into guest (`event_id`, `id`, `first_name`, `last_name`, `email`, `mobile`, `external_id`, `sms_opt_in`, `company_name`, `created`, `updated`) values
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '3cc6203a-5e44-4964-845d-a0c557c37a5b', 'Ada', 'Lovelace', 'guest0@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1795405328),
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 'a1604a44-61b5-4d4a-90c8-b14a1dd190fe', 'Ada', 'Lovelace', 'guest3@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1700000001),
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 'da01b2ed-7a07-40b0-8fac-705b60c08f30', 'Ada', 'Łódź 东京 😀', 'guest1@example.org', '+44 20 7946 0000', 'crm-1', 0, null, 1700000000, 1795405328);

-- rows of kysely_migration
insert into kysely_migration (`name`, `timestamp`) values
  ('0001-records', '2026-11-23T03:42:07.426Z'),
  ('0002-change-log', '2026-11-23T03:42:07.431Z'),
  ('0003-accounts', '2026-11-23T03:42:07.449Z'),
  ('0004-polling', '2026-11-23T03:42:07.459Z'),
  ('0005-access', '2026-11-23T03:42:07.509Z'),
  ('0006-versions', '2026-11-23T03:42:07.516Z'),
  ('0007-log-in-waits', '2026-11-23T03:42:07.553Z'),
  ('0008-long-cursors', '2026-11-23T03:42:07.558Z'),
  ('0009-session-ends', '2026-11-23T03:42:07.571Z'),
  ('0010-log-in-networks', '2026-11-23T03:42:07.588Z'),
  ('0011-event-changes', '2026-11-23T03:42:07.610Z'),
  ('0012-record-versions', '2026-11-23T03:42:07.752Z'),
  ('0013-operators', '2026-11-23T03:42:07.851Z'),
  ('0014-sync-health', '2026-11-23T03:42:07.864Z'),
  ('0015-disclosures', '2026-11-23T03:42:07.899Z');

-- rows of log_in_network
insert into log_in_network (`account_id`, `network`, `last_used`) values
  ('1ec3f48d-59fa-47a6-85f1-693883f130e6', '127.0.0.1', 1795405328);

-- rows of organization
insert into organization (`id`, `slug`, `name`, `created`, `updated`) values
  ('a136e756-0576-49b5-bf08-ddd2af0c9937', 'borealis', 'borealis', 1700000000, 1700000000),
  ('aaf29f75-4c75-4020-852d-127b31954da6', 'acme', 'acme', 1700000000, 1700000000);

-- rows of partner_hour
insert into partner_hour (`account_id`, `hour`, `polls`, `walks`, `records`, `errors`, `lag`) values
  ('1ec3f48d-59fa-47a6-85f1-693883f130e6', 1795402800, 4, 4, 19, 0, null);

-- rows of pledge
insert into pledge (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `amount`, `created`, `updated`) values
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '9ea83dc5-0c22-4e08-8f1c-b9e766f12d8e', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000002),
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 'cfda9532-64c8-4791-871e-406a1db9f875', 'Item', 'active', 'donation', null, '[]', null, null, null, null, 1700000000, 1700000001);

-- rows of raffle
insert into raffle (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `ticket_price`, `max_tickets`, `draws`, `created`, `updated`) values
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '8159a55f-d977-4ad1-908b-572e9649625a', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000002),
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 'd3ad2ef1-178e-4f77-9cc2-4d8741617f1e', 'Item', 'active', 'donation', null, '[]', null, null, null, 500, null, null, 1700000000, 1700000001);

-- rows of session
insert into session (`id`, `account_id`, `created`, `expires`, `used`, `reason`) values
  ('8433bb8a-7cba-4004-9380-a2ae1ce471b7', '1ec3f48d-59fa-47a6-85f1-693883f130e6', 1795405328, 1795448528, 1795405328, null);

-- rows of sync_state
insert into sync_state (`account_id`, `event_id`, `prefix`, `list`, `family`, `kind`, `last_poll`, `poll_interval`, `walk_started`, `walk_since`, `walk_next`, `previous_started`, `third_started`, `first_started`, `walk_completed`, `completed_next`, `acknowledged`, `acknowledged_at`, `records`, `first_error`, `error_at`, `error_status`, `error_code`, `error_request`) values
  ('1ec3f48d-59fa-47a6-85f1-693883f130e6', '', '/acme/v1', 'events', 'custom-export', 'other', 1795405328, 900, 1795405328, 1606062358, 1795405326, null, null, 1795405328, 1795405328, 1795405326, null, null, 1, null, null, null, null, null),
  ('1ec3f48d-59fa-47a6-85f1-693883f130e6', '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '/acme/v1', 'guest deletions', 'custom-export', 'guest deletions', 1795405328, 60, 1795405328, 1606062358, 1795405326, null, null, 1795405328, 1795405328, 1795405326, null, null, 1, null, null, null, null, null),
  ('1ec3f48d-59fa-47a6-85f1-693883f130e6', '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '/acme/v1', 'guests', 'custom-export', 'guests', 1795405328, 60, 1795405328, -1, 1795405326, null, null, 1795405328, 1795405328, 1795405326, null, null, 4, null, null, null, null, null),
  ('1ec3f48d-59fa-47a6-85f1-693883f130e6', '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '/acme/v1', 'items', 'custom-export', 'items', 1795405328, 60, 1795405328, -1, 1795405326, null, null, 1795405328, 1795405328, 1795405326, null, null, 13, null, null, null, null, null);

-- rows of ticket
insert into ticket (`event_id`, `id`, `name`, `status`, `revenue_stream_type`, `external_id`, `categories`, `irs_subcategory`, `description`, `terms_description`, `price`, `capacity`, `admits`, `tax_rate`, `created`, `updated`) values
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', '07f8bf14-9595-43ce-9e67-ea11ad42ad02', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000001),
  ('0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 'd1a8f8b3-7510-4b27-9b2a-1b643332c907', 'Item', 'active', 'donation', null, '[]', null, null, null, 7500, null, 1, null, 1700000000, 1700000002);

-- rows of vacant_position
insert into vacant_position (`seq`, `event_id`, `category`, `record_id`, `updated`, `at`) values
  (1, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 'guests', '880079cc-3484-4b14-9a90-eb12a978f7b4', 1700000002, 1795405328),
  (2, '0f27950f-f8db-4f70-9ad9-ab8b81e919c2', 'pledges', 'e9bcf561-1b95-49d4-8ef2-ce8b8d8b6575', 1700000000, 1795405328);

-- rows of watched_table
insert into watched_table (`name`, `made`) values
  ('address', '1795405327'),
  ('auction_item', '1795405327'),
  ('buy_now_item', '1795405327'),
  ('consent', '1795405327'),
  ('event', '1795405327'),
  ('gli_raffle', '1795405327'),
  ('guest', '1795405327'),
  ('pledge', '1795405327'),
  ('raffle', '1795405327'),
  ('ticket', '1795405327');

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
