import { join } from "node:path"
import t, { type Test } from "tap"
import demonstration from "../../../config/demo/demonstration.ts"
import { findCredentials } from "../../support/find-credentials.ts"
import { verifyPassword } from "../../../core/access/passwords.ts"
import type { Database } from "../../../core/data/database.ts"
import { secret } from "../../support/app.ts"
import { configFolder } from "../../support/config-folder.ts"
import {
  type Engine,
  freshDatabase,
  freshUrl,
  onEveryEngine,
  openFor,
} from "../../support/database.ts"
import { demoPlatform } from "../../support/demo-platform.ts"
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
const others = ["organization", "event", "consent", "address", "account", "access_grant"] as const
const tables = [...records, ...others] as const

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer: db } = database
  t.equal(await demonstration.hasArrived(db), false)
  await fill(t, engine, database)
  t.equal(await demonstration.hasArrived(db), true)

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

  await t.test("demonstration.fill writes the same records every time, and nothing if it fails", async (t) => {
    const other = await freshDatabase(t, engine)
    // The passwords must not be null.
    await t.rejects(fill(t, engine, other, null as never), /null/i)
    for (const table of tables) t.equal((await contents(other, table)).length, 0, table)
    await fill(t, engine, other)
    for (const table of tables) {
      t.ok(await contents(database, table) === await contents(other, table), table)
    }
  })
})

t.test("demo --fill fills an empty database with accounts that can log in", async (t) => {
  const url = await freshUrl(t, "sqlite")
  const DEMO_MAPPING = join(configFolder(t).folder, "platform.yaml")
  const env = { DATABASE_URL: url, SESSION_SECRET: secret, DEMO_MAPPING }
  await runCommand("migrate", { env })
  t.match(await runCommand("demo elsewhere --fill", { env }), {
    code: 1,
    err: /leave out the folder\. Nothing was changed/,
  })
  t.match(await runCommand("demo --fill", { env: { ...env, DEMO_MAPPING: "" } }), {
    code: 1,
    err: /set connect\.mapping .* Nothing was/,
  })
  t.match(await runCommand("demo --fill", { env }), { code: 0, out: /loopback only/ })
  t.match(await runCommand("connect run", { env }), { code: 0 })
  t.equal(await demonstration.hasArrived((await openFor(t, url)).writer), true)
  const account = await findCredentials(await openFor(t, url), "partner-b")
  t.equal(await verifyPassword("demo", account?.password ?? ""), true)
})

/** Fills a database with the demonstration, and takes its records over. */
async function fill(t: Test, engine: Engine, database: Database, hash?: string): Promise<void> {
  const { takeOver } = await demoPlatform(t, engine, database, hash)
  await takeOver()
}

function rowsOf({ writer }: Database, table: (typeof tables)[number]) {
  return writer.selectFrom(table as "guest").selectAll().execute()
}

/** Returns the rows of a table as text, in the same order on all databases, without what differs per run. */
async function contents(database: Database, table: (typeof tables)[number]): Promise<string> {
  const rows = await rowsOf(database, table)
  const unstamped = others.some((name) => name === table) ? { created: 0 } : {}
  return rows.map((row) => JSON.stringify({ ...row, ...unstamped, updated: 0, export_version: 0 }))
    .sort().join("\n")
}
