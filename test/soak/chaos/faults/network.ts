import { setTimeout as sleep } from "node:timers/promises"
import type { Fault } from "../play.ts"
import type { SingleStage } from "../single.ts"
import { trouble } from "../trouble.ts"

/** Faults of the network between the services and MySQL. */
export const networkFaults: readonly Fault<SingleStage>[] = [
  {
    name: "cut-connections",
    summary: "cuts the connections to MySQL, several times",
    async inject({ relay, random }) {
      for (let left = random.between(1, 8); left > 0; left--) {
        relay.cut()
        await sleep(random.between(10, 300))
      }
    },
  },
  {
    name: "refuse-connections",
    summary: "cuts the connections to MySQL, and refuses new ones for some seconds",
    async inject({ relay, random }) {
      relay.goAway()
      await trouble(random)
      await relay.comeBack()
    },
  },
  {
    name: "stall-connections",
    summary: "lets nothing through between the services and MySQL for some seconds",
    async inject({ relay, random }) {
      relay.stall()
      await trouble(random)
      relay.resume()
    },
  },
  {
    name: "lose-connections",
    summary: "lets nothing more through on open connections, as a firewall that has forgotten them",
    async inject({ relay }) {
      relay.forget()
      await sleep(500)
    },
  },
]
