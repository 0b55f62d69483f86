import type { Teardown } from "../../support/database.ts"
import type { ClusterOptions } from "../support/cluster/node-files.ts"
import { Lan } from "../support/cluster/lan.ts"
import { Random } from "../../support/random.ts"
import type { ClusterFault } from "./fault.ts"
import { faults } from "./faults.ts"
import { Half } from "./half.ts"
import { openGroup, openReplicas, type Topology } from "./topology.ts"

/** How each topology is started. */
export const openers: Readonly<
  Record<Topology["name"], (t: Teardown, options: ClusterOptions) => Promise<Topology>>
> = { group: openGroup, replicas: openReplicas }

export interface RunOptions extends Pick<ClusterOptions, "program" | "signal"> {
  readonly seconds: number
  readonly seed: number
  /** The topologies, which are disturbed at the same time. */
  readonly topologies: readonly Topology["name"][]
  /** What may happen, where it can. */
  readonly faults: (fault: ClusterFault) => boolean
  /** Called with what is done. */
  readonly report: (line: string) => void
}

/** Plays all topologies at the same time, each with services of its own. */
export async function runClusters(options: RunOptions): Promise<readonly Half[]> {
  const { seed, topologies } = options
  const ends: (() => unknown)[] = []
  const t = { teardown: (end: () => unknown) => void ends.unshift(end) }
  try {
    const lan = await Lan.open(t, options.signal)
    return await Promise.all(topologies.map(async (name) => {
      const topology = await openers[name](t, { ...options, lan })
      const possible = faults[name].filter((fault) => lan || !fault.needsLan)
      return await Half.play(t, topology, {
        ...options,
        faults: possible.filter(options.faults),
        random: new Random(seed),
      })
    }))
  } finally {
    for (const end of ends) await end()
  }
}
