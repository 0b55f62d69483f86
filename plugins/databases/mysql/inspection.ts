import { type Kysely, type RawBuilder, sql } from "kysely"
import {
  type Inspection,
  isSameDefinition,
  type Privilege,
  type Schema,
  type TriggerFault,
} from "../../../core/driver.ts"
import { findUnset } from "./session-settings.ts"

/** A server does not take writes if one of these is on. Aurora readers set only the last one. */
export const readOnlyVariables = ["read_only", "super_read_only", "innodb_read_only"] as const

/** Inspects MySQL and MariaDB. They check the privileges for a statement also when it is only explained. */
export const mysqlInspection: Inspection = {
  isOpenToOthers: () => false,
  async findDenied(db, tables) {
    const denied: string[] = []
    for (const [name, table] of Object.entries(tables)) {
      for (const privilege of table.privileges) {
        const { words, probe } = probes[privilege]
        const error = await awaitError(probe(name, Object.keys(table.columns)).execute(db))
        if (refusals.has(error?.code)) denied.push(`${words} ${name}`)
      }
    }
    return denied
  },
  async findTriggerFaults(db, expected) {
    const { rows } = await sql<
      { name: string; table: string; timing: string; event: string; statement: string }
    >`
      select trigger_name as name, event_object_table as ${sql.ref("table")},
        action_timing as timing, event_manipulation as event, action_statement as statement
      from information_schema.triggers where trigger_schema = database()`.execute(db)
    const faults: TriggerFault[] = []
    for (const trigger of expected) {
      const { name, table } = trigger
      const existing = rows.find((row) => row.name === name && row.table === table)
      if (!existing && await isHidden(db, name)) continue
      if (existing && isSameDefinition(definitionOf(existing), trigger.definition)) continue
      const isThere = rows.some((row) => row.name === name)
      faults.push({ trigger, fault: isThere ? "different" : "missing" })
    }
    return faults
  },
  readRole,
  findMade,
  findUnset,
  findLimits,
}

/** Joins the parts of a definition here, since the server returns null for texts longer than `max_allowed_packet`. */
function definitionOf(
  { timing, event, table, statement }: {
    readonly timing: string
    readonly event: string
    readonly table: string
    readonly statement: string
  },
): string {
  return `${timing} ${event} on ${table} for each row ${statement}`
}

/** Bytes that a statement may need: records with long texts and lists of a thousand ids take less. */
const leastPacket = 1024 ** 2

async function findLimits(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ Variable_name: string; Value: string }>`
    show session variables where variable_name in ('max_allowed_packet', 'binlog_format', 'log_bin')`
    .execute(db)
  const values = new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Value]))
  const packet = Number(values.get("max_allowed_packet"))
  const format = values.get("binlog_format")
  return [
    ...packet < leastPacket
      ? [
        `max_allowed_packet is ${packet}, so long records cannot be written, and pages fail: set 64M`,
      ]
      : [],
    ...format === "STATEMENT" && values.get("log_bin") === "ON"
      ? ["binlog_format is STATEMENT, so nothing is noted of partners: set ROW"]
      : [],
  ]
}

async function findMade(
  db: Kysely<Schema>,
  tables: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (tables.length === 0) return new Map()
  const { rows } = await sql<{ name: string; made: string }>`
    select table_name as name, cast(unix_timestamp(create_time) as char) as made
    from information_schema.tables
    where table_schema = database() and table_name in (${sql.join(tables)})`.execute(db)
  return new Map(rows.map(({ name, made }) => [name, made]))
}

/**
 * Returns true if a trigger exists but is hidden. Without the privilege TRIGGER, triggers are invisible, but the error
 * shows whether one with this name exists.
 */
async function isHidden(db: Kysely<Schema>, name: string): Promise<boolean> {
  const error = await awaitError(sql`show create trigger ${sql.table(name)}`.execute(db))
  if (
    error &&
    !["ER_SPECIFIC_ACCESS_DENIED_ERROR", "ER_TRG_DOES_NOT_EXIST"].includes(String(error.code))
  ) {
    throw error
  }
  return error?.code === "ER_SPECIFIC_ACCESS_DENIED_ERROR"
}

/** For each privilege: a statement that needs it, and its description. */
const probes: Readonly<
  Record<Privilege, {
    readonly words: string
    readonly probe: (table: string, columns: readonly string[]) => RawBuilder<unknown>
  }>
> = {
  select: {
    words: "select from",
    probe: (table, columns) =>
      sql`select ${sql.join(columns.map((name) => sql.ref(name)))} from ${
        sql.table(table)
      } where false`,
  },
  insert: {
    words: "insert into",
    probe: (table) => sql`explain insert into ${sql.table(table)} () values ()`,
  },
  update: {
    words: "update",
    probe: (table, [column = ""]) =>
      sql`explain update ${sql.table(table)} set ${sql.ref(column)} = ${
        sql.ref(column)
      } where false`,
  },
  delete: {
    words: "delete from",
    probe: (table) => sql`explain delete from ${sql.table(table)} where false`,
  },
}

const refusals = new Set<unknown>([
  "ER_TABLEACCESS_DENIED_ERROR",
  "ER_COLUMNACCESS_DENIED_ERROR",
  "ER_DBACCESS_DENIED_ERROR",
])

/** Returns the error with which a statement ends; undefined if it succeeds. */
async function awaitError(
  running: Promise<unknown>,
): Promise<{ readonly code?: unknown } | undefined> {
  return await running.then(() => undefined, (error) => error)
}

async function readRole(db: Kysely<Schema>): ReturnType<Inspection["readRole"]> {
  const { rows } = await sql<{ Variable_name: string; Value: string }>`
    show global variables where variable_name in
      ('group_replication_group_name', 'version', 'wsrep_on', ${sql.join(readOnlyVariables)})`
    .execute(db)
  const values = new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Value]))
  const isOn = (name: string) => values.get(name) === "ON"
  if (readOnlyVariables.some(isOn)) return "read-only"
  return isOn("wsrep_on") || values.get("group_replication_group_name") ||
      /TiDB|Vitess|PlanetScale/i.test(values.get("version") ?? "") || await replicates(db)
    ? "one of several"
    : "alone"
}

/** Returns true if a server replicates from another, as far as the user may see. */
async function replicates(db: Kysely<Schema>): Promise<boolean> {
  const reading = sql`
    select 1 from performance_schema.replication_connection_status where service_state <> 'OFF'
    union all
    select 1 from performance_schema.replication_applier_status where service_state <> 'OFF'`
  try {
    return (await reading.execute(db)).rows.length > 0
  } catch (error) {
    const { code } = error as { code?: unknown }
    // MariaDB has other tables.
    if (code === "ER_TABLEACCESS_DENIED_ERROR" || code === "ER_NO_SUCH_TABLE") return false
    throw error
  }
}
