import type { TableChoice } from "./choose-tables.ts"
import { plainName } from "./kinds.ts"
import { columnsNamed, isLetter, isTime, saysYes } from "./names.ts"
import type { SelectDraft } from "./select-draft.ts"
import { cancelledValues, deletedPattern } from "./words.ts"

/** Returns conditions that leave out what is deleted. */
export function leaveOutDeleted(draft: SelectDraft): readonly string[] {
  return draft.joined.filter(({ form }) => form === "inner" || form === "path").flatMap((
    joined,
  ) =>
    joined.table.columns.filter(({ name }) => deletedPattern.test(plainName(name))).map(
      (column) => {
        const place = draft.place(joined, column.name)
        draft.notes.push(`rows with ${joined.table.name}.${column.name} are left out, as deleted`)
        // Old applications of MySQL write 0000-00-00 for "never".
        if (isTime(column)) {
          return column.isNullable ? `${place} is null` : `${place} < '1000-01-01'`
        }
        if (isLetter(column)) return `not (${saysYes(place, column)})`
        return column.type.includes("bool") ? `${place} is not true` : `coalesce(${place}, 0) = 0`
      },
    )
  )
}

/** Returns conditions that leave out rows of other kinds, and guests who do not come. */
export async function leaveOutOthers(
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
  const status = draft.kind === "guest"
    ? columnsNamed(draft.own.table, ["status", "state", "rsvp"])[0]
    : undefined
  if (!status || !/char|text|enum|user-defined/.test(status.type)) return []
  const place = draft.place(draft.own, status.name)
  const rows = await draft.read(
    `select distinct ${place} from ${draft.quote(draft.own.table.name)} limit 20`,
  )
  const values = rows.flat().filter((value) => value !== "")
  const left = values.filter((value) => cancelledValues.includes(value.toLowerCase()))
  const rest = values.filter((value) => !left.includes(value))
  if (values.length === 0) return []
  draft.notes.push(
    `${status.name}: rows with ${rest.join(", ")} are taken${
      left.length > 0 ? `, those with ${left.join(", ")} left out` : ""
    }`,
  )
  return left.length > 0 ? [`(${place} is null or ${place} not in (${list(left)}))`] : []
}
