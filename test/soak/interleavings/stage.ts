import { ChosenList } from "../../support/polling/chosen.ts"
import { openClocked } from "../../support/polling/clocked.ts"
import { ListSource } from "../../support/partner/list-source.ts"
import { getFrom } from "../../support/partner/reply.ts"
import { startClocked } from "../../support/polling/service.ts"
import { openClockTable } from "./clock-table.ts"
import { WriterConnection } from "./connection.ts"
import type { MysqlDesign } from "./design.ts"
import { Gate } from "./gate.ts"
import { Performance, type Played } from "./performance.ts"
import { planOf } from "./plan.ts"

/** A database with this service, and two connections that write. Plays one interleaving at a time. */
export interface Stage {
  /** Plays an interleaving. Nothing of an earlier one matters to it. */
  play(design: MysqlDesign, index: number): Promise<Played>
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
    async play(design, index) {
      // The numbers of changes that were rolled back before are certain to stay without a row.
      await time.wait(1000)
      const event = crypto.randomUUID()
      const get = getFrom(service.app, service.cookies["acme-export"] ?? "")
      const scene = {
        world,
        event,
        service: () => new ListSource(get, `/acme/v1/events/${event}`, { list: "guests" }),
        chosen: () => {
          const get = getFrom(service.app, service.cookies["partner"] ?? "")
          return new ChosenList(get, world.database, event)
        },
      }
      return await new Performance({
        plan: planOf(index, design),
        design,
        scene,
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
