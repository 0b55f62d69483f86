import { findOmitted, type NeededTables } from "./replication-filters.ts"
import type { ReplicationChannel, ServerState } from "./server-state.ts"

/** A server that answers. */
export interface ObservedServer {
  /** Its host and port. */
  readonly name: string
  readonly state: ServerState
}

/** How the servers are used. */
export interface ServerUse {
  /** The tables that the service reads and writes. */
  readonly needed: NeededTables
  /** The configuration has several servers, or replicas. */
  readonly hasSeveral: boolean
  /** The name of the server that takes writes; missing while there is none. */
  readonly primary: string | undefined
}

/**
 * Returns why records would be lost even though all of these servers work: a sentence for each fault of each server,
 * with the remedy. A privilege that the user lacks is a fault only if there are several servers.
 */
export function findReplicationFaults(
  servers: readonly ObservedServer[],
  use: ServerUse,
): string[] {
  const primary = servers.find(({ name }) => name === use.primary)
  return servers.flatMap((server, index) => {
    const alias = servers.slice(0, index).find(({ state: { uuid } }) =>
      uuid !== "" && uuid === server.state.uuid
    )
    if (alias) {
      return [`${alias.name} and ${server.name} are the same server: name it once in database`]
    }
    const rules = use.hasSeveral ? [...anywhere, ...withOthers] : anywhere
    return rules.flatMap((rule) => {
      const fault = rule(server.state, { ...use, isPrimary: server === primary, primary })
      return fault ? [`${server.name} ${fault}`] : []
    })
  })
}

/** What rules know besides a server's state. */
interface Surroundings extends Omit<ServerUse, "primary"> {
  readonly isPrimary: boolean
  readonly primary: ObservedServer | undefined
}

/** Returns a fault of a server, as the rest of a sentence that begins with the server's name. */
type Rule = (state: ServerState, around: Surroundings) => string | false | undefined

/** Faults of any server. */
const anywhere: readonly Rule[] = [
  ({ version }) =>
    /TiDB|Vitess|PlanetScale/i.test(version) &&
    `is of the version ${version}, which has no triggers: changes would not be logged, and partners would miss them. ` +
      `Use MySQL or MariaDB`,
  ({ settings }) =>
    settings.isGalera &&
    "is a node of Galera (wsrep_on), which can lose commits that it has confirmed, and keeps no order " +
      "between the changes of several nodes: partners would miss records. Use a single server, or MySQL Group " +
      "Replication with one primary",
  ({ group }) =>
    group && !group.isSinglePrimary &&
    "belongs to a group with several primaries: changes that are open on another primary cannot be seen, and " +
      "partners would miss them. Run select group_replication_switch_to_single_primary_mode() in the group, and " +
      "set group_replication_single_primary_mode=ON and " +
      "group_replication_enforce_update_everywhere_checks=OFF on each server",
  ({ group }) =>
    group?.consistency === "EVENTUAL" &&
    "has group_replication_consistency=EVENTUAL: as a new primary it would answer before it has applied the " +
      "changes of the former primary, and partners would miss them. Set it to BEFORE_ON_PRIMARY_FAILOVER on each server",
  (state, { needed, isPrimary, hasSeveral }) => {
    const [source] = state.isWritable
      ? carriersOf(state, needed).filter(({ isRunning }) => isRunning)
      : []
    return source &&
      `takes writes although it is a replica (${
          channelOf(source)
        } runs): changes that are open on its source ` +
        `cannot be seen, and partners would miss them. ` +
        (hasSeveral && !isPrimary
          ? "Run set persist super_read_only = ON on it"
          : "Let database.url lead to its source; or, if this is the new primary, run stop replica and reset replica all on it")
  },
]

