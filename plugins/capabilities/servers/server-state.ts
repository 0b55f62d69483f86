import { type Kysely, type RawBuilder, sql } from "kysely"
import type { Schema } from "../../../core/tables.ts"
import { readOnlyVariables } from "../../databases/mysql/parts.ts"

/** What one server reports about itself and its replication at one moment. */
export interface ServerState {
  /** The server's own id; in a group, the member's. Empty on MariaDB. */
  readonly uuid: string
  /** As the server reports it, such as `9.7.0` or `11.4.2-MariaDB`. */
  readonly version: string
  /** True if `read_only` or `super_read_only` is on, or `innodb_read_only`, as on Aurora readers. */
  readonly isReadOnly: boolean
  /** True if it takes writes: it is not read-only, and in a group, it is the primary and sees a majority. */
  readonly isWritable: boolean
  /** Missing if the server is not configured for a group. */
  readonly group: GroupState | undefined
  /** The asynchronous channels by which it replicates from others, whether they run or not. */
  readonly sources: readonly ReplicationChannel[]
  readonly filters: readonly Filter[]
  readonly settings: ReplicationSettings
  /** Tables of `performance_schema` that the user may not read. Their information is missing above. */
  readonly hidden: readonly string[]
}

/** A group, as one of its members sees it. */
export interface GroupState {
  readonly name: string
  /** The server's own state, such as `ONLINE`, `RECOVERING`, `OFFLINE` or `ERROR`. Empty if unknown. */
  readonly state: string
  /** The server's own role: `PRIMARY`, `SECONDARY`, or empty. */
  readonly role: string
  /** The current view of the members, as `<group>:<number>` with a growing number. Empty if it belongs to none. */
  readonly view: string
  /** The id of the primary, reachable or not; empty if there is none. */
  readonly primary: string
  /** The number of members that it knows, including itself and unreachable ones. */
  readonly members: number
  /** True if it reaches more than half of the members, including itself. */
  readonly hasMajority: boolean
  /** True if it reaches a primary, or is the primary. */
  readonly hasPrimary: boolean
  readonly isSinglePrimary: boolean
  /** `group_replication_consistency`. */
  readonly consistency: string
}

/** An asynchronous channel. */
export interface ReplicationChannel {
  /** Empty for the default channel. */
  readonly name: string
  /** True if it receives changes, tries to receive them, or applies them. */
  readonly isRunning: boolean
  /** The number of threads that apply its changes; 0 while it does not apply any. */
  readonly workers: number
  /** The configured delay in seconds. */
  readonly delay: number
}

/** A replication filter. */
export interface Filter {
  /** Null if it applies to every channel. */
  readonly channel: string | null
  /** Such as `REPLICATE_IGNORE_TABLE`. */
  readonly name: string
  readonly rule: string
}

/** The settings of a server that affect what its replicas show. */
export interface ReplicationSettings {
  readonly preserveCommitOrder: boolean
  readonly parallelWorkers: number
  readonly binlogOrderCommits: boolean
  /** `ROW`, `MIXED` or `STATEMENT`. */
  readonly binlogFormat: string
  readonly hasBinlog: boolean
  /** True if it continues after changes that it cannot apply. */
  readonly skipsErrors: boolean
  /** If false, filters are invisible. */
  readonly hasPerformanceSchema: boolean
  /**
   * False if the storage engine itself cascades, which does not show in the binary log:
   * `innodb_native_foreign_keys=OFF`.
   */
  readonly logsCascades: boolean
  /** True for a Galera node. */
  readonly isGalera: boolean
}

const variableNames = [
  ...readOnlyVariables,
  "binlog_format",
  "binlog_order_commits",
  "group_replication_consistency",
  "group_replication_group_name",
  "group_replication_single_primary_mode",
  "innodb_native_foreign_keys",
  "log_bin",
  "performance_schema",
  "replica_exec_mode",
  "replica_parallel_workers",
  "replica_preserve_commit_order",
  "replica_skip_errors",
  "server_uuid",
  "version",
  "wsrep_on",
] as const

/** The tables of `performance_schema` that `readServerState` reads. A user needs the privilege to select from each. */
export const stateTables = {
  members: ["replication_group_members", "replication_group_member_stats"],
  sources: [
    "replication_connection_status",
    "replication_applier_status",
    "replication_applier_configuration",
    "replication_applier_status_by_worker",
  ],
  filters: ["replication_applier_global_filters", "replication_applier_filters"],
} as const

/**
 * Reads the state of a server with four short statements. Without special privileges, lists in `hidden` what it could
 * not read.
 *
 * @throws as the database does.
 */
