import { type Kysely, sql } from "kysely"
import type { Dialect } from "../../dialect.ts"
import { createTable, stamps } from "../create-table.ts"

/** Creates accounts, their grants, sessions and last uses, and what is known of their log-ins. */
export async function createAccounts(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { id, slug, seconds, integer, flag, text } = dialect.types

  await createTable(db, dialect, "account", (table) =>
    table
      .addColumn("id", id, (c) => c.notNull().primaryKey())
      .addColumn("username", slug, (c) => c.notNull().unique())
      .addColumn("password", slug, (c) => c.notNull())
      .addColumn("role", slug, (c) => c.notNull())
      .addColumn("epoch", integer, (c) => c.notNull().defaultTo(0))
      .addColumn("disabled", flag, (c) => c.notNull().defaultTo(0))
      .addColumn("demonstration", flag, (c) => c.notNull().defaultTo(0))
      .$call(stamps(dialect))
      .addCheckConstraint("account_role", sql`role in ('service', 'partner', 'operator')`))

  await createTable(db, dialect, "access_grant", (table) =>
    table
      .addColumn("id", id, (c) => c.notNull().primaryKey())
      .addColumn("account_id", id, (c) => c.notNull())
      .addColumn("organization_id", id)
      .addColumn("event_id", id)
      .addColumn("created", seconds, (c) => c.notNull().defaultTo(sql`(${dialect.now})`))
      .addColumn("ends", seconds)
      .addColumn("networks", text(1000))
      .addUniqueConstraint("access_grant_organization_once", ["account_id", "organization_id"])
      .addUniqueConstraint("access_grant_event_once", ["account_id", "event_id"])
      .addCheckConstraint(
        "access_grant_one_of_two",
        sql`(organization_id is null) <> (event_id is null)`,
      )
      .addForeignKeyConstraint(
        "access_grant_account",
        ["account_id"],
        "account",
        ["id"],
        (fk) => fk.onDelete("cascade"),
      )
      .addForeignKeyConstraint("access_grant_organization", ["organization_id"], "organization", [
        "id",
      ])
      .addForeignKeyConstraint("access_grant_event", ["event_id"], "event", ["id"]))

  await createTable(
    db,
    dialect,
    "session",
    (table) =>
      table
        .addColumn("id", id, (c) => c.notNull().primaryKey())
        .addColumn("account_id", id, (c) => c.notNull())
        .addColumn("created", seconds, (c) => c.notNull())
        .addColumn("expires", seconds, (c) => c.notNull())
        .addColumn("used", seconds)
        .addColumn("reason", slug)
        .addForeignKeyConstraint(
          "session_account",
          ["account_id"],
          "account",
          ["id"],
          (fk) => fk.onDelete("cascade"),
        ),
    { session_expires: ["account_id", "expires"], session_ends: ["expires"] },
  )

  await createTable(db, dialect, "account_activity", (table) =>
    table
      .addColumn("account_id", id, (c) => c.notNull().primaryKey())
      .addColumn("last_log_in", seconds)
      .addColumn("last_poll", seconds)
      .addColumn("refused", seconds)
      .addColumn("refused_code", slug)
      .addColumn("refused_request", slug)
      .addColumn("refused_session", id)
      .addColumn("refused_address", slug))

  await createTable(
    db,
    dialect,
    "log_in_network",
    (table) =>
      table
        .addColumn("account_id", id, (c) => c.notNull())
        .addColumn("network", slug, (c) => c.notNull())
        .addColumn("last_used", seconds, (c) => c.notNull())
        .addPrimaryKeyConstraint("log_in_network_key", ["account_id", "network"])
        .addForeignKeyConstraint(
          "log_in_network_account",
          ["account_id"],
          "account",
          ["id"],
          (fk) => fk.onDelete("cascade"),
        ),
    { log_in_network_last_used: ["last_used"] },
  )

  await createTable(
    db,
    dialect,
    "rate_limit",
    (table) =>
      table
        .addColumn("name", slug, (c) => c.notNull().primaryKey())
        .addColumn("points", integer, (c) => c.notNull())
        .addColumn("expires", seconds, (c) => c.notNull())
        .addColumn("blocked_until", seconds),
    { rate_limit_expires: ["expires"] },
  )
}
