import type { ServiceProcess } from "../chaos/service-process.ts"
import { Group } from "../support/cluster/group.ts"
import type { ClusterNode } from "../support/cluster/node.ts"
import type { Random } from "../../support/random.ts"
import type { Primary } from "./primary.ts"
import type { Topology } from "./topology.ts"

/** What faults disturb, and what they say about it. */
export interface FaultContext {
  readonly topology: Topology
  readonly primary: Primary
  readonly services: readonly ServiceProcess[]
  readonly random: Random
  /** Says that partners may be refused until the services have recovered from this fault. */
  readonly excuse: () => void
  /** Says that commits are lost that partners may have read. */
  readonly loseCommits: () => void
  /**
   * Keeps a service from the primary, which others reach, while `meanwhile` runs. In the end, it must not be ready.
   * Partners may be refused by it from when it says so until the services have recovered.
   */
  readonly cutOff: (service: ServiceProcess, meanwhile: () => Promise<void>) => Promise<void>
  /** Says that services (all) must be ready as long as this fault lasts. */
  readonly keepReady: (services?: readonly ServiceProcess[]) => void
}

/** Trouble that partners must not notice, or hardly. */
export interface ClusterFault {
  readonly name: string
  /** What it does, for `--help`. */
  readonly summary: string
  /** True if another server becomes the primary. */
  readonly moves?: true
  /** True if each poll must be answered within 15 s, wherever it goes. */
  readonly isPrompt?: true
  /** True if it takes longer than `make test` has. */
  readonly isLong?: true
  /** True if it needs networks and disks of its own. */
  readonly needsLan?: true
  /** Makes the trouble, and ends it again. All servers are back then, as far as they can. */
  inject(context: FaultContext): Promise<void>
}

/** Milliseconds that most faults last, at least and at most. */
export const [shortest, longest] = [500, 6000] as const

/** Chooses a server that is not the primary. */
export function secondary({ topology: { nodes }, primary, random }: FaultContext): ClusterNode {
  return random.pick(nodes.filter((node) => node !== primary.node))
}

/** Chooses a server; of replicas, half of the times the primary, whose place nobody takes. */
export function victim(context: FaultContext): ClusterNode {
  const { topology: { cluster }, primary, random, keepReady } = context
  const isOther = cluster instanceof Group || random.below(2) > 0
  return isOther ? (keepReady(), secondary(context)) : excused(primary.node, context)
}

/** Chooses any server. */
export function anyone(context: FaultContext): ClusterNode {
  const { topology: { nodes }, random } = context
  return excused(random.pick(nodes), context)
}

/** Returns a server. Partners may notice that it is away if it is a primary whose place nobody takes. */
function excused(
  node: ClusterNode,
  { topology: { cluster }, primary, excuse, keepReady }: FaultContext,
): ClusterNode {
  if (node !== primary.node) keepReady()
  else if (!(cluster instanceof Group)) excuse()
  return node
}
