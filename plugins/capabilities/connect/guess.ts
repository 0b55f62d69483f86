import { stepsTo, type TableChoice } from "./choose-tables.ts"
import { guessFields, joinLabel } from "./guess-fields.ts"
import { joinBelongings } from "./join-belongings.ts"
import { columnsOf, ownerOf, plainName, type SourceKind } from "./kinds.ts"
import { columnsNamed, isLetter, isTime, saysYes } from "./names.ts"
import type { SourceTable } from "./schema.ts"
import { type Findings, SelectDraft } from "./select-draft.ts"
import { cancelledValues, deletedPattern } from "./words.ts"

/** A SELECT that was guessed, with a line for each guess that the operator should look at. */
export interface Proposal {
  readonly kind: SourceKind
  readonly sql: string
  readonly notes: readonly string[]
  /** Lines of the mapping: tables whose changes lead to these records. */
  readonly keys: readonly string[]
}

/** Guesses the SELECT of one kind. @throws as the source does. */
export async function guess(
  kind: SourceKind,
  { table, only }: TableChoice,
  findings: Findings,
): Promise<Proposal> {
  const draft = new SelectDraft(kind, table, findings)
  const { notes } = draft
  const select = [`${draft.place(draft.own, draft.key)} as id`, ...selectOwner(draft)]
  if (kind === "guest") await joinBelongings(draft)
  const expressions = guessFields(draft)
  const notFound: string[] = []
  for (const { name, part } of columnsOf(kind)) {
    const expression = expressions.get(name)
    if (expression !== undefined) select.push(`${expression} as ${name}`)
    else if (part === "record") notFound.push(name)
  }
  if (kind === "guest") {
    notes.push(
      "consent is never guessed, and so inactive: select consentStatus, consentChannels, consentAsked",
    )
    if (!expressions.has("mainAddressLine1")) {
      notFound.push("mainAddressLine1 and the others of an address")
    }
  }
  if (notFound.length > 0) notes.push(`no column was found for ${notFound.join(", ")}`)
  const conditions = [...leaveOutDeleted(draft), ...await leaveOutOthers(draft, only)]
  const sql = [
    `select ${select.join(",\n  ")}`,
    ...draft.lines(),
    ...conditions.length > 0 ? [`where ${conditions.join(" and ")}`] : [],
  ].join("\n")
  return { kind, sql, notes, keys: draft.keyLines() }
}

/** Finds what leads to the owner: a reference, or one by way of another table. */
function selectOwner(draft: SelectDraft): readonly string[] {
  const owner = ownerOf(draft.kind)
  if (owner === undefined) return []
  const { choices, tables } = draft.findings
  const goal = choices.get(owner)?.table
  if (owner === "organization" && !goal) return ["1 as organization"]
  const steps = goal ? stepsTo(draft.own.table, goal, tables) : []
  let joined = draft.own
  let from: (typeof steps)[number] | undefined
  for (const step of steps) {
    if (from) {
      const { column, to } = from.reference
      const by = { column: to, other: joined, to: column }
      joined = draft.join({ table: step.table, by, form: "path" })
    }
    from = step
  }
  if (from) return [`${draft.place(joined, from.reference.column)} as ${owner}`]
  draft.notes.push(`${owner}: no column leads to it; write the one that does`)
  return [`null as ${owner}`]
}

/** Returns conditions that leave out what is deleted. */
function leaveOutDeleted(draft: SelectDraft): readonly string[] {
  return draft.joined.filter(({ form }) => /inner|person|path/.test(form)).flatMap((
    joined,
  ) =>
    joined.table.columns.filter(({ name }) => deletedPattern.test(plainName(name))).map(
      (column) => {
        const place = draft.place(joined, column.name)
        draft.notes.push(`rows with ${joined.table.name}.${column.name} are left out, as deleted`)
        // Old applications of MySQL write 0000-00-00 for "never".
        if (isTime(column)) {
          return column.isNullable
            ? `${place} is null`
            : `coalesce(${place}, '0001-01-01') < '1000-01-01'`
        }
        if (isLetter(column)) return `not (${saysYes(place, column)})`
        return column.type.includes("bool") ? `${place} is not true` : `coalesce(${place}, 0) = 0`
      },
    )
  )
}

/** Returns conditions that leave out rows of other kinds, and guests who do not come. */
async function leaveOutOthers(
  draft: SelectDraft,
  only: TableChoice["only"],
): Promise<readonly string[]> {
  const list = (values: readonly string[]) =>
    values.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ")
  if (only) {
    if (only.names.length > 0) {
      draft.notes.push(`${only.column}: ${only.values.join(", ")} is ${only.names.join(", ")}`)
    }
    if (only.values.length === 0) {
      const all = only.others.join(", ")
      draft.notes.push(`${only.column} has ${all}: write in place of null which of them it is`)
    }
    return [`${draft.place(draft.own, only.column)} in (${list(only.values) || "null"})`]
  }
  const status = draft.kind === "guest" ? statusOf(draft) : undefined
  if (!status) return []
  const { place, table } = status
  const rows = await draft.read(`select distinct ${place} from ${draft.quote(table.name)} limit 20`)
  const values = rows.flat().filter((value) => value !== "")
  const left = values.filter((value) => cancelledValues.includes(value.toLowerCase()))
  const rest = values.filter((value) => !left.includes(value))
  if (values.length === 0) return []
  draft.notes.push(
    `${place}: rows with ${rest.join(", ")} are taken${
      left.length > 0 ? `, those with ${left.join(", ")} left out` : ""
    }`,
  )
  return left.length > 0 ? [`(${place} is null or ${place} not in (${list(left)}))`] : []
}

/** Returns where a guest's status is: in its own table, or in one of such values. */
function statusOf(
  draft: SelectDraft,
): { readonly table: SourceTable; readonly place: string } | undefined {
  const { own } = draft
  const words = ["status", "state", "rsvp"]
  const [column] = columnsNamed(own.table, words)
  if (column && /char|text|enum|user-defined/.test(column.type)) {
    return { table: own.table, place: draft.place(own, column.name) }
  }
  return joinLabel(draft, words, {
    labels: ["name", "title", "label", "description"],
    tables: [own],
  })
}
