import { hash } from "node:crypto"
import type { Mapping } from "./mapping.ts"
import { quoteName, quotePath } from "./sources/quote.ts"
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

/** Returns the grants that the user of the mapping needs to read the queue and see the triggers. */
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

/** Databases allow 63 or 64 characters, and Postgres counts bytes. */
function triggerName(table: string, operation: Operation): string {
  return `event_export_${shortName(table, 43).replaceAll(".", "_")}_${operation}`
}

/** Returns a name as it is if it is plain and short; else a hash stands for its end. */
function shortName(name: string, most: number): string {
  if (name.length <= most && /^[\w$.]+$/.test(name)) return name
  return `${name.replace(/[^\w$]/g, "_").slice(0, most - 9)}_${hash("md5", name).slice(0, 8)}`
}

/** What the queue calls a column. */
export function noteName(table: string, column: string): string {
  return shortName(`${table}.${column}`, 120)
}

/** What the queue calls a column if its value is bytes, which it has as hexadecimal digits. */
export function bytesNoteName(table: string, column: string): string {
  return `${noteName(table, column)}:hex`
}

/**
 * Returns the statements that make a source tell which keys change. A trigger notes the key, and does nothing else: no
 * projection, no foreign key; if that fails, the platform's own statement goes on.
 */
export function planOf(source: SourceName, tables: readonly WatchedTable[]): readonly Step[] {
  const { columns, create, drop } = syntax[source]
  const make = `create table if not exists ${queue} (${columns})`
  return [
    { about: "the queue of keys", apply: [make], undo: [`drop table if exists ${queue}`] },
    ...tables.map((watched) => {
      const on = quotePath(source, watched.table)
      const triggers = operations.map((operation) => ({
        name: quoteName(source, triggerName(watched.table, operation)),
        operation,
      }))
      return {
        about: `triggers on ${watched.table}`,
        apply: triggers.flatMap(({ name, operation }) =>
          create(
            name,
            `after ${operation} on ${on} for each row`,
            notes(watched, operation, source),
          )
        ),
        undo: triggers.flatMap(({ name }) => drop(name, on)),
      }
    }),
  ]
}

/** Returns statements that note the new values of a row, and the old ones if they are others. */
function notes(
  { table, columns }: WatchedTable,
  operation: Operation,
  source: SourceName,
): string {
  const { isSame, note } = syntax[source]
  return columns.map((column) => {
    const [was, is] = ["old", "new"].map((row) => `${row}.${quoteName(source, column)}`) as [
      string,
      string,
    ]
    const isOther = operation === "update" ? ` and not (${was} ${isSame} ${is})` : ""
    const names = [noteName(table, column), bytesNoteName(table, column)] as const
    return (operation === "delete" ? "" : note(names, is, `${is} is not null`)) +
      (operation === "insert" ? "" : note(names, was, `${was} is not null${isOther}`))
  }).join("")
}

const insert = `insert into ${queue} (name, value)`

/** Notes a value by the first name; or if it is bytes, its digits by the second. */
function noteEither(
  { isBytes, digits, text }: Readonly<Record<"isBytes" | "digits" | "text", string>>,
): Syntax["note"] {
  return ([name, bytesName], value, condition) => {
    const of = (expression: string) => expression.replaceAll("?", () => value)
    return `  if ${condition} then
    if ${of(isBytes)} then ${insert} values ('${bytesName}', ${of(digits)});
    else ${insert} values ('${name}', ${of(text)}); end if;
  end if;\n`
  }
}

interface Syntax {
  /** The columns of the queue. */
  readonly columns: string
  /** Compares two values that may be null. */
  readonly isSame: string
  /** Returns a statement that notes a value by one of these names, if a condition holds. */
  readonly note: (names: readonly [string, string], value: string, condition: string) => string
  /** Returns the statements that make a trigger, and those that drop it. */
  readonly create: (name: string, when: string, notes: string) => readonly string[]
  readonly drop: (name: string, table: string) => readonly string[]
}

const syntax: Readonly<Record<SourceName, Syntax>> = {
  mysql: {
    columns: `seq bigint unsigned not null auto_increment primary key,
  name varchar(129) character set ascii not null, value varchar(191) character set utf8mb4 not null`,
    isSame: "<=>",
    // Numbers and times have the character set of bytes, too, but are less coercible.
    note: noteEither({
      isBytes: "charset(?) = 'binary' and coercibility(?) < 5",
      digits: "hex(?)",
      text: "?",
    }),
    create: (name, when, notes) => [
      `create trigger ${name} ${when}\nbegin\n  declare continue handler for sqlexception begin end;\n${notes}end`,
    ],
    drop: (name) => [`drop trigger if exists ${name}`],
  },
  sqlite: {
    // With autoincrement, SQLite would make a table of its own that nobody can drop.
    columns: "seq bigint primary key default (random()), name text not null, value text not null",
    isSame: "is",
    note: ([name], value, condition) =>
      `  ${insert} select '${name}', ${value} where ${condition};\n`,
    create: (name, when, notes) => [`create trigger ${name} ${when}\nbegin\n${notes}end`],
    drop: (name) => [`drop trigger if exists ${name}`],
  },
  postgres: {
    columns:
      "seq bigint generated always as identity primary key, name text not null, value text not null",
    isSame: "is not distinct from",
    note: noteEither({
      isBytes: "pg_typeof(?) = 'bytea'::regtype",
      digits: "encode(?, 'hex')",
      text: "?::text",
    }),
    create: (name, when, notes) => [
      `create function ${name}() returns trigger language plpgsql security definer set search_path from current as $$\nbegin\n${notes}` +
      "  return null;\nexception when others then\n  return null;\nend $$",
      `create trigger ${name} ${when} execute function ${name}()`,
    ],
    drop: (name, table) => [
      `drop trigger if exists ${name} on ${table}`,
      `drop function if exists ${name}()`,
    ],
  },
}

/** SELECTs that return the names of the triggers that the user may see. */
export const selectTriggers: Readonly<Record<SourceName, string>> = {
  mysql: `select trigger_name from information_schema.triggers where trigger_schema = database()`,
  sqlite: "select name from sqlite_schema where type = 'trigger'",
  // The standard view hides triggers from users who may only read.
  postgres: "select tgname from pg_trigger where not tgisinternal",
}

/** SELECTs that return a row if the queue is there. */
export const selectQueue: Readonly<Record<SourceName, string>> = {
  mysql:
    `select 1 from information_schema.tables where table_schema = database() and table_name = '${queue}'`,
  sqlite: `select name from sqlite_schema where name = '${queue}'`,
  postgres: `select 1 where to_regclass('${queue}') is not null`,
}
