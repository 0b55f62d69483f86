import { type Kysely, sql } from "kysely"
import type { Dialect } from "../dialect.ts"
import { createTable, stamps } from "./create-table.ts"

/** Accounts, their grants and their sessions. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { id, slug, seconds, integer, flag } = dialect.types

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
        .addForeignKeyConstraint(
          "session_account",
          ["account_id"],
          "account",
          ["id"],
          (fk) => fk.onDelete("cascade"),
        ),
    { session_expires: ["account_id", "expires"] },
  )
}
