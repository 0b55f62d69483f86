import { columnsOf, kinds, plainName, type SourceKind } from "./kinds.ts"
import { columnOf, columnsNamed, rankOf, singular } from "./names.ts"
import type { SourceReference, SourceTable } from "./schema.ts"
import { quoteName } from "./sources/quote.ts"
import { allRows, type SourceName, type SourceReader } from "./sources/source.ts"
import { plainText } from "./values.ts"
import { labelWords, relatedWords, sortValues, sortWords, tableWords } from "./words.ts"

/** The table of a kind; of one with several kinds, the column and the values that tell which rows. */
export interface TableChoice {
  readonly table: SourceTable
  readonly only?: {
    readonly column: string
    readonly values: readonly string[]
    /** What these values are called in the table that the column refers to; else the values themselves. */
    readonly names: readonly string[]
    /** The names of all values that no kind takes. */
    readonly others: readonly string[]
  }
}

/**
 * Adds the references that nothing declares: `person_id` refers to a table `person`, `people` or `crm_person`, and
 * `func_no` to the one table whose key has this name.
 */
export function withReferences(tables: readonly SourceTable[]): readonly SourceTable[] {
  return tables.map((table) => {
    const named = table.columns.flatMap(({ name }) => {
      const [, word = ""] = /^(.+)id$/.exec(plainName(name)) ?? []
      const isDeclared = table.references.some(({ column }) => column === name)
      const isOwn = table.key.length === 1 && table.key[0] === name
      const others = tables.filter((each) => each !== table)
        .toSorted((a, b) => a.name.length - b.name.length)
      // A key called `id` or `code` says nothing of its table.
      const [owner, ...more] = /[a-z\d][_A-Z]/.test(name)
        ? others.filter(({ key }) => key.length === 1 && key[0] === name)
        : []
      if (isDeclared || isOwn && (owner || singular(table.name).endsWith(word))) return []
      if (owner && more.length === 0) return [{ column: name, table: owner.name, to: name }]
      if (word === "") return []
      const other = others.find((each) => singular(each.name) === word) ??
        others.find((each) => singular(each.name).endsWith(word)) ??
        others.find((each) => word.endsWith(singular(each.name)))
      return other ? [{ column: name, table: other.name, to: other.key[0] ?? "id" }] : []
    })
    return { ...table, references: [...table.references, ...named] }
  })
}

/** Returns the references from a table to another, the one that is named like it first. */
export function referencesTo(table: SourceTable, other: SourceTable): readonly SourceReference[] {
  const word = singular(other.name)
  const isNamed = ({ column }: SourceReference) =>
    word.endsWith(plainName(column).replace(/id$/, ""))
  return table.references.filter((each) => each.table === other.name)
    .toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
}

/** Returns the table of the people behind the rows of a table, if it refers to one; not of the users who entered them. */
export function findPerson(
  table: SourceTable,
  tables: readonly SourceTable[],
): { readonly table: SourceTable; readonly reference: SourceReference } | undefined {
  const found = tables.filter(isPerson).flatMap((person) => {
    const isOther = ({ column }: SourceReference) => {
      const name = plainName(column).replace(/id$/, "")
      // What is left of `booked_by_person_id` is `bookedby`.
      return /by$/.test(name.replace(singular(person.name), "")) ||
        /host|invite|refer|staff|admin|owner|assign|agent|merged/.test(name)
    }
    const reference = referencesTo(table, person).find((each) => !isOther(each))
    return reference ? [{ table: person, reference }] : []
  })
  const rank = ({ table }: { readonly table: SourceTable }) =>
    rankOf(table.name, relatedWords.person)
  return found.toSorted((a, b) => rank(a) - rank(b))[0]
}

function isPerson(table: SourceTable): boolean {
  if (rankOf(table.name, relatedWords.person) < Infinity) return true
  const hasName = columnOf(table, "firstName") ?? columnOf(table, "lastName")
  return hasName !== undefined && columnOf(table, "email") !== undefined
}

