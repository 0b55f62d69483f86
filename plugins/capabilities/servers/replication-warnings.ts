import type { Config, Database, Warning } from "../../../core/capability.ts"
import { findLateServers } from "./late-servers.ts"
import type { Server } from "./server.ts"
import { ServersDatabase } from "./servers-database.ts"

/** Finds servers that are configured but from which nothing is read now. Finds none if there is only one server. */
export async function findReplicationWarnings(
  database: Database,
  { database: { replicas } }: Pick<Config, "database">,
): Promise<Warning[]> {
  if (!(database instanceof ServersDatabase)) return []
  const late = new Set((await findLateServers(database, "first")).map(({ server }) => server))
  const { staleness = Infinity } = replicas ?? {}
  const warnings: Warning[] = []
  for (const server of database.servers.all) {
    // `describe` reports servers that are away.
    const unset = server.state ? await database.at(server).findUnset().catch(() => []) : []
    const messages = [
      describe(server, staleness) ?? (late.has(server) ? isLate : undefined),
      server.state?.settings.logsCascades === false ? hidesCascades : undefined,
      unset.length > 0 ? `${[...new Set(unset)].join(", ")}, ${keepsNothing}` : undefined,
    ]
    for (const message of messages) {
      if (message !== undefined) warnings.push({ about: `server ${server.name}`, message })
    }
  }
  return warnings
}

const keepsNothing =
  "although each connection sets it: pages that are read from it may be of several moments, or wrong. Take it out of " +
  "database, or connect to it without a proxy"

const isLate =
  "its heartbeat does not follow the primary's: its replication has stopped or is far behind, and nothing is read " +
  "from it until it has caught up. See its performance_schema.replication_applier_status_by_worker"

const hidesCascades =
  "innodb_native_foreign_keys is OFF: after a REPLACE of a row that others refer to, the other servers lack rows that the " +
  "primary has, and partners get either. Set it to ON"

function describe({ state, problem = "" }: Server, staleness: number): string | undefined {
  if (!state) {
    return `it does not answer (${
      problem.replace(/\.$/, "")
    }): nothing is read from it until it does`
  }
  const delay = Math.max(0, ...state.sources.map((source) => source.delay))
  return delay > staleness
    ? `it is meant to stay ${delay} s behind, and database.replicas.staleness is ${staleness}: nothing is ever read ` +
      `from it. Take it out of database, or set its source_delay to 0`
    : undefined
}