/** Faults of one of several servers. */
const withOthers: readonly Rule[] = [
  ({ version }) =>
    version.includes("MariaDB") &&
    "is MariaDB, which does not tell the service what it must know about its replication: several hosts and " +
      "database.replicas need MySQL. Name one host, and no replicas",
  ({ hidden, uuid }) =>
    uuid !== "" && hidden.length > 0 &&
    `does not let the user select from performance_schema.${
        hidden.join(", ")
      }: nobody could notice a replica ` +
      `that shows changes in another order. Run the statements that "event-export grants" prints`,
  ({ sources, settings: { hasPerformanceSchema } }) =>
    sources.length > 0 && !hasPerformanceSchema &&
    "has performance_schema=OFF, so nobody can see whether a replication filter leaves out tables. Start it with " +
      "performance_schema=ON",
  ({ settings: { preserveCommitOrder, parallelWorkers }, sources, uuid }) => {
    const workers = Math.max(parallelWorkers, ...sources.map((source) => source.workers))
    return uuid !== "" && !preserveCommitOrder && workers > 1 &&
      `has replica_preserve_commit_order=OFF with ${workers} appliers: as a replica it shows a change before ` +
        `earlier ones, and partners would miss those. Run stop replica, set persist ` +
        `replica_preserve_commit_order = ON, and start replica`
  },
  ({ settings: { hasBinlog, binlogOrderCommits } }) =>
    hasBinlog && !binlogOrderCommits &&
    "has binlog_order_commits=OFF: its replicas get changes in another order than it shows them in, and " +
      "partners would miss some. Run set persist binlog_order_commits = ON",
  ({ settings: { hasBinlog, binlogFormat } }) =>
    hasBinlog && binlogFormat !== "ROW" &&
    `has binlog_format=${binlogFormat}: its replicas run triggers again, with other times and versions, and ` +
      `partners would miss changes. Run set persist binlog_format = ROW, and restart the programs that write`,
  ({ settings: { skipsErrors } }) =>
    skipsErrors &&
    "continues after changes that it cannot apply (replica_skip_errors, or replica_exec_mode=IDEMPOTENT): partners " +
      "would miss those. Set replica_skip_errors=OFF and replica_exec_mode=STRICT, and copy the data of the " +
      "primary again if it has skipped any",
  (state, { needed }) => describeOmitted(state, needed),
  (state, { needed }) => {
    const carriers = carriersOf(state, needed)
    return carriers.length > 1 &&
      `gets this database from several sources (${
          carriers.map(channelOf).join(", ")
        }), whose changes have no ` +
        `common order. Keep one of the channels; if the others are for other databases, say so by ` +
        `change replication filter replicate_ignore_db = (${needed.database}) for channel '…'`
  },
  ({ group, sources, hidden }, { isPrimary, primary }) => {
    if (!primary || isPrimary || hidden.length > 0 || sources.length > 0) return undefined
    const own = primary.state.group
    if (group && own && group.name === own.name) return undefined
    return `does not replicate from ${primary.name}, nor belong to its group: it would show other records. ` +
      `Set its replication up, or take it out of database`
  },
]

/** Returns the channels that bring at least some of the tables. */
function carriersOf(state: ServerState, needed: NeededTables): readonly ReplicationChannel[] {
  return state.sources.filter((source) =>
    omittedBy(state, source.name, needed).length < needed.tables.length
  )
}

/**
 * Returns the tables that a channel leaves out. A channel has its own copies of the filters for every channel; a group
 * ignores those filters.
 */
function omittedBy({ filters }: ServerState, channel: string, needed: NeededTables): string[] {
  return findOmitted(filters.filter((filter) => filter.channel === channel), needed)
}

function describeOmitted(state: ServerState, needed: NeededTables): string | undefined {
  if (state.group && state.group.role !== "") return undefined
  const omitted = state.sources.map(({ name }) => omittedBy(state, name, needed))
  const [least = []] = omitted.toSorted((one, other) => one.length - other.length)
  if (least.length === 0) return undefined
  const isAll = least.length === needed.tables.length
  const what = isAll
    ? `the database ${needed.database}`
    : `${least.slice(0, 5).join(", ")}${
      least.length > 5 ? ` and ${least.length - 5} more tables` : ""
    }`
  return `has a replication filter that leaves out ${what}: partners would miss these changes. Run stop replica, ` +
    `take the filter back by change replication filter, and copy the data of the primary again`
}

function channelOf({ name }: ReplicationChannel): string {
  return name === "" ? "its replication" : `channel ${name}`
}
