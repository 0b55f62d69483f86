import { setTimeout as sleep } from "node:timers/promises"
import { Group } from "../support/cluster/group.ts"
import { ReplicaSet } from "../support/cluster/replicas.ts"
import type { Relay } from "../../support/relay.ts"
import { anyone, type ClusterFault, type Context, longest, secondary, shortest } from "./fault.ts"
import { kill, killAll, killPrimary, killTwo, pause, pausePrimary } from "./outages.ts"
import { cutOff, hangCommits, stopApplier } from "./stalls.ts"
import type { Topology } from "./topology.ts"

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

/** Disturbs the connections of all services to a server for some seconds. */
const disconnect = (begin: (relay: Relay) => void, end: (relay: Relay) => unknown) =>
async (
  context: Context,
) => {
  const { relays } = anyone(context)
  for (const relay of relays) begin(relay)
  await sleep(context.random.between(shortest, longest))
  for (const relay of relays) await end(relay)
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

const switchOver: ClusterFault = {
  name: "switch",
  summary: "makes another server the primary, as before maintenance",
  moves: true,
  async inject(context) {
    const { topology: { cluster }, judge } = context
    if (cluster instanceof ReplicaSet) judge.excuse()
    await cluster.switchTo(secondary(context))
  },
}

const loseCommits: ClusterFault = {
  name: "lose-commits",
  summary:
    "kills the primary with commits that a replica has not received, and makes that the primary",
  moves: true,
  async inject({ topology: { cluster }, random, judge }) {
    if (cluster instanceof Group) return
    judge.excuse()
    judge.loseCommits()
    const outdated = await cluster.failOver(
      random.pick(cluster.replicas),
      () => sleep(random.between(shortest, longest)),
      random.below(3) > 0,
    )
    await sleep(random.between(shortest, longest))
    for (const node of outdated) await cluster.rebuild(node)
  },
}

/** What happens anywhere. */
const common = [
  ...[kill, killTwo, killAll, pause, cut, freeze],
  ...[stopApplier, hangCommits, cutOff, switchOver, killService],
]

/** The faults of each topology. */
export const faults: Readonly<Record<Topology["name"], readonly ClusterFault[]>> = {
  group: [...common, killPrimary, pausePrimary],
  replicas: [...common, loseCommits],
}
