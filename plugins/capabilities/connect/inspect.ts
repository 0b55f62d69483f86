import { columnsOf, type KindColumn, kinds, ownerOf, plainName, type SourceKind } from "./kinds.ts"
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
interface Proposal {
  readonly kind: SourceKind
  readonly sql: string
  readonly notes: readonly string[]
  /** Lines of the mapping: tables whose changes lead to these records. */
  readonly keys: readonly string[]
}

/** What was found out about a source. */
interface Inspection {
  readonly tables: number
  readonly proposals: readonly Proposal[]
  readonly money: "major" | "minor"
}

/** Reads the tables, keys and some rows of a source, and guesses a SELECT for each kind. Changes nothing. */
export async function inspect(source: Source): Promise<Inspection> {
  return await source.snapshot(async (reader) => {
    const tables = withReferences(await readSchema(source.name, reader))
    const choices = await chooseTables(tables, reader)
    const columns = [...choices.values()].flatMap(({ table }) => table.columns)
    const isMinor = columns.some(({ name, type }) =>
      /pence|cents|minor/.test(plainName(name)) && type.includes("int")
    )
    return {
      tables: tables.length,
      proposals: kinds.flatMap((kind) => {
        const choice = choices.get(kind)
        return choice ? [new Guess(kind, choice, { tables, choices, source }).propose()] : []
      }),
      money: isMinor ? "minor" : "major",
    }
  })
}

/** Adds the references that nothing declares: `person_id` refers to a table `person` or `people`. */
function withReferences(tables: readonly SourceTable[]): readonly SourceTable[] {
  return tables.map((table) => {
    const named = table.columns.flatMap(({ name }) => {
      const [, word] = /^(.+)id$/.exec(plainName(name)) ?? []
      const other = tables.find((each) => each !== table && singular(each.name) === word)
      const isDeclared = table.references.some(({ column }) => column === name)
      return other && !isDeclared
        ? [{ column: name, table: other.name, to: other.key[0] ?? "id" }]
        : []
    })
    return { ...table, references: [...table.references, ...named] }
  })
}

/** The table of a kind; of one with several kinds, the column and the values that tell which rows. */
interface Choice {
  readonly table: SourceTable
  readonly only?: { readonly column: string; readonly values: readonly string[] }
}

/** Chooses the table of each kind by its name; items may share one, which a column tells apart. */
async function chooseTables(
  tables: readonly SourceTable[],
  reader: SourceReader,
): Promise<ReadonlyMap<SourceKind, Choice>> {
  const choices = new Map<SourceKind, Choice>()
  const taken = new Set<SourceTable>()
  for (const kind of kinds) {
    const [table] = tables.filter((table) => table.key.length === 1 && !taken.has(table))
      .filter(({ name }) => rankOf(name, tableWords[kind]) < Infinity)
      .toSorted((a, b) => rankOf(a.name, tableWords[kind]) - rankOf(b.name, tableWords[kind]))
    if (!table) continue
    const shared = sortValues[kind] ? await findShared(table, reader) : []
    if (shared.length === 0 && choices.has(kind)) continue
    taken.add(table)
    if (shared.length === 0) choices.set(kind, { table })
    for (const [kind, values] of shared) choices.set(kind, { table, only: values })
  }
  return choices
}

/** Returns the kinds of item that a table holds, if a column with few values tells them apart. */
async function findShared(
  table: SourceTable,
  reader: SourceReader,
): Promise<readonly (readonly [SourceKind, NonNullable<Choice["only"]>])[]> {
  const column = columnNamed(table, sortWords)?.name
  if (column === undefined) return []
  const rows = await allRows(reader, `select distinct ${column} from ${table.name} limit 50`)
  const found = rows.map(([value]) => plainText(value))
  return kinds.flatMap((kind) => {
    const words = sortValues[kind] ?? []
    const values = found.filter((value) => words.includes(singular(value.replace(/[\s-]/g, ""))))
    return values.length > 0 ? [[kind, { column, values }] as const] : []
  })
}

/** Lower is likelier: the place of the word that a name is, or ends with; infinite if none is in it. */
function rankOf(name: string, words: readonly string[]): number {
  const plain = singular(name)
  const exact = words.indexOf(plain)
  if (exact >= 0) return exact
  const ending = words.findIndex((word) => word.length > 2 && plain.endsWith(word))
  return ending >= 0 ? 100 + ending : Infinity
}

function singular(name: string): string {
  return plainName(name).replace(/people$/, "person").replace(/ies$/, "y")
    .replace(/(?<=ss|sh|ch|x)es$/, "").replace(/(?<!s)s$/, "")
}

function columnNamed({ columns }: SourceTable, words: readonly string[]): SourceColumn | undefined {
  return columns.find(({ name }) => words.includes(plainName(name)))
}

