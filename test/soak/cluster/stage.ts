import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client, logInPartners } from "../chaos/client.ts"
import { clusterRights, createData, servingUser } from "../chaos/data.ts"
import { Observations } from "../chaos/observations.ts"
import { ServiceLog } from "../chaos/service-log.ts"
import { pipeOutput } from "../chaos/service-output.ts"
import { ServiceProcess } from "../chaos/service-process.ts"
import type { Scene } from "../chaos/stage.ts"
import { secret } from "../../support/app.ts"
import { urlOf } from "../support/cluster/node.ts"
import type { Teardown } from "../../support/database.ts"
import type { Random } from "../../support/random.ts"
import { findStablePort } from "../../support/stable-port.ts"
import { Judge } from "./judge.ts"
import { Primary } from "./primary.ts"
import { Readiness } from "./readiness.ts"
import { Tally } from "./tally.ts"
import { type Topology, ways } from "./topology.ts"

/** What faults disturb: the servers of a topology, and two services that read from all of them. */
export interface ClusterStage extends Scene {
  readonly topology: Topology
  readonly server: Primary
  readonly services: readonly ServiceProcess[]
  readonly tally: Tally
  readonly readiness: Readiness
  readonly judge: Judge
  /** Returns a client that reports what partners may not meet at that time. */
  clientOf(random: Random): Client
}

/** Seconds that a replica may be behind to be asked. */
const staleness = 10

/** Creates a database on the primary, and starts two services. */
export async function openStage(
  t: Teardown,
  topology: Topology,
  random: Random,
): Promise<ClusterStage> {
  const observations = new Observations()
  const primary = await Primary.open(topology)
  t.teardown(() => primary.close())
  const { url: _, ...data } = await createData(primary, { rights: clusterRights })
  await topology.settle()
  const tally = new Tally(topology.nodes)
  const services = await startServices(t, topology, { observations, tally })
  const readiness = new Readiness(services, observations)
  t.teardown(() => readiness.close())
  const judge = new Judge(observations, readiness)
  const { allows } = judge
  const clientOf = (random: Random) => new Client(services, { observations, random, allows })
  const client = clientOf(random.fork())
  const cookies = await logInPartners(client)
  return {
    topology,
    server: primary,
    data: { ...data, url: primary.lastingUrl("chaos") },
    ...{ services, client, clientOf, cookies, observations, tally, readiness, judge },
  }
}

/** Starts services that know all servers of a topology, each by ways of its own. */
async function startServices(
  t: Teardown,
  { name: topology, nodes }: Topology,
  { observations, tally }: { readonly observations: Observations; readonly tally: Tally },
): Promise<readonly ServiceProcess[]> {
  const folder = await mkdtemp(join(tmpdir(), "event-export-cluster-"))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const { name: user, password } = servingUser
  const services: ServiceProcess[] = []
  for (let way = 0; way < ways; way++) {
    const name = `${topology}-${way + 1}`
    const configuration = {
      file: join(folder, `${name}.yaml`),
      port: await findStablePort(),
      adminPort: await findStablePort(),
      databaseUrl: urlOf(nodes, { database: "chaos", user, password, way }),
      secret,
      limit: 10,
      staleness,
    }
    const secrets = [password, encodeURIComponent(password), secret]
    const log = new ServiceLog(observations, secrets, tally.note)
    const output = pipeOutput(log)
    services.push(new ServiceProcess(name, { configuration, log, output, observations }))
  }
  t.teardown(() => Promise.all(services.map((service) => service.kill())))
  await Promise.all(services.map((service) => service.start()))
  return services
}
