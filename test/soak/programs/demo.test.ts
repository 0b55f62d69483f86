import type { Kysely, Selectable } from "kysely"
import t from "tap"
import demonstration from "../../../config/demo/demonstration.ts"
import type { Database } from "../../../core/data/database.ts"
import type { Schema } from "../../../core/data/schema.ts"
import { withHistory } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

/** The demonstration's latest time, the default of `since`, and the size of a page. */
const reference = Date.UTC(2026, 10, 1) / 1000
const defaultSince = 1606062358
const fullPage = 1000

const records = [
  "guest",
  "buy_now_item",
  "auction_item",
  "pledge",
  "raffle",
  "gli_raffle",
  "ticket",
] as const
/** The tables whose changes are logged. */
const logged = ["event", ...records] as const
const stamped = ["organization", "event", ...records] as const
const tables = [...stamped, "account", "consent", "address", "access_grant"] as const

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer: db } = database
  await fill(database)

  await t.test("demonstration.fill writes organizations, events, accounts and grants", async (t) => {
    const events = await db
      .selectFrom("event")
      .innerJoin("organization", "organization.id", "organization_id")
      .select(["slug", "status", "currency", "timezone"])
      .execute()
    t.same(count(events, "slug"), { acme: 2, borealis: 2 })
    t.same(Object.keys(count(events, "status")).sort(), ["closed", "running", "upcoming"])
    t.equal(Object.keys(count(events, "currency")).length, 4)
    t.equal(Object.keys(count(events, "timezone")).length, 4)

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

  await t.test("demonstration.fill writes one event of several pages, and one without items", async (t) => {
    const totals = []
    const events = await db.selectFrom("event").selectAll().orderBy("id").execute()
    for (const event of events) {
      const counted: Record<string, number> = {}
      for (const table of records) counted[table] = (await rowsOf(db, table, event.id)).length
      totals.push({ event, counted })
    }
    totals.sort((a, b) => b.counted["guest"]! - a.counted["guest"]!)
    const [big, ...others] = totals
    t.match(big, { event: { name: "Acme Autumn Gala" }, counted: { guest: 2600, ticket: 1300 } })
    t.ok(big!.counted["ticket"]! > fullPage)
    for (const table of records) t.ok(big!.counted[table]! >= 8, `${table} of the big event`)
    for (const { counted } of others) t.ok(counted["guest"]! >= 20 && counted["guest"]! <= 200)
    const itemless = others.filter(({ counted }) => records.slice(1).every((of) => !counted[of]))
    t.equal(itemless.length, 1)

    t.match(
      demonstration.guide("http://127.0.0.1:8080/", false),
      `/acme/v1/events/${big!.event.id}/`,
    )
  })

  await t.test("demonstration.fill keeps the stamps of records, none of them in the future", async (t) => {
    for (const table of stamped) {
      const rows = await db.selectFrom(table).select(["created", "updated"]).execute()
      t.ok(rows.every((row) => row.created <= row.updated), `${table}: created first`)
      t.ok(rows.every((row) => row.updated <= reference), `${table}: not in the future`)
    }
    // Whoever looks must not read that accounts have not polled for months.
    const accounts = await db.selectFrom("account").select("created").execute()
    t.ok(accounts.every(({ created }) => created > Date.now() / 1000 - 3600))
    const changes = await db.selectFrom("event_change").select("seq").execute()
    const inserted = await Promise.all(logged.map((table) => rowsOf(db, table)))
    t.equal(changes.length, inserted.flat().length, "no record changes after its insert")
    const guests = await db.selectFrom("guest").select(["event_id", "updated"]).execute()
    const old = guests.filter((guest) => guest.updated < defaultSince)
    t.equal(old.length, 6)
    t.equal(new Set(old.map((guest) => guest.event_id)).size, 1)
    const ties = Object.values(count(guests, "updated")).filter((same) => same >= 10)
    t.ok(ties.length >= 20, "many guests share a second")
  })

  await t.test("demonstration.fill writes valid, unique ids", async (t) => {
    const ids = []
    for (const table of [...stamped, "account", "access_grant"] as const) {
      for (const { id } of await db.selectFrom(table).select("id").execute()) ids.push(id)
    }
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    t.same(ids.filter((id) => !uuid.test(id)), [])
    t.equal(new Set(ids).size, ids.length)
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

t.test("demonstration.guide fits on a screen and can be pasted", (t) => {
  const guide = demonstration.guide("http://127.0.0.1:8080", false)
  const lines = guide.trimEnd().split("\n")
  t.ok(lines.length < 20)
  t.notMatch(guide, "8080//")
  t.match(guide, `-c cookies.txt`)
  t.match(
    guide,
    `-d '{"username":"acme-export","password":"demo"}' 'http://127.0.0.1:8080/session'`,
  )
  t.match(guide, `'http://127.0.0.1:8080/acme/v1/events'`)
  t.match(guide, /'http:\/\/127.0.0.1:8080\/acme\/v1\/events\/[0-9a-f-]{36}\/guests\?limit=2'/)
  t.match(
    guide,
    /'http:\/\/127.0.0.1:8080\/connector-b\/v1\/events\/[0-9a-f-]{36}\/items\?limit=2'/,
  )
  t.end()
})

t.test("demonstration.guide of a live demonstration says what goes on, and how to turn it off", (t) => {
  const guide = demonstration.guide("http://127.0.0.1:8080", true)
  t.ok(guide.trimEnd().split("\n").length < 30)
  t.match(guide, "http://127.0.0.1:8080/console")
  t.match(guide, /partner-a .*partner-b .*borealis-export .*DEMO_LIVE=false turns this off/s)
  t.match(guide, /'http:\S+\/changes\?limit=2'/)
  t.end()
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

function count<Row extends object>(rows: Row[], key: keyof Row): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const row of rows) counts[String(row[key])] = (counts[String(row[key])] ?? 0) + 1
  return counts
}
