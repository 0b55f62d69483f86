import type { Kind } from "./kinds.ts"
import type { KeyTable, Mapping } from "./mapping.ts"
import type { SourceName } from "./sources/source.ts"

/** The table in the source in which triggers note the keys of changed rows. */
export const queue = "event_export_change"

/** What triggers note of a table: the values of these columns. */
export interface WatchedTable {
  readonly table: string
  readonly columns: readonly string[]
}

/** Statements for the source, each with what undoes it. */
export interface Step {
  readonly about: string
  readonly apply: readonly string[]
  readonly undo: readonly string[]
}

/** Returns the tables whose changes a mapping wants to be told, each with all columns that lead to records. */
export function watchedTables({ keys }: Pick<Mapping, "keys">): readonly WatchedTable[] {
  const columns = new Map<string, Set<string>>()
  for (const { table, column } of [...keys.values()].flat()) {
    columns.set(table, (columns.get(table) ?? new Set()).add(column))
  }
  return [...columns].map(([table, names]) => ({ table, columns: [...names] }))
}

/** Returns what the change of a row of a table leads to, by kind. */
export function leadsOf(
  { keys }: Pick<Mapping, "keys">,
  noted: { readonly table: string; readonly column: string },
): readonly { readonly kind: Kind; readonly key: KeyTable }[] {
  return [...keys].flatMap(([kind, tables]) =>
    tables.filter(({ table, column }) => table === noted.table && column === noted.column).map((
      key,
    ) => ({ kind, key }))
  )
}

/** The names of the triggers of a table. */
export function triggerNames(table: string): readonly string[] {
  return operations.map((operation) => triggerName(table, operation))
}

const operations = ["insert", "update", "delete"] as const

type Operation = (typeof operations)[number]

function triggerName(table: string, operation: Operation): string {
  return `event_export_${table.replaceAll(".", "_")}_${operation}`
}

/**
 * Returns the statements that make a source tell which keys change. A trigger notes the key, and does nothing else: no
 * projection, no foreign key; if that fails, the platform's own statement goes on.
 */
export function planOf(source: SourceName, tables: readonly WatchedTable[]): readonly Step[] {
  const { createQueue, createTrigger, dropTrigger, shared } = syntax[source]
  const quiet = shared
    ? [{ about: "the function that notes a key", apply: [shared.create], undo: [shared.drop] }]
    : []
  return [
    { about: "the queue of keys", apply: [createQueue], undo: [`drop table if exists ${queue}`] },
    ...quiet,
    ...tables.map((watched) => ({
      about: `triggers on ${watched.table}`,
      apply: operations.map((operation) => createTrigger(watched, operation)),
      undo: operations.map((operation) =>
        dropTrigger(watched.table, triggerName(watched.table, operation))
      ),
    })),
  ]
}

interface Syntax {
  readonly createQueue: string
  readonly shared?: { readonly create: string; readonly drop: string }
  createTrigger(watched: WatchedTable, operation: Operation): string
  dropTrigger(table: string, name: string): string
}

/** Returns the rows of which an operation tells the values: both, if a value may have changed. */
function rowsOf(operation: Operation): readonly ("new" | "old")[] {
  return operation === "insert" ? ["new"] : operation === "delete" ? ["old"] : ["old", "new"]
}

const notes = (
  { table, columns }: WatchedTable,
  operation: Operation,
  insert: (value: string, name: string) => string,
) =>
  rowsOf(operation).flatMap((row) =>
    columns.map((column) => insert(`${row}.${column}`, `${table}.${column}`))
  )

const syntax: Readonly<Record<SourceName, Syntax>> = {
  mysql: {
    createQueue: `create table if not exists ${queue} (
  seq bigint unsigned not null auto_increment primary key,
  name varchar(129) character set ascii not null,
  value varchar(191) not null
)`,
    createTrigger: (watched, operation) =>
      `create trigger ${
        triggerName(watched.table, operation)
      } after ${operation} on ${watched.table} for each row
begin
  declare continue handler for sqlexception begin end;
  ${
        notes(watched, operation, (value, name) =>
          `if ${value} is not null then insert into ${queue} (name, value) values ('${name}', ${value}); end if;`)
          .join(
            "\n  ",
          )
      }
end`,
    dropTrigger: (_, name) => `drop trigger if exists ${name}`,
  },
  sqlite: {
    createQueue:
      `create table if not exists ${queue} (seq integer primary key autoincrement, name text not null, value text not null)`,
    createTrigger: (watched, operation) =>
      `create trigger ${
        triggerName(watched.table, operation)
      } after ${operation} on ${watched.table}
begin
  ${
        notes(watched, operation, (value, name) =>
          `insert into ${queue} (name, value) select '${name}', ${value} where ${value} is not null;`)
          .join("\n  ")
      }
end`,
    dropTrigger: (_, name) => `drop trigger if exists ${name}`,
  },
  postgres: {
    createQueue: `create table if not exists ${queue} (
  seq bigint generated always as identity primary key, name text not null, value text not null
)`,
    shared: {
      create:
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
      drop: "drop function if exists event_export_note()",
    },
    createTrigger: ({ table, columns }, operation) =>
      `create trigger ${triggerName(table, operation)} after ${operation} on ${table} for each row
execute function event_export_note(${columns.map((column) => `'${column}'`).join(", ")})`,
    dropTrigger: (table, name) => `drop trigger if exists ${name} on ${table}`,
  },
}

/** The SELECT that returns the names of the triggers that are there, as far as the user may know. */
export const selectTriggers: Readonly<Record<SourceName, string>> = {
  mysql: "select trigger_name from information_schema.triggers where trigger_schema = database()",
  sqlite: "select name from sqlite_schema where type = 'trigger'",
  postgres:
    "select distinct trigger_name from information_schema.triggers where trigger_schema = current_schema()",
}

/** The SELECT that says whether the queue is there. */
export const selectQueue: Readonly<Record<SourceName, string>> = {
  mysql:
    `select table_name from information_schema.tables where table_schema = database() and table_name = '${queue}'`,
  sqlite: `select name from sqlite_schema where name = '${queue}'`,
  postgres:
    `select table_name from information_schema.tables where table_schema = current_schema() and table_name = '${queue}'`,
}
