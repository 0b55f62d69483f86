import { DatabaseSync } from "node:sqlite"
import { createConnection } from "mysql2/promise"
import { openSource } from "../../../plugins/capabilities/connect/sources/open.ts"
import type { SourceKind } from "../../../plugins/capabilities/connect/kinds.ts"
import type { KeyTable, Mapping } from "../../../plugins/capabilities/connect/mapping.ts"
import type { Test } from "tap"
import type { Database, DatabaseOptions } from "../../../core/data/database.ts"
import { type Engine, freshUrl, openFor, ownUrl, type Teardown } from "../database.ts"

/** A platform of fundraising events as others build one: integer keys, people apart from attendees, prices in pounds. */
export interface Platform {
  readonly url: string
  /** Runs statements that are the same in all databases. */
  run(...statements: readonly string[]): Promise<void>
}

/** Creates and migrates a database of the service in which `connect` is on. */
export async function connectedDatabase(
  t: Test,
  engine: Engine,
  options: Partial<DatabaseOptions> = {},
): Promise<Database> {
  return await openFor(t, await ownUrl(t, engine), options)
}

/** Opens an empty platform of that shape, in a database of its own. */
export async function freshPlatform(t: Teardown, engine: Engine): Promise<Platform> {
  const platform = await openPlatform(await freshUrl(t, engine))
  t.teardown(() => platform.close())
  return platform
}

/** Makes the tables of a platform in an empty database; or opens another connection to one that has them. */
export async function openPlatform(
  url: string,
  { isEmpty = true } = {},
): Promise<Platform & { close(): Promise<void> }> {
  const open = url.startsWith("sqlite:")
    ? openSqlite
    : url.startsWith("mysql:")
    ? openMysql
    : openPostgres
  const { query, close } = await open(url)
  const run: Platform["run"] = async (...statements) => {
    for (const statement of statements) await query(statement)
  }
  if (isEmpty) await run(...tables)
  return { url, run, close }
}

async function openSqlite(url: string) {
  const database = new DatabaseSync(url.slice("sqlite:".length))
  return {
    query: async (statement: string) => database.exec(statement),
    close: async () => database.close(),
  }
}

async function openMysql(url: string) {
  const connection = await createConnection(url)
  return {
    query: async (statement: string) => void await connection.query(statement),
    close: () => connection.end(),
  }
}

/** Begins with an empty schema. */
async function openPostgres(url: string) {
  const source = await openSource(url)
  await source.change(["drop schema public cascade", "create schema public"])
  return {
    query: (statement: string) => source.change([statement.replaceAll("datetime", "timestamp")]),
    close: () => source.close(),
  }
}

/** Makes its tables. */
export const tables = [
  "create table charity (id integer primary key, short_name varchar(50), title varchar(200))",
  `create table gala (id integer primary key, charity_id integer, title varchar(200), opens_at datetime,
    closes_at datetime, state varchar(20), money char(3), archived integer default 0)`,
  `create table person (id integer primary key, forename varchar(100), surname varchar(150), mail varchar(300),
    phone varchar(40))`,
  `create table attendee (id integer primary key, gala_id integer, person_id integer, texts integer, company varchar(300),
    deleted_at datetime)`,
  "create table permission (attendee_id integer primary key, asked integer, given integer, ways varchar(50))",
  `create table place (person_id integer, sort varchar(10), street varchar(200), town varchar(100), code varchar(20),
    country char(2), primary key (person_id, sort))`,
  `create table thing (id integer primary key, gala_id integer, sort varchar(20), title varchar(200), price decimal(12, 4),
    stock integer, tags varchar(100), state varchar(20))`,
]

