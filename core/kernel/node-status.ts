import type { Database } from "../data/database.ts"
import type { Nodes } from "../request/nodes/nodes.ts"
import type { NodeStatus } from "../routes/contract.ts"

/** Describes the servers of a database, in the order of the configuration; undefined if there is only one. */
export function describeNodes(
  { servers }: Pick<Database, "servers">,
  nodes: Nodes,
): readonly NodeStatus[] | undefined {
  return servers?.all.flatMap(({ name, state, problem = null }) => {
    const node = nodes.all.find((each) => each.name === name)
    if (!node) return []
    const behind = nodes.behind(node)
    return {
      name,
      role: node.isReachable ? node.isPrimary ? "primary" : "replica" : "away",
      problem,
      behind: behind === undefined ? null : Math.floor(behind),
      stale: nodes.isStale(node),
      member: state?.group?.state || null,
    }
  })
}
