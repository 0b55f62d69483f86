import {
  type Content,
  duration,
  type Grade,
  type Html,
  html,
  minute,
  state,
  table,
} from "../../../design/design.ts"
import type { Visit } from "../../../service/console/page.ts"
import { groupsOf } from "../alike.ts"
import type { PartnerReport } from "../partner-report.ts"
import { anHour, isWorse, type MonthShare, type SeenState } from "../state-history/hours.ts"
import {
  type ListHistory,
  type PartnerHistory,
  readHistories,
  readListHistories,
  shownDays,
} from "../state-history/read-history.ts"
import { namesOf } from "./lists.ts"
import { gradeOf } from "./progress.ts"

/** How high a day is, of four: who sees no colours sees the worst states as the largest. */
const heights = { bad: 4, warn: 3, note: 2, good: 2, off: 1 } as const
/** How wide an hour is, of four. What is well is pale. */
const widths = { bad: 3.7, warn: 2.7, note: 3.7, good: 3.7, off: 1.7 } as const

/** Rows of a table of hours, and of lists. */
const most = { runs: 100, rows: 50 } as const

/**
 * Shows the worst state of each of the last 30 days as a bar, the last one today; nothing if none is known. Says the same
 * in words. A page has fifty of them, so it is short.
 */
export function historyBar(history: PartnerHistory, present: SeenState): Content {
  const days = withPresent(history.days, present)
  const paths = pathsOf(days, (grade, from, count) => {
    return `M${from} ${4 - heights[grade]}h${count}V4H${from}`
  })
  const words = countWords(days, ["day", "days"])
  return paths.length > 0 &&
    html`<svg class="days" viewBox="0 0 ${days.length} 4" role="img"><title>${words}</title>${paths}</svg>`
}

/** Puts what is seen now into the last cell: the last look may be a minute old. */
function withPresent(cells: readonly SeenState[], present: SeenState): readonly SeenState[] {
  const last = cells.at(-1)
  return last !== undefined && isWorse(present, last) ? cells.with(-1, present) : cells
}

/** Shows the worst state of each hour: a column per day, midnight at the top. */
function hourGrid(hours: readonly SeenState[]): Html {
  const paths = pathsOf(hours, (grade, from, count) => {
    const wide = widths[grade]
    const parts: string[] = []
    // A run over midnight goes on at the top of the next column.
    for (let hour = from; hour < from + count;) {
      const [day, top] = [Math.floor(hour / 24), hour % 24]
      const rest = Math.min(24 - top, from + count - hour)
      parts.push(`M${day * 4} ${top}h${wide}v${rest}h-${wide}z`)
      hour += rest
    }
    return parts.join("")
  })
  return html`
    <svg class="history hours" viewBox="0 0 ${shownDays * 4} 24" preserveAspectRatio="none"
      role="img"><title>${countWords(hours, ["hour", "hours"])}</title>${paths}</svg>
  `
}

/** Draws one path per state, of what is known. */
function pathsOf(
  cells: readonly SeenState[],
  draw: (grade: Grade, from: number, count: number) => string,
): readonly Html[] {
  const drawn = Map.groupBy(
    runsIn(cells).filter((run) => run.state !== "not known"),
    (run) => run.state,
  )
  return [...drawn].map(([name, runs]) => {
    const grade = gradeOf(name)
    const path = runs.map(({ from, count }) => draw(grade, from, count)).join("")
    return html`
      <path class="${grade}" d="${path}" />
    `
  })
}

/** Neighbouring cells in the same state. */
interface CellRun {
  readonly state: SeenState
  readonly from: number
  readonly count: number
}

function runsIn(cells: readonly SeenState[]): readonly CellRun[] {
  const runs: { state: SeenState; from: number; count: number }[] = []
  for (const [from, state] of cells.entries()) {
    const last = runs.at(-1)
    if (last?.state === state) last.count++
    else runs.push({ state, from, count: 1 })
  }
  return runs
}

/** Counts cells by state: `28 days in sync, 1 day behind, 1 day not known`. */
function countWords(
  cells: readonly SeenState[],
  [one, several]: readonly [string, string],
): string {
  const counts = Map.groupBy(cells, (state) => state)
  return [...counts]
    .map(([state, { length }]) => `${length} ${length === 1 ? one : several} ${state}`)
    .join(", ")
}

