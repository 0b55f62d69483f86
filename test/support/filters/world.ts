import { join, relative } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { Kysely } from "kysely"
import type { Test } from "tap"
import type { Schema } from "../../../core/data/schema.ts"
import type { Service } from "../../../core/kernel/service.ts"
import { readPlan } from "../../../core/routes/plan.ts"
import { guestDefaults, past } from "../builder.ts"
import { countEffects } from "../../../plugins/capabilities/filters/change-filters.ts"
import { listsOfGuests } from "../../../plugins/capabilities/filters/lists-of-guests.ts"
import type { Engine } from "../database.ts"
import type { ConsentRow, FilterName } from "./passes.ts"
import { measure } from "../metrics.ts"
import { FeedReader } from "../partner/feed-reader.ts"
import { ListSource } from "../partner/list-source.ts"
import { type CopyReader, Reader, type ReaderKind } from "../partner/reader.ts"
import { type Get, getFrom } from "../partner/reply.ts"
import { freshWorkshop, logInto, type Workshop } from "../service.ts"

/** The path of the family that has filters, and of one that has none. */
export const chosen = "/chosen/v1"
export const unfiltered = "/lean/v1"

/** How processes look at the database: another filter is settled after four times that. */
const often = { changes: { every: 25 } }

/** A guest as the tables have it. */
export interface GuestRow extends ConsentRow {
  readonly event: string
  readonly id: string
  readonly updated: number
}

/** A service with a family whose filter changes, two events and some guests of long ago. */
export class FilterWorld {
  readonly workshop: Workshop
  readonly service: Service
  readonly events: readonly string[]
  readonly get: Get
  filter: FilterName

  static async open(t: Test, engine: Engine, filter: FilterName): Promise<FilterWorld> {
    const workshop = await freshWorkshop(t, engine)
    const { build } = workshop
    const organization = await build.organization("acme")
    const events: string[] = []
    for (const last of [1, 2]) {
      const id = `00000000-0000-4000-8000-00000000000${last}`
      events.push(await build.event(organization, { id, name: id }))
    }
    await build.account("partner")
    await build.grant("partner", { organization: "acme" })
    writeConfig(workshop, filter)
    const service = await workshop.start(often)
    const { cookie } = await logInto(service.fetch, "partner")
    return new FilterWorld({
      workshop,
      service,
      events,
      filter,
      get: getFrom(service.fetch, cookie),
    })
  }

  private constructor(
    { workshop, service, events, filter, get }: Pick<
      FilterWorld,
      "workshop" | "service" | "events" | "filter" | "get"
    >,
  ) {
    this.workshop = workshop
    this.service = service
    this.events = events
    this.filter = filter
    this.get = get
  }

  /** Returns how a new partner of a name gets paths. */
  async as(name: string): Promise<Get> {
    const { build } = this.workshop
    await build.account(name)
    await build.grant(name, { organization: "acme" })
    return getFrom(this.service.fetch, (await logInto(this.service.fetch, name)).cookie)
  }

  /** Returns what another filter would cost and bring, as `check` says it. */
  async effectsOf(filter: FilterName) {
    return await countEffects(this.workshop.database, await this.listsWith(filter))
  }

  /** Returns the lists of guests of a configuration with a filter. */
  async listsWith(filter: FilterName) {
    writeConfig(this.workshop, filter)
    return listsOfGuests((await readPlan(this.workshop.file, {})).routes)
  }

  /** Starts another process with a filter. Returns how the partner gets paths from it. */
  async beside(filter: FilterName, changes = often.changes): Promise<Get> {
    writeConfig(this.workshop, filter)
    const { fetch } = await this.workshop.start({ changes })
    return getFrom(fetch, (await logInto(fetch, "partner")).cookie)
  }

  /** Changes the filter by a reload, without waiting for what that does in the background. */
  async change(filter: FilterName): Promise<void> {
    writeConfig(this.workshop, filter)
    const { result, reason } = await this.service.reload("a test")
    if (result !== "applied") throw new Error(reason ?? "")
    this.filter = filter
  }

  /** Resolves when nothing is left to be done of the last change. */
  async settled(): Promise<void> {
    const { writer } = this.workshop.database
    const isPending = async () =>
      (await writer.selectFrom("list_filter").selectAll().where("former", "is not", null)
        .execute()).length > 0
    while (await isPending()) await setTimeout(5)
  }

  /** Resolves when all that is to be recorded of requests is written. */
  async written(): Promise<void> {
    const waits = async (batch: string) =>
      await measure(this.service.instance, "batch_waiting", { batch })
    for (const batch of ["disclosures", "erasures", "partners"]) {
      while (await waits(batch) !== 0) await setTimeout(2)
    }
  }

