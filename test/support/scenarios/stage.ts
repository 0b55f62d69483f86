import { randomUUID } from "node:crypto"
import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import type { Database } from "../../../core/data/database.ts"
import { categories, type Category } from "../../../core/records/categories.ts"
import { Builder } from "../builder.ts"
import type { VirtualService } from "./virtual-service.ts"

/** The events of the organization: two that change all the time, one now and then, one that nothing is deleted from. */
export const eventNames = ["busy", "other", "quiet", "still", "closed"] as const
export type EventName = (typeof eventNames)[number]

/** The events, their ids, and what the platform writes into them. */
export interface Stage {
  readonly ids: Readonly<Record<EventName, string>>
  /** Writes what changes at a time: a second of a minute. Minute 1 begins with the trouble. */
  write(minute: number, second: number): Promise<void>
}

/** The seconds of a minute at which the platform writes. */
export const writes = [0, 20, 40] as const

/** Makes the events with their first records. */
export async function setStage(service: VirtualService): Promise<Stage> {
  const { build, database, now, retention } = service
  // As the housekeeping does each hour.
  await pruneChangeLog(database, retention)
  const organization = await build.organization("acme")
  const ids = {} as Record<EventName, string>
  const records = new Records(service)
  for (const name of eventNames) {
    const status = name === "closed" ? "closed" : "running"
    ids[name] = await build.event(organization, { name, status })
    await records.fill(ids[name], "guests", 12)
    for (const category of ["tickets", "pledges", "auctionItems"] as const) {
      await records.fill(ids[name], category, 4)
    }
  }
  // A guest was deleted long ago.
  await database.writer.insertInto("event_version").values({
    ...{ event_id: ids.busy, seq: 0, changes: 0, mark: 0 },
    forgotten_guests: now - retention - 86_400,
  }).execute()
  const { busy, other, quiet, still } = ids
  return {
    ids,
    async write(minute, second) {
      if (second === 0) {
        // Minute 1 has an import.
        const guests = minute === 1 ? 21 : 1
        for (let count = 0; count < guests; count++) await records.insert(busy, "guests")
        await records.insert(other, "guests")
        await records.update(busy, "tickets")
        if (minute === 3) {
          for (const event of [quiet, still]) await records.update(event, "guests")
        }
      } else if (second === 20) {
        await records.update(busy, "guests")
        await records.update(busy, "pledges")
        if (minute % 2 === 0) await records.delete(busy, "guests")
        if (minute % 5 === 0) {
          await records.insert(busy, "pledges")
          await records.delete(busy, "pledges")
        }
        if (minute === 60) await records.delete(quiet, "guests")
      } else {
        for (const event of [busy, other]) await records.update(event, "guests")
      }
    },
  }
}

/** Writes records as the platform does: changes the oldest in turn, and deletes the oldest. */
class Records {
  readonly #service: VirtualService
  readonly #build: Builder
  /** The ids of the records that there are, by event and category. */
  readonly #ids = new Map<string, string[]>()
  #turn = 0

  constructor(service: VirtualService) {
    this.#service = service
    this.#build = new Builder({ writer: service.platform.db } as unknown as Database)
  }

  /** Inserts records of long ago. */
  async fill(event: string, category: Category, count: number): Promise<void> {
    const added = category === "guests"
      ? await this.#build.guests(event, count, () => randomUUID())
      : await this.#build.items(category, event, count, () => randomUUID())
    this.#of(event, category).push(...added)
  }

  async insert(event: string, category: Category): Promise<void> {
    await this.#stamp()
    const { now } = this.#service
    const row = { id: randomUUID(), created: now, updated: now }
    if (category === "guests") await this.#build.guest(event, row)
    else await this.#build.item(category, event, row)
    this.#of(event, category).push(row.id)
  }

  async update(event: string, category: Category): Promise<void> {
    await this.#stamp()
    const oldest = this.#of(event, category).slice(0, 12)
    await this.#service.platform.db.updateTable(tableOf(category))
      .set({ external_id: randomUUID() }).where("event_id", "=", event)
      .where("id", "=", oldest[this.#turn++ % oldest.length] ?? "").execute()
  }

  async delete(event: string, category: Category): Promise<void> {
    await this.#stamp()
    await this.#service.platform.db.deleteFrom(tableOf(category)).where("event_id", "=", event)
      .where("id", "=", this.#of(event, category).shift() ?? "").execute()
  }

  #of(event: string, category: Category): string[] {
    const key = `${event} ${category}`
    const ids = this.#ids.get(key) ?? []
    this.#ids.set(key, ids)
    return ids
  }

  async #stamp(): Promise<void> {
    await this.#service.platform.stamp(this.#service.platform.db)
  }
}

// The tables share the columns that are used here.
function tableOf(category: Category): "guest" {
  return categories[category] as "guest"
}
