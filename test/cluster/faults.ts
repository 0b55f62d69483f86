import { setTimeout as sleep } from "node:timers/promises"
import type { ServiceProcess } from "../chaos/service-process.ts"
import { Group } from "../support/cluster/group.ts"
import type { Relay } from "../support/relay.ts"
import type { ClusterNode } from "../support/cluster/node.ts"
import { ReplicaSet } from "../support/cluster/replicas.ts"
import type { Random } from "../support/random.ts"
import type { Primary } from "./primary.ts"
import type { Topology } from "./topology.ts"

/** What faults disturb. */
export interface FaultContext {
  readonly topology: Topology
  readonly primary: Primary
  readonly services: readonly ServiceProcess[]
  readonly random: Random
  /** Says that partners may be refused until the services have recovered from this fault. */
  readonly excuse: () => void
  /** Says that commits are lost that partners may have read. */
  readonly loseCommits: () => void
}

/** Trouble that partners must not notice, or hardly. */
export interface ClusterFault {
  readonly name: string
  /** What it does, for `--help`. */
  readonly summary: string
  /** True if another server becomes the primary. */
  readonly moves?: true
  /** Makes the trouble, and ends it again. All servers are back then, as far as they can. */
  inject(context: FaultContext): Promise<void>
}

const [shortest, longest] = [500, 6000]

const killService: ClusterFault = {
  name: "kill-service",
  summary: "kills a service with signal 9, and starts it again",
  async inject({ services, random }) {
    const service = random.pick(services)
    await service.kill()
    await sleep(random.between(0, 1000))
    await service.start()
  },
}

/** Disturbs the connections to a server for some seconds. */
const disconnect = (begin: (relay: Relay) => void, end: (relay: Relay) => unknown) =>
async (
  context: FaultContext,
) => {
  const { relay } = anyone(context)
  begin(relay)
  await sleep(context.random.between(shortest, longest))
  await end(relay)
}

const cut: ClusterFault = {
  name: "cut",
  summary: "cuts the connections to a server, and refuses new ones, for some seconds",
  inject: disconnect((relay) => relay.goAway(), (relay) => relay.comeBack()),
}

const freeze: ClusterFault = {
  name: "freeze",
  summary: "lets nothing through between the services and a server for some seconds",
  inject: disconnect((relay) => relay.stall(), (relay) => relay.resume()),
}

/** Pauses a server that `choose` returns. */
const pauseOne =
  (choose: (context: FaultContext) => ClusterNode) => async (context: FaultContext) => {
    const node = choose(context)
    node.pause()
    await sleep(context.random.between(shortest, 2 * longest))
    node.resume()
    await context.topology.settle()
  }

/** Kills a server that `choose` returns. */
const killOne =
  (choose: (context: FaultContext) => ClusterNode) => async (context: FaultContext) => {
    const node = choose(context)
    await node.kill()
    await sleep(context.random.between(shortest, 2 * longest))
    await context.topology.settle()
  }

const pause: ClusterFault = {
  name: "pause",
  summary: "stops a server from running for some seconds (SIGSTOP); a group expels it after five",
  inject: pauseOne(victim),
}

const kill: ClusterFault = {
  name: "kill",
  summary: "kills a server with signal 9, and starts it again some seconds later",
  inject: killOne(victim),
}

const pausePrimary: ClusterFault = {
  name: "pause-primary",
  summary: "stops the primary of a group from running for some seconds (SIGSTOP)",
  moves: true,
  inject: pauseOne(({ primary }) => primary.node),
}

const killPrimary: ClusterFault = {
  name: "kill-primary",
  summary: "kills the primary of a group with signal 9, and starts it again some seconds later",
  moves: true,
  inject: killOne(({ primary }) => primary.node),
}

const switchOver: ClusterFault = {
  name: "switch",
  summary: "makes another server the primary, as before maintenance",
  moves: true,
  async inject(context) {
    const { topology: { cluster, nodes }, primary, random, excuse } = context
    if (cluster instanceof ReplicaSet) excuse()
    await cluster.switchTo(random.pick(nodes.filter((node) => node !== primary.node)))
  },
}

const stopApplier: ClusterFault = {
  name: "stop-applier",
  summary: "lets a replica receive transactions, and not apply them, longer than services ask it",
  async inject({ topology: { cluster }, random }) {
    if (cluster instanceof Group) return
    const node = random.pick(cluster.replicas)
    await cluster.stopApplier(node)
    await sleep(random.between(shortest, 3 * longest))
    await cluster.startApplier(node)
  },
}

const loseCommits: ClusterFault = {
  name: "lose-commits",
  summary:
    "kills the primary with commits that a replica has not received, and makes that the primary",
  moves: true,
  async inject({ topology: { cluster }, random, excuse, loseCommits }) {
    if (cluster instanceof Group) return
    excuse()
    loseCommits()
    const outdated = await cluster.failOver(
      random.pick(cluster.replicas),
      () => sleep(random.between(shortest, longest)),
      random.below(3) > 0,
    )
    await sleep(random.between(shortest, longest))
    for (const node of outdated) await cluster.rebuild(node)
  },
}

/** The faults of each topology. */
export const faults: Readonly<Record<Topology["name"], readonly ClusterFault[]>> = {
  group: [kill, pause, cut, freeze, killService, killPrimary, pausePrimary, switchOver],
  replicas: [kill, pause, cut, freeze, switchOver, stopApplier, loseCommits, killService],
}

/** Chooses a server; of replicas, half of the times the primary, whose place nobody takes. */
function victim(
  { topology: { cluster, nodes }, primary, random, excuse }: FaultContext,
): ClusterNode {
  if (cluster instanceof Group) return random.pick(nodes.filter((node) => node !== primary.node))
  const node = random.below(2) === 0 ? primary.node : random.pick(nodes)
  if (node === primary.node) excuse()
  return node
}

/** Chooses any server. */
function anyone(
  { topology: { cluster, nodes }, primary, random, excuse }: FaultContext,
): ClusterNode {
  const node = random.pick(nodes)
  if (cluster instanceof ReplicaSet && node === primary.node) excuse()
  return node
}
