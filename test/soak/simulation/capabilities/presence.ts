import { type Simulation, Violation } from "../simulation.ts"
import type { SimulatedService } from "../service.ts"
import type { World } from "../world.ts"

/** Milliseconds until a process that serves is noted as it is: two notes, one of which may be under way. */
const latest = 25_000
/** Seconds after which a process that was not seen counts as gone. */
const patience = 30

/** Each process that serves is noted with the configuration that it has in force, and none that has ended in order. */
export default function simulate(world: World): Simulation {
  /** How many notes a service may have left, because the database could not be written when it ended. */
  const excused = new Map<string, number>()
  world.onLog(({ msg, service }) => {
    if (!/^cannot note in the database that this process/.test(msg)) return
    excused.set(service, (excused.get(service) ?? 0) + 1)
  })

  const faultOf = async ({ name, crashes, service }: SimulatedService) => {
    const rows = await world.database.writer.selectFrom("instance")
      .select(["config_hash", "seen", "ready"]).where("url", "=", `http://${name}.test`).execute()
    const { hash } = service.instance.config
    const isSeen = rows.some(({ config_hash, seen }) =>
      config_hash === hash && seen >= world.time.now - patience
    )
    if (!isSeen) return `is not noted with ${hash}: ${JSON.stringify(rows)}`
    const most = 1 + crashes.size + (excused.get(name) ?? 0)
    // A backup brings back the notes of its time.
    if (rows.length <= most || world.restores > 0) return undefined
    return `is noted ${rows.length} times, and at most ${most} of its processes can be`
  }

  /** Waits for the next note. @throws {Violation} if it does not come, or says something else. */
  const check = async (service: SimulatedService) => {
    const { lives } = service
    const until = world.time.steady + latest
    for (;;) {
      if (!service.isUp || service.lives !== lives || !world.isCalm || !isOn(service)) return
      const fault = await faultOf(service)
      if (fault === undefined) return
      if (world.time.steady > until) throw new Violation(`${service.name} ${fault}`)
      await world.time.sleep(1000)
    }
  }

  const isOn = ({ service }: SimulatedService) => {
    const { hash } = service.instance.config
    return world.configuration.version(hash)?.capabilities.includes("presence") ?? false
  }

  return {
    invariants: [{
      name: "presence",
      async atRest() {
        for (const service of world.running) await check(service)
      },
    }],
  }
}
