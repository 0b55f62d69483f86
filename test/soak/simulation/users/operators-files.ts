import { edits, mistakes } from "../operators/edits.ts"
import { makeTurns } from "../operators/turns.ts"
import { Crash } from "../life.ts"
import type { SimulatedService } from "../service.ts"
import { type Simulation, Violation } from "../simulation.ts"
import type { World } from "../world.ts"
import type { Random } from "../../../support/random.ts"

/** What is known of a service before a reload. */
interface Before {
  readonly hash: string
  readonly life: number
}

/** The longest until a service has taken a file that it watches, in milliseconds: the database may be away. */
const longestWatch = 180_000

/** Operators who change the configuration file: good changes, which are taken back soon, and mistakes. */
export default function simulate(world: World): Simulation {
  const { configuration, time } = world
  const inTurn = makeTurns()
  let isUsual = true

  async function edit(random: Random): Promise<string> {
    if (!isUsual && random.below(3) > 0) {
      configuration.reset()
      isUsual = true
      return `the usual file: ${await apply(random)}`
    }
    const edit = random.pick(edits)
    edit.change(configuration, random)
    isUsual = false
    return `${edit.name}: ${await apply(random)}`
  }

  /** Lets the services take the file, in some order. */
  async function apply(random: Random): Promise<string> {
    const said: string[] = []
    for (const service of random.shuffle(world.services)) {
      if (!service.isUp) continue
      if (random.below(3) === 0) await time.sleep(random.below(5_000))
      if (service.isUp) said.push(await take(service, random))
    }
    return said.join(", ")
  }

  /** Lets a service take the file: it has to be restarted if other capabilities are to be on. */
  async function take(service: SimulatedService, random: Random): Promise<string> {
    if (!needsRestart(service)) {
      return random.below(2) ? await watch(service) ?? await reload(service) : await reload(service)
    }
    await service.stop()
    if (service.isDead) await service.start()
    return `${service.name} is restarted with it`
  }

  function needsRestart({ service }: SimulatedService): boolean {
    const on = service.instance.config.settings["capabilities"] as readonly string[]
    const wanted = configuration.capabilities
    return on.length !== wanted.length || on.some((name) => !wanted.includes(name))
  }

  /** Waits until a service that looks for changes of the file has taken it; undefined if it does not look. */
  async function watch(service: SimulatedService): Promise<string | undefined> {
    const before = look(service)
    if (!before || !configuration.version(before.hash)?.watch) return undefined
    const file = configuration.hash
    const late = time.steady + longestWatch
    while (isSame(service, before) && look(service)?.hash !== file) {
      if (time.steady > late) throw new Violation(`${service.name} watches the file in vain`)
      await time.sleep(1000)
    }
    return `${service.name} sees it`
  }

  /** Reloads a service, which has to take the file. */
  async function reload(service: SimulatedService): Promise<string> {
    const { name } = service
    const before = look(service)
    const outcome = await outcomeOf(service)
    if (!outcome || !before) return `${name} is away`
    const { result, reason } = outcome
    if (isSame(service, before)) {
      const { hash } = service.service.instance.config
      if (result === "applied" && hash !== configuration.hash) {
        throw new Violation(`${name} says that it applied ${configuration.hash}, and has ${hash}`)
      }
      if (result === "refused" && hash !== before.hash && hash !== configuration.hash) {
        throw new Violation(`${name} refused a file, and has ${hash} in place of ${before.hash}`)
      }
      if (result === "refused" && !needsRestart(service)) {
        throw new Violation(`${name} refused a good file: ${reason}`)
      }
    }
    return `${name} ${result} it`
  }

  async function spoil(random: Random): Promise<string> {
    const [mistake, change] = random.pick(Object.entries(mistakes))
    configuration.spoil(change)
    const said: string[] = []
    try {
      for (const service of world.services) said.push(await refuse(service, mistake))
    } finally {
      configuration.write()
    }
    for (const service of world.services) if (service.isUp) await outcomeOf(service)
    return `${mistake}: ${said.join(", ")}`
  }

  /** Reloads a service, which has to refuse the file, to keep what it has, and to say so. */
  async function refuse(service: SimulatedService, mistake: string): Promise<string> {
    const { name } = service
    const before = look(service)
    const outcome = await outcomeOf(service)
    if (!before || !outcome || !isSame(service, before)) return `${name} is away`
    if (outcome.result !== "refused" || !outcome.reason) {
      throw new Violation(`${name} applied a file with ${mistake}, or does not say why not`)
    }
    const { hash } = service.service.instance.config
    if (hash !== before.hash && !configuration.version(hash)) {
      throw new Violation(`${name} has ${hash} in force after it refused a file`)
    }
    return `${name} refused it`
  }

  const look = (service: SimulatedService): Before | undefined =>
    service.isUp ? { hash: service.service.instance.config.hash, life: service.lives } : undefined

  const isSame = (service: SimulatedService, { life }: Before) =>
    service.isUp && service.lives === life

  /** Reloads a service, as SIGHUP does. Returns undefined if it is not there, or dies. */
  async function outcomeOf(service: SimulatedService) {
    if (!service.isUp) return undefined
    try {
      return await service.run(() => service.service.reload("SIGHUP"))
    } catch (error) {
      if (error instanceof Crash) return undefined
      throw error
    }
  }

  return {
    steps: [
      {
        name: "an operator changes the file",
        weight: 0.8,
        run: (random) => inTurn(() => edit(random)),
      },
      {
        name: "an operator makes a mistake in the file",
        weight: 0.3,
        run: (random) => inTurn(() => spoil(random)),
      },
    ],
    invariants: [{
      name: "configuration in force",
      atRest() {
        for (const service of world.running) {
          const { hash } = service.service.instance.config
          if (!configuration.version(hash)) {
            throw new Violation(`${service.name} has a file in force that was never good`)
          }
        }
        return Promise.resolve()
      },
      atEnd() {
        for (const service of world.running) {
          const { hash } = service.service.instance.config
          if (hash !== configuration.hash) {
            throw new Violation(`${service.name} has ${hash} in force, not ${configuration.hash}`)
          }
        }
        return Promise.resolve()
      },
    }],
    async settle() {
      configuration.reset()
      for (const service of world.services) {
        const outcome = await outcomeOf(service)
        if (outcome?.result === "applied") continue
        if (service.isUp) await service.stop()
        await service.start()
      }
    },
  }
}
