import { sql } from "kysely"
import t, { type Test } from "tap"
import type { AddressKind } from "../../../core/data/record-tables.ts"
import { categories, type Category } from "../../../core/records/categories.ts"
import type { Database } from "../../../core/data/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import {
  describeFault,
  findTriggerFaults,
  loggedTables,
  triggersOf,
} from "../../../core/data/triggers.ts"
import { Builder, past } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database, { isAlone: true })
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

  await t.test("guest.updated of the old guest rises if an address or a consent moves to another event", async (t) => {
    const elsewhere = await build.event(await build.organization(crypto.randomUUID()))
    const id = crypto.randomUUID()
    await build.guest(event, { id })
    await keepStamp(database, id, () => build.consent(event, id))
    await build.guest(elsewhere, { id })
    const stamps = () => db.selectFrom("guest").select("updated").where("id", "=", id).execute()
    t.strictSame((await stamps()).map(({ updated }) => updated), [past, past])
    await db.updateTable("consent").set({ event_id: elsewhere }).where("guest_id", "=", id)
      .execute()
    t.ok((await stamps()).every(({ updated }) => updated > past), "both guests have changed")
  })

  await t.test("guest.updated takes a writer's value if it is later, and never falls", async (t) => {
    const guest = await build.guest(event)
    const set = (updated: number) =>
      db.updateTable("guest").set({ updated }).where("id", "=", guest).execute()
    const future = Math.floor(Date.now() / 1000) + 1000
    await set(future)
    t.equal(await updatedOf(guest), future)
    await set(past + 10)
    t.equal(await updatedOf(guest), future)
  })

  await t.test("a change of a record's id is rejected", async (t) => {
    const guest = await build.guest(event)
    const change = db.updateTable("guest").set({ id: crypto.randomUUID() }).where("id", "=", guest)
      .execute()
    await t.rejects(change, { message: /guest: event_id and id never change/ })
  })

  for (const category of Object.keys(categories) as Category[]) {
    await t.test(`every insert, update and deletion of ${category} is logged, and the deletion is kept`, async (t) => {
      const table = categories[category] as "guest"
      const before = await changesOf(database, event)
      const id = crypto.randomUUID()
      await (category === "guests"
        ? build.guest(event, { id })
        : build.item(category, event, { id }))
      await db.updateTable(table).set({ external_id: "2" }).where("id", "=", id).execute()
      t.equal(await changesOf(database, event), before + 2)
      t.strictSame(await deletionsOf(database, id), [])
      await db.deleteFrom(table).where("id", "=", id).execute()
      t.equal(await changesOf(database, event), before + 3)
      const rows = await db.selectFrom("event_change").select(["category", "deleted"])
        .where("record_id", "=", id).orderBy("seq").execute()
      t.strictSame(
        rows.map(({ category, deleted }) => [category, deleted]),
        [[category, 0], [category, 0], [category, 1]],
      )
      const [deletion, ...others] = await deletionsOf(database, id)
      t.match(deletion, { event_id: event, category })
      t.ok(Number(deletion?.at) > past + 1000)
      t.strictSame(others, [])
    })
  }

  await t.test("a record that is deleted twice has one deletion, the last, and two vacant positions", async (t) => {
    const id = crypto.randomUUID()
    for (const updated of [past, past + 7]) {
      await build.guest(event, { id, updated })
      await db.deleteFrom("guest").where("id", "=", id).execute()
    }
    t.equal((await deletionsOf(database, id)).length, 1)
    const vacant = await db.selectFrom("vacant_position").select(["category", "updated"])
      .where("record_id", "=", id).orderBy("seq").execute()
    t.strictSame(vacant.map(({ category, updated }) => [category, updated]), [
      ["guests", past],
      ["guests", past + 7],
    ])
  })

  await t.test("a new event and a changed one are logged", async (t) => {
    const id = await build.event(await build.organization(crypto.randomUUID()))
    t.equal(await changesOf(database, id), 1)
    await db.updateTable("event").set({ name: "Spring Gala" }).where("id", "=", id).execute()
    t.equal(await changesOf(database, id), 2)
  })

  await t.test("a change of an address is logged once, as a change of the guest", async (t) => {
    const guest = await build.guest(event)
    const before = await changesOf(database, event)
    await build.address(event, guest)
    t.equal(await changesOf(database, event), before + 1)
  })

  await t.test("deleting a guest also deletes its consent and addresses, and logs one deletion", async (t) => {
    const guest = await build.guest(event)
    await build.consent(event, guest)
    for (const kind of ["main", "gift_aid", "tax_receipt"] as AddressKind[]) {
      await build.address(event, guest, { kind })
    }
    await db.deleteFrom("guest").where("id", "=", guest).execute()
    t.equal((await deletionsOf(database, guest)).length, 1)
    t.equal(
      (await db.selectFrom("address").where("guest_id", "=", guest).selectAll().execute()).length,
      0,
    )
  })

  await t.test("a change that is rolled back is not logged", async (t) => {
    const guest = await build.guest(event)
    const before = await changesOf(database, event)
    await t.rejects(
      db.transaction().execute(async (trx) => {
        await trx.deleteFrom("guest").where("id", "=", guest).execute()
        throw new Error("rolled back")
      }),
    )
    t.equal(await changesOf(database, event), before)
    t.strictSame(await deletionsOf(database, guest), [])
  })

  await t.test("the marks of changes are different, and fit into 52 bits", async (t) => {
    const rows = await db.selectFrom("event_change").select("mark").execute()
    const marks = rows.map(({ mark }) => mark)
    t.ok(marks.length > 20)
    t.equal(new Set(marks).size, marks.length)
    t.ok(marks.every((mark) => Number.isSafeInteger(mark) && mark >= 0 && mark < 2 ** 52))
    t.ok(marks.some((mark) => mark > 2 ** 50), "the highest bits are used")
  })

  await t.test("a trigger that is lost, on another table or different is found, and migrate restores it", async (t) => {
    t.strictSame(await findTriggerFaults(database), [])
    const [one, other] = triggersOf(database).filter(({ table }) => table === "pledge")
    if (!one || !other) throw new TypeError("pledge has triggers")
    await sql`drop trigger ${sql.table(one.name)}`.execute(db)
    await sql`drop trigger ${sql.table(other.name)}`.execute(db)
    const extra = engine === "mysql" ? "set @one = 1;" : "select 1;"
    const text = `create trigger ${other.name} ${other.definition.replace(/end$/, `${extra} end`)}`
    await sql.raw(text).execute(db)
    const faults = (await findTriggerFaults(database)).map(describeFault)
    t.strictSame(faults, [
      `${one.name} on pledge`,
      `${other.name} on pledge (it is not the same)`,
    ])
    t.strictSame(await migrate(database), [`trigger ${one.name}`, `trigger ${other.name}`])
    t.strictSame(await findTriggerFaults(database), [])
  })

  t.test("the logged tables are those of the categories", (t) => {
    const inverted = Object.fromEntries(
      Object.entries(categories).map(([category, table]) => [table, category]),
    )
    t.strictSame(loggedTables, inverted)
    t.end()
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
    await dialect.keepHistory?.begin.execute(db)
    await db.insertInto("guest").values({ ...row, updated: past }).execute()
    await dialect.keepHistory?.end.execute(db)
    await on.execute(db)
  })
}

async function changesOf({ writer }: Database, event: string): Promise<number> {
  const { count } = await writer.selectFrom("event_change").select((eb) =>
    eb.fn.countAll<number>().as("count")
  )
    .where("event_id", "=", event).executeTakeFirstOrThrow()
  return count
}

async function deletionsOf({ writer }: Database, record: string) {
  return await writer.selectFrom("deletion").selectAll().where("record_id", "=", record).execute()
}
