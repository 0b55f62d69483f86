import { loadAllCapabilities } from "../config/capabilities.ts"
import { capabilityNames } from "../config/installed.ts"
import type { Config } from "../config/read.ts"
import type { Database, DatabaseOptions } from "../data/database.ts"
import type { Storages } from "../data/storage.ts"
import { kernelStorage } from "../data/kernel-storage.ts"
import { capabilitiesOf, type Capability } from "./capability.ts"
import { type DatabaseAccess, oneServer } from "./database-access.ts"

type DatabaseConfig = Pick<Config, "capabilities"> & {
  readonly database: Pick<Config["database"], "url" | "connections" | "time_limit" | "replicas">
}

/** Runs `work` on the database that a configuration names, and closes it. For commands. */
export async function withConfigured<T>(
  config: DatabaseConfig,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openConfigured(config, await loadAllStorages(config))
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Opens the database that a configuration names. @throws as `openDatabase` does. */
export async function openConfigured(
  config: DatabaseConfig,
  storages: Storages,
  onStatement?: DatabaseOptions["onStatement"],
): Promise<Database> {
  const { connections, time_limit: timeLimit } = config.database
  return await databaseAccessOf(config).open(config.database, {
    connections,
    timeLimit,
    storages,
    ...onStatement && { onStatement },
  })
}

/** Returns how the service reaches the database of a configuration. */
export function databaseAccessOf(config: Pick<Config, "capabilities">): DatabaseAccess {
  const [access = oneServer] = capabilitiesOf(config)
    .flatMap(({ capability: { database } }) => database ?? [])
  return access
}

/** Returns the storages: those of the kernel and of capabilities that are on, and the names of the others. */
export function listStorages(config: Pick<Config, "capabilities">): Storages {
  const capabilities = capabilitiesOf(config)
  const isOn = (name: string) => capabilities.some(({ capability }) => capability.name === name)
  return {
    on: [kernelStorage, ...capabilities.flatMap(({ capability }) => capability.storage ?? [])],
    off: capabilityNames().filter((name) => !isOn(name)).map((name) => ({ name })),
  }
}

/** Like `listStorages`, but knows the tables of all. For commands: loads all capabilities that are installed. */
async function loadAllStorages(config: Pick<Config, "capabilities">): Promise<Storages> {
  const { on, off } = listStorages(config)
  const installed = await loadAllCapabilities<Capability>()
  return {
    on,
    off: off.flatMap(({ name }) => installed.find((each) => each.name === name)?.storage ?? []),
  }
}
