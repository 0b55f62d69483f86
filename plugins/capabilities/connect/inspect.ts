import { distance } from "fastest-levenshtein"
import { columnsOf, type Kind, type KindColumn, kinds, plainName } from "./kinds.ts"
import { readSchema, type SourceColumn, type SourceTable } from "./schema.ts"
import { allRows, type Source, type SourceReader } from "./sources/source.ts"
import { plainText } from "./values.ts"
import {
  columnWords,
  deletedWords,
  relatedWords,
  sortValues,
  sortWords,
  tableWords,
} from "./words.ts"

/** A SELECT that was guessed, with a line for each guess that the operator should look at. */
export interface Proposal {
  readonly kind: Kind
  readonly sql: string
  readonly notes: readonly string[]
  /** Tables whose changes lead to these records, by the column that leads there; with a SELECT if that is not the id. */
  readonly keys: Readonly<Record<string, string | { readonly column: string; readonly of: string }>>
}

/** What was found out about a source. */
export interface Inspection {
  readonly tables: number
  readonly proposals: readonly Proposal[]
  /** Kinds for which no table was found. */
  readonly missing: readonly Kind[]
  readonly money: "major" | "minor"
}

/** Reads the tables, keys and some rows of a source, and guesses a SELECT for each kind. Changes nothing. */
export async function inspect(source: Source): Promise<Inspection> {
  return await source.snapshot(async (reader) => {
    const tables = await readSchema(source.name, reader)
    const found = await chooseTables(tables, reader)
    const byKind = new Map(found.map((choice) => [choice.kind, choice]))
    const proposals = found.map((choice) =>
      propose(choice, { tables, byKind, quote: quoting[source.name] })
    )
    return {
      tables: tables.length,
      proposals,
      missing: kinds.filter((kind) => !byKind.has(kind)),
      money: hasMinorMoney(found) ? "minor" : "major",
    }
  })
}

/** The table of a kind; of one with several kinds, which rows. */
interface Choice {
  readonly kind: Kind
  readonly table: SourceTable
  readonly only?: { readonly column: string; readonly values: readonly string[] }
}

const quoting = {
  mysql: (name: string) => /^[a-z_]\w*$/i.test(name) ? name : `\`${name}\``,
  sqlite: (name: string) => /^[a-z_]\w*$/i.test(name) ? name : `"${name}"`,
  postgres: (name: string) => /^[a-z_]\w*$/.test(name) ? name : `"${name}"`,
}

/** Chooses the table of each kind by its name; items may share one, which a column tells apart. */
async function chooseTables(
  tables: readonly SourceTable[],
  reader: SourceReader,
): Promise<Choice[]> {
  const choices: Choice[] = []
  const taken = new Set<string>()
  for (const kind of kinds) {
    const rated = tables.filter(({ name, key }) => key.length === 1 && !taken.has(name))
      .map((table) => ({ table, rank: rankOf(table.name, tableWords[kind]) }))
      .filter(({ rank }) => rank < Infinity)
      .sort((a, b) => a.rank - b.rank)
    const [best] = rated
    if (!best) continue
    const shared = kinds.indexOf(kind) > 2 ? await findShared(best.table, reader) : []
    if (shared.length > 0) {
      choices.push(...shared)
      taken.add(best.table.name)
      continue
    }
    if (choices.some((choice) => choice.kind === kind)) continue
    choices.push({ kind, table: best.table })
    taken.add(best.table.name)
  }
  const latest = new Map(choices.map((choice) => [choice.kind, choice]))
  return kinds.flatMap((kind) => latest.get(kind) ?? [])
}

/** Returns the kinds of item that a table holds, if a column with few values tells them apart. */
async function findShared(table: SourceTable, reader: SourceReader): Promise<Choice[]> {
  const column = table.columns.find(({ name }) => sortWords.includes(plainName(name)))
  if (!column) return []
  const rows = await allRows(reader, `select distinct ${column.name} from ${table.name} limit 50`)
  const values = rows.map(([value]) => plainText(value))
  return kinds.flatMap((kind) => {
    const words = sortValues[kind] ?? []
    const own = values.filter((value) =>
      words.includes(singular(plainName(value.replaceAll(/[\s-]/g, ""))))
    )
    return own.length > 0 ? [{ kind, table, only: { column: column.name, values: own } }] : []
  })
}

