import { setTimeout as sleep } from "node:timers/promises"
import { Group } from "../support/cluster/group.ts"
import type { ClusterNode } from "../support/cluster/node.ts"
import { type ClusterFault, type Context, longest, secondary, shortest } from "./fault.ts"

export const stopApplier: ClusterFault = {
  name: "stop-applier",
  summary: "lets a replica receive transactions, and not apply them, longer than services ask it",
  async inject(context) {
    const { topology: { cluster }, random, judge } = context
    judge.keepReady()
    const node = secondary(context)
    const milliseconds = random.between(shortest, 3 * longest)
    // A member of a group refuses to stop it.
    if (cluster instanceof Group) return await lock(node, milliseconds, context)
    await cluster.stopApplier(node)
    await sleep(milliseconds)
    await pollAll(context)
    await cluster.startApplier(node)
  },
}

export const hangCommits: ClusterFault = {
  name: "hang-commits",
  summary: "lets no transaction commit at the primary, which answers, for more than half a minute",
  isLong: true,
  async inject(context) {
    const { server, random, judge } = context
    judge.keepReady()
    await lock(server.node, random.between(32_000, 45_000), context)
  },
}

export const cutOff: ClusterFault = {
  name: "cut-off",
  summary: "keeps one service from the primary, which others reach, for a minute",
  isLong: true,
  async inject({ server, services, random, judge }) {
    const service = random.pick(services)
    judge.keepReady(services.filter((each) => each !== service))
    const relay = server.node.relays[services.indexOf(service)]
    if (random.below(2) === 0) relay?.stall()
    else relay?.goAway()
    await judge.whileCutOff(service, () => sleep(60_000))
    relay?.resume()
    await relay?.comeBack()
  },
}

/** Lets nothing commit on a server for a while, neither clients nor the applier. */
async function lock(node: ClusterNode, milliseconds: number, context: Context): Promise<void> {
  await node.connected(async (connection) => {
    await connection.query("flush tables with read lock")
    await sleep(milliseconds)
    await pollAll(context)
    await connection.query("unlock tables")
  })
}

/** Polls each service, which has to answer before the trouble ends. */
async function pollAll({ services, client, cookies, data: { eventIds } }: Context): Promise<void> {
  const cookie = cookies["acme-export"] ?? ""
  const path = `/acme/v1/events/${eventIds[0]}/guests?limit=10`
  await Promise.all(services.map((service) => client.get(path, { service, cookie })))
}
