import { rmSync } from "node:fs"
import { join } from "node:path"
import { sql, type Transaction } from "kysely"
import { recordTables } from "../../../core/data/record-tables.ts"
import { requireResync } from "../../../plugins/capabilities/resync/require-resync.ts"
import type { Schema } from "../../../core/data/schema.ts"
import type { World } from "./world.ts"

/** The service's log of changes, but for what the tables themselves are. */
const changeLog = [
  "event_change",
  "event_version",
  "deletion",
  "vacant_position",
  "change_state",
  "clock_step",
]

/**
 * Backups of the platform's records and the log of changes. What the service keeps otherwise, such as accounts, grants
 * and the ledger, stays as it is: after a restore operators repeat what they have done since the backup.
 */
export class Backups {
  readonly #world: World
  readonly #file: string
  #asked: "backup" | "restore" | undefined
  #events: ReadonlyMap<string, readonly string[]> | undefined

  constructor(world: World) {
    this.#world = world
    this.#file = join(world.folder, "backup.db")
  }

  /** Asks for what `work` does once nothing else writes. Returns what the story says. */
  ask(what: "backup" | "restore"): string {
    if (what === "restore" && !this.#events) return "there is none"
    this.#asked = what
    return "when nobody writes"
  }

  /** Does what was asked for. Nothing but services may run. */
  async work(): Promise<void> {
    const asked = this.#asked
    this.#asked = undefined
    if (asked === "backup") await this.#backUp()
    if (asked === "restore") await this.#restore()
  }

  async #backUp(): Promise<void> {
    const { database, events } = this.#world
    rmSync(this.#file, { force: true })
    await sql`vacuum into ${this.#file}`.execute(database.writer)
    this.#events = new Map(events)
  }

  /** Restores the backup as the handbook says: services are stopped, and `resync` follows. */
  async #restore(): Promise<void> {
    const { services, database: { writer, dialect }, configuration, time, story } = this.#world
    const running = services.filter(({ isUp }) => isUp)
    for (const service of running) await service.stop()
    // Nobody has a time that is later than the clock.
    const { most } = time.wallBetween(0, time.steady)
    await time.sleep(Math.max(0, most - time.wall) + 1000)
    await sql`attach ${this.#file} as backup`.execute(writer)
    try {
      await sql`pragma foreign_keys = off`.execute(writer)
      await writer.transaction().execute((db) => copyAll(db))
    } finally {
      await sql`pragma foreign_keys = on`.execute(writer)
      await sql`detach backup`.execute(writer)
    }
    this.#world.restores++
    const lag = Number(configuration.get("polling.lag"))
    await writer.transaction().execute((db) => requireResync({ db, dialect }, lag))
    for (const [slug, events] of this.#events ?? []) this.#world.events.set(slug, events)
    story.tell("the backup is restored")
    for (const service of running) await service.start()
  }
}

/** Gives all tables the rows of the backup, without their triggers. */
async function copyAll(db: Transaction<Schema>): Promise<void> {
  const { rows: triggers } = await sql<{ name: string; sql: string }>`
    select name, sql from main.sqlite_master where type = 'trigger' order by name`.execute(db)
  for (const { name } of triggers) await sql`drop trigger ${sql.table(name)}`.execute(db)
  for (const table of [...Object.keys(recordTables), ...changeLog]) {
    await sql`delete from ${sql.table(`main.${table}`)}`.execute(db)
    await sql`insert into ${sql.table(`main.${table}`)} select * from ${
      sql.table(`backup.${table}`)
    }`.execute(db)
  }
  for (const definition of triggers) await sql.raw(definition.sql).execute(db)
  await sql`delete from access_grant where
    event_id is not null and event_id not in (select id from event)
    or organization_id is not null and organization_id not in (select id from organization)`
    .execute(db)
}
