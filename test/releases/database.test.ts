import { type Kysely, sql } from "kysely"
import t, { type Test } from "tap"
import type { Database } from "../../core/data/database.ts"
import { migrate } from "../../core/data/migrate.ts"
import { migrationState, recordedMigrations } from "../../core/data/migration-state.ts"
import { restoreTriggers } from "../../core/data/triggers.ts"
import { startInstance } from "../conformance/instance.ts"
import { categories } from "../../core/records/kinds/categories.ts"
import { generous, testConfig } from "../support/app.ts"
import { type Engine, freshDatabase, freshUrl, onEmbedded, openFor } from "../support/database.ts"
import { expand, migrateLater } from "../support/later-version.ts"
import { scannedLog } from "../support/scanned-log.ts"
import { logInto } from "../support/service.ts"
import { loadDump } from "./dump.ts"
import { recorded } from "./last-release.ts"
import { contractions, definitionsOf, structureOf } from "./schema-differences.ts"

/** Columns of `expand`. */
const added = ["extra", "pronouns", "locale"]

/** What the last release had stopped to use, so that it may go: sentences of `contractions`. */
const unused: readonly string[] = []

const applied: readonly string[] = JSON.parse(recorded("migrations.json"))

await onEmbedded(t, async (t, engine) => {
  await t.test("a database of the last release is migrated, and keeps what it noted", async (t) => {
    const { database } = await lastDatabase(t, engine)
    t.strictSame((await recordedMigrations(database.writer)).toSorted(), applied.toSorted())
    const before = await migrationState(database)
    t.strictSame(await migrate(database), before.pending)
    const { recorded, pending, later } = await migrationState(database)
    t.strictSame(recorded, [...applied, ...before.pending].sort(), "processes of the last release find all they know")
    t.strictSame({ pending, later }, { pending: [], later: [] })
  })

  await t.test("a database of a version before the last release is refused", async (t) => {
    const { database } = await lastDatabase(t, engine)
    await sql`delete from kysely_migration where name = '0022-far-times'`.execute(database.migrator)
    const before = await structureOf(database)
    await t.rejects(migrate(database), {
      name: "UserError",
      message: "The database is of a version of event-export before 1.3. Nothing was changed. " +
        "Run \"event-export migrate\" of version 1.3 first, and then of this one.",
    })
    t.strictSame(await structureOf(database), before)
  })

  await t.test("a database of the last release keeps its records, and what partners have read, whatever migrates it", {
    skip: engine === "mysql" && "what alters a table makes it anew there, and so the tags of its pages",
  }, async (t) => {
    const { database, url } = await lastDatabase(t, engine)
    const before = await contentsOf(database)
    await migrate(database)
    const first = await readAll(t, url)
    await migrateLater(database, expand)
    // As the later version does then: it notes when the tables were made that it has altered.
    await restoreTriggers(database, { restored: new Set(), recorded: [] })
    const after = await readAll(t, url, first.tag)
    t.strictSame([first.status, after.status], [200, 304], "entity tags hold")
    t.strictSame(after.texts, first.texts)
    t.strictSame(await contentsOf(database), before)
  })

  await t.test("lists that partners have read in the last release are judged", async (t) => {
    const { database: { writer }, database } = await lastDatabase(t, engine)
    await migrate(database)
    const rows = await writer.selectFrom("sync_state").select(["last_poll", "silent_from"]).execute()
    t.ok(rows.length > 0)
    for (const { last_poll, silent_from } of rows) t.ok((silent_from ?? 0) > (last_poll ?? 0))
  })

  await t.test("processes of the last release find all that they need after the migrations", async (t) => {
    const { database } = await lastDatabase(t, engine)
    const before = await structureOf(database)
    await migrate(database)
    t.strictSame(contractions(before, await structureOf(database)), unused)
  })

  await t.test("a migrated database of the last release has all that a new one has", async (t) => {
    const { database } = await lastDatabase(t, engine)
    await migrate(database)
    const fresh = await freshDatabase(t, engine)
    const [found, expected] = [await structureOf(database), await structureOf(fresh)]
    // What nobody needs any more goes a version later: it stands between what was added.
    const ofTable = (name: string) => found.tables.find((table) => table.name === name)?.columns ?? []
    for (const { name, columns } of expected.tables) {
      const shared = columns.map((column) => ofTable(name).find((each) => each.name === column.name))
      t.strictSame(shared, columns, name)
    }
    const [before, definitions] = [await definitionsOf(database), await definitionsOf(fresh)]
    const missing = Object.entries(definitions).flatMap(([name, text]) => {
      const parts = partsOf(before[name] ?? "")
      return partsOf(text).filter((part) => !parts.includes(part)).map((part) => `${name}: ${part}`)
    })
    t.strictSame(missing, [])
  })

  await t.test("no migration since the last release copies a table", { skip: engine === "sqlite" }, async (t) => {
    const { url } = await lastDatabase(t, engine)
    const altering: string[] = []
    await migrate(await openFor(t, url, {
      onStatement: (text) => { if (/^alter table/.test(text)) altering.push(text) },
    }))
    const { database: { migrator } } = await lastDatabase(t, engine)
    for (const text of altering) await sql.raw(`${text}, algorithm = instant`).execute(migrator)
  })
})

/** Divides a definition into its columns, keys and checks. */
function partsOf(definition: string): readonly string[] {
  return definition.split(/, ?| \) /).map((part) => part.trim())
}

async function lastDatabase(t: Test, engine: Engine): Promise<{ database: Database; url: string }> {
  const url = await freshUrl(t, engine)
  const database = await openFor(t, url)
  await loadDump(database, recorded(`${engine}.sql`))
  return { database, url }
}

/** Returns the records with their versions, and the deletions. */
async function contentsOf({ writer }: Database): Promise<unknown> {
  const tables = [...Object.values(categories), "consent", "address", "deletion", "event", "account"]
  const db = writer as unknown as Kysely<Record<string, Record<string, unknown>>>
  return await Promise.all(tables.map(async (name) => {
    const { columns } = (await db.introspection.getTables()).find((table) => table.name === name) ??
      { columns: [] }
    const known = columns.map((column) => column.name).filter((column) => !added.includes(column))
    const rows = await db.selectFrom(name).select(known).execute()
    return [name, rows.map((row) => JSON.stringify(row)).sort()]
  }))
}

/** Reads all lists of the first event by a service on the database, and the guests once more with a tag. */
async function readAll(t: Test, url: string, tag = "") {
  const instance = await startInstance({ ...await testConfig(url), limits: generous }, {
    log: scannedLog(t, []),
  })
  t.teardown(() => instance.close())
  const get = await logInto(instance.fetch, "acme-export")
  const [event] = await (await get("/acme/v1/events")).json()
  const lists = ["guests", "items", "guests/deletions", "items/deletions", "guests/digest"]
  const texts = []
  for (const list of lists) {
    const since = list.endsWith("digest") ? "" : "?since=-1"
    texts.push(await (await get(`/acme/v1/events/${event.id}/${list}${since}`)).text())
  }
  const guests = `/acme/v1/events/${event.id}/guests?since=-1`
  const { status, headers } = await get(guests, { "if-none-match": tag })
  return { texts, status, tag: headers.get("etag") ?? "" }
}
