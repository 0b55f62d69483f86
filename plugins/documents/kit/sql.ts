import {
  eventId,
  type Family,
  type Field,
  type Kit,
  type List,
  snake,
  type Table,
} from "./model.ts"
import { literal, type SqlDialect } from "./sql-dialects.ts"

/** A statement with what it is for. */
export interface Statement {
  /** One line for people. */
  readonly about: string
  readonly text: string
}

/** Returns the file of a family's statements for a database. */
export function sqlFile(
  dialect: SqlDialect,
  family: Family,
  { server }: Pick<Kit, "server">,
): string {
  const statements = statementsOf(dialect, family)
  return `-- Tables for a copy of ${oneLine(server + family.prefix)}, for ${dialect.title}.
--
-- Run the statements that create tables once. The others take the body of a response, as text, as their parameter
-- ${
    dialect.parameter(1)
  }: a whole page is one statement. Run those of a page, and keep Next-Since and ETag when the last page has
-- arrived, in one transaction. Times are Unix seconds; money is in minor units of the event's currency.

${statements.map(({ about, text }) => `-- ${oneLine(about)}\n${text};\n`).join("\n")}`
}

/** Returns the statements of a family: first those that create its tables. */
export function statementsOf(dialect: SqlDialect, family: Family): Statement[] {
  const lists = family.lists.filter(({ deletes, tables }) => !deletes && tables.length > 0)
  const tables = lists.flatMap(({ tables }) => tables)
  return [
    ...tables.map((table) => create(dialect, table)),
    createProgress(dialect),
    ...lists.flatMap((list) => list.tables.map((table) => upsert(dialect, list, table))),
    ...family.lists.flatMap((list) => removals(dialect, list, lists)),
    keepProgress(dialect),
  ]
}

function create(dialect: SqlDialect, table: Table): Statement {
  const lines = columnsOf(table).map(({ name, kind, isNullable }) =>
    `${dialect.quote(snake(name))} ${dialect.types[kind]}${isNullable ? "" : " not null"}`
  )
  const keys = keysOf(table).map(dialect.quote).join(", ")
  return {
    about: `Create the table ${table.name}`,
    text: `create table ${dialect.quote(table.name)} (\n  ${
      [...lines, `primary key (${keys})`].join(",\n  ")
    }\n)`,
  }
}

/** The fields of a table, and the event of those that do not say it. */
function columnsOf({ name, fields }: Table): readonly Field[] {
  const isComplete = name === "event" || fields.some(({ name }) => name === "eventId")
  return isComplete ? fields : [...fields, eventId]
}

function keysOf({ name }: Table): string[] {
  return name === "event" ? ["id"] : ["event_id", "id"]
}

function upsert(dialect: SqlDialect, { path }: List, table: Table): Statement {
  const columns = columnsOf(table)
  const isGiven = columns.length > table.fields.length
  const keys = keysOf(table)
  const names = columns.map(({ name }) => snake(name))
  const values = table.fields.map((field) => dialect.value(field))
  if (isGiven) values.push("e.event_id")
  const event = `cast(${dialect.parameter(2)} as ${dialect.types.uuid})`
  const join = isGiven ? `\ncross join (select ${event} as event_id) as e` : ""
  const note = isGiven ? `, ${dialect.parameter(2)} the id of the event` : ""
  return {
    about: `Insert or replace the ${table.part ?? "records"} of a page: ${
      dialect.parameter(1)
    } is the body of GET ${path}${note}`,
    text: `insert into ${dialect.quote(table.name)} (${names.map(dialect.quote).join(", ")})
select
  ${values.join(",\n  ")}
from ${dialect.rows(table.fields, table.part)}${join}
${dialect.replace(keys, names.filter((name) => !keys.includes(name)))}`,
  }
}

/** Returns the statements that delete the records of a page of deletions. */
function removals(
  dialect: SqlDialect,
  { path, deletes, tables: [deletion] }: List,
  lists: readonly List[],
): Statement[] {
  const { tables = [] } = lists.find(({ path }) => path === deletes) ?? {}
  if (!deletion) return []
  const id = deletion.fields.find(({ name }) => name === "id")
  const category = deletion.fields.find(({ name }) => name === "category")
  if (!id) return []
  return tables.map(({ name, part }) => {
    const only = category && part !== undefined
      ? `\n  where ${dialect.value(category)} = ${literal(part)}`
      : ""
    return {
      about: `Delete from ${name} what a page says is gone: ${
        dialect.parameter(1)
      } is the body of GET ${path}, ${dialect.parameter(2)} the id of the event`,
      text: `delete from ${dialect.quote(name)}
where ${dialect.quote("id")} in (
  select ${dialect.value(id)} from ${dialect.rows(deletion.fields, undefined)}${only}
) and ${dialect.quote("event_id")} = ${dialect.parameter(2)}`,
    }
  })
}

function createProgress({ quote, key, types }: SqlDialect): Statement {
  return {
    about:
      "Create the table of how far each list has been read: its path, Next-Since and ETag of the first page",
    text: `create table ${quote("progress")} (
  ${quote("list")} ${key} not null,
  ${quote("next_since")} ${types.integer} not null,
  ${quote("etag")} ${types.text},
  primary key (${quote("list")})
)`,
  }
}

function keepProgress(dialect: SqlDialect): Statement {
  const { quote, parameter, replace } = dialect
  const end = replace(["list"], ["next_since", "etag"]).replace(/^where true\n/, "")
  const values = [1, 2, 3].map((number) => parameter(number as 1 | 2 | 3)).join(", ")
  return {
    about: "Keep how far a list has been read: its path, Next-Since and ETag of the first page",
    text: `insert into ${quote("progress")} (${
      ["list", "next_since", "etag"].map(quote).join(", ")
    })
values (${values})
${end}`,
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ")
}
