import { sql } from "kysely"
import { requireResync } from "../../../../plugins/capabilities/resync/require-resync.ts"
import { isLocked, Unavailable } from "../../../../core/data/unavailable.ts"
import type { Random } from "../../../support/random.ts"
import { isDisconnected, type SimulatedService } from "../service.ts"
import type { Simulation } from "../simulation.ts"
import { accounts, type World } from "../world.ts"
import { runUntilDone } from "../command.ts"

/** Seconds that the wall clock may be behind the latest time that it has shown. */
const furthestBack = 40

/** What fails: processes, the database, the clock. */
export default function simulate(world: World): Simulation {
  const { faults, time, services } = world
  const program = world.client("partner-b", { name: "partner-b while the clock is set" })
  const poll = async () => {
    try {
      await program.get(`${accounts["partner-b"].family}/events`)
    } catch (error) {
      if (!isDisconnected(error)) throw error
    }
  }
  /** Does something that writes, once the database is not locked. */
  const untilFree = async (work: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      try {
        return void await work()
      } catch (error) {
        if (!isLocked(error)) throw error
        await time.sleep(1000)
      }
    }
  }
  /** Runs until the fault is over, so that steps overlap with it. */
  const during = async (seconds: number, begin: () => void, end: () => void) => {
    begin()
    await time.sleep(seconds * 1000)
    end()
    return `for ${seconds} s`
  }
  return {
    steps: [{
      name: "a service dies",
      weight: 0.6,
      run: (random) => Promise.resolve(dies(random.pick(services))),
    }, {
      name: "a service dies at a statement",
      weight: 1,
      run(random) {
        const service = random.pick(services)
        const left = random.below(3) ? random.between(1, 60) : random.between(1, 600)
        faults.deaths.set(service, { left, takesEffect: random.below(2) === 0 })
        return Promise.resolve(`${service.name}, the ${left}th`)
      },
    }, {
      name: "all services die",
      weight: 0.1,
      run: () => Promise.resolve(services.map(dies).join(", ")),
    }, {
      name: "a service stops",
      weight: 0.6,
      async run(random) {
        const service = random.pick(services)
        if (!service.isUp) return `${service.name} does not run`
        await service.stop()
        return service.name
      },
    }, {
      name: "dead services start",
      weight: 3,
      async run(random) {
        const dead = random.shuffle(services).filter(({ isDead }) => isDead)
        const told = await Promise.all(dead.map(start))
        return told.join(", ") || "none is dead"
      },
    }, {
      name: "the database has no room",
      weight: 0.3,
      run: (random) =>
        during(
          random.between(2, 90),
          () => void (faults.isFull = true),
          () => void (faults.isFull = false),
        ),
    }, {
      name: "the database is slow",
      weight: 0.5,
      run(random) {
        const slowest = random.pick([50, 400, 3000])
        return during(random.between(2, 60), () => {
          faults.slowest = slowest
          faults.slowOneIn = random.between(2, 30)
        }, () => void (faults.slowOneIn = 0))
      },
    }, {
      name: "the database is locked",
      weight: 0.4,
      async run(random) {
        const seconds = random.pick([1, 5, 9, 11, 30])
        try {
          await world.database.writer.transaction().execute(async (db) => {
            await sql`select 1`.execute(db)
            await time.sleep(seconds * 1000)
          })
        } catch (error) {
          if (isLocked(error)) return "it is already"
          throw error
        }
        return `for ${seconds} s`
      },
    }, {
      name: "triggers are lost",
      weight: 0.3,
      async run(random) {
        if (!world.isCalm) return "not now"
        const { writer } = world.database
        const { rows } = await sql<{ name: string }>`
          select name from sqlite_master where type = 'trigger' and tbl_name = 'guest'`
          .execute(writer)
        const event = random.pick([...world.events.values()].flat())
        try {
          await writer.transaction().execute(async (db) => {
            world.faults.lostTriggers = time.steady
            for (const { name } of rows) await sql`drop trigger ${sql.id(name)}`.execute(db)
            await db.updateTable("guest").set({ company_name: `unseen ${time.steady}` })
              .where("event_id", "=", event).execute()
          })
        } catch (error) {
          if (!isLocked(error)) throw error
          return "the database is locked"
        } finally {
          await runUntilDone(world, ["migrate"])
          world.faults.lostTriggers = time.steady
          const { dialect } = world.database
          const resync = () => writer.transaction().execute((db) => requireResync({ db, dialect }))
          await untilFree(resync)
        }
        return `${rows.length} of guests, while guests of ${event.slice(0, 4)} change`
      },
    }, {
      name: "the clock is set",
      weight: 0.4,
      async run(random) {
        // A program polls right before and after.
        await poll()
        const latest = time.wallBetween(0, time.steady).most
        const seconds = stepOf(random)
        const least = latest - furthestBack * 1000 - time.wall
        time.step(Math.max(seconds * 1000, Math.ceil(least)))
        await poll()
        return `by ${seconds} s`
      },
    }],
  }
}

/** Returns the seconds by which the clock is set. */
function stepOf(random: Random): number {
  const kind = random.below(20)
  if (kind < 12) return -random.between(1, furthestBack)
  if (kind < 17) return random.between(1, 60)
  if (kind < 19) return random.between(60, 3600)
  return 86_400
}

function dies(service: SimulatedService): string {
  if (service.isDead) return `${service.name} is dead`
  service.crash()
  return service.name
}

/** Starts a process. While the database is away, it ends instead. */
async function start(service: SimulatedService): Promise<string> {
  if (!service.isDead) return `${service.name} runs`
  try {
    return await service.start() ? service.name : `${service.name} dies at once`
  } catch (error) {
    if (error instanceof Unavailable || isLocked(error)) {
      return `${service.name} cannot start: ${(error as Error).message}`
    }
    throw error
  }
}
