import type { Kysely, Selectable } from "kysely"
import t from "tap"
import demonstration from "../../../config/demo/demonstration.ts"
import type { Database } from "../../../core/data/database.ts"
import type { Schema } from "../../../core/data/schema.ts"
import { withHistory } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

const records = [
  "guest",
  "buy_now_item",
  "auction_item",
  "pledge",
  "raffle",
  "gli_raffle",
  "ticket",
] as const
const tables = [
  "organization",
  "event",
  ...records,
  "account",
  "consent",
  "address",
  "access_grant",
] as const

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer: db } = database
  await fill(database)

  await t.test("demonstration.fill writes organizations, events, accounts and grants", async (t) => {
    const events = await db
      .selectFrom("event")
      .innerJoin("organization", "organization.id", "organization_id")
      .select(["slug", "status"])
      .execute()
    t.same(events.map(({ slug }) => slug).sort(), ["acme", "acme", "borealis", "borealis"])
    t.same(new Set(events.map(({ status }) => status)), new Set(["closed", "running", "upcoming"]))

    const accounts = await db
      .selectFrom("account")
      .leftJoin("access_grant", "account_id", "account.id")
      .leftJoin("organization", "organization.id", "organization_id")
      .select(["username", "role", "password", "demonstration", "slug"])
      .orderBy("username")
      .orderBy("slug")
      .execute()
    t.same(accounts.map(({ username, role, slug }) => `${username} ${role} ${slug}`), [
      "acme-export service acme",
      "borealis-export service borealis",
      "operator operator null",
      "outsider partner null",
      "partner-a partner acme",
      "partner-a partner borealis",
      "partner-b partner acme",
      "partner-b partner borealis",
    ])
    t.ok(accounts.every((account) => account.demonstration === 1))
    t.ok(accounts.every((account) => account.password === "hash of demo"))
  })

  await t.test("demonstration.fill writes one event of several pages, which its guide names", async (t) => {
    const events = await db.selectFrom("event").selectAll().execute()
    const event = events.find(({ name }) => name === "Acme Autumn Gala")
    for (const table of records) {
      t.ok((await rowsOf(db, table, event?.id)).length >= 8, `${table} of the big event`)
    }
    t.equal((await rowsOf(db, "guest", event?.id)).length, 2600)
    t.equal((await rowsOf(db, "ticket", event?.id)).length, 1300)
    t.match(demonstration.guide("http://127.0.0.1:8080/", false), `/acme/v1/events/${event?.id}/`)
  })

  await t.test("demonstration.fill leaves no dangling key, and foreign keys checked", async (t) => {
    for (const table of ["consent", "address"] as const) {
      const strays = await db
        .selectFrom(table)
        .leftJoin(
          "guest",
          (join) =>
            join.onRef("guest.id", "=", "guest_id").onRef(
              "guest.event_id",
              "=",
              `${table}.event_id`,
            ),
        )
        .where("guest.id", "is", null)
        .select("guest_id")
        .execute()
      t.same(strays, [])
    }
    const stray = { event_id: "none", guest_id: "none", asked: 0, status: "active", channels: "" }
    await t.rejects(db.insertInto("consent").values(stray).execute(), /foreign key/i)
  })

  await t.test("demonstration.fill writes the same rows every time", async (t) => {
    const other = await freshDatabase(t, engine)
    await fill(other)
    // Accounts and grants are created when the demonstration is.
    const unstamped = (text: string) => text.replaceAll(/"(created|updated)":\d+/g, "")
    for (const table of tables) {
      const both = [await contents(db, table), await contents(other.writer, table)] as const
      const [one, two] = table === "account" || table === "access_grant"
        ? both.map(unstamped)
        : both
      t.ok(one === two, table)
    }
  })

  await t.test("demonstration.fill writes nothing if it fails", async (t) => {
    const other = await freshDatabase(t, engine)
    // The accounts come last, and their passwords must not be null.
    await t.rejects(fill(other, null as never), /null/i)
    for (const table of tables) t.equal(await contents(other.writer, table), "", table)
  })
})

function fill(database: Database, hash?: string): Promise<void> {
  return withHistory(database, (db) =>
    demonstration.fill({
      db,
      dialect: database.dialect.name,
      hashPassword: (password) =>
        Promise.resolve(hash === undefined ? `hash of ${password}` : hash),
    }))
}

function rowsOf<T extends (typeof tables)[number]>(
  db: Kysely<Schema>,
  table: T,
  eventId?: string,
): Promise<Selectable<Schema[T]>[]> {
  const query = db
    .selectFrom(table as "guest")
    .selectAll()
    .$if(eventId !== undefined, (all) => all.where("event_id", "=", eventId!))
  return query.execute() as Promise<unknown> as Promise<Selectable<Schema[T]>[]>
}

/** Returns the rows of a table as text, in the same order on all databases. */
async function contents(db: Kysely<Schema>, table: (typeof tables)[number]): Promise<string> {
  const rows = await rowsOf(db, table)
  // Versions are random.
  return rows.map((row) => JSON.stringify({ ...row, export_version: 0 })).sort().join("\n")
}
