import t from "tap"
import demonstration from "../../../config/demo/demonstration.ts"
import { findCredentials } from "../../../core/access/accounts.ts"
import { verifyPassword } from "../../../core/access/passwords.ts"
import type { Database } from "../../../core/data/database.ts"
import { secret } from "../../support/app.ts"
import { withHistory } from "../../support/builder.ts"
import { freshDatabase, freshUrl, onEveryEngine, openFor } from "../../support/database.ts"
import { runCommand } from "../../support/run-command.ts"

const records = [
  "guest",
  "buy_now_item",
  "auction_item",
  "pledge",
  "raffle",
  "gli_raffle",
  "ticket",
] as const
/** Accounts and grants are created when the demonstration is. */
const timed = ["account", "access_grant"] as const
const tables = ["organization", "event", ...records, "consent", "address", ...timed] as const

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer: db } = database
  await fill(database)

  await t.test("demonstration.fill writes accounts with grants, and one event of several pages, which its guide names", async (t) => {
    const accounts = await db.selectFrom("account").leftJoin(
      "access_grant",
      "account_id",
      "account.id",
    )
      .leftJoin("organization", "organization.id", "organization_id")
      .select(["username", "role", "password", "demonstration", "slug"])
      .orderBy("username").orderBy("slug").execute()
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
    t.ok(
      accounts.every(({ demonstration, password }) => demonstration && password === "hash of demo"),
    )
    const events = await db.selectFrom("event").select(["id", "name", "status"]).execute()
    t.same(new Set(events.map(({ status }) => status)), new Set(["closed", "running", "upcoming"]))
    const event = events.find(({ name }) => name === "Acme Autumn Gala")
    const counts = await Promise.all(
      records.map(async (table) =>
        (await rowsOf(database, table)).filter(({ event_id }) => event_id === event?.id).length
      ),
    )
    t.ok(counts.every((count) => count >= 8), counts.join())
    t.match({ guests: counts[0], tickets: counts.at(-1) }, { guests: 2600, tickets: 1300 })
    t.match(demonstration.guide("http://127.0.0.1:8080/", false), `/acme/v1/events/${event?.id}/`)
  })

  await t.test("demonstration.fill leaves no dangling key, and foreign keys checked", async (t) => {
    const guests = new Set(
      (await rowsOf(database, "guest")).map(({ event_id, id }) => event_id + id),
    )
    for (const table of ["consent", "address"] as const) {
      const rows = await db.selectFrom(table).select(["event_id", "guest_id"]).execute()
      t.same(rows.filter(({ event_id, guest_id }) => !guests.has(event_id + guest_id)), [])
    }
    const stray = { event_id: "none", guest_id: "none", asked: 0, status: "active", channels: "" }
    await t.rejects(db.insertInto("consent").values(stray).execute(), /foreign key/i)
  })

  await t.test("demonstration.fill writes the same rows every time, and nothing if it fails", async (t) => {
    const other = await freshDatabase(t, engine)
    // The accounts come last, and their passwords must not be null.
    await t.rejects(fill(other, null as never), /null/i)
    for (const table of tables) t.equal((await contents(other, table)).length, 0, table)
    await fill(other)
    for (const table of tables) {
      t.ok(await contents(database, table) === await contents(other, table), table)
    }
  })
})

t.test("demo --fill fills an empty database with accounts that can log in", async (t) => {
  const url = await freshUrl(t, "sqlite")
  const env = { DATABASE_URL: url, SESSION_SECRET: secret }
  await runCommand("migrate", { env })
  t.match(await runCommand("demo elsewhere --fill", { env }), {
    code: 1,
    err: /leave out the folder\. Nothing was changed/,
  })
  t.match(await runCommand("demo --fill", { env }), { code: 0, out: /loopback only/ })
  const account = await findCredentials(await openFor(t, url), "partner-b")
  t.equal(await verifyPassword("demo", account?.password ?? ""), true)
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

function rowsOf({ writer }: Database, table: (typeof tables)[number]) {
  return writer.selectFrom(table as "guest").selectAll().execute()
}

/** Returns the rows of a table as text, in the same order on all databases, without versions, which are random. */
async function contents(database: Database, table: (typeof tables)[number]): Promise<string> {
  const unstamped = timed.some((name) => name === table) ? { created: 0, updated: 0 } : {}
  const rows = await rowsOf(database, table)
  return rows.map((row) => JSON.stringify({ ...row, ...unstamped, export_version: 0 })).sort().join(
    "\n",
  )
}