/** Lower is likelier: the place of the word that a name is, or ends with; infinite if none is in it. */
function rankOf(name: string, words: readonly string[]): number {
  const plain = singular(plainName(name))
  const exact = words.indexOf(plain)
  if (exact >= 0) return exact
  const ending = words.findIndex((word) => word.length > 2 && plain.endsWith(word))
  return ending >= 0 ? 100 + ending : Infinity
}

function singular(word: string): string {
  return word === "people"
    ? "person"
    : word.replace(/ies$/, "y").replace(/(?<=ss|sh|ch|x)es$/, "").replace(/(?<!s)s$/, "")
}

/** A table that a SELECT reads, under a name. */
interface Joined {
  readonly table: SourceTable
  readonly alias: string
  /** The condition; undefined for the first. */
  readonly on?: string
  readonly isLeft?: true
}

interface Context {
  readonly tables: readonly SourceTable[]
  readonly byKind: ReadonlyMap<Kind, Choice>
  readonly quote: (name: string) => string
}

/** Writes the SELECT of a kind. */
function propose(choice: Choice, context: Context): Proposal {
  const { kind, table, only } = choice
  const { quote } = context
  const notes: string[] = []
  const joined = joinsOf(choice, context, notes)
  const own = joined[0] as Joined
  const select = [`${own.alias}.${quote(table.key[0] ?? "id")} as id`]
  const owner = ownerOf(kind)
  if (owner) select.push(`${ownerColumn(own, owner, context, notes)} as ${owner}`)
  const used = new Set(table.key)
  for (const field of columnsOf(kind)) {
    const found = findColumn(field, joined, used)
    if (found) {
      used.add(found.column.name)
      select.push(`${expressionOf(field, found, quote)} as ${field.name}`)
    } else if (field.isRequired) {
      notes.push(`${field.name}: no column looks like it, so this is a guess`)
      select.push(`${usualValue(field)} as ${field.name}`)
    }
  }
  const conditions = joined.filter(({ isLeft }) => !isLeft).flatMap(({ table, alias }) => {
    const deleted = table.columns.find(({ name }) => deletedWords.includes(plainName(name)))
    if (!deleted) return []
    notes.push(`rows with ${table.name}.${deleted.name} are left out, as deleted`)
    const place = `${alias}.${quote(deleted.name)}`
    return [/date|time/.test(deleted.type) ? `${place} is null` : `coalesce(${place}, 0) = 0`]
  })
  if (only) {
    conditions.push(
      `${own.alias}.${quote(only.column)} in (${
        only.values.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ")
      })`,
    )
  }
  const from = joined.map(({ table, alias, on, isLeft }) =>
    on
      ? `${isLeft ? "left " : ""}join ${quote(table.name)} ${alias} on ${on}`
      : `from ${quote(table.name)} ${alias}`
  )
  const where = conditions.length > 0 ? [`where ${conditions.join(" and ")}`] : []
  return {
    kind,
    sql: [`select ${select.join(",\n  ")}`, ...from, ...where].join("\n"),
    notes,
    keys: keysOf(joined, quote),
  }
}

function ownerOf(kind: Kind): "organization" | "event" | undefined {
  return kind === "organization" ? undefined : kind === "event" ? "organization" : "event"
}

/** Finds the column that leads to the owner: by a foreign key, else by its name. */
function ownerColumn(
  { table, alias }: Joined,
  owner: "organization" | "event",
  { byKind, quote }: Context,
  notes: string[],
): string {
  const target = byKind.get(owner)?.table.name
  const reference = table.references.find((each) => each.table === target)
  if (reference) return `${alias}.${quote(reference.column)}`
  const words = [target ?? "", ...tableWords[owner]].map((word) => singular(plainName(word)))
  const named = table.columns.find(({ name }) => words.includes(plainName(name).replace(/id$/, "")))
  if (named) return `${alias}.${quote(named.name)}`
  notes.push(`${owner}: no column leads to it; write the one that does`)
  return "null"
}

