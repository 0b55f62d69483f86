import { randomUUID } from "node:crypto"
import { type Kysely, sql } from "kysely"
import type { Database } from "../../../core/data/database.ts"
import type { Schema } from "../../../core/data/schema.ts"
import { categories, type Category } from "../../../core/records/categories.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { Builder } from "../../support/builder.ts"
import type { Random } from "../../support/random.ts"
import type { KnownRecord, KnownRecords } from "./known-records.ts"

interface ChangeContext {
  readonly random: Random
  readonly known: KnownRecords
}

type Change = (db: Kysely<Schema>, context: ChangeContext) => Promise<readonly string[]>

/** The number of records stays between these. */
const [fewest, most] = [600, 900]

/** Makes a random change, and returns the ids of the records that it concerns. */
export async function applyChange(
  db: Kysely<Schema>,
  context: ChangeContext,
): Promise<readonly string[]> {
  const { random, known } = context
  if (known.size < fewest) return await insert(db, context)
  if (known.size > most) return await remove(db, context)
  return await random.pick(changes)(db, context)
}

/** Numbers values, so that no two versions of a record are equal. */
let version = 0

const insert: Change = async (db, { random, known }) => {
  const eventId = random.pick(known.eventIds)
  const category: Category = random.below(2) === 0 ? "guests" : random.pick(itemCategories)
  const record = { eventId, category, id: randomUUID() }
  await insertRow(db, record)
  known.add(record)
  return [record.id]
}

const insertAgain: Change = async (db, { random, known }) => {
  const record = known.restore(random)
  if (!record) return []
  await insertRow(db, record)
  known.add(record)
  return [record.id]
}

const update: Change = (db, { random, known }) =>
  each(known.pick(random), async (record) => {
    await updateRows(db, record).where("id", "=", record.id).execute()
  })

const updateMany: Change = async (db, { random, known }) => {
  const record = known.pick(random)
  if (!record) return []
  // The first digit of the ids: about a sixteenth of the records of an event and category.
  const rows = await db.selectFrom(tableOf(record)).select("id")
    .where("event_id", "=", record.eventId).where("id", "like", `${record.id[0]}%`).execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await updateRows(db, record).where("id", "in", ids).execute()
  return ids
}

const upsert: Change = (db, { random, known }) =>
  each(known.pick(random, true), async (record) => {
    const row = { event_id: record.eventId, id: record.id, ...guestValues() }
    await db.insertInto("guest").values(row).onDuplicateKeyUpdate({ email: row.email }).execute()
  })

const replace: Change = (db, { random, known }) =>
  each(known.pick(random, true), async (record) => {
    const row = { event_id: record.eventId, id: record.id, ...guestValues() }
    await db.replaceInto("guest").values(row).execute()
  })

const remove: Change = (db, { random, known }) =>
  each(known.pick(random), async (record) => {
    await deleteRow(db, record)
    known.remove(record)
  })

const deleteAndInsert: Change = (db, { random, known }) =>
  each(known.pick(random), async (record) => {
    await deleteRow(db, record)
    await insertRow(db, record)
  })

const consent: Change = (db, { random, known }) =>
  each(known.pick(random, true), async ({ eventId, id }) => {
    const row = {
      event_id: eventId,
      guest_id: id,
      asked: 1,
      status: random.pick(["active", "inactive"]),
      channels: `email,${++version}`,
    }
    if (random.below(4) === 0) {
      await db.deleteFrom("consent").where("event_id", "=", eventId).where("guest_id", "=", id)
        .execute()
    } else {
      const { status, channels } = row
      await db.insertInto("consent").values(row).onDuplicateKeyUpdate({ status, channels })
        .execute()
    }
  })

const address: Change = (db, { random, known }) =>
  each(known.pick(random, true), async ({ eventId, id }) => {
    const kind = random.pick(["main", "gift_aid", "tax_receipt"] as const)
    const removed = await db.deleteFrom("address").where("event_id", "=", eventId)
      .where("guest_id", "=", id).where("kind", "=", kind).executeTakeFirst()
    if (removed.numDeletedRows > 0n && random.below(2) === 0) return
    await builderOn(db).address(eventId, id, {
      kind,
      line2: random.pick([null, `Flat ${++version}`]),
    })
  })

const changes: readonly Change[] = [
  insert,
  insertAgain,
  update,
  update,
  update,
  updateMany,
  upsert,
  replace,
  remove,
  deleteAndInsert,
  consent,
  consent,
  address,
  address,
]

/** Inserts a record with a new version of its values. */
export async function insertRow(
  db: Kysely<Schema>,
  { eventId, category, id }: KnownRecord,
): Promise<void> {
  const build = builderOn(db)
  if (category === "guests") await build.guest(eventId, { id, ...guestValues() })
  else await build.item(category, eventId, { id, ...itemValues() })
}

async function deleteRow(db: Kysely<Schema>, record: KnownRecord): Promise<void> {
  await db.deleteFrom(tableOf(record)).where("event_id", "=", record.eventId)
    .where("id", "=", record.id).execute()
}

function updateRows(db: Kysely<Schema>, record: KnownRecord) {
  const values = record.category === "guests" ? guestValues() : itemValues()
  return db.updateTable(tableOf(record)).set({ external_id: values.external_id })
    .where("event_id", "=", record.eventId)
}

/** Lists the records of all events as they are. */
export async function listRecords(db: Kysely<Schema>): Promise<KnownRecord[]> {
  const found: KnownRecord[] = []
  for (const [category, table] of Object.entries(categories) as [Category, "guest"][]) {
    const rows = await db.selectFrom(table).select(["event_id", "id"]).execute()
    found.push(...rows.map(({ event_id, id }) => ({ eventId: event_id, category, id })))
  }
  return found
}

async function each(
  record: KnownRecord | undefined,
  work: (record: KnownRecord) => Promise<void>,
): Promise<readonly string[]> {
  if (!record) return []
  await work(record)
  return [record.id]
}

function builderOn(db: Kysely<Schema>): Builder {
  return new Builder({ writer: db } as unknown as Database)
}

// The tables share the columns that are used here.
function tableOf({ category }: KnownRecord): "guest" {
  return categories[category] as "guest"
}

/** The database's clock. Kysely takes an expression wherever a value is inserted. */
const now = sql`unix_timestamp()` as unknown as number

function guestValues() {
  const number = ++version
  return {
    first_name: `Ada ${number}`,
    last_name: "Lovelace",
    email: `guest${number}@example.org`,
    mobile: `+44 20 7946 ${number}`,
    external_id: `crm-${number}`,
    sms_opt_in: number % 2,
    created: now,
    updated: now,
  }
}

function itemValues() {
  const number = ++version
  return {
    name: `Item ${number}`,
    external_id: `sku-${number}`,
    categories: JSON.stringify([`c${number}`]),
    created: now,
    updated: now,
  }
}