/** Chooses the table of each kind, by its name, its columns, and what it refers to. */
export async function chooseTables(
  all: readonly SourceTable[],
  reader: SourceReader,
  source: SourceName,
): Promise<ReadonlyMap<SourceKind, TableChoice>> {
  const tables = all.filter(({ key }) => key.length === 1)
  const choices = new Map<SourceKind, TableChoice>()
  const free = () => {
    const chosen = [...choices.values()].map(({ table }) => table)
    return tables.filter((table) => !chosen.includes(table))
  }
  const choose = (kind: SourceKind, scoreOf: (table: SourceTable) => number, least: number) => {
    const scored = free().map((table) => ({ table, score: scoreOf(table) }))
      .filter(({ score }) => score >= least).toSorted((a, b) => b.score - a.score)
    if (scored[0]) choices.set(kind, { table: scored[0].table })
    return scored[0]?.table
  }
  const event = choose("event", (table) => scoreOfEvent(table, all), 4)
  const leads = (table: SourceTable) => event ? stepsTo(table, event, all).length : 0
  choose("organization", (table) => scoreOfOrganization(table, event), 4)
  choose("guest", (table) => scoreOfGuest(table, all, leads(table)), 5)
  const sorted = []
  for (const table of free().filter((table) => looksLikeItems(table) && leads(table) > 0)) {
    const kindsOf = await findSorts(table, { all, reader, source })
    const known = [...kindsOf.values()].filter(({ values }) => values.length > 0).length
    sorted.push({ table, kindsOf, score: 2 * known + fieldsOf(table, "auction_item") })
  }
  const [shared] = sorted.filter(({ table, kindsOf }) =>
    kindsOf.size > 1 || kindsOf.size === 1 && scoreOfName(table, "buy_now_item") > 0
  ).toSorted((a, b) => b.score - a.score)
  for (const [kind, only] of shared?.kindsOf ?? []) {
    choices.set(kind, { table: (shared as typeof sorted[number]).table, only })
  }
  for (const kind of kinds.slice(3).filter((kind) => !choices.has(kind))) {
    choose(kind, (table) => columnOf(table, "name") ? scoreOfName(table, kind) : 0, 3)
  }
  return choices
}

/** Returns 5 for the likeliest name of a kind, less for others, and 0 for one without a word of it. */
function scoreOfName({ name }: SourceTable, kind: SourceKind): number {
  const rank = rankOf(name, tableWords[kind])
  return rank === Infinity ? 0 : rank < 100 ? 5 - rank / 20 : 4 - (rank - 100) / 20
}

/** Counts the fields that a record needs and a table has a column for. */
function fieldsOf(table: SourceTable, kind: SourceKind): number {
  return columnsOf(kind).filter(({ name, isRequired }) => isRequired && columnOf(table, name))
    .length
}

function scoreOfEvent(table: SourceTable, all: readonly SourceTable[]): number {
  const hasTime = columnOf(table, "starts") ?? columnOf(table, "ends")
  if (!columnOf(table, "name") && !hasTime) return 0
  const followers = all.filter(({ references }) =>
    references.some((each) => each.table === table.name)
  )
  return scoreOfName(table, "event") + fieldsOf(table, "event") + Math.min(2, followers.length / 2)
}

function scoreOfOrganization(table: SourceTable, event: SourceTable | undefined): number {
  if (isPerson(table) || !event) return 0
  const isOwner = event.references.some((each) => each.table === table.name)
  const score = scoreOfName(table, "organization")
  return score + fieldsOf(table, "organization") + (isOwner ? 2 : score === 0 ? -2 : 0)
}

/** Tables of people who are at an event for another reason, or are not there. */
const noGuests = /volunteer|staff|crew|speaker|sponsor|supplier|wait(ing)?list/

function scoreOfGuest(table: SourceTable, all: readonly SourceTable[], steps: number): number {
  if (noGuests.test(plainName(table.name))) return 0
  const hasPerson = findPerson(table, all) ?? columnOf(table, "email") ??
    columnOf(table, "lastName")
  const costs = table.columns.some(({ name }) =>
    /amount|total|price|^ip|useragent/.test(plainName(name))
  )
  const words = [...tableWords.event, ...relatedWords.person].filter((word) =>
    singular(table.name).includes(word)
  )
  return scoreOfName(table, "guest") + Math.max(0, words.length - 1) +
    (steps === 0 ? 0 : 4 / steps) + (hasPerson ? 3 : 0) -
    (costs ? 2 : 0)
}

function looksLikeItems(table: SourceTable): boolean {
  return columnOf(table, "name") !== undefined &&
    ["price", "startPrice", "estimate"].some((field) => columnOf(table, field))
}

/** A table and the column in it that leads on to another. */
export interface Steps {
  readonly table: SourceTable
  readonly reference: SourceReference
}

