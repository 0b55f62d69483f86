import type { Kysely } from "kysely"
import type { Database } from "../../core/data/database.ts"
import type { Schema } from "../../core/data/schema.ts"
import { categories, type Category } from "../../core/records/kinds/categories.ts"
import { Builder } from "./builder.ts"
import type { Random } from "./random.ts"

export type Db = Kysely<Schema>

/** A list of one category. */
export interface Place {
  readonly event: string
  readonly category: Category
}

interface PlatformOptions {
  /** Returns the events that it writes to. */
  readonly events: () => readonly string[]
  /** Returns a time so many seconds ago. Kysely takes an expression wherever a value is inserted. */
  readonly ago: (seconds: number) => number
  readonly newId: (random: Random) => string
  /** The most records that a list has. */
  readonly most: number
}

const kinds = ["main", "gift_aid", "tax_receipt"] as const
export const categoryNames = Object.keys(categories) as Category[]

/**
 * The platform that writes records. It reads which there are, so several may write at the same time. Each change returns
 * what was done, or why nothing was.
 */
export class RecordPlatform {
  /** Numbers values, so that no two versions of a record are equal. */
  protected version = 0
  /** Records that were deleted, newest last. */
  protected readonly deleted: (Place & { readonly id: string })[] = []
  readonly #options: PlatformOptions

  constructor(options: PlatformOptions) {
    this.#options = options
  }

  /** Does one of the usual changes. */
  async change(db: Db, random: Random): Promise<string> {
    const change = random.pick([this.insert, this.update, this.touch, this.delete, this.replace])
    return await change.call(this, db, random)
  }

  /** Inserts one record or some. Of a list that is too long, deletes half. */
  async insert(db: Db, random: Random): Promise<string> {
    const { most, newId } = this.#options
    const place = this.place(random)
    const ids = await this.ids(db, place)
    if (ids.length >= most) {
      const some = random.shuffle(ids).slice(0, ids.length - most / 2)
      await this.deleteAll(db, place, some)
      return told("deletes", place, some.length)
    }
    const count = random.below(3) === 0 ? random.between(2, 6) : 1
    // Another event, or another list, may have a record of the same id.
    const others = await this.ids(db, this.place(random))
    const borrowed = others.find((id) => !ids.includes(id))
    const isBorrowed = borrowed !== undefined && random.below(4) === 0
    for (let index = 0; index < count; index++) {
      const id = isBorrowed && index === 0 ? borrowed : newId(random)
      await this.insertOne(db, place, id)
    }
    return told("inserts", place, count)
  }

  async update(db: Db, random: Random): Promise<string> {
    const place = this.place(random)
    const some = this.some(await this.ids(db, place), random)
    await this.updateAll(db, place, some)
    return told("updates", place, some.length)
  }

  /** Inserts, changes or deletes the consent or an address of a guest. */
  async touch(db: Db, random: Random): Promise<string> {
    const event = random.pick(this.#options.events())
    const ids = await this.ids(db, { event, category: "guests" })
    if (ids.length === 0) return "no guests"
    const guest = random.pick(ids)
    const isConsent = random.below(2) === 0
    const kind = random.pick(kinds)
    const isRemoved = random.below(4) === 0
    const table = isConsent ? "consent" : "address" as "consent"
    const isOfKind = isConsent ? {} : { kind } as object
    const where = { event_id: event, guest_id: guest, ...isOfKind }
    const values = isConsent
      ? {
        asked: random.below(2),
        status: random.pick(["active", "inactive"]),
        channels: `${random.pick(["email", "sms", "Email , sms"])},${++this.version}`,
      }
      : { line2: `Flat ${++this.version}` }
    const found = await db.selectFrom(table).select("guest_id")
      .where((eb) => eb.and(where)).executeTakeFirst()
    if (!found && isConsent) await this.builder(db).consent(event, guest, values)
    else if (!found) await this.builder(db).address(event, guest, { kind, ...values })
    else if (isRemoved) await db.deleteFrom(table).where((eb) => eb.and(where)).execute()
    else await db.updateTable(table).set(values).where((eb) => eb.and(where)).execute()
    return isConsent ? "a consent" : "an address"
  }

  async delete(db: Db, random: Random): Promise<string> {
    const place = this.place(random)
    const some = this.some(await this.ids(db, place), random).slice(0, 5)
    await this.deleteAll(db, place, some)
    return told("deletes", place, some.length)
  }

  async insertAgain(db: Db, random: Random): Promise<string> {
    if (this.deleted.length === 0) return "none was deleted"
    const { id, ...place } = random.pick(this.deleted)
    const event = await db.selectFrom("event").select("id").where("id", "=", place.event)
      .executeTakeFirst()
    if (!event) return "its event is gone"
    if ((await this.ids(db, place)).includes(id)) return "it is there"
    await this.insertOne(db, place, id)
    return told("inserts again", place, 1)
  }

  async replace(db: Db, random: Random): Promise<string> {
    const place = this.place(random)
    const some = this.some(await this.ids(db, place), random).slice(0, 3)
    await this.deleteAll(db, place, some)
    for (const id of some) await this.insertOne(db, place, id)
    return told("replaces", place, some.length)
  }

  /** Returns a builder without a dialect: times are what the triggers make of them. */
  builder(db: Db): Builder {
    return new Builder({ writer: db } as unknown as Database)
  }

  /** Chooses a list: mostly of guests. */
  place(random: Random): Place {
    return {
      event: random.pick(this.#options.events()),
      category: random.below(3) > 0 ? "guests" : random.pick(categoryNames),
    }
  }

  async ids(db: Db, place: Place): Promise<readonly string[]> {
    const rows = await db.selectFrom(tableOf(place)).select("id")
      .where("event_id", "=", place.event).orderBy("id").execute()
    return rows.map(({ id }) => id)
  }

  /** One of the records, mostly; else several or all. */
  some(ids: readonly string[], random: Random): readonly string[] {
    const kind = random.below(10)
    const count = kind < 6 ? 1 : kind < 9 ? random.between(2, 8) : ids.length
    return random.shuffle(ids).slice(0, count)
  }

  /** Inserts a record with times so many seconds ago. */
  async insertOne(db: Db, { event, category }: Place, id: string, seconds = 0): Promise<void> {
    const at = this.#options.ago(seconds)
    const row = { id, created: at, updated: at, external_id: `crm-${++this.version}` }
    if (category === "guests") await this.builder(db).guest(event, row)
    else await this.builder(db).item(category, event, row)
  }

  async updateAll(db: Db, place: Place, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await db.updateTable(tableOf(place)).set({ external_id: `crm-${++this.version}` })
      .where("event_id", "=", place.event).where("id", "in", ids).execute()
  }

  async deleteAll(db: Db, place: Place, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await db.deleteFrom(tableOf(place)).where("event_id", "=", place.event)
      .where("id", "in", ids).execute()
    this.remember(place, ids)
  }

  /** Remembers what may be inserted again. */
  protected remember(place: Place, ids: readonly string[]): void {
    this.deleted.push(...ids.map((id) => ({ ...place, id })))
    this.deleted.splice(0, this.deleted.length - 100)
  }
}

/** Returns the table of a category: all share the columns that are used. */
export function tableOf({ category }: Pick<Place, "category">): "guest" {
  return categories[category] as "guest"
}

/** Says what was done. */
export function told(verb: string, { event, category }: Place, count: number): string {
  return `${verb} ${count} ${category} of ${event.slice(0, 4)}`
}
