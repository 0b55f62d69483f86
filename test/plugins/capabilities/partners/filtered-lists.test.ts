import t, { type Test } from "tap"
import { listPartners } from "../../../../plugins/capabilities/partners/list-partners.ts"
import {
  findReaders,
  type ListHealth,
} from "../../../../plugins/capabilities/partners/list-health.ts"
import { past } from "../../../support/builder.ts"
import { type Engine, onEveryEngine } from "../../../support/database.ts"
import { chosen, FilterWorld, guestId, unfiltered } from "../../../support/filters/world.ts"

const anHour = 3600
const retention = 90 * 86_400

/** A partner that has read all guests, and all deletions, of an event by a family with a filter and by one without. */
class Stage {
  readonly world: FilterWorld
  readonly event: string

  static async open(t: Test, engine: Engine): Promise<Stage> {
    const world = await FilterWorld.open(t, engine, "email")
    const [event = ""] = world.events
    await world.guests(event, ["email", "Email, sms", "sms", null, "", "email"])
    const stage = new Stage(world, event)
    for (const family of [chosen, unfiltered]) await stage.read(family)
    return stage
  }

  private constructor(world: FilterWorld, event: string) {
    this.world = world
    this.event = event
  }

  get database() {
    return this.world.workshop.database
  }

  /** Reads all guests and all deletions, and lets that be ten minutes ago. Returns when. */
  async read(family: string): Promise<number> {
    for (const list of ["guests", "guests/deletions"]) {
      await this.world.get(`${family}/events/${this.event}/${list}?since=-1`)
    }
    await this.world.written()
    const { writer, dialect } = this.database
    const { now } = await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
    const at = now - 600
    await writer.updateTable("sync_state").where("prefix", "=", family).set({
      ...{ completed_next: at, sent_until: at, covered_until: at, first_started: at },
      ...{ late_from: at + 1, gap_from: null, gap_to: null, acknowledged: at },
    }).execute()
    return at
  }

  /** Changes a guest's consent, or deletes it; all of it a minute ago. */
  async consent(guest: number, channels: string): Promise<void> {
    await this.database.writer.updateTable("consent").set({ channels })
      .where("event_id", "=", this.event).where("guest_id", "=", guestId(guest)).execute()
  }

  async remove(guest: number): Promise<void> {
    await this.database.writer.deleteFrom("guest").where("event_id", "=", this.event)
      .where("id", "=", guestId(guest)).execute()
  }

