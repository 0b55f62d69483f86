import { type DatabaseAccess, readOnlyServer } from "../../../core/nodes.ts"
import { tablesOf } from "../../../core/tables.ts"
import { readTargets } from "../../databases/mysql/parts.ts"
import { findLateServers, reachable } from "./late-servers.ts"
import { findReplicationFaults } from "./replication-faults.ts"
import { readServerState, type ServerState } from "./server-state.ts"
import { ServersDatabase } from "./servers-database.ts"

/** Implements `DatabaseAccess.findObstacles`. */
export const findReplicationObstacles: DatabaseAccess["findObstacles"] = async (
  database,
  config,
) => {
  const { url, replicas } = config.database
  if (!url.startsWith("mysql:")) return []
  const [target] = readTargets(url)
  const several = database instanceof ServersDatabase ? database : undefined
  const observed = several
    ? reachable(several)
    : [{ name: target.name, state: await readServerState(database.writer) }]
  if (!several && observed[0]?.state.isReadOnly) throw await readOnlyServer(config.database)
  const faults = findReplicationFaults(observed, {
    needed: {
      database: target.options.database ?? "",
      tables: Object.keys(tablesOf(database.storages)),
    },
    hasSeveral: several !== undefined || replicas !== undefined,
    primary: several ? several.servers.primary?.name : target.name,
  })
  return faults.length > 0 || !several ? faults : await findServersWithoutHeartbeat(several)
}

async function findServersWithoutHeartbeat(database: ServersDatabase): Promise<string[]> {
  const late = await findLateServers(database, "any")
  return late.filter(({ state }) => isFollowing(state)).flatMap(({ name, reason }) =>
    reason === undefined ? [] : [
      `${name} lacks the heartbeat that the primary writes, so nobody could know which changes it lacks ` +
      `(${reason.replace(/\.$/, "")}): see ` +
      `whether its replication leaves out the table change_state, and copy the data of the primary to it again`,
    ]
  )
}

/** Returns true if the server is set up to get the primary's commits at once. */
function isFollowing({ group, sources }: ServerState): boolean {
  return group?.state === "ONLINE" ||
    sources.some(({ isRunning, delay }) => isRunning && delay === 0)
}
