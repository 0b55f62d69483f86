import {
  type Content,
  fold,
  type Html,
  html,
  nameList,
  number,
  table,
  type TableColumn,
} from "../../../design/design.ts"
import { type Alike, groupsOf } from "../alike.ts"
import { byTrouble, type ListHealth } from "../list-health.ts"
import { needsAttention, partnerState } from "./progress.ts"

/** The most rows. If there are more, only lists in trouble have rows, and the others are named. */
const most = 15

/** How a page shows lists. */
interface ListPage {
  readonly caption: string
  /** The first column, which says whose the lists are: its name, its key, and how to show it. */
  readonly column: string
  readonly key: (list: ListHealth) => string
  readonly show: (list: ListHealth) => Content
  /** The columns, beginning with the state. */
  readonly columns: readonly (string | TableColumn)[]
  readonly cells: (list: ListHealth) => readonly Content[]
  /** The page that shows all lists in full; undefined if this one does. */
  readonly all: string | undefined
  readonly empty: string
}

/**
 * Shows lists. Those with the same key and state share a row, with the numbers of the worst. If there are more than 15
 * rows, shows only those in trouble, and the names of the others.
 */
export function showLists(lists: readonly ListHealth[], page: ListPage): Content {
  if (page.all === undefined) {
    return listTable(page.caption, lists.map((list) => [list]), page)
  }
  const { key } = page
  const sorted = lists.toSorted(byTrouble)
  const inRows = (some: readonly ListHealth[]) =>
    groupsOf(some, (list) => `${key(list)} ${list.prefix} ${list.state}`)
  const whole = inRows(sorted)
  const allInFull = html`<p><a href="${page.all}">All lists in full</a></p>`
  if (whole.length <= most) {
    const isShared = whole.length < lists.length
    return [listTable(page.caption, whole, page), isShared && allInFull]
  }
  const wrong = sorted.filter(({ state }) => needsAttention(state))
  const rows = inRows(wrong)
  const folds = (lists: readonly ListHealth[], more: string) =>
    [...Map.groupBy(lists, ({ state }) => state)].map(([state, same]) =>
      fold(html`${more}${partnerState(state)}`, same.length, namesOf(same, key, page.show))
    )
  const about = html`${number(wrong.length)} of ${number(lists.length)} lists need attention`
  return [
    rows.length > 0
      ? listTable(about, rows.slice(0, most), page)
      : html`<p class="well"><span aria-hidden="true">✓</span> No list needs attention.</p>`,
    html`<div class="folds">${folds(rows.slice(most).flat(), "More: ")}${
      folds(sorted.slice(wrong.length), "")
    }</div>`,
    allInFull,
  ]
}

function listTable(
  caption: Content,
  rows: readonly Alike<ListHealth>[],
  { column, show, columns, cells: cellsOf, empty }: ListPage,
): Html {
  const cells = rows.map((
    same,
  ) => [show(same[0]), listNames(same), ...cellsOf(sumOf(same))])
  return table(caption, [column, "Lists", ...columns], cells, empty)
}

/** Returns the first of the lists, with the number of deletions that wait in all of them, and the last error. */
function sumOf(same: Alike<ListHealth>): ListHealth {
  const days = same.flatMap(({ daysUntilResync }) => daysUntilResync ?? [])
  const errors = same.flatMap(({ lastError }) => lastError ?? []).toSorted((a, b) => b.at - a.at)
  return {
    ...same[0],
    deletionsWaiting: same.reduce((sum, { deletionsWaiting }) => sum + deletionsWaiting, 0),
    moreDeletionsWaiting: same.some(({ moreDeletionsWaiting }) => moreDeletionsWaiting),
    daysUntilResync: days.length === 0 ? null : Math.min(...days),
    lastError: errors[0] ?? null,
  }
}

/** Names lists with their families: `/connector-b/v1 guests, items`. */
function listNames(lists: readonly Pick<ListHealth, "prefix" | "list">[]): Html {
  const families = [...Map.groupBy(lists, ({ prefix }) => prefix)].map(([prefix, same], index) =>
    html`${index > 0 && "; "}<code>${prefix}</code> ${namesIn(same).join(", ")}`
  )
  return html`${families}`
}

/** Returns the names of lists, with deletions after their records. */
function namesIn(lists: readonly Pick<ListHealth, "list">[]): readonly string[] {
  const key = (name: string) => name.replace(/^(guest|item)s?(?= |$)/, "$1")
  return lists.map(({ list }) => list).toSorted((a, b) => key(a) < key(b) ? -1 : 1)
}

/** Shows what lists belong to, such as events, grouped by the names of their lists. */
export function namesOf<List extends Pick<ListHealth, "prefix" | "list">>(
  lists: readonly List[],
  key: (list: List) => string,
  show: (list: List) => Content,
): Content {
  const alike = groupsOf(groupsOf(lists, key), (own) => String(listNames(own)))
  return alike.map((same) =>
    html`
      <div><p>${listNames(same[0])}</p>${nameList(same.map(([first]) => show(first)))}</div>
    `
  )
}
