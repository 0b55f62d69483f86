import { setTimeout as sleep } from "node:timers/promises"
import type { Random } from "../../../support/random.ts"
import { NotNow } from "../client.ts"
import { mistakes } from "../configuration.ts"
import type { Fault } from "../play.ts"
import type { SingleStage } from "../single.ts"
import { trouble } from "../trouble.ts"
import type { ServiceProcess } from "../service-process.ts"

/** Faults of the services' own processes. */
export const serviceFaults: readonly Fault<SingleStage>[] = [
  {
    name: "kill-service",
    summary: "kills a service with signal 9, and starts it again",
    async inject({ services, random }) {
      for (const service of someOf(services, random)) {
        await service.kill()
        await sleep(random.between(0, 500))
        await service.start()
      }
    },
  },
  {
    name: "end-service",
    summary: "asks a service to end (SIGTERM), and starts it again",
    async inject({ services, random }) {
      for (const service of someOf(services, random)) {
        await service.stop()
        await service.start()
      }
    },
  },
  {
    name: "freeze-service",
    summary: "stops a service from running for some seconds (SIGSTOP)",
    async inject({ services, random }) {
      const service = random.pick(services)
      service.freeze()
      await trouble(random)
      service.thaw()
    },
  },
  {
    name: "reload",
    summary: "reloads right and wrong configurations in quick succession (SIGHUP)",
    async inject({ services, random }) {
      for (let left = random.between(8, 16); left > 0; left--) {
        for (const service of services) {
          service.reload(random.below(2) === 0 ? random.below(mistakes.length) : undefined)
        }
        await sleep(random.between(20, 250))
      }
      for (const service of services) service.reload()
    },
  },
  {
    name: "block-output",
    summary: "leaves a service no space to print its log; it has to answer all the same",
    async inject({ services, client, cookies, data, observations, random }) {
      const service = random.pick(services)
      const options = { service, cookie: cookies["partner"] ?? "" }
      const path = `/connector-b/v1/events/${data.eventIds[1]}/guests?limit=1`
      service.blockOutput()
      try {
        // Lines of more than 300 bytes: more than a pipe holds.
        const send = async () => {
          for (let left = 250; left > 0; left--) await client.get(path, options)
        }
        await Promise.all([send(), send(), send(), send()])
      } catch (error) {
        if (!(error instanceof NotNow)) throw error
      } finally {
        service.freeOutput()
      }
      // Partners go on, so there is something to print.
      const before = service.log.lines
      for (let left = 300; left > 0 && service.log.lines === before; left--) await sleep(100)
      if (service.log.lines === before) observations.violate(`${service.name} prints no more`)
    },
  },
]

/** Returns one of the services, sometimes all. */
function someOf(
  services: readonly ServiceProcess[],
  random: Random,
): readonly ServiceProcess[] {
  return random.below(3) === 0 ? services : [random.pick(services)]
}