/** A table that a SELECT reads; the first has no column by which it is joined. */
interface Joined {
  readonly table: SourceTable
  readonly by?: { readonly column: string; readonly other: Joined; readonly to: string }
  readonly isLeft: boolean
}

/** Words that databases take for another thing than a name. */
const reserved =
  /^(end|from|group|index|key|keys|left|limit|option|order|range|rank|references|right|table|to|user|values)$/

/** Guesses the SELECT of one kind. */
class Guess {
  readonly #kind: SourceKind
  readonly #choice: Choice
  readonly #tables: readonly SourceTable[]
  readonly #owner: SourceTable | undefined
  readonly #source: Source
  readonly #own: Joined
  readonly #joined: Joined[]
  readonly #notes: string[] = []

  constructor(kind: SourceKind, choice: Choice, { tables, choices, source }: {
    readonly tables: readonly SourceTable[]
    readonly choices: ReadonlyMap<SourceKind, Choice>
    readonly source: Source
  }) {
    this.#kind = kind
    this.#choice = choice
    this.#tables = tables
    this.#owner = choices.get(ownerOf(kind) ?? kind)?.table
    this.#source = source
    this.#own = { table: choice.table, isLeft: false }
    this.#joined = [this.#own]
  }

  propose(): Proposal {
    if (this.#kind === "guest") this.#joinBelongings()
    const select = [`${this.#place(this.#own, this.#key)} as id`, ...this.#selectOwner()]
    const used = new Set(this.#own.table.key)
    for (const field of columnsOf(this.#kind)) {
      const expression = this.#expressionOf(field, used)
      if (expression !== undefined) select.push(`${expression} as ${field.name}`)
    }
    const conditions = this.#conditions()
    const sql = [
      `select ${select.join(",\n  ")}`,
      ...this.#joined.map((joined) => this.#joinOf(joined)),
      ...conditions.length > 0 ? [`where ${conditions.join(" and ")}`] : [],
    ].join("\n")
    const keys = this.#joined.map((joined) => this.#keyLine(joined))
    return { kind: this.#kind, sql, notes: this.#notes, keys }
  }

  get #key(): string {
    return this.#own.table.key[0] ?? "id"
  }

  #quote(name: string): string {
    const isPlain = /^[a-z_][a-z\d_]*$/.test(name) && !reserved.test(name)
    return isPlain ? name : this.#source.name === "mysql" ? `\`${name}\`` : `"${name}"`
  }

  #place({ table }: Joined, column: string): string {
    return `${this.#quote(table.name)}.${this.#quote(column)}`
  }

  /** Finds the column that leads to the owner: by a reference, else by its name. */
  #selectOwner(): readonly string[] {
    const owner = ownerOf(this.#kind)
    if (owner === undefined) return []
    const { references, columns } = this.#own.table
    const reference = references.find(({ table }) => table === this.#owner?.name)
    const named = columns.find(({ name }) =>
      tableWords[owner].includes(plainName(name).replace(/id$/, ""))
    )
    const column = reference?.column ?? named?.name
    if (column !== undefined) return [`${this.#place(this.#own, column)} as ${owner}`]
    this.#notes.push(`${owner}: no column leads to it; write the one that does`)
    return [`null as ${owner}`]
  }

  /** Joins the tables that belong to a guest: the person behind it, the consent, and the address. */
  #joinBelongings(): void {
    const person = this.#own.table.references.find(({ table }) =>
      rankOf(table, relatedWords.person) < Infinity
    )
    const table = this.#tables.find(({ name }) => name === person?.table)
    if (person && table) {
      this.#join(table, { column: person.to, other: this.#own, to: person.column }, false)
    }
    const known = [...this.#joined]
    for (const words of [relatedWords.consent, relatedWords.address]) {
      const found = known.flatMap((other) =>
        this.#tables.flatMap((table) => {
          const reference = table.references.find((each) => each.table === other.table.name)
          const isNew = this.#joined.every((joined) => joined.table !== table)
          return reference && isNew && rankOf(table.name, words) < Infinity
            ? [{ table, by: { column: reference.column, other, to: reference.to } }]
            : []
        })
      )
      if (found[0]) this.#join(found[0].table, found[0].by, true)
    }
  }

