import { sql } from "kysely"
import type { Random } from "../../../support/random.ts"
import {
  categoryNames,
  type Db,
  RecordPlatform,
  tableOf,
  told,
} from "../../../support/record-platform.ts"
import { isLocked } from "../../../../core/data/unavailable.ts"
import type { Simulation, Step } from "../simulation.ts"
import type { World } from "../world.ts"

/** The most records that a list has, but for bulks. */
const most = 40
/** Of a bulk, and of the list that has it. */
const largest = 300
const statuses = ["upcoming", "running", "closed", "cancelled"]

/** The platform that writes events and records. It knows nothing of who reads them. */
export default function simulate(world: World): Simulation {
  const platform = new Platform(world)
  const step = (
    name: string,
    weight: number,
    run: (db: Db, random: Random) => Promise<string>,
  ): Step => ({
    name: `platform ${name}`,
    weight,
    run: (random) => platform.write((db) => run(db, random)),
  })
  return {
    prepare: () => platform.prepare(),
    steps: [
      step("inserts", 5, (db, random) => platform.insert(db, random)),
      step("updates", 7, (db, random) => platform.update(db, random)),
      step("changes consents and addresses", 3, (db, random) => platform.touch(db, random)),
      step("deletes", 3, (db, random) => platform.delete(db, random)),
      step("inserts deleted records again", 2, (db, random) => platform.insertAgain(db, random)),
      step("replaces", 1.5, (db, random) => platform.replace(db, random)),
      step("moves a record", 1, (db, random) => platform.move(db, random)),
      step("takes a change back", 0.5, (db, random) => platform.takeBack(db, random)),
      step("sets times", 0.4, (db, random) => platform.setTimes(db, random)),
      step("writes in bulk", 0.3, (db, random) => platform.writeBulk(db, random)),
      step("empties a list", 0.3, (db, random) => platform.empty(db, random)),
      step("changes an event", 1, (db, random) => platform.changeEvent(db, random)),
      step("creates an event", 0.15, (db, random) => platform.createEvent(db, random)),
      step("deletes an event", 0.15, (db, random) => platform.deleteEvent(db, random)),
      step("adds an organization", 0.05, (db, random) => platform.addOrganization(db, random)),
      step("commits late", 2, async (db, random) => {
        const done = [await platform.change(db, random)]
        await world.time.sleep(random.between(1000, 9000))
        done.push(await platform.change(db, random))
        await world.time.sleep(random.between(1000, 9000))
        if (random.below(4) === 0) throw new RolledBack(done.join(", "))
        return done.join(", ")
      }),
    ],
  }
}

/** Ends a transaction without its changes. */
class RolledBack extends Error {
  override readonly name = "RolledBack"
}

class Platform extends RecordPlatform {
  readonly #world: World
  /** Events that it has created itself since the world began, which it may delete. */
  readonly #own: { readonly slug: string; readonly event: string }[] = []
  /** What is true once the transaction is committed: there is one at a time. */
  #whenCommitted: (() => void)[] = []

  constructor(world: World) {
    super({
      events: () => [...world.events.values()].flat(),
      ago: (seconds) => world.time.now - seconds,
      newId,
      most,
    })
    this.#world = world
  }

  /** Gives each event some records of each category, and one many guests. */
  async prepare(): Promise<void> {
    const { events, database } = this.#world
    await database.writer.transaction().execute(async (db) => {
      for (const [index, event] of [...events.values()].flat().entries()) {
        for (const [place, category] of categoryNames.entries()) {
          // Some lists are empty.
          const count = (index + place) % 5 === 4 ? 0 : 3 + (index * 7 + place) % 9
          for (let left = count; left > 0; left--) {
            await this.insertOne(db, { event, category }, crypto.randomUUID())
          }
        }
      }
      const [event = ""] = [...events.values()].flat()
      for (let left = 150; left > 0; left--) {
        await this.insertOne(db, { event, category: "guests" }, crypto.randomUUID())
      }
    })
  }

