import { setTimeout as sleep } from "node:timers/promises"
import { Group } from "../support/cluster/group.ts"
import type { ClusterNode } from "../support/cluster/node.ts"
import { type ClusterFault, longest, secondary, shortest } from "./fault.ts"

export const stopApplier: ClusterFault = {
  name: "stop-applier",
  summary: "lets a replica receive transactions, and not apply them, longer than services ask it",
  isPrompt: true,
  async inject(context) {
    const { topology: { cluster }, random, keepReady } = context
    keepReady()
    const node = secondary(context)
    const milliseconds = random.between(shortest, 3 * longest)
    // A member of a group refuses to stop it.
    if (cluster instanceof Group) return await lock(node, milliseconds)
    await cluster.stopApplier(node)
    await sleep(milliseconds)
    await cluster.startApplier(node)
  },
}

export const hangCommits: ClusterFault = {
  name: "hang-commits",
  summary: "lets no transaction commit at the primary, which answers, for more than half a minute",
  isPrompt: true,
  isLong: true,
  async inject({ primary, random, keepReady }) {
    keepReady()
    await lock(primary.node, random.between(32_000, 45_000))
  },
}

export const fillDisk: ClusterFault = {
  name: "fill-disk",
  summary: "fills the disk that has the logs of the primary, which waits for space, or gives up",
  moves: true,
  isPrompt: true,
  isLong: true,
  needsLan: true,
  async inject({ topology, primary: { node }, random, keepReady, excuse }) {
    await node.place?.fill()
    const end = performance.now() + random.between(20_000, 45_000)
    // It ends if the statement is killed that waits for space for all.
    while (performance.now() < end && node.isRunning) await sleep(100)
    if (!node.isRunning && !(topology.cluster instanceof Group)) excuse()
    await sleep(Math.max(0, end - performance.now()))
    await node.place?.clear()
    // It looks for space once a minute.
    const commit = node.run("create database if not exists committed")
    if (await commit.then(() => true, () => false)) keepReady()
    await topology.settle()
  },
}

export const cutOff: ClusterFault = {
  name: "cut-off",
  summary: "keeps one service from the primary, which others reach, for a minute",
  isLong: true,
  async inject({ primary, services, random, cutOff, keepReady }) {
    const service = random.pick(services)
    keepReady(services.filter((each) => each !== service))
    const relay = primary.node.relays[services.indexOf(service)]
    if (random.below(2) === 0) relay?.stall()
    else relay?.goAway()
    await cutOff(service, () => sleep(60_000))
    relay?.resume()
    await relay?.comeBack()
  },
}

/** Lets nothing commit on a server for a while, neither clients nor the applier. */
async function lock(node: ClusterNode, milliseconds: number): Promise<void> {
  await node.connected(async (connection) => {
    await connection.query("flush tables with read lock")
    await sleep(milliseconds)
    await connection.query("unlock tables")
  })
}
