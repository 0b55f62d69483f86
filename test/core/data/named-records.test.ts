import { type Insertable, type Kysely, sql, type Transaction } from "kysely"
import t from "tap"
import type { Database } from "../../../core/data/database.ts"
import type { Schema } from "../../../core/data/schema.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

/** What a writer finds: Ada, who has a consent and an address, and Bob, who has neither, at a gala; Ada at a ball. */
interface Given extends Readonly<Record<"gala" | "ball" | "ada" | "bob" | "newcomer", string>> {
  readonly db: Transaction<Schema>
  readonly dialect: Database["dialect"]
  readonly build: Builder
}

/** By kind of change: what writers do in a transaction, and the rows that are in the log then, deletions with a minus. */
const writes: Readonly<
  Record<
    string,
    readonly [write: (given: Given) => Promise<unknown>, rows: string[], onMysql?: string[]]
  >
> = {
  "an insert": [({ build, gala, newcomer }) => build.guest(gala, { id: newcomer }), [
    "gala guests newcomer",
  ]],
  "an insert of several rows": [
    async ({ db, gala, bob }) => {
      const { id: _, ...row } = await guestOf(db, bob)
      const ids = ["1", "2"].map((digit) => digit.repeat(36))
      await db.insertInto("guest").values(ids.map((id) => ({ ...row, id, event_id: gala })))
        .execute()
    },
    ["gala guests 1111", "gala guests 2222"],
  ],
  "an insert of what a select returns": [
    ({ db }) =>
      sql`insert into pledge (event_id, id, name, status, revenue_stream_type, categories)
        select event_id, id, first_name, '', '', '[]' from guest`.execute(db),
    ["ball pledges ada", "gala pledges ada", "gala pledges bob"],
  ],
  "an insert that changes the row that is there": [
    ({ db, dialect, bob }) => upsert(db, dialect, bob),
    ["gala guests bob"],
    // The insertion is logged before it fails.
    ["gala guests bob", "gala guests bob"],
  ],
  "an insert that would change a row": [
    ({ db, dialect, bob, newcomer }) => upsert(db, dialect, bob, newcomer),
    ["gala guests newcomer"],
  ],
  "a replacement": [
    async ({ db, bob }) => {
      await db.replaceInto("guest").values(await guestOf(db, bob)).execute()
    },
    ["gala guests bob"],
    // In this order: that the last row is a deletion does not mean that the record is gone.
    ["gala guests bob", "-gala guests bob"],
  ],
  "an update of one row": [
    ({ db, bob }) => db.updateTable("guest").set({ mobile: "2" }).where("id", "=", bob).execute(),
    ["gala guests bob"],
  ],
  "an update of several rows": [
    ({ db }) => db.updateTable("guest").set({ mobile: "2" }).execute(),
    ["ball guests ada", "gala guests ada", "gala guests bob"],
  ],
  "an update that changes no value": [
    ({ db, bob }) =>
      db.updateTable("guest").set((eb) => ({ mobile: eb.ref("mobile") })).where("id", "=", bob)
        .execute(),
    ["gala guests bob"],
  ],
  "an update of no row": [
    ({ db, gala }) => db.updateTable("guest").set({ mobile: "2" }).where("id", "=", gala).execute(),
    [],
  ],
  "a deletion of a guest with a consent and an address": [
    ({ db, gala }) => db.deleteFrom("guest").where("event_id", "=", gala).execute(),
    ["-gala guests ada", "-gala guests bob"],
  ],
  "a deletion of a record that is inserted again": [
    async ({ db, bob }) => {
      const row = await guestOf(db, bob)
      await db.deleteFrom("guest").where("id", "=", bob).execute()
      await db.insertInto("guest").values(row).execute()
    },
    ["-gala guests bob", "gala guests bob"],
  ],
  "a new consent": [({ build, gala, bob }) => build.consent(gala, bob), ["gala guests bob"]],
  "a changed consent": [
    ({ db }) => db.updateTable("consent").set({ status: "inactive" }).execute(),
    ["gala guests ada"],
  ],
  "a deleted consent": [({ db }) => db.deleteFrom("consent").execute(), ["gala guests ada"]],
  "a consent that moves to another guest": [
    ({ db, bob }) => db.updateTable("consent").set({ guest_id: bob }).execute(),
    ["gala guests ada", "gala guests bob"],
  ],
  "a consent that moves to another event": [
    ({ db, ball }) => db.updateTable("consent").set({ event_id: ball }).execute(),
    ["gala guests ada", "ball guests ada"],
  ],
  "new addresses": [
    async ({ build, gala, bob }) => {
      await build.address(gala, bob)
      await build.address(gala, bob, { kind: "gift_aid" })
    },
    ["gala guests bob", "gala guests bob"],
  ],
  "a changed address": [
    ({ db }) => db.updateTable("address").set({ town: "Leeds" }).execute(),
    ["gala guests ada"],
  ],
  "a deleted address": [({ db }) => db.deleteFrom("address").execute(), ["gala guests ada"]],
  "an address that moves to another guest": [
    ({ db, bob }) => db.updateTable("address").set({ guest_id: bob }).execute(),
    ["gala guests ada", "gala guests bob"],
  ],
  "a changed event": [
    ({ db, gala }) =>
      db.updateTable("event").set({ name: "Gala" }).where("id", "=", gala).execute(),
    ["gala events null"],
  ],
  "a change before a savepoint, and one behind it that is undone": [
    async ({ db, bob }) => {
      await db.updateTable("guest").set({ mobile: "2" }).where("id", "=", bob).execute()
      await sql`savepoint here`.execute(db)
      await db.deleteFrom("guest").execute()
      await sql`rollback to savepoint here`.execute(db)
    },
    ["gala guests bob"],
  ],
}

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database)
  for (const [name, [write, rows, onMysql = rows]] of Object.entries(writes)) {
    await t.test(`the log names the records of ${name}`, async (t) => {
      const organization = await build.organization(crypto.randomUUID())
      const { writer, dialect } = database
      for (const table of ["guest", "pledge"] as const) await writer.deleteFrom(table).execute()
      const [gala, ball] = [await build.event(organization), await build.event(organization)]
      const [ada, bob] = [crypto.randomUUID(), crypto.randomUUID()]
      const names = { gala, ball, ada, bob, newcomer: crypto.randomUUID() }
      for (const event of [gala, ball]) await build.guest(event, { id: ada })
      await build.guest(gala, { id: bob })
      await build.consent(gala, ada)
      await build.address(gala, ada)
      const { last } = await writer.selectFrom("event_change")
        .select((eb) => eb.fn.max("seq").as("last")).executeTakeFirstOrThrow()
      await writer.transaction().execute(async (db) => {
        await write({
          db,
          dialect,
          build: new Builder({ writer: db } as unknown as Database),
          ...names,
        })
      })
      const logged = await writer.selectFrom("event_change").selectAll().where("seq", ">", last)
        .orderBy("seq").execute()
      const nameOf = (id: string | null) =>
        Object.entries(names).find(([, each]) => each === id)?.[0] ?? String(id).slice(0, 4)
      const found = logged.map(({ event_id, category, record_id, deleted }) =>
        `${deleted === 1 ? "-" : ""}${nameOf(event_id)} ${category} ${nameOf(record_id)}`
      )
      const expected = engine === "mysql" ? onMysql : rows
      // Rows of one statement may change in any order.
      if (/several|select|address$/.test(name)) t.strictSame(found.toSorted(), expected.toSorted())
      else t.strictSame(found, expected)
    })
  }
})

async function guestOf(db: Kysely<Schema>, id: string): Promise<Insertable<Schema["guest"]>> {
  const { export_version: _, ...row } = await db.selectFrom("guest").selectAll()
    .where("id", "=", id).executeTakeFirstOrThrow()
  return row
}

/** Inserts a guest, or changes the one with the id. */
async function upsert(
  db: Kysely<Schema>,
  dialect: Database["dialect"],
  like: string,
  id = like,
): Promise<void> {
  const row = { ...await guestOf(db, like), id }
  await dialect.orUpdate(db.insertInto("guest").values(row), ["event_id", "id"], { mobile: "2" })
    .execute()
}
