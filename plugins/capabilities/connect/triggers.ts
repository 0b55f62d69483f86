import type { Mapping } from "./mapping.ts"
import { quoteName, type SourceName } from "./sources/source.ts"

/** The table in the source in which triggers note the keys of changed rows. */
export const queue = "event_export_change"

/** What triggers note of a table: the values of these columns. */
interface WatchedTable {
  readonly table: string
  readonly columns: readonly string[]
}

/** Statements for the source, with what undoes them. */
export interface Step {
  readonly about: string
  readonly apply: readonly string[]
  readonly undo: readonly string[]
}

/** Says what the user of the mapping needs, to read the queue and see the triggers; empty if it may do all anyway. */
export function grantsOf(source: SourceName, url: string): readonly string[] {
  if (source === "sqlite") return []
  const { username, pathname } = new URL(url)
  const user = decodeURIComponent(username)
  const rights = "grant select, delete on"
  if (source === "postgres") return [`${rights} ${queue} to "${user}"`]
  const database = `\`${decodeURIComponent(pathname.slice(1))}\``
  return [
    `${rights} ${database}.${queue} to '${user}'`,
    `grant trigger on ${database}.* to '${user}'`,
  ]
}

/** Returns the tables whose changes a mapping wants to be told, each with all columns that lead to records. */
export function watchedTables({ keys }: Pick<Mapping, "keys">): readonly WatchedTable[] {
  const tables = Map.groupBy([...keys.values()].flat(), ({ table }) => table)
  return [...tables].map(([table, same]) => ({
    table,
    columns: [...new Set(same.map(({ column }) => column))],
  }))
}

const operations = ["insert", "update", "delete"] as const

type Operation = (typeof operations)[number]

/** The names of the triggers of a table. */
export function triggerNames(table: string): readonly string[] {
  return operations.map((operation) => triggerName(table, operation))
}

function triggerName(table: string, operation: Operation): string {
  return `event_export_${table.replaceAll(".", "_")}_${operation}`
}

/**
 * Returns the statements that make a source tell which keys change. A trigger notes the key, and does nothing else: no
 * projection, no foreign key; if that fails, the platform's own statement goes on.
 */
export function planOf(source: SourceName, tables: readonly WatchedTable[]): readonly Step[] {
  const { columns, shared, bodyOf } = syntax[source]
  const create = `create table if not exists ${queue} (${columns})`
  return [
    { about: "the queue of keys", apply: [create], undo: [`drop table if exists ${queue}`] },
    ...shared ? [{ about: "the function that notes a key", ...shared }] : [],
    ...tables.map((watched) => ({
      about: `triggers on ${watched.table}`,
      apply: operations.map((operation) => {
        const name = quoteName(source, triggerName(watched.table, operation))
        const table = quoteName(source, watched.table)
        const body = bodyOf(watched, operation)
        return `create trigger ${name} after ${operation} on ${table} for each row\n${body}`
      }),
      undo: triggerNames(watched.table).map((name) =>
        `drop trigger if exists ${quoteName(source, name)}` +
        (source === "postgres" ? ` on ${quoteName(source, watched.table)}` : "")
      ),
    })),
  ]
}

interface Syntax {
  /** The columns of the queue. */
  readonly columns: string
  readonly shared?: Pick<Step, "apply" | "undo">
  bodyOf(watched: WatchedTable, operation: Operation): string
}

/** Returns statements that note the new values of a row, and the old ones if they are others. */
function notes(
  { table, columns }: WatchedTable,
  operation: Operation,
  source: SourceName,
  write: (value: string, name: string, condition: string) => string,
): string {
  return columns.map((column) => {
    const [was, is] = ["old", "new"].map((row) => `${row}.${quoteName(source, column)}`) as [
      string,
      string,
    ]
    const isSame = source === "mysql" ? "<=>" : "is"
    const isOther = operation === "update" ? ` and not (${was} ${isSame} ${is})` : ""
    const note = (value: string, condition: string) =>
      `  ${write(value, `'${table}.${column}'`, `${value} is not null${condition}`)};\n`
    return (operation === "delete" ? "" : note(is, "")) +
      (operation === "insert" ? "" : note(was, isOther))
  }).join("")
}

const syntax: Readonly<Record<SourceName, Syntax>> = {
  mysql: {
    columns: `seq bigint unsigned not null auto_increment primary key,
  name varchar(129) character set ascii not null, value varchar(191) not null`,
    bodyOf: (watched, operation) =>
      `begin\n  declare continue handler for sqlexception begin end;\n${
        notes(watched, operation, "mysql", (value, name, condition) =>
          `if ${condition} then insert into ${queue} (name, value) values (${name}, ${value}); end if`)
      }end`,
  },
  sqlite: {
    // With autoincrement, SQLite would make a table of its own that nobody can drop.
    columns: "seq bigint primary key default (random()), name text not null, value text not null",
    bodyOf: (watched, operation) =>
      `begin\n${
        notes(watched, operation, "sqlite", (value, name, condition) =>
          `insert into ${queue} (name, value) select ${name}, ${value} where ${condition}`)
      }end`,
  },
  postgres: {
    columns:
      "seq bigint generated always as identity primary key, name text not null, value text not null",
    shared: {
      apply: [
        `create or replace function event_export_note() returns trigger language plpgsql security definer as $$
declare
  place integer;
  old_value text;
  new_value text;
begin
  for place in 0 .. tg_nargs - 1 loop
    old_value := case when tg_op <> 'INSERT' then to_jsonb(old) ->> tg_argv[place] end;
    new_value := case when tg_op <> 'DELETE' then to_jsonb(new) ->> tg_argv[place] end;
    insert into ${queue} (name, value)
      select distinct tg_table_name || '.' || tg_argv[place], value
      from unnest(array[old_value, new_value]) value where value is not null;
  end loop;
  return null;
exception when others then
  return null;
end $$`,
      ],
      undo: ["drop function if exists event_export_note()"],
    },
    bodyOf: ({ columns }) =>
      `execute function event_export_note(${columns.map((column) => `'${column}'`).join(", ")})`,
  },
}

/** The SELECTs that return the names of the triggers that are there, as far as the user may know. */
export const selectTriggers: Readonly<Record<SourceName, string>> = {
  mysql: "select trigger_name from information_schema.triggers where trigger_schema = database()",
  sqlite: "select name from sqlite_schema where type = 'trigger'",
  postgres:
    "select distinct trigger_name from information_schema.triggers where trigger_schema = current_schema()",
}

const table = (schema: string) =>
  `select table_name from information_schema.tables where table_schema = ${schema} and table_name = '${queue}'`

/** The SELECTs that say whether the queue is there. */
export const selectQueue: Readonly<Record<SourceName, string>> = {
  mysql: table("database()"),
  sqlite: `select name from sqlite_schema where name = '${queue}'`,
  postgres: table("current_schema()"),
}