/** Says how much of the month a partner was in sync; nothing before that can be said. */
export function describeShare({ month, inSync, known, unknown }: MonthShare): string | undefined {
  if (known === 0) return undefined
  const name = new Date(month * 1000).toLocaleString("en", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  })
  // Rounded down: 100 % is all of it.
  const percent = Math.floor(inSync / known * 1000) / 10
  const rest = unknown > 0 ? `; ${duration(unknown)} are not known, as nobody looked` : ""
  return `In sync ${percent} % of ${name} (UTC), of ${duration(known)} that are known${rest}.`
}

/** Shows what a partner and its lists were like in each hour of the last 30 days. */
export async function showHistory(
  { inside: { readable } }: Visit,
  { health: { accountId, state }, at, lists }: PartnerReport,
): Promise<Content> {
  const { read, past } = await readable.snapshot(async (snapshot) => ({
    read: (await readHistories(snapshot, at, [accountId])).get(accountId),
    past: await readListHistories(snapshot, at, accountId),
  }))
  if (!read) return undefined
  const partner = { ...read, hours: withPresent(read.hours, state) }
  const troubled = past
    .map((list) => ({ ...list, trouble: list.hours.filter(isTrouble).length }))
    .filter(({ trouble }) => trouble > 0)
    .toSorted((a, b) => b.trouble - a.trouble)
  return html`
    <section id="history" data-live aria-labelledby="history-title">
      <h2 id="history-title">The last ${shownDays} days</h2>
      <p>${describeShare(partner.share)}</p>
      <figure class="hours">
        ${hourGrid(partner.hours)}
        <figcaption>A column per day (UTC) from ${minute(
          partner.first,
        ).slice(0, 10)}, midnight at the top: the worst state of each hour. ${legend(
          partner.hours,
        )}</figcaption>
      </figure>
      ${runTable(partner)}
      ${listTable(troubled, { lists, first: partner.first })}
    </section>
  `
}

function isTrouble(state: SeenState): boolean {
  const grade = gradeOf(state)
  return state !== "not known" && (grade === "bad" || grade === "warn")
}

function legend(cells: readonly SeenState[]): Content {
  return [...new Set(cells)].map((name) =>
    name === "not known"
      ? html`
        <span class="key">nothing: not known</span>
      `
      : keyOf(name)
  )
}

function keyOf(name: SeenState): Html {
  const grade = gradeOf(name)
  return html`
    <span class="key"><svg class="history hours" viewBox="0 0 4 1" preserveAspectRatio="none"
      aria-hidden="true"><path class="${grade}" d="M0 0h${widths[
        grade
      ]}v1H0z"/></svg> ${name}</span>
  `
}

function runTable({ hours, first }: PartnerHistory): Html {
  const runs = runsIn(hours).toReversed()
  return html`
    <details>
      <summary>As a table</summary>
      ${table(
        runs.length > most.runs ? `The latest ${most.runs} of ${runs.length}` : "The latest first",
        ["State", "From (UTC)", "Until", { name: "Hours", isNumber: true }],
        runs.slice(0, most.runs).map(({ state: name, from, count }) => [
          state(gradeOf(name), name),
          minute(first + from * anHour),
          from + count === hours.length ? "now" : minute(first + (from + count) * anHour),
          count,
        ]),
      )}
    </details>
  `
}

function listTable(
  troubled: readonly (ListHistory & { readonly trouble: number })[],
  { lists, first }: { readonly lists: PartnerReport["lists"]; readonly first: number },
): Html {
  if (troubled.length === 0) {
    return html`<p class="quiet">None of its lists was seen stuck or behind.</p>`
  }
  const names = new Map(lists.map(({ eventId, eventName }) => [eventId ?? "", eventName]))
  const nameOf = ({ eventId }: ListHistory) =>
    eventId === "" ? html`<span class="quiet">all events</span>` : names.get(eventId) ?? eventId
  const together = (same: readonly ListHistory[]) => {
    const all = namesOf(same, ({ eventId }) => eventId, nameOf)
    const hidden = html`<details><summary>${same.length} lists</summary>${all}</details>`
    return same.length <= 3 ? all : hidden
  }
  // What stops a partner stops many of its lists at once.
  const rows = groupsOf(troubled, ({ hours }) => hours.join())
  return table(
    rows.length > most.rows
      ? `The ${most.rows} groups of lists that were stuck or behind for longest, of ${rows.length}`
      : "Lists that were stuck or behind, the longest first; lists of the same hours together",
    ["Lists", "Hours", { name: "Not in sync", isNumber: true }, "Last seen so (UTC)"],
    rows.slice(0, most.rows).map((same) => [
      together(same),
      hourGrid(same[0].hours),
      `${same[0].trouble} h`,
      minute(first + same[0].hours.findLastIndex(isTrouble) * anHour),
    ]),
  )
}
