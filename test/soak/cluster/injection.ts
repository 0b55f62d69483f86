import { untilRecovered } from "../chaos/recovery.ts"
import type { ServiceProcess } from "../chaos/service-process.ts"
import type { Random } from "../../support/random.ts"
import type { ClusterFault } from "./fault.ts"
import type { ClusterStage } from "./stage.ts"

/** What an injection did. */
interface Outcome {
  /** True if commits were lost. */
  readonly hasLost: boolean
  /** For people. */
  readonly summary: string
}

/** Injects a fault, waits until the services have recovered, and checks what they said meanwhile. */
export async function injectInto(
  stage: ClusterStage,
  fault: ClusterFault,
  random: Random,
): Promise<Outcome> {
  const { topology, server: primary, services, observations, judge } = stage
  const began = performance.now()
  let ready: readonly ServiceProcess[] = []
  let hasLost = false
  observations.fault = fault.name
  await fault.inject({
    ...{ topology, primary, services, random },
    excuse: () => judge.excuse(),
    loseCommits: () => judge.hasLost = hasLost = true,
    cutOff: async (service, meanwhile) => {
      judge.cutOff = service
      await meanwhile()
      judge.checkCutOff(service)
    },
    keepReady: (these = services) => ready = these,
  })
  judge.checkReady(ready, began)
  const injected = performance.now() - began
  const recovery = await Promise.all(services.map((service) => untilRecovered(service, stage)))
  judge.checkRefusals()
  judge.endExcuse()
  judge.cutOff = undefined
  observations.fault = "none"
  const later = recovery.map(Math.round).join(" and ")
  const summary = `${fault.name} ${Math.round(injected)} ms, recovered ${later} ms later`
  return { hasLost, summary }
}
