import { sql } from "kysely"
import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import { requireResync } from "../../../plugins/capabilities/resync/require-resync.ts"
import { foldEvent } from "../../../core/change-log/versions.ts"
import { triggersOf } from "../../../core/data/triggers.ts"
import type { Category } from "../../../core/records/kinds/categories.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import type { Engine } from "../../support/database.ts"
import { openClocked } from "../../support/polling/clocked.ts"
import { linkOf } from "../../support/polling/link.ts"
import { lists, type WalkedList } from "../../support/polling/play.ts"
import { type Caches, startClocked } from "../../support/polling/service.ts"
import { type Operation, operations, type RecordRef, Writer } from "../../support/polling/writer.ts"
import { Random } from "../../support/random.ts"

/** Two events, and what instances may keep of them. */
export interface HostileStage {
  readonly caches: readonly Caches[]
  /** Guests of an event, and items per category, that are there from the beginning; by default few of some categories. */
  readonly records?: readonly [guests: number, items: number]
  /** What guests and items are called in turn. */
  readonly names?: readonly string[]
  /** What readers look for, in one of so many requests. */
  readonly terms: readonly string[]
  readonly searchesOneIn: number
}

const wrongId = "no UUID at all, but as long as one.."

/** Writers who do all that can be done to two events, and partners who read all their lists. */
export async function openHostilePlay(
  engine: Engine,
  url: string,
  { caches, records: [guests, items] = [0, 0], names = [], terms, searchesOneIn }: HostileStage,
) {
  const world = await openClocked(engine, url)
  const service = await startClocked(world, url, {
    caches,
    many: engine === "mysql" ? 20 : 1000,
    // It would tell of missing triggers and wrong ids.
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })
  const { app, instances, changes, cookies, build, organization } = service
  const { database, clock } = world
  const { dialect } = database
  const categories: readonly (readonly Category[])[] = [["guests"], itemCategories]
  const writers = [0, 1].map(() => categories.map(() => new Writer(world, names)))
  let unseen = 0
  const isLarge = guests > 0
  const trigger = engine === "mysql" ? "guest_update" : "guest_after_update"

  /** Plays as many steps. @throws if a page differs from one that is read without caches. */
  async function play(seed: number, steps: number): Promise<void> {
    const random = new Random(seed)
    await commit()
    clock.now += 1000
    const events = [await build.event(organization), await build.event(organization)]
    const links = new Map<string, string>()
    const tags = new Map<string, string>()
    for (const [index, event] of events.entries()) {
      for (const [list, writer] of (writers[index] ?? []).entries()) {
        const own = categories[list] ?? []
        writer.begin(event, own, { records: await many(event, own) })
        for (let target = random.between(5, 30); target > 0; target--) {
          if (random.below(3) === 0) writer.wait(1)
          await writer.change({ operation: "insert", target, late: false })
        }
      }
    }
    for (let step = 0; step < steps; step++) {
      const index = random.below(2)
      const event = events[index] as string
      // Of an event with too many changes that are not settled, no version is known.
      if (isLarge && step % 10 === 0) await settle(events)
      const what = random.below(isLarge ? 63 : 100)
      if (what < 40) await write(random, index)
      else if (what < 42 && !isLarge) await writeMuch(random, index)
      else if (what < 46) await random.pick([commit, rollBack])()
      else if (what < 53) await wait(random.pick([0, 1, 2, 31, 4000, 86_500]))
      else if (what < 54) clock.now -= random.pick([1, 3, 31, 600])
      else if (what < 60) await changes.look()
      else if (what < 63) await fold(event)
      else if (what < 64) await prune(random)
      else if (what < 66) await writeWithoutName(event)
      else if (what < 67) await writeUnseen(event)
      else if (what < 68) await resync()
      else if (what < 70) await writeWrongId(event)
      for (let pages = random.below(4); pages > 0; pages--) {
        await read(random, { event, links, tags, step })
      }
    }
  }

  /** Adds the records that are there from the beginning. */
  async function many(event: string, own: readonly Category[]): Promise<readonly RecordRef[]> {
    const refs: RecordRef[] = []
    for (const category of own) {
      const ids = category === "guests"
        ? await build.guests(event, guests)
        : await build.items(category, event, items)
      refs.push(...ids.map((id) => ({ id, category })))
    }
    return refs
  }

  async function commit(): Promise<void> {
    for (const writer of writers.flat()) await writer.commit()
  }

  async function rollBack(): Promise<void> {
    for (const writer of writers.flat()) await writer.rollBack()
  }

  async function wait(seconds: number): Promise<void> {
    if (engine === "sqlite") await commit()
    clock.now += seconds
  }

  async function write(random: Random, event: number): Promise<void> {
    const writer = random.pick(writers[event] ?? [])
    // The embedded database has one writer at a time, and on MySQL these would wait for one another.
    for (const other of writers.flat()) if (other !== writer) await other.commit()
    const some = operations.filter((operation) => !isLarge || operation !== "update all")
    const operation = random.pick<Operation>(some)
    const late = random.below(4) === 0
    await writer.change({ operation, target: random.below(100), late })
  }

  /** Changes more than an admission tells. */
  async function writeMuch(random: Random, event: number): Promise<void> {
    await commit()
    const writer = random.pick(writers[event] ?? [])
    for (let left = random.pick([3, 12]); left > 0; left--) {
      await writer.change({ operation: "update all", target: 0, late: false })
    }
  }

  async function fold(event: string): Promise<void> {
    if (engine === "sqlite") await commit()
    await foldEvent(database, event)
  }

  async function settle(events: readonly string[]): Promise<void> {
    await changes.look()
    for (const event of events) await fold(event)
  }

  async function prune(random: Random): Promise<void> {
    await commit()
    await changes.look()
    await pruneChangeLog(database, random.pick([0, 60, 86_400]))
  }

  /** Changes guests as a trigger of version 1.2 logs it. */
  async function writeWithoutName(event: string): Promise<void> {
    await commit()
    await database.writer.transaction().execute(async (db) => {
      await db.updateTable("guest").set({ external_id: "unnamed" }).where("event_id", "=", event)
        .where("first_name", "=", "Ada").execute()
      const { last } = await db.selectFrom("event_change").where("event_id", "=", event)
        .select(({ fn }) => fn.max("seq").as("last")).executeTakeFirstOrThrow()
      await db.updateTable("event_change").set({ category: null, record_id: null, deleted: 0 })
        .where("seq", "=", last).execute()
    })
  }

  async function lookAtTriggers(): Promise<void> {
    for (const each of [changes, ...instances.map(({ changes }) => changes)]) {
      await each.lookAtTriggers()
    }
  }

  /** Changes guests while a trigger is missing. */
  async function writeUnseen(event: string): Promise<void> {
    await commit()
    await sql`drop trigger ${sql.table(trigger)}`.execute(database.writer)
    await lookAtTriggers()
    await database.writer.updateTable("guest").set({ external_id: `unseen ${++unseen}` })
      .where("event_id", "=", event).execute()
    const { definition } = triggersOf(database).find(({ name }) => name === trigger) ?? {}
    await sql.raw(`create trigger ${trigger} ${definition}`).execute(database.writer)
    await lookAtTriggers()
  }

  async function resync(): Promise<void> {
    await commit()
    await database.migrator.transaction().execute((db) => requireResync({ db, dialect }))
    await changes.look()
  }

  async function writeWrongId(event: string): Promise<void> {
    await commit()
    const of = (db: typeof database.writer) =>
      db.deleteFrom("guest").where("event_id", "=", event).where("id", "=", wrongId)
    const { numDeletedRows } = await of(database.writer).executeTakeFirst()
    if (numDeletedRows === 0n) await build.guest(event, { id: wrongId })
  }

  async function read(
    random: Random,
    { event, links, tags, step }: {
      readonly event: string
      readonly links: Map<string, string>
      readonly tags: Map<string, string>
      readonly step: number
    },
  ): Promise<void> {
    const each = random.pick(lists)
    const { path, list, account }: WalkedList = each
    const name = `${path} ${list} ${event}`
    const since = random.pick([-1, -1, -1, clock.now - 2, clock.now - 40])
    const offset = random.pick([0, 0, random.below(10), random.below(80 + guests)])
    const limit = random.pick([1, 3, random.between(1, 40), 1000])
    const only = list === "items" && random.below(3) === 0
      ? `&category=${random.pick(itemCategories)}`
      : ""
    const search = random.below(searchesOneIn) === 0
      ? `&q=${encodeURIComponent(random.pick(terms))}`
      : ""
    const url = `http://localhost${path}/events/${event}/${list}` +
      `?since=${since}&offset=${offset}&limit=${limit}${only}${search}`
    const link = links.get(name)
    const asked = link !== undefined && random.below(2) === 0 ? `http://localhost${link}` : url
    const headers = new Headers({ cookie: cookies[account] ?? "" })
    const tag = tags.get(asked)
    if (tag !== undefined && random.below(2) === 0) headers.set("if-none-match", tag)
    const response = await app(new Request(asked, { headers })).catch((error) => {
      throw new Error(`step ${step}: ${asked}: ${error.message}`, { cause: error })
    })
    const next = linkOf(response)
    // A cursor lives for a day.
    if (response.status === 410 || next === undefined) links.delete(name)
    else links.set(name, next)
    const etag = response.headers.get("etag")
    if (etag) tags.set(asked, etag)
  }

  return {
    instances,
    play,
    async close() {
      await commit()
      await service.close()
      await world.close()
    },
  }
}
