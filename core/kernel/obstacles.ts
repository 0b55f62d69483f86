import { findDemonstrationAccounts } from "../access/accounts.ts"
import type { Config } from "../config/read.ts"
import { describeViews, findMissing } from "../data/check-tables.ts"
import type { Database } from "../data/database.ts"
import { readTables } from "../data/migration-state.ts"
import { isLoopback } from "../networks.ts"
import { databaseAccessOf } from "./configured-database.ts"

/** Describes why a database must not be served with a configuration. @throws as `DatabaseAccess.findObstacles` does. */
export async function findObstacles(
  database: Database,
  config: Pick<Config, "server" | "capabilities" | "database">,
): Promise<string[]> {
  const tables = await readTables(database.writer)
  const views = describeViews(database, tables)
  if (views !== undefined) return [views]
  const missing = await findMissing(database, tables)
  // A database that lacks tables may have no accounts to look at, and no heartbeat.
  if (missing.length > 0) {
    return [
      `the database lacks ${
        missing.join(", ")
      }: run "event-export migrate". If it has been migrated, its user may ` +
      `not see them: run the statements that "event-export grants" prints`,
    ]
  }
  return [
    ...await databaseAccessOf(config).findObstacles(database, config),
    ...await findWellKnownPasswords(database, config),
  ]
}

async function findWellKnownPasswords(
  database: Database,
  config: Pick<Config, "server" | "capabilities">,
): Promise<string[]> {
  const exposures = exposuresOf(config)
  const accounts = exposures.length > 0 ? await findDemonstrationAccounts(database) : []
  if (accounts.length === 0) return []
  return [
    `everyone knows the password of the demonstration accounts ${
      accounts.join(", ")
    }, and others ` +
    `can reach the service: ${exposures.join("; ")}. Run "event-export account disable NAME" for ` +
    `each of them ("account passwd" keeps one). Taking demonstration: out of the configuration ` +
    `does not remove them from the database`,
  ]
}

/**
 * Returns the settings by which others than this machine can reach the service, each with its value; none if it listens
 * on loopback and no setting shows a proxy in front of it. A capability may know that only this machine reaches
 * `server.host`.
 */
export function exposuresOf(
  { server, capabilities }: Pick<Config, "server" | "capabilities">,
): string[] {
  const { host, publicUrl, trust_proxy: proxies, host_names: names } = server
  const isLocal = isLoopback(host) ||
    capabilities.some(({ capability, settings }) => capability.settings?.isLocal?.(settings))
  return [
    ...isLocal ? [] : [`server.host ${host} is not loopback`],
    ...publicUrl === undefined || isLoopback(new URL(publicUrl).hostname)
      ? []
      : [`server.public_url ${publicUrl} is not loopback`],
    ...proxies.length > 0 ? ["server.trust_proxy is set"] : [],
    ...names.length > 0 ? ["server.host_names is set"] : [],
  ]
}
