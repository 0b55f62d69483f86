import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import { type Key, Records } from "./records.ts"
import type { VirtualService } from "./virtual-service.ts"

/** The events of the organization: two that change all the time, one now and then, one that nothing is deleted from. */
export const eventNames = ["busy", "other", "quiet", "still", "closed"] as const
export type EventName = (typeof eventNames)[number]

/** The events, their ids, and what the platform writes into them. */
export interface Stage {
  readonly ids: Readonly<Record<EventName, string>>
  readonly records: Records
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
    for (let count = 0; count < 12; count++) await records.insert(ids[name], "guests")
    for (const category of ["tickets", "pledges", "auctionItems"] as const) {
      for (let count = 0; count < 4; count++) await records.insert(ids[name], category)
    }
  }
  // A guest was deleted long ago.
  await database.writer.insertInto("event_version").values({
    ...{ event_id: ids.busy, seq: 0, changes: 0, mark: 0 },
    forgotten_guests: now - retention - 86_400,
  }).execute()
  let turn = 0
  const next = (keys: readonly Key[], skip = 0) => keys[(turn++ + skip) % keys.length]!
  const { busy, other, quiet, still } = ids
  const oldGuests = (event: string) => records.present(event, "guests").slice(0, 12)
  return {
    ids,
    records,
    async write(minute, second) {
      if (second === 0) {
        await records.insert(busy, "guests")
        await records.insert(other, "guests")
        await records.update(next(records.present(busy, "tickets")))
        if (minute === 1) await insertMany(records, busy)
        if (minute === 3) {
          await records.update(next(oldGuests(quiet)))
          await records.update(next(oldGuests(still)))
        }
      } else if (second === 20) {
        await records.update(next(oldGuests(busy)))
        await records.update(next(records.present(busy, "pledges")))
        if (minute % 2 === 0) await records.delete(oldGuests(busy)[0]!)
        if (minute % 5 === 0) {
          await records.insert(busy, "pledges")
          await records.delete(records.present(busy, "pledges")[0]!)
        }
        if (minute === 60) await records.delete(oldGuests(quiet)[0]!)
      } else {
        await records.update(next(oldGuests(busy)))
        await records.update(next(oldGuests(other)))
      }
    },
  }
}

/** What an import does. */
async function insertMany(records: Records, event: string): Promise<void> {
  for (let count = 0; count < 20; count++) await records.insert(event, "guests")
}