export async function readServerState(db: Kysely<Schema>): Promise<ServerState> {
  const settings = await readSettings(db)
  const uuid = settings.text("server_uuid")
  const hidden: string[] = []
  const read = async <Row>(part: keyof typeof stateTables, statement: RawBuilder<Row>) => {
    // MariaDB has other tables.
    if (!uuid) return []
    try {
      return (await statement.execute(db)).rows
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ER_TABLEACCESS_DENIED_ERROR") throw error
      hidden.push(...stateTables[part])
      return []
    }
  }
  const group = groupOf(uuid, settings, await read("members", memberRows))
  const sources = await read("sources", sourceRows)
  const filters = await read("filters", filterRows)
  const isReadOnly = readOnlyVariables.some((name) => settings.isOn(name))
  return {
    uuid,
    version: settings.text("version"),
    isReadOnly,
    isWritable: !isReadOnly && (group === undefined || isPrimary(group)),
    group,
    sources: sources.map(({ receiving, applying, ...source }) => ({
      ...source,
      isRunning: receiving !== "OFF" || applying !== "OFF",
    })),
    filters,
    settings: {
      preserveCommitOrder: settings.isOn("replica_preserve_commit_order"),
      parallelWorkers: Number(settings.text("replica_parallel_workers")),
      binlogOrderCommits: settings.isOn("binlog_order_commits"),
      binlogFormat: settings.text("binlog_format"),
      hasBinlog: settings.isOn("log_bin"),
      skipsErrors: settings.text("replica_exec_mode") === "IDEMPOTENT" ||
        !["", "OFF"].includes(settings.text("replica_skip_errors")),
      hasPerformanceSchema: settings.isOn("performance_schema"),
      logsCascades: settings.text("innodb_native_foreign_keys") !== "OFF",
      isGalera: settings.isOn("wsrep_on"),
    },
    hidden,
  }
}

function isPrimary({ state, role, hasMajority }: GroupState): boolean {
  return state === "ONLINE" && role === "PRIMARY" && hasMajority
}

type Name = typeof variableNames[number]

/** System variables. Those that a server does not have are empty. */
interface Settings {
  text(name: Name): string
  isOn(name: Name): boolean
}

async function readSettings(db: Kysely<Schema>): Promise<Settings> {
  const names = sql.join(variableNames.map((name) => sql.lit(name)))
  const { rows } = await sql<{ Variable_name: string; Value: string }>`
    show global variables where variable_name in (${names})`.execute(db)
  const values = new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Value]))
  const text = (name: Name) => values.get(name) ?? ""
  return { text, isOn: (name) => text(name) === "ON" }
}

interface Member {
  readonly id: string
  readonly state: string
  readonly role: string
  readonly view: string | null
}

const memberRows = sql<Member>`
  select members.member_id as id, member_state as state, member_role as role, view_id as view
  from performance_schema.replication_group_members as members
    left join performance_schema.replication_group_member_stats as stats
      on stats.member_id = members.member_id`

function groupOf(
  uuid: string,
  settings: Settings,
  members: readonly Member[],
): GroupState | undefined {
  const name = settings.text("group_replication_group_name")
  if (!name) return undefined
  const own = members.find(({ id }) => id === uuid)
  const reached = members.filter(({ state }) => state === "ONLINE" || state === "RECOVERING")
  return {
    name,
    state: own?.state ?? "",
    role: own?.role ?? "",
    view: own?.view ?? "",
    primary: members.find(({ role }) => role === "PRIMARY")?.id ?? "",
    members: members.length,
    hasMajority: 2 * reached.length > members.length,
    hasPrimary: members.some(({ state, role }) => state === "ONLINE" && role === "PRIMARY"),
    isSinglePrimary: settings.isOn("group_replication_single_primary_mode"),
    consistency: settings.text("group_replication_consistency"),
  }
}

interface SourceRow extends Omit<ReplicationChannel, "isRunning"> {
  readonly receiving: string
  readonly applying: string
}

/** Leaves out the group's channels, which are not sources. */
const sourceRows = sql<SourceRow>`
  select channel_name as name, c.service_state as receiving, a.service_state as applying,
    (select count(*) from performance_schema.replication_applier_status_by_worker as w
      where w.channel_name = c.channel_name and w.service_state = 'ON') as workers,
    desired_delay as delay
  from performance_schema.replication_connection_status as c
    join performance_schema.replication_applier_status as a using (channel_name)
    join performance_schema.replication_applier_configuration using (channel_name)
  where channel_name not in ('group_replication_applier', 'group_replication_recovery')`

const filterRows = sql<Filter>`
  select null as channel, filter_name as name, filter_rule as rule
  from performance_schema.replication_applier_global_filters
  union all
  select channel_name, filter_name, filter_rule from performance_schema.replication_applier_filters`
