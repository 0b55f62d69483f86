import type { Teardown } from "../../support/database.ts"
import type { Random } from "../../support/random.ts"
import { clusterRights, createData, servingUser } from "../chaos/data.ts"
import { Observations } from "../chaos/observations.ts"
import { openScene, type Stage, startServices } from "../chaos/stage.ts"
import { urlOf } from "../support/cluster/node.ts"
import { Judge } from "./judge.ts"
import { Primary } from "./primary.ts"
import { Readiness } from "./readiness.ts"
import { checkTables } from "./same-tables.ts"
import { tellPartners } from "./told.ts"
import { type Topology, ways } from "./topology.ts"

/** The servers of a topology, and two services that read from all of them. */
export interface ClusterStage extends Stage {
  readonly topology: Topology
  readonly server: Primary
  readonly judge: Judge
  /** The servers that have answered, as services call them. */
  readonly answered: ReadonlySet<unknown>
}

/** Seconds that a replica may be behind to be asked. */
const staleness = 10

/** Creates a database on the primary, and starts two services, each with ways of its own to all servers. */
export async function openCluster(
  t: Teardown,
  topology: Topology,
  random: Random,
): Promise<ClusterStage> {
  const observations = new Observations()
  const server = await Primary.open(topology)
  t.teardown(() => server.close())
  const data = await createData(server, { rights: clusterRights })
  await topology.settle()
  const { name: user, password } = servingUser
  const urls = Object.fromEntries(Array.from({ length: ways }, (_, way) => [
    `${topology.name}-${way + 1}`,
    urlOf(topology.nodes, { database: "chaos", user, password, way }),
  ]))
  const answered = new Set<unknown>()
  const settings = { limit: 10, staleness }
  const onEntry = ({ node }: Readonly<Record<string, unknown>>) => void answered.add(node)
  const services = await startServices(t, { observations, urls, settings, onEntry })
  const readiness = new Readiness(services)
  t.teardown(() => readiness.close())
  const judge = new Judge(services, { observations, readiness })
  const { allows } = judge
  const scene = await openScene({
    ...{ server, observations, services, random, allows },
    data: { ...data, url: server.lastingUrl("chaos") },
  })
  return {
    ...scene,
    ...{ server, topology, judge, answered },
    settle: () => topology.settle(),
    async checkRest({ partners }) {
      await checkTables(topology, observations)
      if (judge.hasLost) await tellPartners(scene, partners)
      judge.hasLost = false
    },
    hasLostCommits: () => judge.hasEverLost,
    afterFault: (began) => judge.afterFault(began),
    afterRecovery: () => judge.afterRecovery(),
    checkAtEnd() {
      judge.checkRefusals(Infinity)
      for (const { log } of services) {
        for (const message of log.messages.keys()) {
          if (!message.startsWith("standard error: ")) continue
          observations.violate(`printed a line that is not of its log: ${message}`)
        }
      }
      return Promise.resolve()
    },
  }
}
