import { type ControlledTransaction, type Kysely, sql } from "kysely"
import { categories, type Category } from "../../../core/records/kinds/categories.ts"
import type { Database } from "../../../core/data/database.ts"
import type { Schema } from "../../../core/data/schema.ts"
import { Builder } from "../builder.ts"
import { nextId } from "../same-ids.ts"
import type { ClockedDatabase, ClockedWriter } from "./clocked.ts"

/**
 * The operations of a writer on a record. Only guests have consent and addresses. `insert again` makes a
 * deleted record as it was, but for its times, and `replace` deletes a record and makes it with other values.
 * `withdraw` ends the consent of a guest to e-mails; if there is none, the guest gives it.
 * `update all` is one statement. `take back` updates a record, then deletes it and goes back to a savepoint.
 */
export const operations = [
  "insert",
  "update",
  "update all",
  "consent",
  "withdraw",
  "address",
  "delete",
  "insert again",
  "replace",
  "take back",
] as const
export type Operation = (typeof operations)[number]

/** One change; `target` picks the record. */
export interface Change {
  readonly operation: Operation
  readonly target: number
  /** True if the transaction stays open. */
  readonly late: boolean
}

/** A record of the event. */
export interface RecordRef {
  readonly id: string
  readonly category: Category
}

/** A transaction that has done one operation. */
interface OpenTransaction {
  readonly trx: ControlledTransaction<Schema>
  /** When it began. */
  readonly since: number
  readonly touched: readonly RecordRef[]
  /** The records that there were before. */
  readonly before: Records
}

/** The records of an event, and those that were deleted. */
interface Records {
  readonly present: readonly RecordRef[]
  readonly deleted: readonly RecordRef[]
}

/** The platform that writes an event's records. One of its transactions may stay open for a while. */
export class Writer {
  readonly #world: ClockedDatabase
  readonly #present: ClockedWriter
  readonly #slow: ClockedWriter
  readonly #names: readonly string[]
  #event = ""
  #categories: readonly Category[] = []
  #records: RecordRef[] = []
  #deleted: RecordRef[] = []
  #open: OpenTransaction | undefined
  #count = 0
  #guestsConsent = false

  /** Guests and items have the names in turn, if there are some. */
  constructor(world: ClockedDatabase, names: readonly string[] = []) {
    this.#world = world
    this.#names = names
    this.#present = world.connect()
    this.#slow = world.connect()
  }

  /** Starts again with an event, which has these records. If guests consent, each that is inserted does. */
  begin(
    event: string,
    categories: readonly Category[],
    { records = [], guestsConsent = false }: {
      readonly records?: readonly RecordRef[]
      readonly guestsConsent?: boolean
    } = {},
  ): void {
    this.#guestsConsent = guestsConsent
    this.#event = event
    this.#categories = categories
    this.#records = [...records]
    this.#deleted = []
  }

