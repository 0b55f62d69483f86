import { eventId, type Family, type Field, type Kit, snake, type Table } from "./model.ts"
import { literal, type SqlDialect } from "./sql-dialects.ts"

/** A statement with what it is for. */
export interface Statement {
  /** One line for people. */
  readonly about: string
  readonly text: string
}

/** Returns the file of a family's statements for a database. The family has a feed. */
export function sqlFile(
  dialect: SqlDialect,
  family: Family,
  { server }: Pick<Kit, "server">,
): string {
  const [page, event] = ([1, 2] as const).map((number) => dialect.parameter(number))
  const parameters = page === event
    ? "the body of the response as text, and then the id of the event"
    : `${page}, the body of the response as text, and ${event}, the id of the event`
  const statements = statementsOf(dialect, family)
  return `-- Keeps a copy of ${oneLine(server + family.prefix)} in ${dialect.title}.
--
-- Run the statements that create tables once. Then, for each event, read
-- GET ${
    oneLine(family.feed ?? "")
  }?after= with the "next" of the table progress, or empty at first. Run
-- the statements of a page in one transaction. They take ${parameters}.
-- While the body has "more": true, read on. If the answer is 410, or the event is not in your list of events any more,
-- delete the event from all tables. Times are Unix seconds; money is in minor units of the event's currency.

${statements.map(({ about, text }) => `-- ${oneLine(about)}\n${text};\n`).join("\n")}`
}

/** Returns the statements of a family: first those that create its tables. */
export function statementsOf(dialect: SqlDialect, family: Family): Statement[] {
  const tables = family.lists.filter(({ deletes }) => !deletes).flatMap(({ tables }) => tables)
  const events = tables.filter(isEvents)
  const records = tables.filter((table) => !isEvents(table))
  return [
    ...tables.map((table) => create(dialect, table)),
    createProgress(dialect),
    ...events.map((table) => replaceEvents(dialect, table, family.prefix)),
    ...records.map((table) => upsert(dialect, table)),
    ...records.map((table) => remove(dialect, table)),
    keepProgress(dialect),
  ]
}

function isEvents({ name }: Table): boolean {
  return name === "event"
}

function create(dialect: SqlDialect, table: Table): Statement {
  const fields = isEvents(table) ? table.fields : withEvent(table)
  const lines = fields.map(({ name, kind, isNullable }) =>
    `${dialect.quote(snake(name))} ${dialect.types[kind]}${isNullable ? "" : " not null"}`
  )
  const keys = isEvents(table) ? ["id"] : ["event_id", "id"]
  return {
    about: `Create the table ${table.name}`,
    text: `create table ${dialect.quote(table.name)} (\n  ${
      [...lines, `primary key (${keys.map(dialect.quote).join(", ")})`].join(",\n  ")
    }\n)`,
  }
}

/** The fields of a table with the event, which is a parameter: not all records say it. */
function withEvent({ fields }: Table): readonly Field[] {
  return fields.some(isEvent) ? fields : [...fields, eventId]
}

function isEvent({ name }: Field): boolean {
  return name === eventId.name
}

function replaceEvents(dialect: SqlDialect, { name, fields }: Table, prefix: string): Statement {
  const values = fields.map(({ name, kind }) => ({ path: [name], kind }))
  const columns = fields.map(({ name }) => snake(name))
  return {
    about: `Insert or replace events: ${
      dialect.parameter(1)
    } is the body of a page of GET ${prefix}/events`,
    text: `insert into ${dialect.quote(name)} (${columns.map(dialect.quote).join(", ")})
select
  ${values.map((value) => dialect.value(value)).join(",\n  ")}
from ${dialect.rows(undefined, values)}
where true
${dialect.replace(["id"], columns.filter((name) => name !== "id"))}`,
  }
}

const category = { path: ["category"], kind: "text" } as const
const id = { path: ["id"], kind: "uuid" } as const
const deleted = { path: ["deleted"], kind: "text" } as const
const recordId = { path: ["record", "id"], kind: "text" } as const

/** Writes the condition that a change is of the category of a table. */
function isOf(dialect: SqlDialect, { part = "guests" }: Table): string {
  return `${dialect.value(category)} = ${literal(part)}`
}

function upsert(dialect: SqlDialect, table: Table): Statement {
  const fields = withEvent(table)
  const columns = fields.map(({ name }) => snake(name))
  const valueOf = ({ name, kind }: Field) => ({ path: ["record", name], kind })
  const values = fields.map((field) =>
    isEvent(field) ? "e.event_id" : dialect.value(valueOf(field))
  )
  const own = fields.filter((field) => !isEvent(field)).map(valueOf)
  const keys = ["event_id", "id"]
  return {
    about: `Insert or replace the ${table.part ?? "guests"} of a page`,
    text: `insert into ${dialect.quote(table.name)} (${columns.map(dialect.quote).join(", ")})
select
  ${values.join(",\n  ")}
from ${dialect.rows("changes", [category, ...own])}
cross join (select cast(${dialect.parameter(2)} as ${dialect.types.uuid}) as event_id) as e
where ${isOf(dialect, table)} and ${dialect.value(recordId)} is not null
${dialect.replace(keys, columns.filter((name) => !keys.includes(name)))}`,
  }
}

function remove(dialect: SqlDialect, table: Table): Statement {
  return {
    about: `Delete the ${table.part ?? "guests"} of a page that are gone`,
    text: `delete from ${dialect.quote(table.name)}
where ${dialect.quote("id")} in (
  select ${dialect.value(id)}
  from ${dialect.rows("changes", [category, id, deleted])}
  where ${isOf(dialect, table)} and ${dialect.value(deleted)} is not null
) and ${dialect.quote("event_id")} = ${dialect.parameter(2)}`,
  }
}

function createProgress({ quote, types }: SqlDialect): Statement {
  return {
    about: `Create the table of how far each event has been read`,
    text: `create table ${quote("progress")} (
  ${quote("event_id")} ${types.uuid} not null,
  ${quote("next")} ${types.text} not null,
  primary key (${quote("event_id")})
)`,
  }
}

function keepProgress(dialect: SqlDialect): Statement {
  const { quote, parameter } = dialect
  return {
    about: "Keep how far the event has been read",
    text: `insert into ${quote("progress")} (${["next", "event_id"].map(quote).join(", ")})
values (${dialect.text("next")}, ${parameter(2)})
${dialect.replace(["event_id"], ["next"])}`,
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ")
}
