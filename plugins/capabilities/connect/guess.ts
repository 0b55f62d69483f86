import { stepsTo, type TableChoice } from "./choose-tables.ts"
import { guessFields } from "./guess-fields.ts"
import { joinBelongings } from "./join-belongings.ts"
import { columnsOf, ownerOf, type SourceKind } from "./kinds.ts"
import { leaveOutDeleted, leaveOutOthers } from "./leave-out.ts"
import { type Findings, SelectDraft } from "./select-draft.ts"

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
  const expressions = await guessFields(draft)
  const notFound: string[] = []
  for (const { name, part } of columnsOf(kind)) {
    const expression = expressions.get(name)
    if (expression !== undefined) select.push(`${expression} as ${name}`)
    else if (part === "record" || part === "consent") notFound.push(name)
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