  async change({ operation, target, late }: Change): Promise<void> {
    if (late && !this.#open) {
      await this.#slow.stamp(this.#slow.db)
      const trx = await this.#slow.db.startTransaction().execute()
      const open = { trx, since: this.#world.clock.now, before: this.#state() }
      // Its own operation touches nothing that another transaction holds.
      this.#open = { ...open, touched: [] }
      this.#open = { ...open, touched: await this.#apply(trx, operation, target) }
      if (this.#open.touched.length === 0) await this.commit()
      return
    }
    // The embedded database has one writer at a time.
    if (this.#world.engine === "sqlite") await this.commit()
    await this.#present.stamp(this.#present.db)
    const work = (db: Kysely<Schema>) => this.#apply(db, operation, target)
    // Only there are savepoints.
    if (operation === "take back") await this.#present.db.transaction().execute(work)
    else await work(this.#present.db)
  }

  /** Commits the open transaction, if there is one. */
  async commit(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    await open?.trx.commit().execute()
  }

  /** Rolls the open transaction back, if there is one. */
  async rollBack(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    await open?.trx.rollback().execute()
    for (const record of open?.touched ?? []) {
      const { id } = record
      const isOther = (other: RecordRef) => other.id !== id
      this.#records = this.#records.filter(isOther)
      this.#deleted = this.#deleted.filter(isOther)
      if (open?.before.present.includes(record)) this.#records.push(record)
      if (open?.before.deleted.includes(record)) this.#deleted.push(record)
    }
  }

  /** Lets time pass. */
  wait(seconds: number): void {
    this.#world.clock.now += seconds
  }

  #state(): Records {
    return { present: [...this.#records], deleted: [...this.#deleted] }
  }

  /** Applies an operation and returns the records; none if there was none to change. */
  async #apply(
    db: Kysely<Schema>,
    operation: Operation,
    target: number,
  ): Promise<readonly RecordRef[]> {
    if (operation === "insert") {
      const category = this.#categories[target % this.#categories.length] as Category
      const record = { id: nextId(this.#event, "guests"), category }
      await this.#insert(db, record)
      return [record]
    }
    if (operation === "insert again") {
      const again = pick(this.#free(this.#deleted), target)
      if (!again) return []
      this.#deleted.splice(this.#deleted.indexOf(again), 1)
      await this.#insert(db, again)
      return [again]
    }
    const free = this.#free(this.#records)
    if (operation === "update all") {
      await this.#update(db, free)
      return free
    }
    const record = pick(free, target)
    if (!record) return []
    if (operation === "delete") {
      await this.#delete(db, record)
      this.#deleted.push(record)
    } else if (operation === "replace") {
      await this.#delete(db, record)
      await this.#insert(db, record, { external_id: String(++this.#count) })
    } else if (operation === "take back") {
      await this.#update(db, [record])
      await sql`savepoint before_deletion`.execute(db)
      await this.#delete(db, record)
      await sql`rollback to savepoint before_deletion`.execute(db)
      this.#records.push(record)
    } else if (operation === "update" || record.category !== "guests") {
      await this.#update(db, [record])
    } else if (operation === "withdraw") {
      await this.#withdraw(db, { event_id: this.#event, guest_id: record.id })
    } else {
      await this.#touch(db, operation, record.id)
    }
    return [record]
  }

  async #insert(db: Kysely<Schema>, record: RecordRef, values: object = {}): Promise<void> {
    const build = new Builder({ writer: db } as unknown as Database)
    const { id, category } = record
    const { now } = this.#world.clock
    const row = { id, created: now, updated: now, ...this.#name(category), ...values }
    if (category === "guests") {
      await build.guest(this.#event, row)
      if (this.#guestsConsent) await build.consent(this.#event, id)
    } else await build.item(category, this.#event, row)
    this.#records.push(record)
  }

  /** Updates records with one statement per table. */
  async #update(db: Kysely<Schema>, records: readonly RecordRef[]): Promise<void> {
    const external_id = String(++this.#count)
    for (const [category, some] of Map.groupBy(records, ({ category }) => category)) {
      await db.updateTable(tableOf(category)).set({ external_id, ...this.#name(category) })
        .where("event_id", "=", this.#event).where("id", "in", some.map(({ id }) => id)).execute()
    }
  }

  #name(category: Category): { first_name?: string } {
    const name = this.#names[this.#count % this.#names.length]
    if (name === undefined) return {}
    return category === "guests" ? { first_name: name } : { name } as object
  }

  async #delete(db: Kysely<Schema>, record: RecordRef): Promise<void> {
    await db.deleteFrom(tableOf(record.category)).where("event_id", "=", this.#event)
      .where("id", "=", record.id).execute()
    this.#records.splice(this.#records.indexOf(record), 1)
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

  async #withdraw(db: Kysely<Schema>, guest: Pick<Schema["consent"], "event_id" | "guest_id">) {
    const found = await db.selectFrom("consent").select(["status", "channels"])
      .where((eb) => eb.and(guest)).executeTakeFirst()
    const consented = { status: "active", channels: `sms, Email` }
    const isChosen = found?.status === "active" && found.channels.toLowerCase().includes("email")
    const withdrawn = [{ status: "inactive" }, { channels: "sms" }][this.#count++ % 2]
    if (!found) {
      await db.insertInto("consent").values({ ...guest, asked: 1, ...consented }).execute()
    } else {
      await db.updateTable("consent").set(isChosen ? withdrawn ?? {} : consented)
        .where((eb) => eb.and(guest)).execute()
    }
  }

  /** Returns the records that no open transaction has locked. */
  #free(records: readonly RecordRef[]): readonly RecordRef[] {
    const held = this.#open?.touched.map(({ id }) => id) ?? []
    return records.filter(({ id }) => !held.includes(id))
  }
}

function pick(records: readonly RecordRef[], target: number): RecordRef | undefined {
  return records[target % Math.max(1, records.length)]
}

// The tables share the columns that are used here.
function tableOf(category: Category): "guest" {
  return categories[category] as "guest"
}