  #join(table: SourceTable, by: NonNullable<Joined["by"]>, isLeft: boolean): void {
    this.#joined.push({ table, by, isLeft })
    const sort = isLeft && columnNamed(table, sortWords)
    this.#notes.push(
      `${table.name} is joined as what belongs to a guest`,
      ...sort ? [`${table.name}.${sort.name}: say which of several rows is the one to take`] : [],
    )
  }

  #joinOf(joined: Joined): string {
    const table = this.#quote(joined.table.name)
    if (!joined.by) return `from ${table}`
    const { column, other, to } = joined.by
    const on = `${this.#place(joined, column)} = ${this.#place(other, to)}`
    return `${joined.isLeft ? "left " : ""}join ${table} on ${on}`
  }

  #expressionOf(field: KindColumn, used: Set<string>): string | undefined {
    const found = this.#findColumn(field, used)
    if (!found) {
      if (!field.isRequired) return undefined
      this.#notes.push(`${field.name}: no column looks like it, so this is a guess`)
      return usualValue(field)
    }
    used.add(found.column.name)
    const place = this.#place(found.joined, found.column.name)
    if (field.meaning !== "consent" || /char|text|enum/.test(found.column.type)) return place
    const isGiven = found.column.type.includes("bool") ? place : `${place} = 1`
    return `case when ${isGiven} then 'active' else 'inactive' end`
  }

  /** Finds the column of a field in the tables of the SELECT, by its names, the likeliest first; or one that ends with its name. */
  #findColumn({ name, part, column, isRequired }: KindColumn, used: ReadonlySet<string>) {
    if (part === "gift_aid" || part === "tax_receipt") return undefined
    const word = part === "main" ? column : name
    const names = [plainName(word), ...columnWords[word] ?? []]
    const places = this.#joined.filter(({ table }) => mayHold(table, { name, part }))
      .flatMap((joined) => joined.table.columns.map((column) => ({ joined, column })))
      .filter(({ column }) => !used.has(column.name))
    const exact = names.flatMap((name) =>
      places.filter(({ column }) => plainName(column.name).replace(/(pence|cents)$/, "") === name)
    )
    if (exact[0] || !isRequired && name !== "email") return exact[0]
    const ending = places.find(({ column }) => column.name.toLowerCase().endsWith(`_${names[0]}`))
    if (ending) this.#notes.push(`${name}: ${ending.column.name} is a guess`)
    return ending
  }

  /** Leaves out what is deleted, and rows of other kinds. */
  #conditions(): readonly string[] {
    const deleted = this.#joined.filter(({ isLeft }) => !isLeft).flatMap((joined) => {
      const column = columnNamed(joined.table, deletedWords)
      if (!column) return []
      this.#notes.push(`rows with ${joined.table.name}.${column.name} are left out, as deleted`)
      const place = this.#place(joined, column.name)
      if (/date|time/.test(column.type)) return [`${place} is null`]
      return [column.type.includes("bool") ? `${place} is not true` : `coalesce(${place}, 0) = 0`]
    })
    const { only } = this.#choice
    if (!only) return deleted
    const values = only.values.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ")
    return [...deleted, `${this.#place(this.#own, only.column)} in (${values})`]
  }

  /** Says which column of a table leads to these records; with a SELECT if that is not their key. */
  #keyLine({ table, by }: Joined): string {
    if (!by) return `${table.name}: ${this.#key}`
    const to = by.other === this.#own ? by.to : by.other.by?.to ?? this.#key
    if (to === this.#key) return `${table.name}: ${by.column}`
    const [key, own, condition] = [this.#key, this.#own.table.name, to].map((name) =>
      this.#quote(name)
    )
    const of = JSON.stringify(`select ${key} from ${own} where ${condition} = ?`)
    return `${table.name}: { column: ${by.column}, of: ${of} }`
  }
}

/** True if a table may hold a field: consents and addresses are in theirs, if they have some. */
function mayHold({ name }: SourceTable, field: Pick<KindColumn, "name" | "part">): boolean {
  const isConsent = rankOf(name, relatedWords.consent) < Infinity
  const isAddress = rankOf(name, relatedWords.address) < Infinity
  if (field.part === "consent") return isConsent || field.name !== "consentStatus"
  return field.part === "main" ? isAddress || !isConsent : !isConsent && !isAddress
}

/** What stands in the place of a column that was not found. */
function usualValue({ name, meaning }: KindColumn): string {
  const usual = { currency: "'GBP'", timezone: "'Europe/London'", status: "'active'", admits: "1" }
  return usual[name as keyof typeof usual] ?? (meaning === "text" ? "''" : "0")
}

/** Writes the mapping file of an inspection. */
export function writeMapping(
  { proposals, money, tables }: Inspection,
  url: string | { readonly file: string },
): string {
  const select = proposals.map(({ kind, sql, notes }) =>
    [
      ...notes.map((note) => `  # ${kind}: ${note}.`),
      `  ${kind}: |`,
      ...sql.split("\n").map((line) => `    ${line}`),
    ].join("\n")
  )
  const keys = proposals.map(({ kind, keys }) => `  ${kind}:\n    ${keys.join("\n    ")}`)
  const missing = kinds.filter((kind) => proposals.every((each) => each.kind !== kind))
  return `# What the records of event-export are made of. Written by "event-export connect inspect" from ${tables} tables: read
# each SELECT, mend what is wrong, and look at the result with "event-export connect preview".
source:
  # The file has the URL, and only you may read it.
  url: ${JSON.stringify(url)}
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
