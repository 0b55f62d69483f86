import type { Mapping } from "./mapping.ts"
import type { SourceName } from "./sources/source.ts"

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
  const { columns, before, shared, body } = syntax[source]
  const create = `create table if not exists ${queue} (${columns})`
  return [
    { about: "the queue of keys", apply: [create], undo: [`drop table if exists ${queue}`] },
    ...shared ? [{ about: "the function that notes a key", ...shared }] : [],
    ...tables.map((watched) => ({
      about: `triggers on ${watched.table}`,
      apply: operations.map((operation) =>
        `create trigger ${
          triggerName(watched.table, operation)
        } after ${operation} on ${watched.table} ${before}\n${body(watched, operation)}`
      ),
      undo: triggerNames(watched.table).map((name) =>
        `drop trigger if exists ${name}${source === "postgres" ? ` on ${watched.table}` : ""}`
      ),
    })),
  ]
}

interface Syntax {
  /** The columns of the queue. */
  readonly columns: string
  readonly shared?: Pick<Step, "apply" | "undo">
  /** What stands before the body of a trigger. */
  readonly before: string
  body(watched: WatchedTable, operation: Operation): string
}

/** Returns a statement per value that an operation tells: old and new, if it may have changed. */
function notes(
  { table, columns }: WatchedTable,
  operation: Operation,
  insert: (value: string, name: string) => string,
): string {
  const rows = { insert: ["new"], update: ["old", "new"], delete: ["old"] }[operation]
  const statements = rows.flatMap((row) =>
    columns.map((column) => `  ${insert(`${row}.${column}`, `${table}.${column}`)}\n`)
  )
  return statements.join("")
}

const syntax: Readonly<Record<SourceName, Syntax>> = {
  mysql: {
    columns: `seq bigint unsigned not null auto_increment primary key,
  name varchar(129) character set ascii not null, value varchar(191) not null`,
    before: "for each row",
    body: (watched, operation) =>
      `begin\n  declare continue handler for sqlexception begin end;\n${
        notes(watched, operation, (value, name) =>
          `if ${value} is not null then insert into ${queue} (name, value) values ('${name}', ${value}); end if;`)
      }end`,
  },
  sqlite: {
    columns: "seq integer primary key autoincrement, name text not null, value text not null",
    before: "begin",
    body: (watched, operation) =>
      notes(
        watched,
        operation,
        (value, name) =>
          `insert into ${queue} (name, value) select '${name}', ${value} where ${value} is not null;`,
      ) +
      "end",
  },
  postgres: {
    columns:
      "seq bigint generated always as identity primary key, name text not null, value text not null",
    shared: {
      apply: [
        `create or replace function event_export_note() returns trigger language plpgsql security definer as $$
declare
  place integer;
begin
  for place in 0 .. tg_nargs - 1 loop
    if tg_op <> 'INSERT' and to_jsonb(old) ->> tg_argv[place] is not null then
      insert into ${queue} (name, value) values (tg_table_name || '.' || tg_argv[place], to_jsonb(old) ->> tg_argv[place]);
    end if;
    if tg_op <> 'DELETE' and to_jsonb(new) ->> tg_argv[place] is not null then
      insert into ${queue} (name, value) values (tg_table_name || '.' || tg_argv[place], to_jsonb(new) ->> tg_argv[place]);
    end if;
  end loop;
  return null;
exception when others then
  return null;
end $$`,
      ],
      undo: ["drop function if exists event_export_note()"],
    },
    before: "for each row",
    body: ({ columns }) =>
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