  /** Inserts guests of long ago, with the channels of their consents; null without one, empty if it is not active. */
  async guests(event: string, channels: readonly (string | null)[]): Promise<void> {
    const { database: { writer, dialect } } = this.workshop
    const { begin, end } = dialect.referenceLater
    await writer.transaction().execute(async (db) => {
      await begin.execute(db)
      const rows = channels.flatMap((each, number) =>
        each === null ? [] : [{
          event_id: event,
          guest_id: guestId(number + 1),
          asked: 1,
          status: each === "" ? "inactive" : "active",
          channels: each || "email",
        }]
      )
      if (rows.length > 0) await db.insertInto("consent").values(rows).execute()
      await dialect.keepHistory?.begin.execute(db)
      const own = channels.map((_, number) => {
        return { ...guestDefaults, event_id: event, id: guestId(number + 1), updated: past }
      })
      await db.insertInto("guest").values(own).execute()
      await dialect.keepHistory?.end.execute(db)
      await end.execute(db)
    })
  }

  async rows(): Promise<readonly GuestRow[]> {
    return await this.workshop.database.writer.selectFrom("guest")
      .leftJoin("consent", (join) =>
        join.onRef("consent.event_id", "=", "guest.event_id")
          .onRef("consent.guest_id", "=", "guest.id"))
      .select(["guest.event_id as event", "guest.id", "guest.updated"])
      .select(["consent.status", "consent.channels"])
      .where("guest.event_id", "in", this.events)
      .execute()
  }

  reader(event: string, kind: ReaderKind, family = chosen, get = this.get): CopyReader {
    const source = new ListSource(get, `${family}/events/${event}`, { list: "guests" })
    return new Reader(source, { kind, limit: 2, parts: ["records", "deletions"] })
  }

  feedReader(event: string, family = chosen, get = this.get): CopyReader {
    return new FeedReader(get, `${family}/events/${event}`, { limit: 2, sendsTags: true })
  }
}

function writeConfig({ folder, write }: Workshop, filter: FilterName): void {
  write(`  - use: connector-a
    with: { segment: lean, organizations: [acme] }
  - use: ${relative(folder, join(import.meta.dirname, "family.ts"))}
    with: { segment: chosen, organizations: [acme], guests: ${filter} }`)
}

/** Returns the id of a guest: the same in all events. */
export function guestId(number: number): string {
  return `00000000-0000-4000-9000-00000000000${number}`
}

/** A change of one guest, as a platform makes it. */
export type Change =
  | { readonly do: "put"; readonly name: string }
  | { readonly do: "delete" | "forget" }
  | { readonly do: "consent"; readonly status: "active" | "inactive"; readonly channels: string }
  | { readonly do: "move"; readonly to: number }

/** Makes a change, if it is possible. */
export async function make(
  db: Kysely<Schema>,
  { event, events, guest, change }: {
    readonly event: string
    readonly events: readonly string[]
    readonly guest: number
    readonly change: Change
  },
): Promise<void> {
  const id = guestId(guest)
  const present = await db.selectFrom("guest").select("id")
    .where("event_id", "=", event).where("id", "=", id).executeTakeFirst()
  const consents = (event_id: string, guest_id: string) =>
    db.selectFrom("consent").select("status").where("event_id", "=", event_id)
      .where("guest_id", "=", guest_id).executeTakeFirst()
  const ofConsent = { event_id: event, guest_id: id }
  switch (change.do) {
    case "put":
      if (present) {
        await db.updateTable("guest").set({ first_name: change.name })
          .where("event_id", "=", event).where("id", "=", id).execute()
      } else {
        const { updated: _, ...values } = guestDefaults
        const row = { ...values, event_id: event, id, first_name: change.name }
        await db.insertInto("guest").values(row).execute()
      }
      return
    case "delete":
      await db.deleteFrom("guest").where("event_id", "=", event).where("id", "=", id).execute()
      return
    case "forget":
      await db.deleteFrom("consent").where((eb) => eb.and(ofConsent)).execute()
      return
    case "consent": {
      const { status, channels } = change
      if (!present) return
      if (await consents(event, id)) {
        await db.updateTable("consent").set({ status, channels })
          .where((eb) => eb.and(ofConsent)).execute()
      } else {
        await db.insertInto("consent").values({ ...ofConsent, asked: 1, status, channels })
          .execute()
      }
      return
    }
    case "move": {
      const [target = event] = events.filter((each) => each !== event)
      const to = { event_id: target, guest_id: guestId(change.to) }
      const there = await db.selectFrom("guest").select("id").where("event_id", "=", target)
        .where("id", "=", to.guest_id).executeTakeFirst()
      if (!there || await consents(target, to.guest_id)) return
      await db.updateTable("consent").set(to).where((eb) => eb.and(ofConsent)).execute()
    }
  }
}