/** The SELECTs that a mapping of it has. */
export const selects: Readonly<Partial<Record<SourceKind, string>>> = {
  organization: "select id, short_name as slug, title as name from charity",
  event: `select id, charity_id as organization, title as name, state as status, money as currency,
    'Europe/London' as timezone, opens_at as starts, closes_at as ends from gala where archived = 0`,
  guest:
    `select attendee.id, gala_id as event, forename as firstName, surname as lastName, mail as email, phone as mobile,
    texts as smsOptIn, company as companyName, asked as consentAsked,
    case when given = 1 then 'active' else 'inactive' end as consentStatus, ways as consentChannels,
    street as mainAddressLine1, town as mainAddressTown, code as mainAddressPostcode, country as mainAddressCountry
    from attendee join person on person.id = attendee.person_id
    left join permission on permission.attendee_id = attendee.id
    left join place on place.person_id = person.id and place.sort = 'home'
    where deleted_at is null`,
  buy_now_item:
    `select id, gala_id as event, title as name, state as status, price, stock as quantity, tags as categories
    from thing where sort = 'shop'`,
  ticket:
    `select id, gala_id as event, title as name, state as status, price, 1 as admits from thing where sort = 'ticket'`,
}

/** A charity with two galas, and so many attendees of the first, each with a permission and an address. */
export function fillStatements(count: number): readonly string[] {
  const rows = (write: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => write(n + 1)).join(", ")
  return [
    "insert into charity values (1, 'acme', 'Acme')",
    `insert into gala values (1, 1, 'Autumn Gala', '2026-10-24 18:30:00', '2026-10-25 01:00:00', 'running', 'GBP', 0),
      (2, 1, 'Spring Ball', '2027-04-03 18:30:00', '2027-04-04 01:00:00', 'upcoming', 'JPY', 0)`,
    `insert into person values ${
      rows((n) => `(${n}, 'Ada${n}', 'O''Byron 🦄', 'ada${n}@example.org', '+44 20 7946 ${n}')`)
    }`,
    `insert into attendee values ${
      rows((n) => `(${n}, 1, ${n}, ${n % 2}, ${n % 3 ? "null" : "'Byron & Co'"}, null)`)
    }`,
    `insert into permission values ${rows((n) => `(${n}, 1, ${n % 2}, 'email,sms')`)}`,
    `insert into place values ${
      rows((n) => `(${n}, 'home', '${n} Sea Road', 'Hove', 'BN3', 'GB')`)
    }`,
    `insert into thing values (1, 1, 'shop', 'Weekend', 19.99, 3, 'travel,sea', 'active'),
      (2, 2, 'shop', 'Fan', 500, null, '', 'active'), (1001, 1, 'ticket', 'Table', 250, 12, '', 'active')`,
  ]
}

/** The text of such a mapping, which is in a file. */
export function mappingText(url: string | { readonly file: string }): string {
  const { timeZone, keys } = mappingOf("")
  const tables = [...keys].map(([kind, tables]) => [
    kind,
    Object.fromEntries(
      tables.map(({ table, column, of }) => [table, of ? { column, of } : column]),
    ),
  ])
  // JSON is YAML.
  return JSON.stringify({
    source: { url, time_zone: timeZone },
    select: selects,
    keys: Object.fromEntries(tables),
  })
}

const key = (table: string, column: string, of?: string): KeyTable => ({ table, column, of })

/** A mapping of the platform, with other SELECTs for some kinds. `hash` stands for it. */
export function mappingOf(
  url: string,
  changes: Partial<Record<SourceKind, string>> = {},
  hash = "a",
): Mapping {
  return {
    ...{ url, timeZone: "Europe/London", money: "major", every: 300, hash },
    selects: new Map(Object.entries({ ...selects, ...changes }) as [SourceKind, string][]),
    keys: new Map<SourceKind, readonly KeyTable[]>([
      ["organization", [key("charity", "id")]],
      ["event", [key("gala", "id")]],
      ["guest", [
        key("attendee", "id"),
        key("permission", "attendee_id"),
        key("person", "id", "select id from attendee where person_id = ?"),
        key("place", "person_id", "select id from attendee where person_id = ?"),
      ]],
      ["buy_now_item", [key("thing", "id")]],
      ["ticket", [key("thing", "id")]],
    ]),
  }
}
