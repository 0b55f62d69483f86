import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { type Kysely, sql } from "kysely"
import type { Database } from "../../../core/data/database.ts"
import type { Schema } from "../../../core/data/schema.ts"
import { categories, type Category } from "../../../core/records/categories.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { Builder } from "../../support/builder.ts"
import type { Engine } from "../../support/database.ts"
import type { Random } from "../../support/random.ts"

/** What a writer writes to. */
export interface WriterTarget {
  readonly database: Database
  readonly engine: Engine
  readonly eventIds: readonly string[]
  readonly random: Random
}

/** The platform: changes records all the time, sometimes in transactions that commit late. */
export class PullWriter {
  /** Changes so far. */
  changes = 0
  readonly #target: WriterTarget
  #isEnding = false
  #running: readonly Promise<void>[] = []

  constructor(target: WriterTarget) {
    this.#target = target
  }

  /** `count` writers, each with a connection; one on the embedded database. */
  start(count: number): void {
    const writers = this.#target.engine === "mysql" ? count : 1
    this.#running = Array.from({ length: writers }, () => this.#run(this.#target.random.fork()))
  }

  async stop(): Promise<void> {
    this.#isEnding = true
    await Promise.all(this.#running)
  }

  async #run(random: Random): Promise<void> {
    const { database, engine } = this.#target
    while (!this.#isEnding) {
      try {
        if (engine === "mysql" && random.below(4) === 0) {
          await database.writer.transaction().execute(async (db) => {
            await this.#change(db, random)
            await sleep(random.between(100, 3000))
            await this.#change(db, random)
          })
        } else if (engine === "sqlite" && random.below(4) === 0) {
          // As a transaction that was open for a while: a third of the lag, so that a slow machine has the rest.
          await this.#insert(database.writer, random, 10)
        } else await this.#change(database.writer, random)
      } catch (error) {
        const { code } = error as { code?: string }
        if (code !== "ER_LOCK_DEADLOCK" && code !== "ER_LOCK_WAIT_TIMEOUT") throw error
      }
      await sleep(random.between(5, 60))
    }
  }

  async #change(db: Kysely<Schema>, random: Random): Promise<void> {
    const { eventIds } = this.#target
    const eventId = random.pick(eventIds)
    const category = categoryOf(random)
    // The tables share the columns that are used here.
    const table = categories[category] as "guest"
    const digit = random.below(16).toString(16)
    const rows = await db.selectFrom(table).select("id").where("event_id", "=", eventId)
      .where("id", "like", `${digit}%`).execute()
    const id = rows.length === 0 ? undefined : random.pick(rows).id
    const kind = random.below(8)
    this.changes++
    if (id === undefined || kind === 0) return await this.#insert(db, random, 0)
    const values = { external_id: randomUUID() }
    const one = db.updateTable(table).set(values).where("event_id", "=", eventId)
    if (kind === 1) await one.where("id", "like", `${digit}%`).execute()
    else if (kind === 2) {
      await db.deleteFrom(table).where("event_id", "=", eventId).where("id", "=", id).execute()
      if (random.below(3) === 0) {
        await insertRow(db, { eventId, category, id, updated: this.#now(0) })
      }
    } else await one.where("id", "=", id).execute()
  }

  async #insert(db: Kysely<Schema>, random: Random, secondsAgo: number): Promise<void> {
    const eventId = random.pick(this.#target.eventIds)
    const category = categoryOf(random)
    const updated = this.#now(secondsAgo)
    await insertRow(db, { eventId, category, id: randomUUID(), updated })
  }

  /** The database's clock. Kysely takes an expression wherever a value is inserted. */
  #now(secondsAgo: number): number {
    const clock = this.#target.engine === "mysql" ? sql`unix_timestamp()` : sql`unixepoch()`
    return sql`${clock} - ${sql.lit(secondsAgo)}` as unknown as number
  }
}

function categoryOf(random: Random): Category {
  return random.below(2) === 0 ? "guests" : random.pick(itemCategories)
}

async function insertRow(
  db: Kysely<Schema>,
  { eventId, category, id, updated }: {
    readonly eventId: string
    readonly category: Category
    readonly id: string
    readonly updated: number
  },
): Promise<void> {
  const build = new Builder({ writer: db } as unknown as Database)
  const values = { id, external_id: randomUUID(), updated }
  if (category === "guests") await build.guest(eventId, values)
  else await build.item(category, eventId, values)
}
