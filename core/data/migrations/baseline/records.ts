import { type CreateTableBuilder, type Kysely, sql } from "kysely"
import type { ColumnType, Dialect } from "../../dialect.ts"
import { addColumns } from "../add-columns.ts"
import { addIndex, createTable, stamps } from "../create-table.ts"

type Builder = CreateTableBuilder<string, string>
/** Columns by name; a type in an array may be null. */
type Columns = Readonly<Record<string, ColumnType | readonly [ColumnType]>>

/** Creates organizations, events, guests with consent and addresses, and the six categories of items. */
export async function createRecords(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { id, slug, seconds, money, integer, percent, flag, json, text, longText } = dialect.types

  await createTable(db, dialect, "organization", (table) =>
    table
      .$call(columns({ id, slug, name: text(200) }))
      .$call(stamps(dialect))
      .addPrimaryKeyConstraint("organization_pk", ["id"])
      .addUniqueConstraint("organization_slug", ["slug"]))

  await createTable(
    db,
    dialect,
    "event",
    (table) =>
      table
        .$call(columns({ id, organization_id: id, external_id: [text(100)], name: text(200) }))
        .$call(columns({ status: text(32), currency: text(3), timezone: text(64) }))
        .$call(columns({ starts: seconds, ends: seconds }))
        .$call(stamps(dialect))
        .addPrimaryKeyConstraint("event_pk", ["id"])
        .addForeignKeyConstraint("event_organization", ["organization_id"], "organization", ["id"]),
    { event_newest: ["organization_id", "updated", "id"] },
  )

  // One event is one contiguous range on disk; the narrow index carries the order and `since`. Triggers renew the
  // version with every change.
  const recordTable = (name: string, own: Columns) =>
    createTable(
      db,
      dialect,
      name,
      (table) =>
        table
          .$call(columns({ event_id: id, id, ...own }))
          .$call(stamps(dialect))
          .addColumn("export_version", dialect.types.hiddenVersion)
          .addPrimaryKeyConstraint(`${name}_pk`, ["event_id", "id"])
          .addForeignKeyConstraint(`${name}_event`, ["event_id"], "event", ["id"]),
      { [`${name}_newest`]: newest },
    )

  await recordTable("guest", {
    first_name: text(100),
    last_name: text(100),
    email: text(254),
    mobile: text(32),
    external_id: text(100),
    sms_opt_in: flag,
    company_name: [text(200)],
  })

  const ofGuest = (name: string, key: string[], own: Columns) =>
    createTable(db, dialect, name, (table) =>
      table
        .$call(columns({ event_id: id, guest_id: id, ...own }))
        .addPrimaryKeyConstraint(`${name}_pk`, ["event_id", "guest_id", ...key])
        .addForeignKeyConstraint(
          `${name}_guest`,
          ["event_id", "guest_id"],
          "guest",
          ["event_id", "id"],
          (fk) => fk.onDelete("cascade"),
        )
        .$call((built) =>
          name === "consent"
            ? built.addCheckConstraint("consent_status", sql`status in ('active', 'inactive')`)
            : built.addCheckConstraint(
              "address_kind",
              sql`kind in ('main', 'gift_aid', 'tax_receipt')`,
            )
        ))

  await ofGuest("consent", [], { asked: flag, status: slug, channels: slug })
  await ofGuest("address", ["kind"], {
    kind: slug,
    name: text(100),
    line1: text(200),
    line2: [text(200)],
    line3: [text(200)],
    line4: [text(200)],
    town: text(100),
    postcode: text(32),
    state: [text(100)],
    country: text(2),
    recipient_name: text(200),
  })

  const itemTable = (name: string, own: Columns) =>
    recordTable(name, {
      name: text(200),
      status: text(32),
      revenue_stream_type: text(64),
      external_id: [text(100)],
      categories: json,
      irs_subcategory: [text(100)],
      description: [longText],
      terms_description: [longText],
      ...own,
    })
  const raffle: Columns = { ticket_price: money, max_tickets: [integer], draws: [seconds] }

  await itemTable("buy_now_item", {
    price: money,
    quantity: [integer],
    tax_rate: [percent],
    estimate: [money],
  })
  await itemTable("auction_item", {
    lot_number: integer,
    start_price: money,
    increments: json,
    estimate: [money],
    tax_rate: [percent],
    closes: [seconds],
  })
  await itemTable("pledge", { amount: [money] })
  await itemTable("raffle", raffle)
  await itemTable("gli_raffle", { ...raffle, licence_number: text(100), regulator: text(100) })
  await itemTable("ticket", {
    price: money,
    capacity: [integer],
    admits: integer,
    tax_rate: [percent],
  })
  await addVersions(db, dialect)
}

const newest = ["event_id", "updated", "id", "export_version"]

/** Adds versions and the index of the listing to tables that an operator has made: those above have them. */
async function addVersions(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const existing = await db.introspection.getTables()
  for (const { name, columns, isView } of existing) {
    if (isView || !versioned.includes(name)) continue
    const index = { name: `${name}_newest`, columns: newest }
    if (columns.some((column) => column.name === "export_version")) {
      await addIndex(db, dialect, name, index)
    } else {
      await addColumns(db, name, { export_version: dialect.types.hiddenVersion })
      await dialect.indexes.replace(db, { table: name, ...index })
    }
  }
}

const versioned = [
  "guest",
  "buy_now_item",
  "auction_item",
  "pledge",
  "raffle",
  "gli_raffle",
  "ticket",
]

function columns(definitions: Columns): (table: Builder) => Builder {
  return (table) =>
    Object.entries(definitions).reduce(
      (all, [name, type]) =>
        isNullable(type)
          ? all.addColumn(name, type[0])
          : all.addColumn(name, type, (column) => column.notNull()),
      table,
    )
}

function isNullable(type: Columns[string]): type is readonly [ColumnType] {
  return Array.isArray(type)
}