  /** Returns what the service says of each list: its state, the deletions that wait, and when it changed last. */
  async lists(at = 0): Promise<Record<string, readonly [string, number, boolean]>> {
    const lists = await findReaders(this.database, this.event, this.#options(at))
    const of = ({ state, deletionsWaiting, newest }: ListHealth) =>
      [state, deletionsWaiting, newest !== null && newest > past] as const
    return Object.fromEntries(lists.map((list) => [`${list.prefix} ${list.kind}`, of(list)]))
  }

  /** Returns what it says of the partner. */
  async partner(at = 0) {
    const [health] = await listPartners(this.database, this.#options(at))
    return [health?.state, health?.behind, health?.deletionsWaiting]
  }

  #options(at: number) {
    return { retention, ...at > 0 && { at } }
  }
}

await onEveryEngine(t, async (t, engine) => {
  await t.test("a list with a filter is not behind with guests whom it never had", async (t) => {
    const stage = await Stage.open(t, engine)
    await stage.consent(3, "sms,post")
    await stage.remove(4)
    await stage.world.guests(stage.world.events[1] ?? "", ["email"])
    const found = await stage.lists()
    t.strictSame(found, {
      [`${chosen} guests`]: ["in sync", 0, false],
      [`${chosen} guest deletions`]: ["in sync", 0, false],
      [`${unfiltered} guests`]: ["behind", 0, true],
      [`${unfiltered} guest deletions`]: ["behind", 1, true],
    })
    t.strictSame(await stage.partner(), ["behind", 2, 1])
    await stage.read(unfiltered)
    await stage.database.writer.deleteFrom("sync_state").where("prefix", "=", unfiltered).execute()
    t.strictSame(await stage.partner(), ["in sync", 0, 0])
  })

  await t.test("a list with a filter is behind with withdrawals, and counts each guest that it lost", async (t) => {
    const stage = await Stage.open(t, engine)
    await stage.consent(1, "sms")
    await stage.consent(2, "sms")
    await stage.remove(2)
    t.strictSame(await stage.lists(), {
      [`${chosen} guests`]: ["in sync", 0, false],
      [`${chosen} guest deletions`]: ["behind", 2, true],
      [`${unfiltered} guests`]: ["behind", 0, true],
      [`${unfiltered} guest deletions`]: ["behind", 1, true],
    })
    // The same deletion is one of both lists.
    t.strictSame(await stage.partner(), ["behind", 3, 3])
    await stage.consent(1, "email")
    t.match(await stage.lists(), {
      [`${chosen} guests`]: ["behind", 0, true],
      [`${chosen} guest deletions`]: ["behind", 2, true],
    })
  })

  await t.test("another filter is judged by what it has cost and brought", async (t) => {
    const stage = await Stage.open(t, engine)
    await stage.world.change("sms")
    await stage.world.settled()
    t.match(await stage.lists(), {
      [`${chosen} guests`]: ["behind", 0, true],
      [`${chosen} guest deletions`]: ["behind", 2, true],
      [`${unfiltered} guest deletions`]: ["in sync", 0, false],
    })
    await stage.world.change("all")
    await stage.world.settled()
    await stage.remove(4)
    t.match(await stage.lists(), {
      [`${chosen} guest deletions`]: ["behind", 3, true],
      [`${unfiltered} guest deletions`]: ["behind", 1, true],
    })
  })

  await t.test("what was forgotten of a list with a filter costs its deletions their time", async (t) => {
    const stage = await Stage.open(t, engine)
    const { writer } = stage.database
    const days = async () => {
      const lists = await findReaders(stage.database, stage.event, { retention })
      return lists.filter(({ kind }) => kind === "guest deletions")
        .map(({ prefix, daysUntilResync }) => [prefix, Math.round(daysUntilResync ?? NaN)])
    }
    const { now } = await writer.selectNoFrom(stage.database.dialect.now.as("now"))
      .executeTakeFirstOrThrow()
    const ago = (days: number) => now - days * 86_400
    await writer.updateTable("sync_state").set({ acknowledged: ago(80) }).execute()
    await stage.consent(1, "sms")
    await stage.remove(4)
    await writer.updateTable("departure").set({ at: ago(60) }).execute()
    await writer.updateTable("deletion").set({ at: ago(70) }).execute()
    t.strictSame(await days(), [[chosen, 30], [unfiltered, 20]])
    await writer.insertInto("event_version").values({
      ...{ event_id: stage.event, seq: 0, changes: 0, mark: 0, forgotten_departures: ago(75) },
    }).execute()
    t.strictSame(await days(), [[chosen, 10], [unfiltered, 20]])
    t.match(await listPartners(stage.database, { retention }), [{ daysUntilResync: Number }])
  })

  await t.test("a gap counts if a guest whom the list has changed in it", async (t) => {
    const stage = await Stage.open(t, engine)
    const { writer } = stage.database
    const { now } = await writer.selectNoFrom(stage.database.dialect.now.as("now"))
      .executeTakeFirstOrThrow()
    const skipped = { skipped_from: now - anHour, skipped_to: now + anHour }
    const gap = { gap_from: now - anHour, gap_to: now + anHour, in_doubt: 1 }
    await writer.updateTable("sync_state").where("prefix", "=", chosen)
      .set({ ...skipped, ...gap, completed_next: now + anHour, sent_until: now }).execute()
    await stage.consent(3, "sms,post")
    await stage.remove(4)
    const states = async () => {
      const found = await stage.lists()
      return [found[`${chosen} guests`]?.[0], found[`${chosen} guest deletions`]?.[0]]
    }
    t.strictSame(await states(), ["in sync", "in sync"])
    await stage.consent(3, "email")
    t.strictSame(await states(), ["behind", "in sync"])
    await stage.consent(1, "sms")
    t.strictSame(await states(), ["behind", "behind"])
  })
})