  /** Does something in a transaction. Returns what was done, or why it was not. */
  async write(work: (db: Db) => Promise<string>): Promise<string> {
    try {
      const done = await this.#world.database.writer.transaction().execute(work)
      for (const tell of this.#whenCommitted.splice(0)) tell()
      return done
    } catch (error) {
      if (error instanceof RolledBack) return `rolls back: ${error.message}`
      if (isLocked(error)) return "waits in vain: the database is locked"
      throw error
    }
  }

  async move(db: Db, random: Random): Promise<string> {
    const place = this.place(random)
    const other = { ...place, event: this.#event(random) }
    const there = await this.ids(db, other)
    const free = (await this.ids(db, place)).filter((id) => !there.includes(id))
    if (free.length === 0) return "nothing to move"
    const id = random.pick(free)
    await this.deleteAll(db, place, [id])
    await this.insertOne(db, other, id)
    return told("moves", place, 1)
  }

  async takeBack(db: Db, random: Random): Promise<string> {
    const before = this.deleted.length
    const first = await this.update(db, random)
    await sql`savepoint before_change`.execute(db)
    const taken = await this.change(db, random)
    await sql`rollback to savepoint before_change`.execute(db)
    this.deleted.length = before
    return `${first}, takes back: ${taken}`
  }

  /** Moves `updated` into the future, or tries to set it to the past. */
  async setTimes(db: Db, random: Random): Promise<string> {
    const place = this.place(random)
    const ids = await this.ids(db, place)
    if (ids.length === 0) return "no records"
    const id = random.pick(ids)
    const seconds = random.between(1, 1200)
    await db.updateTable(tableOf(place)).set({ updated: sql<number>`unixepoch() + ${seconds}` })
      .where("event_id", "=", place.event).where("id", "=", id).execute()
    return `${told("sets", place, 1)} ${seconds} s ahead`
  }

  async writeBulk(db: Db, random: Random): Promise<string> {
    const place = this.place(random)
    const ids = await this.ids(db, place)
    const count = random.between(50, largest)
    if (ids.length + count > largest) {
      await this.updateAll(db, place, ids)
      return told("updates all", place, ids.length)
    }
    for (let index = 0; index < count; index++) {
      await this.insertOne(db, place, newId(random))
    }
    return told("inserts", place, count)
  }

  async empty(db: Db, random: Random): Promise<string> {
    const place = this.place(random)
    const ids = await this.ids(db, place)
    await db.deleteFrom(tableOf(place)).where("event_id", "=", place.event).execute()
    this.remember(place, ids.slice(0, 5))
    return told("empties", place, ids.length)
  }

  async changeEvent(db: Db, random: Random): Promise<string> {
    const event = this.#event(random)
    const status = random.pick(statuses)
    const name = `Gala ${++this.version}`
    await db.updateTable("event").set(random.below(2) ? { status } : { name })
      .where("id", "=", event).execute()
    return event.slice(0, 4)
  }

  /** Creates an event with its history, before anybody can read it. */
  async createEvent(db: Db, random: Random): Promise<string> {
    if (this.#own.length >= 3) return "there are enough"
    const slug = random.pick([...this.#world.organizations.keys()])
    const organization = this.#world.organizations.get(slug) ?? ""
    const { now } = this.#world.time
    const event = newId(random)
    await this.builder(db).event(organization, {
      id: event,
      name: `Gala ${++this.version}`,
      created: now,
      updated: now,
      starts: now,
      ends: now + random.between(3600, 86_400),
    })
    const category = random.pick(categoryNames)
    const count = random.below(20)
    for (let index = 0; index < count; index++) {
      await this.insertOne(db, { event, category }, newId(random), random.below(1e6))
    }
    const { events } = this.#world
    this.#whenCommitted.push(() => {
      this.#own.push({ slug, event })
      events.set(slug, [...events.get(slug) ?? [], event])
    })
    return `${event.slice(0, 4)} of ${slug} with ${count} ${category}`
  }

  async deleteEvent(db: Db, random: Random): Promise<string> {
    if (this.#own.length === 0) return "there is none"
    const chosen = random.pick(this.#own)
    const { slug, event } = chosen
    this.#own.splice(this.#own.indexOf(chosen), 1)
    const { events } = this.#world
    events.set(slug, (events.get(slug) ?? []).filter((id) => id !== event))
    for (const category of categoryNames) {
      await db.deleteFrom(tableOf({ category })).where("event_id", "=", event).execute()
    }
    await db.deleteFrom("access_grant").where("event_id", "=", event).execute()
    await db.deleteFrom("event").where("id", "=", event).execute()
    return event.slice(0, 4)
  }

  /** Adds an organization that no configuration names, and an event that nobody may read. */
  async addOrganization(db: Db, random: Random): Promise<string> {
    const slug = `other-${++this.version}`
    const build = this.builder(db)
    const event = await build.event(await build.organization(slug), { id: newId(random) })
    await this.insertOne(db, { event, category: random.pick(categoryNames) }, newId(random))
    return slug
  }

  #event(random: Random): string {
    return random.pick([...this.#world.events.values()].flat())
  }
}

/** Returns an id that only the step's own numbers decide on. */
function newId(random: Random): string {
  const digits = (count: number) => random.below(16 ** count).toString(16).padStart(count, "0")
  return `${digits(7)}0-${digits(4)}-4${digits(3)}-a${digits(3)}-${digits(6)}${digits(6)}`
}