/** The most references on the way from a table to its event: of an attendee, by a line of an order and the order. */
const mostSteps = 4

/** Returns the references that lead from a table to another, in the fewest steps; empty if none do. */
export function stepsTo(
  table: SourceTable,
  goal: SourceTable,
  all: readonly SourceTable[],
): readonly Steps[] {
  const seen = new Set([table])
  let ways: { table: SourceTable; steps: readonly Steps[] }[] = [{ table, steps: [] }]
  for (let length = 1; length <= mostSteps; length++) {
    for (const { table: last, steps } of ways) {
      const reference = referencesTo(last, goal)[0] ??
        (last === table ? namedLikeEvent(table, goal) : undefined)
      if (reference) return [...steps, { table: last, reference }]
    }
    ways = ways.flatMap(({ table, steps }) =>
      table.references.flatMap((reference) => {
        const next = all.find(({ name }) => name === reference.table)
        if (!next || next.key.length !== 1 || seen.has(next)) return []
        seen.add(next)
        return [{ table: next, steps: [...steps, { table, reference }] }]
      })
    )
  }
  return []
}

/** Returns a reference to events that is named by another word for them: `gala_id` in a schema with `functions`. */
function namedLikeEvent(table: SourceTable, goal: SourceTable): SourceReference | undefined {
  if (rankOf(goal.name, tableWords.event) === Infinity) return undefined
  const named = table.columns.find(({ name }) => {
    const word = plainName(name).replace(/id$/, "")
    return word !== plainName(name) && tableWords.event.includes(word)
  })
  return named && { column: named.name, table: goal.name, to: goal.key[0] ?? "id" }
}

/** Returns the kinds of item that a table holds, if a column with few values tells them apart. */
async function findSorts(
  table: SourceTable,
  { all, reader, source }: {
    readonly all: readonly SourceTable[]
    readonly reader: SourceReader
    readonly source: SourceName
  },
): Promise<ReadonlyMap<SourceKind, NonNullable<TableChoice["only"]>>> {
  const quote = (name: string) => quoteName(source, name)
  const candidates = table.columns.filter(({ name, type }) =>
    sortWords.some((word) => plainName(name).replace(/(id|code)$/, "").endsWith(word)) &&
    !/date|time|longtext|decimal/.test(type)
  )
  let best = new Map<SourceKind, NonNullable<TableChoice["only"]>>()
  let unknown: NonNullable<TableChoice["only"]> | undefined
  for (const { name: column } of candidates) {
    const reference = table.references.find((each) => each.column === column)
    const other = all.find(({ name }) => name === reference?.table)
    const labels = other && columnsNamed(other, labelWords)
    const rows = await allRows(
      reader,
      other && labels?.[0]
        ? `select ${quote(other.key[0] ?? "id")}, ${
          labels.map(({ name }) => quote(name)).join(", ")
        }
          from ${quote(other.name)} limit 50`
        : `select distinct ${quote(column)} from ${quote(table.name)}
          where ${quote(column)} is not null limit 50`,
    )
    const named = rows.map((row) => {
      const [value = "", ...names] = row.map(plainText)
      const all = other ? names : [value]
      const kind = all.map(kindOfValue).find(Boolean)
      return { value, kind, name: all[0] ?? "" }
    })
    const others = named.filter(({ kind }) => !kind).map(({ name }) => name)
    const found = Map.groupBy(named, ({ kind }) => kind)
    const sorts = kinds.flatMap((kind) => {
      const some = found.get(kind)
      if (!some) return []
      const names = other ? some.map(({ name }) => name) : []
      return [[kind, { column, values: some.map(({ value }) => value), names, others }] as const]
    })
    if (sorts.length > best.size) best = new Map(sorts)
    if (others.length > 1) unknown ??= { column, values: [], names: [], others }
  }
  // The operator knows what these values mean, and has only to write them in.
  if (best.size === 0 && unknown && scoreOfName(table, "buy_now_item") > 0) {
    return new Map(Object.keys(sortValues).map((kind) => [kind as SourceKind, unknown]))
  }
  return best
}

function kindOfValue(text: string): SourceKind | undefined {
  const value = text.toLowerCase().replace(/[^a-z]/g, "")
  const entry = Object.entries(sortValues).find(([, words = []]) =>
    words.some((word) =>
      word === value || word.length > 3 && value.startsWith(word) ||
      word.length > 4 && value.includes(word)
    )
  )
  return entry?.[0] as SourceKind | undefined
}