/** Finds the tables that belong to a guest: the person behind it, the consent, and the address. */
function joinsOf({ kind, table }: Choice, context: Context, notes: string[]): Joined[] {
  const own: Joined = { table, alias: aliasOf(table.name, []) }
  if (kind !== "guest") return [own]
  const joined = [own]
  const { tables, quote } = context
  const add = (other: SourceTable, on: (alias: string) => string, isLeft?: true) => {
    const alias = aliasOf(other.name, joined.map(({ alias }) => alias))
    joined.push({ table: other, alias, on: on(alias), ...isLeft && { isLeft } })
    notes.push(`${other.name} is joined as what belongs to a guest`)
  }
  for (const { column, table: name, to } of referencesOf(table, relatedWords.person, tables)) {
    const person = tables.find((each) => each.name === name)
    if (person) add(person, (alias) => `${alias}.${quote(to)} = ${own.alias}.${quote(column)}`)
  }
  for (const words of [relatedWords.consent, relatedWords.address]) {
    for (const known of joined.slice(0, 2)) {
      const found = tables.flatMap((other) =>
        rankOf(other.name, words) === Infinity || joined.some(({ table }) => table === other)
          ? []
          : referencesTo(other, known.table).map((column) => ({ other, column }))
      )
      const [best] = found
      if (!best) continue
      const to = known.table.key[0] ?? "id"
      const sort = words === relatedWords.address
        ? best.other.columns.find(({ name }) => sortWords.includes(plainName(name)))
        : undefined
      if (sort) {
        notes.push(
          `${best.other.name}.${sort.name}: say which of several addresses is the main one`,
        )
      }
      add(
        best.other,
        (alias) => `${alias}.${quote(best.column)} = ${known.alias}.${quote(to)}`,
        true,
      )
      break
    }
  }
  return joined
}

/** Returns the references of a table to others whose names have such a word: foreign keys, or columns such as `person_id`. */
function referencesOf(
  table: SourceTable,
  words: readonly string[],
  tables: readonly SourceTable[],
) {
  const declared = table.references.filter((each) => rankOf(each.table, words) < Infinity)
  if (declared.length > 0) return declared.slice(0, 1)
  return table.columns.flatMap(({ name }) => {
    const target = tables.find((other) =>
      other !== table && singular(plainName(other.name)) === plainName(name).replace(/id$/, "")
    )
    return target && rankOf(target.name, words) < Infinity
      ? [{ column: name, table: target.name, to: target.key[0] ?? "id" }]
      : []
  }).slice(0, 1)
}

/** Returns the columns of a table that refer to another: by foreign keys, else by name. */
function referencesTo(table: SourceTable, other: SourceTable): string[] {
  const declared = table.references.filter((each) => each.table === other.name).map(({ column }) =>
    column
  )
  if (declared.length > 0) return declared
  const word = singular(plainName(other.name))
  return table.columns.filter(({ name }) => plainName(name) === `${word}id`).map(({ name }) => name)
}

interface Place {
  readonly alias: string
  readonly column: SourceColumn
}

/** Finds the column of a field in the tables of a SELECT, by its names; nearly right ones count last. */
function findColumn(
  field: KindColumn,
  joined: readonly Joined[],
  used: ReadonlySet<string>,
): Place | undefined {
  const inner = field.part === "record" || field.part === "consent" ? field.name : field.column
  if (field.part === "gift_aid" || field.part === "tax_receipt") return undefined
  const names = [plainName(inner), ...(columnWords[inner] ?? columnWords[camel(inner)] ?? [])]
  const places = joined.filter(({ table }) => isOf(field, table)).flatMap(({ table, alias }) =>
    table.columns.filter(({ name }) =>
      !(alias === joined[0]?.alias && used.has(name)) || !used.has(name)
    )
      .map((column) => ({ alias, column }))
  )
  for (const name of names) {
    const exact = places.find(({ column }) => plainName(column.name) === name)
    if (exact) return exact
  }
  return places.find(({ column }) =>
    names[0] !== undefined && names[0].length > 5 &&
    distance(plainName(column.name), names[0]) === 1
  )
}

/** True if a table may hold a field: consents and addresses are in theirs, if they have some. */
function isOf({ part, name }: KindColumn, table: SourceTable): boolean {
  const isConsent = rankOf(table.name, relatedWords.consent) < Infinity
  const isAddress = rankOf(table.name, relatedWords.address) < Infinity
  if (part === "consent") return isConsent || name !== "consentStatus"
  if (part === "main") return isAddress || !isConsent
  return !isConsent && !isAddress
}

