import { findPerson } from "./choose-tables.ts"
import { columnsNamed, rankOf, saysYes, wordsFor } from "./names.ts"
import type { SourceTable } from "./schema.ts"
import type { JoinedTable, SelectDraft } from "./select-draft.ts"
import { firstWords, relatedWords } from "./words.ts"

/** Joins the tables that belong to a guest: the person behind it, and addresses. */
export async function joinBelongings(draft: SelectDraft): Promise<void> {
  const { own } = draft
  const person = findPerson(own.table, draft.findings.tables)
  if (person) {
    const { column, to } = person.reference
    const by = { column: to, other: own, to: column }
    const mayLack = own.table.columns.some(({ name, isNullable }) => name === column && isNullable)
    draft.join({ table: person.table, by, form: mayLack ? "person" : "inner" })
    draft.notes.push(
      `${person.table.name} is joined as the person behind a guest` +
        (mayLack ? "; guests without one are taken, too" : ""),
    )
  }
  const hasOwn = (field: string) =>
    draft.joined.some(({ table }) => columnsNamed(table, wordsFor(field)).length > 0)
  if (!hasOwn("line1")) await joinRelated(draft, relatedWords.address)
  await joinRelated(draft, relatedWords.giftAid)
  if (!hasOwn("email")) await joinRelated(draft, relatedWords.email)
  if (!hasOwn("mobile")) await joinRelated(draft, relatedWords.phone)
}

/** Joins the likeliest table with one of these names that refers to the guest or the person, or to which these refer. */
async function joinRelated(draft: SelectDraft, words: readonly string[]): Promise<void> {
  const related = findRelated(draft, words)
  if (!related) return
  const { table, by } = related
  const [name, column] = [table.name, by.column].map((name) => draft.quote(name))
  const isUnique = by.column === table.key[0] && table.key.length === 1
  const several = isUnique ? [] : await draft.read(
    `select 1 from ${name} group by ${column} having count(*) > 1 limit 1`,
  )
  if (several.length === 0) {
    draft.join({ ...related, form: "left" })
    draft.notes.push(`${table.name} is joined; a guest has one row of it at most`)
    return
  }
  // What tells the rows of one guest apart.
  const [key, ...others] = table.key.filter((column) => column !== by.column)
  if (key === undefined || others.length > 0) {
    draft.join({ ...related, form: "left" })
    draft.notes.push(`${table.name} has several rows of some guests: say which is the one to take`)
    return
  }
  const [flag] = columnsNamed(table, firstWords)
  const condition = flag && saysYes(draft.quote(flag.name), flag)
  const order = condition ? `case when ${condition} then 0 else 1 end, ` : ""
  draft.join({ ...related, form: "first", first: { key, order: `${order}${draft.quote(key)}` } })
  draft.notes.push(
    `${table.name} has several rows of some guests: the one with the first ${key} is taken` +
      (condition ? `, or that with ${condition}` : ""),
  )
}

function findRelated(
  draft: SelectDraft,
  words: readonly string[],
): Required<Pick<JoinedTable, "table" | "by">> | undefined {
  const known = draft.joined
  const found = draft.findings.tables.flatMap((table) => {
    const isKnown = known.some((joined) => joined.table === table)
    if (isKnown || rankOf(table.name, words) === Infinity) return []
    return known.flatMap((other) => {
      const inward = table.references.find((each) => each.table === other.table.name)
      if (inward) return [{ table, by: { column: inward.column, other, to: inward.to } }]
      const outward = other.table.references.find((each) => each.table === table.name)
      return outward ? [{ table, by: { column: outward.to, other, to: outward.column } }] : []
    })
  })
  const rank = ({ table }: { readonly table: SourceTable }) => rankOf(table.name, words)
  return found.toSorted((a, b) => rank(a) - rank(b))[0]
}
