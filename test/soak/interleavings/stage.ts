import { ChosenList } from "../../support/polling/chosen.ts"
import { openClocked } from "../../support/polling/clocked.ts"
import { ListSource } from "../../support/partner/list-source.ts"
import { getFrom } from "../../support/partner/reply.ts"
import { startClocked } from "../../support/polling/service.ts"
import { openClockTable } from "./clock-table.ts"
import { WriterConnection } from "./connection.ts"
import { Gate } from "./gate.ts"
import { Performance, type Played } from "./performance.ts"
import { planOf } from "./plan.ts"

/** A database with this service, and two connections that write. Plays one interleaving at a time. */
export interface Stage {
  /** Plays an interleaving, by a list of all guests or a filtered one. Nothing of an earlier one matters to it. */
  play(index: number, isFiltered: boolean): Promise<Played>
  close(): Promise<void>
}

/** Opens a stage in an empty database. */
export async function openStage(url: string): Promise<Stage> {
  const world = await openClocked("mysql", url)
  const gate = new Gate()
  const background = world.database.background.withPlugin(gate.plugin)
  Object.defineProperty(world.database, "background", { value: background })
  const time = await openClockTable(world, url)
  // Plans say when the log is folded: so an interleaving is the same each time.
  const service = await startClocked(world, url, { many: 1000 })
  const writers = [
    await WriterConnection.open(url, world.clock),
    await WriterConnection.open(url, world.clock),
  ]
  return {
    async play(index, isFiltered) {
      // The numbers of changes that were rolled back before are certain to stay without a row.
      await time.wait(1000)
      const event = crypto.randomUUID()
      const get = getFrom(
        service.app,
        service.cookies[isFiltered ? "partner" : "acme-export"] ?? "",
      )
      return await new Performance({
        plan: planOf(index),
        world,
        event,
        source: isFiltered
          ? new ChosenList(get, world.database, event)
          : new ListSource(get, `/acme/v1/events/${event}`, { list: "guests" }),
        writers,
        gate,
        time,
        organization: service.organization,
        look: () => service.changes.look(),
      }).play()
    },
    async close() {
      for (const writer of writers) await writer.close()
      await time.close()
      await service.close()
      await world.close()
    },
  }
}