function camel(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function expressionOf(
  { name, part }: KindColumn,
  { alias, column }: Place,
  quote: (name: string) => string,
): string {
  const place = `${alias}.${quote(column.name)}`
  if (name === "consentStatus" && part === "consent" && !/char|text|enum/.test(column.type)) {
    const condition = /bool/.test(column.type) ? place : `${place} = 1`
    return `case when ${condition} then 'active' else 'inactive' end`
  }
  return place
}

/** What stands in the place of a column that was not found. */
function usualValue({ name, meaning }: KindColumn): string {
  if (name === "currency") return "'GBP'"
  if (name === "timezone") return "'Europe/London'"
  if (name === "status") return "'active'"
  if (name === "admits") return "1"
  return meaning === "text" ? "''" : "0"
}

function keysOf(joined: readonly Joined[], quote: (name: string) => string): Proposal["keys"] {
  const [own, ...others] = joined
  if (!own) return {}
  const key = own.table.key[0] ?? "id"
  const keys: Record<string, string | { column: string; of: string }> = { [own.table.name]: key }
  for (const { table, alias, on = "" } of others) {
    const column = new RegExp(`(?<![\\w.])${alias}\\.(\\w+)`).exec(on)?.[1]
    if (!column) continue
    const to = on.split(" = ").find((side) => !side.startsWith(`${alias}.`)) ?? ""
    const isOwnKey = to === `${own.alias}.${quote(key)}`
    const middle = others.find((each) => to.startsWith(`${each.alias}.`))
    const through = middle?.on?.split(" = ").find((side) => side.startsWith(`${own.alias}.`))
    const condition = middle ? through : to
    keys[table.name] = isOwnKey || !condition ? column : {
      column,
      of: `select ${own.alias}.${quote(key)} from ${
        quote(own.table.name)
      } ${own.alias} where ${condition} = ?`,
    }
  }
  return keys
}

function aliasOf(name: string, taken: readonly string[]): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "") || "t"
  for (let length = 1; length <= plain.length; length++) {
    const alias = plain.slice(0, length)
    if (!taken.includes(alias) && !reserved.has(alias)) return alias
  }
  return `${plain}_${taken.length}`
}

const reserved = new Set([
  "as",
  "by",
  "in",
  "is",
  "on",
  "or",
  "to",
  "at",
  "no",
  "if",
  "of",
  "and",
  "not",
  "all",
  "any",
])

/** True if columns of money hold whole numbers and are named after minor units. */
function hasMinorMoney(choices: readonly Choice[]): boolean {
  return choices.some(({ table }) =>
    table.columns.some(({ name, type }) =>
      /pence|cents|minor/.test(plainName(name)) && /int/.test(type)
    )
  )
}

/** Writes the mapping file of an inspection. */
export function writeMapping(
  { proposals, missing, money, tables }: Inspection,
  { url, file = "platform-url" }: { readonly url: string; readonly file?: string | undefined },
): string {
  const select = proposals.map(({ kind, sql, notes }) => {
    const comments = notes.map((note) => `  # ${kind}: ${note}.`)
    return [...comments, `  ${kind}: |`, ...sql.split("\n").map((line) => `    ${line}`)].join("\n")
  })
  const keys = proposals.map(({ kind, keys }) => {
    const lines = Object.entries(keys).map(([table, key]) =>
      typeof key === "string"
        ? `    ${table}: ${key}`
        : `    ${table}: { column: ${key.column}, of: ${JSON.stringify(key.of)} }`
    )
    return [`  ${kind}:`, ...lines].join("\n")
  })
  return `# What the records of event-export are made of. Written by "event-export connect inspect" from ${tables} tables: read
# each SELECT, mend what is wrong, and look at the result with "event-export connect preview".
source:
  # The file has the URL, and only you may read it.
  url: ${url.startsWith("sqlite:") ? JSON.stringify(url) : `{ file: ${JSON.stringify(file)} }`}
  # The zone of times that name none.
  time_zone: Europe/London
  # major: 19.99 is 19 pounds and 99 pence; minor: 1999 is.
  money: ${money}
  # Seconds from one comparison to the next.
  every: 300

# The names of columns are those of the fields that partners get. What no SELECT returns is not served.
${missing.length > 0 ? `# No table was found for: ${missing.join(", ")}.\n` : ""}select:
${select.join("\n")}

# Which rows lead to which records: for "event-export connect plan".
keys:
${keys.join("\n")}
`
}
