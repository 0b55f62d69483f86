import type { Fault, FaultContext } from "../chaos/play.ts"
import { Group } from "../support/cluster/group.ts"
import type { ClusterNode } from "../support/cluster/node.ts"
import type { ClusterStage } from "./stage.ts"

/** Trouble that partners must not notice, or hardly. */
export type ClusterFault = Fault<ClusterStage>
export type Context = FaultContext<ClusterStage>

/** Milliseconds that most faults last, at least and at most. */
export const [shortest, longest] = [500, 6000] as const

/** Chooses a server that is not the primary. */
export function secondary({ topology: { nodes }, server, random }: Context): ClusterNode {
  return random.pick(nodes.filter((node) => node !== server.node))
}

/** Chooses a server; of replicas, half of the times the primary, whose place nobody takes. */
export function victim(context: Context): ClusterNode {
  const { topology: { cluster }, server, random, judge } = context
  const isOther = cluster instanceof Group || random.below(2) > 0
  return isOther ? (judge.keepReady(), secondary(context)) : excused(server.node, context)
}

/** Chooses any server. */
export function anyone(context: Context): ClusterNode {
  const { topology: { nodes }, random } = context
  return excused(random.pick(nodes), context)
}

/** Returns a server. Partners may notice that it is away if it is a primary whose place nobody takes. */
function excused(
  node: ClusterNode,
  { topology: { cluster }, server, judge }: Context,
): ClusterNode {
  if (node !== server.node) judge.keepReady()
  else if (!(cluster instanceof Group)) judge.excuse()
  return node
}
