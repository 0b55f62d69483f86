import type { ClusterOptions } from "../support/cluster/node-files.ts"
import type { ClusterNode } from "../support/cluster/node.ts"
import { Group, startGroup } from "../support/cluster/group.ts"
import { ReplicaSet, startReplicas } from "../support/cluster/replicas.ts"
import type { Teardown } from "../../support/database.ts"

/** Servers that a service reads from, and how they belong together. */
export interface Topology {
  readonly name: "group" | "replicas"
  readonly cluster: Group | ReplicaSet
  readonly nodes: readonly ClusterNode[]
  /** Returns the server that accepts writes; undefined if there is none at this moment. */
  findPrimary(): Promise<ClusterNode | undefined>
  /** Brings back every server, and waits until each has all that the primary has at this moment. */
  settle(): Promise<void>
}

/** How many services there are, each with a way of its own to each server. */
export const ways = 2

/** Starts a group of three. */
export async function openGroup(t: Teardown, options: ClusterOptions): Promise<Topology> {
  const cluster = await startGroup(t, { ...options, ways })
  const settle = async () => {
    await cluster.heal()
    const primary = await cluster.untilPrimary()
    const [row] = await primary.run("select @@global.gtid_executed as all_of_it")
    const waiting = `select wait_for_executed_gtid_set('${row?.["all_of_it"]}', 60)`
    await Promise.all(cluster.nodes.map((node) => node.run(waiting)))
  }
  const findPrimary = () => cluster.primary()
  return { name: "group", cluster, nodes: cluster.nodes, findPrimary, settle }
}

/** Starts a primary and two replicas. One of them is two seconds late. */
export async function openReplicas(t: Teardown, options: ClusterOptions): Promise<Topology> {
  const cluster = await startReplicas(t, { ...options, ways, replicas: [{}, { delay: 2 }] })
  const findPrimary = async () => cluster.primary
  return {
    name: "replicas",
    cluster,
    nodes: cluster.nodes,
    findPrimary,
    settle: () => cluster.heal(),
  }
}
