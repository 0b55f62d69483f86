import { plainName } from "./kinds.ts"
import { columnOf, columnsNamed, isFlag, isTime, rankOf, saysYes } from "./names.ts"
import type { JoinedTable, SelectDraft } from "./select-draft.ts"
import { channelWords, relatedWords } from "./words.ts"

/** In names of columns that say that a guest agrees to be contacted in some way. */
const agreement =
  /opt(ed)?in|allow|consent|permi|may|can|subscrib|agree|market|newsletter|contactby|contactvia|ok$/

/** In names of columns such as `do_not_email`. */
const refusal = /^(do)?not?(?!tif|te)|optout|unsub/

/** Returns an SQL expression for the ways in which a guest may be contacted; undefined if no column says so. */
export function guessChannels(draft: SelectDraft): string | undefined {
  const apart = draft.joined.find(({ form }) => form === "apart")
  if (apart) return channelsApart(draft, apart)
  const parts = findFlags(draft).map(({ channel, condition }) =>
    `case when ${condition} then '${channel}' end`
  )
  return parts.length > 0 ? `concat_ws(',', ${parts.join(", ")})` : undefined
}

/** Reads a table with a row for each way. */
function channelsApart(draft: SelectDraft, joined: JoinedTable): string {
  const { table, by } = joined
  const channel = draft.place(joined, columnOf(table, "channel")?.name ?? "channel")
  const given = columnOf(table, "consentStatus")
  const withdrawn = columnsNamed(table, ["withdrawnat", "revokedat", "optedoutat", "endedat"])[0]
  const conditions = [
    ...by ? [`${draft.place(joined, by.column)} = ${draft.place(by.other, by.to)}`] : [],
    ...given && isFlag(given) ? [saysYes(draft.place(joined, given.name), given)] : [],
    ...withdrawn ? [`${draft.place(joined, withdrawn.name)} is null`] : [],
  ]
  const list = draft.findings.source === "postgres"
    ? `string_agg(${channel}::text, ',')`
    : `group_concat(${channel})`
  return `(select ${list} from ${draft.quote(table.name)} where ${conditions.join(" and ")})`
}

/**
 * Finds columns such as `email_opt_in`; in tables of consents also `email`. A refusal takes a way out, and never adds one: a
 * guest who has not refused has not agreed.
 */
function findFlags(
  draft: SelectDraft,
): readonly { readonly channel: string; readonly condition: string }[] {
  const flags = draft.joined.flatMap((joined) => {
    const isConsent = rankOf(joined.table.name, relatedWords.consent) < Infinity
    return joined.table.columns.filter((column) => isFlag(column) || isTime(column))
      .flatMap((column) => {
        const name = plainName(column.name)
        const channel = Object.keys(channelWords).find((channel) =>
          channelWords[channel]?.some((word) => name.includes(word))
        )
        const isRefusal = refusal.test(name)
        const isAbout = isConsent || isRefusal || agreement.test(name)
        if (!channel || !isAbout || name.endsWith("id")) return []
        const condition = saysYes(draft.place(joined, column.name), column)
        return [{ channel, isRefusal, condition }]
      })
  })
  return [...Map.groupBy(flags, ({ channel }) => channel)].flatMap(([channel, same]) => {
    const given = same.filter(({ isRefusal }) => !isRefusal).map(({ condition }) => condition)
    const refused = same.filter(({ isRefusal }) => isRefusal)
      .map(({ condition }) => `not (${condition})`)
    const condition = [`(${given.join(" or ")})`, ...refused].join(" and ")
    return given.length === 0 ? [] : [{ channel, condition }]
  })
}
