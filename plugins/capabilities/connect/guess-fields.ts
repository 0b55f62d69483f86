import { columnsOf, type KindColumn, plainName } from "./kinds.ts"
import { columnsLike, columnsNamed, isFlag, isTime, rankOf, saysYes, wordsFor } from "./names.ts"
import type { SourceTable } from "./schema.ts"
import type { JoinedColumn, JoinedTable, SelectDraft } from "./select-draft.ts"
import { labelWords, relatedWords } from "./words.ts"

/** Finds the SQL expression of a field, or none. */
type Guess = (draft: SelectDraft, field: KindColumn) => string | undefined

/**
 * Guesses an SQL expression for each field, as far as one is found. A column that is named like a field goes to it before
 * another field can take it for a likeness.
 */
export function guessFields(draft: SelectDraft): ReadonlyMap<string, string> {
  const fields = columnsOf(draft.kind).filter(({ part }) => !/tax_receipt|consent/.test(part))
  const found = new Map<string, string>()
  const guess = (field: KindColumn, guesses: readonly Guess[]) => {
    for (const guess of guesses) {
      const expression = found.get(field.name) ?? guess(draft, field)
      if (expression !== undefined) found.set(field.name, expression)
    }
  }
  for (const field of fields) guess(field, [takeNamed])
  for (const field of fields) {
    guess(field, [lookUp, takeLike, takeWholeName, takeUsual])
  }
  return found
}

/** Takes the column that has a name of the field. */
const takeNamed: Guess = (draft, field) => {
  const word = wordOf(field)
  const ofContacts = contactWords.has(word) ? ["address", "number", "value"] : []
  const free = freeColumns(draft, field)
  const contacts = free.filter(({ joined }) => isContact(joined.table, word))
  const [found] = [...named(free, wordsFor(word)), ...named(contacts, ofContacts)]
  return found && takeColumn(draft, field, found)
}

/** Takes the column whose name is like the field's. */
const takeLike: Guess = (draft, field) => {
  const free = freeColumns(draft, field)
  const [like] = columnsLike(free.map(({ column }) => column), wordOf(field))
  const found = free.find(({ column }) => column === like)
  if (!found) return undefined
  draft.notes.push(`${field.name}: ${found.column.name} is a guess`)
  return takeColumn(draft, field, found)
}

/** Takes the whole name of a person for the last name. */
const takeWholeName: Guess = (draft, field) => {
  if (field.name !== "lastName") return undefined
  const [whole] = named(freeColumns(draft, field), wordsFor("wholeName"))
  if (!whole) return undefined
  draft.notes.push(`lastName: ${whole.column.name} has the whole name`)
  return draft.take(whole)
}

/** Takes what stands in the place of a column that a row needs, and that was not found. */
const takeUsual: Guess = (draft, { name, meaning, isRequired }) => {
  if (!isRequired) return undefined
  if (name === "slug") {
    draft.notes.push("slug: made of the key")
    return `concat('${draft.kind}-', ${draft.place(draft.own, draft.key)})`
  }
  const usual = {
    currency: "'GBP'",
    timezone: "'Europe/London'",
    status: "'active'",
    admits: "1",
  }
  const value = usual[name as keyof typeof usual]
  if (value !== undefined) {
    draft.notes.push(`${name}: no column looks like it, so this is a guess`)
    return value
  }
  draft.notes.push(
    `${name}: no column looks like it, and rows without it are refused; write a column or a value`,
  )
  return meaning === "text" ? "''" : "null"
}

/** Takes a column that refers to a table of such values: `currency_id`. */
const lookUp: Guess = (draft, { name, column, meaning, part }) => {
  if (part !== "record" && !(part === "main" && column === "country")) return undefined
  const isList = meaning === "list"
  const words = wordsFor(part === "record" ? name : column)
  const place = joinLabel(draft, isList ? [...words, "category"] : words, {
    labels: isList ? nameWords : labelWords,
  })?.place
  if (place === undefined || !isList) return place
  const array = draft.findings.source === "postgres" ? "json_build_array" : "json_array"
  return `case when ${place} is not null then ${array}(${place}) end`
}

