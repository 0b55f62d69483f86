import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import * as v from "valibot"
import { wholeNumber } from "../../../core/capability.ts"
import { check, ConfigError, ConfigSource, type Terminal } from "../../../core/commands.ts"
import { kinds, type SourceKind } from "./kinds.ts"
import { readUrl } from "./sources/open.ts"
import type { ReadingRules } from "./values.ts"
import { isZone } from "./zoned-time.ts"

/** How the records of a source become the service's: the file that `connect.mapping` names. */
export interface Mapping extends ReadingRules {
  /** The URL of the source; secret. */
  readonly url: string
  /** Seconds from one comparison with the whole source to the next. */
  readonly every: number
  /** The SELECT of each kind that the source has. */
  readonly selects: ReadonlyMap<SourceKind, string>
  /** By kind: the tables of the source whose changes lead to records of the kind. */
  readonly keys: ReadonlyMap<SourceKind, readonly KeyTable[]>
  /** A hash of all that decides which records rows become. */
  readonly hash: string
}

/** A table of the source on which triggers note the keys of changed rows. */
export interface KeyTable {
  readonly table: string
  /** The column that leads to the record. */
  readonly column: string
  /** A SELECT with `= ?` for the column's value that returns ids of records; without it, the value is an id. */
  readonly of: string | undefined
}

/** Where a SELECT of `keys` takes the value of a column, or a list of values. */
export const equalsMark = /=\s*\?/

const noSelect = "must be a SELECT"
const select = v.pipe(
  v.string(noSelect),
  v.transform((text) => text.trim().replace(/[;\s]+$/, "")),
  v.regex(/^(?:--.*\n\s*|\/\*(?:(?!\*\/)[^])*\*\/\s*)*(?:select|with)\s/i, noSelect),
)
const name = v.pipe(v.string("must be a name"), v.nonEmpty("must be a name"))
const tableName = v.pipe(
  v.string(),
  v.regex(
    /^(?:("|`).+\1|[^."`]+)(?:\.(?:("|`).+\2|[^."`]+))?$/,
    "must be the name of a table: `person`, `crm.person`, or within quotation marks as in SQL",
  ),
)
const keyTable = v.union(
  [
    name,
    v.strictObject({
      column: name,
      of: v.pipe(select, v.regex(equalsMark, "must have = ? for the column's value")),
    }),
  ],
  "must be a column, or `column:` and `of:`, a SELECT with = ? that returns ids",
)

const urlForm =
  "must be `file:` with the path of a file that contains mysql://…, postgres://… or sqlite:…; or sqlite:…"

const schema = v.strictObject({
  source: v.strictObject({
    url: v.union(
      [
        v.pipe(v.string(), v.startsWith("sqlite:", urlForm)),
        v.strictObject({ file: v.pipe(v.string("must be a path"), v.nonEmpty("must be a path")) }),
      ],
      urlForm,
    ),
    time_zone: v.pipe(
      v.string("must be a time zone such as Europe/London"),
      v.check(isZone, "must be a time zone such as Europe/London"),
    ),
    money: v.optional(
      v.picklist(["major", "minor"], "must be major (pounds) or minor (pence)"),
      "major",
    ),
    every: v.optional(wholeNumber(5, 86_400), 300),
  }),
  select: v.strictObject({
    organization: select,
    event: select,
    ...Object.fromEntries(kinds.slice(2).map((kind) => [kind, v.optional(select)])),
  }),
  keys: v.optional(
    v.strictObject(
      Object.fromEntries(
        kinds.map((kind) => [kind, v.optional(v.record(tableName, keyTable, "must be tables"))]),
      ),
    ),
    {},
  ),
})

/** Reads a mapping. @throws {ConfigError} with everything that is wrong with the file, and its place. */
export function readMapping(file: string, environment: Terminal["env"]): Mapping {
  const source = new ConfigSource(file, readFileSync(file, "utf8"), environment)
  const { value, issues } = check(schema, source.value, [])
  if (source.parsed) { for (const issue of issues) source.report(issue) }
  let url = ""
  try {
    const where = value?.source.url ?? "sqlite:"
    url = readUrl(typeof where === "string" ? where : where.file, dirname(resolve(file)))
  } catch (error) {
    const message = `cannot be read: ${(error as Error).message}`
    source.report({ path: ["source", "url", "file"], message, at: "value" })
  }
  if (!value || source.problems.length > 0) throw new ConfigError(source.problems, new Map())
  const selects = Object.entries(value.select).flatMap(([kind, sql]) =>
    sql === undefined ? [] : [[kind as SourceKind, sql] as const]
  )
  const { time_zone: timeZone, money, every } = value.source
  return {
    ...{ url, timeZone, money, every },
    selects: new Map(selects),
    keys: new Map(
      Object.entries(value.keys).map(([kind, tables]) => [
        kind as SourceKind,
        Object.entries(tables ?? {}).map(([table, key]) =>
          typeof key === "string" ? { table, column: key, of: undefined } : { table, ...key }
        ),
      ]),
    ),
    hash: hash("sha256", JSON.stringify([timeZone, money, selects])).slice(0, 16),
  }
}
