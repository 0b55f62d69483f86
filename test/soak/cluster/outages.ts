import { setTimeout as sleep } from "node:timers/promises"
import { Group } from "../support/cluster/group.ts"
import type { ClusterNode } from "../support/cluster/node.ts"
import { type ClusterFault, type Context, longest, shortest, victim } from "./fault.ts"

/** Pauses a server that `choose` returns. */
const pauseOne = (choose: (context: Context) => ClusterNode) => async (context: Context) => {
  const node = choose(context)
  node.pause()
  await sleep(context.random.between(shortest, 2 * longest))
  node.resume()
  await context.topology.settle()
}

/** Kills servers that `choose` returns, all at once. */
const killSome =
  (choose: (context: Context) => readonly ClusterNode[]) => async (context: Context) => {
    await Promise.all(choose(context).map((node) => node.kill()))
    await sleep(context.random.between(shortest, 2 * longest))
    await context.topology.settle()
  }

export const pause: ClusterFault = {
  name: "pause",
  summary: "stops a server from running for some seconds (SIGSTOP); a group expels it after five",
  inject: pauseOne(victim),
}

export const pausePrimary: ClusterFault = {
  name: "pause-primary",
  summary: "stops the primary of a group from running for some seconds (SIGSTOP)",
  moves: true,
  inject: pauseOne(({ server }) => server.node),
}

export const kill: ClusterFault = {
  name: "kill",
  summary: "kills a server with signal 9, and starts it again some seconds later",
  inject: killSome((context) => [victim(context)]),
}

export const killPrimary: ClusterFault = {
  name: "kill-primary",
  summary: "kills the primary of a group with signal 9, and starts it again some seconds later",
  moves: true,
  inject: killSome(({ server }) => [server.node]),
}

export const killTwo: ClusterFault = {
  name: "kill-two",
  summary: "kills two of three servers with signal 9, of a group any two, else the replicas",
  moves: true,
  inject: killSome(({ topology: { cluster, nodes }, server, random, judge }) => {
    // Two of three are the majority of a group.
    if (cluster instanceof Group) judge.excuse()
    else judge.keepReady()
    const spared = cluster instanceof Group ? random.pick(nodes) : server.node
    return nodes.filter((node) => node !== spared)
  }),
}

export const killAll: ClusterFault = {
  name: "kill-all",
  summary: "kills all servers with signal 9, and starts them again some seconds later",
  moves: true,
  inject: killSome(({ topology: { nodes }, judge }) => {
    judge.excuse()
    return nodes
  }),
}
