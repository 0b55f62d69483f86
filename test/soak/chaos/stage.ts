import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { secret } from "../../support/app.ts"
import type { Random } from "../../support/random.ts"
import { Relay } from "../../support/relay.ts"
import { findStablePort } from "../../support/stable-port.ts"
import { Client, logInPartners, type Target } from "./client.ts"
import { type ChaosData, createData, servingUser } from "./data.ts"
import { Observations } from "./observations.ts"
import type { PrivateMysql } from "./private-mysql.ts"
import { ServiceLog } from "./service-log.ts"
import { canLimitFiles, fileOutput, pipeOutput } from "./service-output.ts"
import { ServiceProcess } from "./service-process.ts"

/** What faults disturb: a server, the way to it, and two services. */
export interface Stage {
  readonly server: PrivateMysql
  readonly data: ChaosData
  /** The services reach the server through it; the writers do not. */
  readonly relay: Relay
  readonly services: readonly ServiceProcess[]
  readonly client: Client
  /** Cookies of accounts by name. */
  readonly cookies: Readonly<Record<string, string>>
  readonly observations: Observations
  /** Is removed at the end. */
  readonly folder: string
  close(): Promise<void>
}

/** What partners and writers use of a stage. Partners take any of its services, or what stands before them. */
export interface Scene extends Pick<Stage, "data" | "client" | "cookies" | "observations"> {
  /** Where the tables are. */
  readonly server: Pick<PrivateMysql, "connected">
  readonly services: readonly Target[]
}

/** Creates a database, and starts two services on it. */
export async function buildStage(server: PrivateMysql, random: Random): Promise<Stage> {
  const data = await createData(server)
  const { name, password } = servingUser
  const observations = new Observations()
  const relay = await Relay.open(
    `mysql://${name}:${encodeURIComponent(password)}@127.0.0.1:${server.port}/chaos`,
  )
  const folder = await mkdtemp(join(tmpdir(), "event-export-chaos-"))
  const services: ServiceProcess[] = []
  const close = async () => {
    for (const service of services) await service.kill()
    relay.goAway()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    for (const name of ["service-1", "service-2"]) {
      const configuration = {
        file: join(folder, `${name}.yaml`),
        port: await findStablePort(),
        adminPort: await findStablePort(),
        databaseUrl: relay.url,
        secret,
      }
      const secrets = [password, encodeURIComponent(password), secret]
      const log = new ServiceLog(observations, secrets)
      const output = services.length === 0 || !canLimitFiles
        ? pipeOutput(log)
        : fileOutput(log, join(folder, `${name}.log`))
      services.push(new ServiceProcess(name, { configuration, log, output, observations }))
    }
    await Promise.all(services.map((service) => service.start()))
    const client = new Client(services, { observations, random: random.fork() })
    const cookies = await logInPartners(client)
    return { server, data, relay, services, client, cookies, observations, folder, close }
  } catch (error) {
    await close()
    throw error
  }
}
