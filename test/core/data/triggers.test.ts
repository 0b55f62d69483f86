import { sql } from "kysely"
import t, { type Test } from "tap"
import type { AddressKind } from "../../../core/data/schema.ts"
import { categories, type Category } from "../../../core/records/categories.ts"
import type { Database } from "../../../core/data/database.ts"
import { Builder, past } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database)
  const db = database.writer
  const event = await build.event(await build.organization("acme"))

  const updatedOf = async (guest: string) => {
    const row = await db.selectFrom("guest").select("updated").where("id", "=", guest)
      .executeTakeFirstOrThrow()
    return row.updated
  }

  const changes: Record<string, (guest: string) => Promise<unknown>> = {
    "a change of its own row": (guest) =>
      db.updateTable("guest").set({ mobile: "2" }).where("id", "=", guest).execute(),
    "a new consent record": (guest) => build.consent(event, guest),
    "a withdrawn consent": (guest) =>
      db.updateTable("consent").set({ status: "inactive", channels: "" }).where(
        "guest_id",
        "=",
        guest,
      ).execute(),
    "a deleted consent record": (guest) =>
      db.deleteFrom("consent").where("guest_id", "=", guest).execute(),
    "a new address": (guest) => build.address(event, guest),
    "a changed address": (guest) =>
      db.updateTable("address").set({ town: "Leeds" }).where("guest_id", "=", guest).execute(),
    "a deleted address": (guest) =>
      db.deleteFrom("address").where("guest_id", "=", guest).execute(),
  }
  for (const [name, change] of Object.entries(changes)) {
    await t.test(`guest.updated rises with ${name}`, async (t) => {
      const guest = await build.guest(event)
      const bystander = await build.guest(event)
      const exists = {
        consent: /(withdrawn|deleted) consent/,
        address: /(changed|deleted) address/,
      }
      await keepStamp(database, guest, async () => {
        if (exists.consent.test(name)) await build.consent(event, guest)
        if (exists.address.test(name)) await build.address(event, guest)
      })
      t.equal(await updatedOf(guest), past)
      await change(guest)
      t.ok(await updatedOf(guest) > past + 1000, "the guest's stamp has risen")
      t.equal(await updatedOf(bystander), past, "no other guest's stamp has")
    })
  }

  await t.test("guest.updated of both guests rises if an address moves from one to the other", async (t) => {
    const [from, to] = [await build.guest(event), await build.guest(event)]
    await keepStamp(database, from, () => build.address(event, from))
    await db.updateTable("address").set({ guest_id: to }).where("guest_id", "=", from).execute()
    t.ok(await updatedOf(from) > past)
    t.ok(await updatedOf(to) > past)
  })

  await t.test("guest.updated takes a writer's value, and never falls", async (t) => {
    const guest = await build.guest(event)
    const set = (updated: number) =>
      db.updateTable("guest").set({ updated }).where("id", "=", guest).execute()
    await set(past + 50)
    t.equal(await updatedOf(guest), past + 50)
    await set(past + 10)
    t.equal(await updatedOf(guest), past + 50)
  })

  await t.test("a change of a record's id is rejected", async (t) => {
    const guest = await build.guest(event)
    const change = db.updateTable("guest").set({ id: crypto.randomUUID() }).where("id", "=", guest)
      .execute()
    await t.rejects(change, { message: /guest: event_id and id never change/ })
  })

  for (const category of Object.keys(categories) as Category[]) {
    await t.test(`the change log has every insert, update and deletion of ${category}`, async (t) => {
      const table = categories[category] as "guest"
      const id = category === "guests"
        ? await build.guest(event)
        : await build.item(category, event)
      await db.updateTable(table).set({ updated: past + 7 }).where("id", "=", id).execute()
      await db.deleteFrom(table).where("id", "=", id).execute()
      t.match(await logOf(database, id), [
        { category, operation: "insert", updated: past },
        { category, operation: "update", updated: past + 7 },
        { category, operation: "delete", updated: past + 7 },
      ])
    })
  }

  await t.test("a change of an address adds one row to the change log, with the guest's new stamp", async (t) => {
    const guest = await build.guest(event)
    await build.address(event, guest)
    const log = await logOf(database, guest)
    t.match(log.map((row) => row.operation), ["insert", "update"])
    t.equal(log[1]?.updated, await updatedOf(guest))
  })

  await t.test("deleting a guest also deletes its consent and addresses, and logs one deletion", async (t) => {
    const guest = await build.guest(event)
    await build.consent(event, guest)
    for (const kind of ["main", "gift_aid", "tax_receipt"] as AddressKind[]) {
      await build.address(event, guest, { kind })
    }
    await db.deleteFrom("guest").where("id", "=", guest).execute()
    t.equal((await logOf(database, guest)).filter((row) => row.operation === "delete").length, 1)
    t.equal(
      (await db.selectFrom("address").where("guest_id", "=", guest).selectAll().execute()).length,
      0,
    )
  })

  await t.test("a change that is rolled back is not in the change log", async (t) => {
    const guest = await build.guest(event)
    await t.rejects(
      db.transaction().execute(async (trx) => {
        await trx.deleteFrom("guest").where("id", "=", guest).execute()
        throw new Error("rolled back")
      }),
    )
    t.match(await logOf(database, guest), [{ operation: "insert" }])
  })

  if (engine === "mysql") await testConcurrentWriters(t, database, event)
})

/** Tests that two open transactions on one event do not wait for each other. */
async function testConcurrentWriters(t: Test, database: Database, event: string): Promise<void> {
  await t.test("writers of one event do not wait for each other", async (t) => {
    const build = new Builder(database)
    const [a, b] = [await build.guest(event), await build.guest(event)]
    await database.writer.transaction().execute(async (first) => {
      await first.updateTable("guest").set({ mobile: "1" }).where("event_id", "=", event).where(
        "id",
        "=",
        a,
      ).execute()
      await database.writer.transaction().execute(async (second) => {
        await second.updateTable("guest").set({ mobile: "2" }).where("event_id", "=", event).where(
          "id",
          "=",
          b,
        ).execute()
        await second.deleteFrom("guest").where("event_id", "=", event).where("id", "=", b).execute()
      })
    })
    t.pass("the second committed while the first was open")
  })
}

/** Runs `work`, which stamps a guest, then restores the guest's old stamp. */
async function keepStamp(
  { writer, dialect }: Database,
  guest: string,
  work: () => Promise<void>,
): Promise<void> {
  await work()
  // Triggers never lower `updated`, so this deletes the guest and inserts it again, without key checks.
  await writer.connection().execute(async (db) => {
    const row = await db.selectFrom("guest").selectAll().where("id", "=", guest)
      .executeTakeFirstOrThrow()
    const [off, on] = dialect.name === "mysql"
      ? [sql`set foreign_key_checks = 0`, sql`set foreign_key_checks = 1`]
      : [sql`pragma foreign_keys = off`, sql`pragma foreign_keys = on`]
    await off.execute(db)
    await db.deleteFrom("guest").where("id", "=", guest).execute()
    await db.insertInto("guest").values({ ...row, updated: past }).execute()
    await on.execute(db)
  })
}

async function logOf({ writer }: Database, record: string) {
  return await writer.selectFrom("change_log").selectAll().where("record_id", "=", record).orderBy(
    "seq",
  ).execute()
}
