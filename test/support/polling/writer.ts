import { randomUUID } from "node:crypto"
import type { ControlledTransaction, Kysely } from "kysely"
import { categories, type Category } from "../../../core/records/categories.ts"
import type { Database } from "../../../core/data/database.ts"
import type { Schema } from "../../../core/data/schema.ts"
import { Builder } from "../builder.ts"
import type { ClockedDatabase, ClockedWriter } from "./clocked.ts"

/** The operations of a writer on a record. Only guests have consent and addresses. */
export const operations = [
  "insert",
  "update",
  "consent",
  "address",
  "delete",
  "insert again",
] as const
export type Operation = (typeof operations)[number]

/** One change; `target` picks the record. */
export interface Change {
  readonly operation: Operation
  readonly target: number
  /** True if the transaction stays open. */
  readonly late: boolean
}

interface RecordRef {
  readonly id: string
  readonly category: Category
}

/** The platform that writes an event's records. One of its transactions may stay open for a while. */
export class Writer {
  readonly #world: ClockedDatabase
  readonly #present: ClockedWriter
  readonly #slow: ClockedWriter
  readonly #lag: number
  #event = ""
  #categories: readonly Category[] = []
  #records: RecordRef[] = []
  #deleted: RecordRef[] = []
  #open: { trx: ControlledTransaction<Schema>; since: number; touched: RecordRef[] } | undefined
  #count = 0

  constructor(world: ClockedDatabase, lag: number) {
    this.#world = world
    this.#present = world.connect()
    this.#slow = world.connect()
    this.#lag = lag
  }

  /** Starts again with an event without records. */
  begin(event: string, categories: readonly Category[]): void {
    this.#event = event
    this.#categories = categories
    this.#records = []
    this.#deleted = []
  }

  async change({ operation, target, late }: Change): Promise<void> {
    if (late && !this.#open) {
      await this.#slow.stamp(this.#slow.db)
      const trx = await this.#slow.db.startTransaction().execute()
      this.#open = { trx, since: this.#world.clock.now, touched: [] }
      const touched = await this.#apply(trx, operation, target)
      if (touched) this.#open.touched.push(touched)
      else await this.commit()
      return
    }
    // The embedded database has one writer at a time.
    if (this.#world.engine === "sqlite") await this.commit()
    await this.#present.stamp(this.#present.db)
    await this.#apply(this.#present.db, operation, target)
  }

  /** Commits the open transaction, if there is one. */
  async commit(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    await open?.trx.commit().execute()
  }

  /** Lets time pass. On the embedded database, commits a transaction before it takes longer than the lag. */
  async wait(seconds: number): Promise<void> {
    const { clock, engine } = this.#world
    if (engine === "sqlite" && this.#open && clock.now + seconds - this.#open.since > this.#lag) {
      await this.commit()
    }
    clock.now += seconds
  }

  /** Applies an operation and returns the record; undefined if there was none to change. */
  async #apply(db: Kysely<Schema>, operation: Operation, target: number) {
    const build = new Builder({ writer: db } as unknown as Database)
    const { now } = this.#world.clock
    const insert = async ({ id, category }: RecordRef) => {
      const values = { id, created: now, updated: now }
      if (category === "guests") await build.guest(this.#event, values)
      else await build.item(category, this.#event, values)
      this.#records.push({ id, category })
    }
    if (operation === "insert") {
      const category = this.#categories[target % this.#categories.length] as Category
      const record = { id: randomUUID(), category }
      await insert(record)
      return record
    }
    if (operation === "insert again") {
      const again = this.#free(this.#deleted, target)
      if (!again) return undefined
      this.#deleted.splice(this.#deleted.indexOf(again), 1)
      await insert(again)
      return again
    }
    const record = this.#free(this.#records, target)
    if (!record) return undefined
    if (operation === "delete") {
      await db.deleteFrom(this.#table(record)).where("event_id", "=", this.#event)
        .where("id", "=", record.id).execute()
      this.#records.splice(this.#records.indexOf(record), 1)
      this.#deleted.push(record)
    } else if (operation === "update" || record.category !== "guests") {
      const external_id = String(++this.#count)
      await db.updateTable(this.#table(record)).set({ external_id })
        .where("event_id", "=", this.#event).where("id", "=", record.id).execute()
    } else {
      await this.#touch(db, operation, record.id)
    }
    return record
  }

  async #touch(db: Kysely<Schema>, operation: "consent" | "address", guest: string) {
    const build = new Builder({ writer: db } as unknown as Database)
    const change = ++this.#count
    const channels = `channel ${change}`
    const where = { event_id: this.#event, guest_id: guest }
    const table = operation === "consent" ? "consent" : "address"
    const found = await db.selectFrom(table).select("guest_id").where("event_id", "=", this.#event)
      .where("guest_id", "=", guest).execute()
    if (found.length > 0 && change % 3 === 0) {
      await db.deleteFrom(table).where("event_id", "=", where.event_id)
        .where("guest_id", "=", guest).execute()
    } else if (found.length > 0 && operation === "consent") {
      await db.updateTable("consent").set({ channels }).where("event_id", "=", where.event_id)
        .where("guest_id", "=", guest).execute()
    } else if (found.length > 0) {
      await db.updateTable("address").set({ town: channels }).where("event_id", "=", where.event_id)
        .where("guest_id", "=", guest).execute()
    } else if (operation === "consent") {
      await build.consent(where.event_id, guest, { channels })
    } else {
      await build.address(where.event_id, guest, { town: channels })
    }
  }

  /** Returns a record that no open transaction has locked. */
  #free(records: readonly RecordRef[], target: number): RecordRef | undefined {
    const held = this.#open?.touched.map(({ id }) => id) ?? []
    const free = records.filter(({ id }) => !held.includes(id))
    return free[target % Math.max(1, free.length)]
  }

  // The tables share the columns that are used here.
  #table({ category }: RecordRef): "guest" {
    return categories[category] as "guest"
  }
}
