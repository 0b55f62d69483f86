import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type mysql from "mysql2/promise"
import { secret } from "../../support/app.ts"
import type { Teardown } from "../../support/database.ts"
import type { Random } from "../../support/random.ts"
import { findStablePort } from "../../support/stable-port.ts"
import { Client, type Failure, logInPartners, type Target } from "./client.ts"
import type { ConfigurationFile } from "./configuration.ts"
import type { Crowd } from "./crowd.ts"
import { type ChaosData, servingUser } from "./data.ts"
import type { Observations } from "./observations.ts"
import { ServiceLog } from "./service-log.ts"
import { ServiceProcess } from "./service-process.ts"

/** What partners and writers use of a stage. Partners take any of its services, or what stands before them. */
export interface Scene {
  /** Where the tables are. */
  readonly server: {
    run(...statements: readonly string[]): Promise<mysql.RowDataPacket[]>
    connected<T>(work: (connection: mysql.Connection) => Promise<T>): Promise<T>
  }
  readonly data: ChaosData
  readonly services: readonly Target[]
  readonly client: Client
  /** Returns a client like that one. */
  clientOf(random: Random): Client
  /** Cookies of accounts by name. */
  readonly cookies: Readonly<Record<string, string>>
  readonly observations: Observations
}

/** What faults disturb: services as processes, and their database, which is one server or several. */
export interface Stage extends Scene {
  readonly services: readonly ServiceProcess[]
  /** True if a failover lost commits. */
  readonly hasLostCommits?: () => boolean
  /** Waits until all servers have everything that was written. */
  settle(): Promise<void>
  /** Checks what else has to hold, besides the copies, while nobody writes or polls. */
  checkRest?(crowd: Crowd): Promise<void>
  /** Checks what services said during a fault that began at a time. */
  afterFault?(began: number): void
  /** Checks it again once they have recovered. */
  afterRecovery?(): void
  checkAtEnd?(): Promise<void>
}

interface ServicesOptions {
  readonly observations: Observations
  /** The database as each service reaches it, by the names of the services. */
  readonly urls: Readonly<Record<string, string>>
  readonly settings?: Pick<ConfigurationFile, "drain" | "limit" | "staleness" | "mapping">
  /** Gets each line that they log. */
  readonly onEntry?: (entry: Readonly<Record<string, unknown>>) => void
  /** An installed one in place of this checkout. */
  readonly program?: string
}

/** Starts services, and kills them after the test. */
export async function startServices(
  t: Teardown,
  { observations, urls, settings = {}, onEntry, program }: ServicesOptions,
): Promise<readonly ServiceProcess[]> {
  const folder = await mkdtemp(join(tmpdir(), "event-export-chaos-"))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const { password } = servingUser
  const services: ServiceProcess[] = []
  for (const [name, databaseUrl] of Object.entries(urls)) {
    const configuration = {
      ...settings,
      ...{ file: join(folder, `${name}.yaml`), databaseUrl, secret },
      port: await findStablePort(),
      adminPort: await findStablePort(),
    }
    const secrets = [password, encodeURIComponent(password), secret]
    const log = new ServiceLog(observations, secrets, onEntry)
    services.push(new ServiceProcess(name, { configuration, log, observations }))
  }
  t.teardown(() => Promise.all(services.map((service) => service.kill())))
  await Promise.all(services.map((service) => service.start(program)))
  return services
}

/** Logs partners in at services. `allows` is an option of clients. */
export async function openScene<T extends Target>(
  { random, allows, ...scene }: Pick<Scene, "server" | "data" | "observations"> & {
    readonly services: readonly T[]
    readonly random: Random
    readonly allows?: (failure: Failure) => boolean
  },
): Promise<Scene & { readonly services: readonly T[] }> {
  const { observations, services } = scene
  const clientOf = (random: Random) =>
    new Client(services, { observations, random, ...allows && { allows } })
  const client = clientOf(random.fork())
  return { ...scene, client, clientOf, cookies: await logInPartners(client) }
}