/** Joins a table to which a column with one of these names refers, for what its rows are called. */
export function joinLabel(
  draft: SelectDraft,
  words: readonly string[],
  { labels = nameWords, tables = draft.joined }: {
    readonly labels?: readonly string[]
    readonly tables?: readonly JoinedTable[]
  },
): { readonly table: SourceTable; readonly place: string } | undefined {
  for (const joined of tables) {
    for (const { column, table: name, to } of joined.table.references) {
      const word = plainName(column).replace(/id$/, "")
      // `EventStatusId` of a table of events is its status.
      const named = {
        ...joined.table,
        columns: [{ name: word, type: "", isNullable: true }],
      }
      const isIt = columnsNamed(named, words).length > 0 ||
        words.includes("category") && word.endsWith("category")
      const table = draft.findings.tables.find((each) => each.name === name)
      const [label] = table ? columnsNamed(table, labels) : []
      const isTaken = draft.joined.some((each) => each.table === table)
      if (!isIt || !table || !label || isTaken) continue
      const by = { column: to, other: joined, to: column }
      return { table, place: draft.place(draft.join({ table, by, form: "label" }), label.name) }
    }
  }
  return undefined
}

const nameWords = ["name", "title", "label"]

function takeColumn(
  draft: SelectDraft,
  { name, meaning }: KindColumn,
  found: JoinedColumn,
): string {
  const { column } = found
  const place = draft.take(found)
  if (name === "status" && isFlag(column) && !/(status|state|phase|stage)$/i.test(column.name)) {
    return `case when ${saysYes(place, column)} then 'active' else 'inactive' end`
  }
  if (meaning === "flag" && isTime(column)) {
    return `case when ${saysYes(place, column)} then 1 else 0 end`
  }
  if (meaning === "text" && column.type.startsWith("json")) {
    draft.notes.push(
      `${name}: ${column.name} is JSON; select the part of it that partners should get`,
    )
  }
  return place
}

/** Returns the columns that have one of these names, in the order of the names. */
function named(
  columns: readonly JoinedColumn[],
  words: readonly string[],
): readonly JoinedColumn[] {
  return words.flatMap((word) =>
    columns.filter(({ column, joined }) => columnsNamed(joined.table, [word]).includes(column))
  )
}

function freeColumns(draft: SelectDraft, field: KindColumn): readonly JoinedColumn[] {
  return draft.freeColumns.filter(({ joined, column }) =>
    // No field holds a time of day.
    !/^time(\(| without|$)/.test(column.type) && mayHold(joined.table, field)
  )
}

/** Returns the name that words are known for: of addresses, that of the column. */
function wordOf({ name, part, column }: KindColumn): string {
  if (part !== "main" && part !== "gift_aid") return name
  return column === "name" ? "addressName" : column
}

/** Tables of e-mail addresses and of telephone numbers, by the field that they hold. */
const contactWords = new Map([["email", relatedWords.email], ["mobile", relatedWords.phone]])

function isContact({ name }: SourceTable, field: string): boolean {
  return rankOf(name, contactWords.get(field) ?? []) < Infinity
}

/** True if a table may hold a field: addresses are in theirs, if they have some. */
function mayHold(table: SourceTable, field: KindColumn): boolean {
  const is = (words: readonly string[]) => rankOf(table.name, words) < Infinity
  const { part } = field
  const word = wordOf(field)
  const isGiftAid = is(relatedWords.giftAid)
  if (is(relatedWords.email) || is(relatedWords.phone)) return isContact(table, word)
  const isAddress = is(relatedWords.address)
  if (part === "gift_aid" || isGiftAid) return part === "gift_aid" && isGiftAid
  // Elsewhere, a state is how far something has got.
  if (part === "main" && word === "state") return columnsNamed(table, wordsFor("town")).length > 0
  if (part === "main") return word !== "addressName" || isAddress
  return !isAddress
}
