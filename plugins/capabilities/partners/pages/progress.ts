import {
  type Content,
  duration,
  type Grade,
  type Html,
  html,
  number,
  state,
  time,
} from "../../../design/design.ts"
import type { Visit } from "../../../service/console/page.ts"
import { sectionOf } from "../handbook-sections.ts"
import type { ListHealth } from "../list-health.ts"

/** How things are shown: what has a page, and what time it is. */
export interface ProgressStyle {
  readonly link: Visit["site"]["link"]
  readonly now: number
}

/** The columns about a list from its state on, as its partner sees them too. */
export const pollColumns = [
  "State",
  { name: "Behind by", isNumber: true },
  "Last poll",
  { name: "Every (recommended)", isNumber: true },
  "Last walk completed",
] as const

/** The columns about a list from its state on, for operators. */
export const progressColumns = [
  ...pollColumns,
  "Applied until",
  { name: "Records sent", isNumber: true },
  "Deletions",
  "Last error",
] as const

/** What a cell shows if there is nothing. */
export const none: Html = html`<span class="quiet none">–</span>`

/** Returns the cells of `pollColumns`. */
export function pollCells(
  list: ListHealth,
  { link, now }: Partial<ProgressStyle> & Pick<ProgressStyle, "now">,
): Content[] {
  const { lag, actualInterval, pollInterval } = list
  return [
    partnerState(list.state, link),
    lag > 0 ? duration(lag) : none,
    time(list.lastPoll, now),
    pollInterval === null
      ? none
      : html`${actualInterval === null ? "–" : duration(actualInterval)} (${
        duration(pollInterval)
      })`,
    time(list.walkCompleted, now),
  ]
}

/** Returns the cells of `progressColumns`. */
export function progressCells(list: ListHealth, { link, now }: ProgressStyle): Content[] {
  const { lastError } = list
  return [
    ...pollCells(list, { link, now }),
    time(list.acknowledged, now),
    number(list.records),
    deletionCell(list),
    lastError === null
      ? none
      : html`<span class="why">${lastError.status} ${lastError.code} ${time(lastError.at, now)}, ${
        link.request(lastError.requestId)
      }</span>`,
  ]
}

/** Says how many deletions wait, and when the list of deletions gets a 410. */
function deletionCell(
  { deletionsWaiting, moreDeletionsWaiting, daysUntilResync: days }: ListHealth,
): Content {
  if (days === null) return none
  const left = Math.max(0, Math.floor(days))
  return [
    deletionsWaiting > 0 && html`
      ${number(deletionsWaiting)}${moreDeletionsWaiting && "+"} to fetch,
    `,
    days < 7 ? state(days <= 0 ? "bad" : "warn", `410 in ${left} days`) : `410 in ${left} days`,
  ]
}

const grades: Readonly<Record<string, Grade>> = {
  "locked out": "bad",
  "no access": "bad",
  stuck: "bad",
  silent: "bad",
  failed: "bad",
  behind: "warn",
  "never polled": "off",
  unread: "off",
  partial: "note",
  "in sync": "good",
  disabled: "off",
}

/** Returns true for states that somebody should look at. */
export function needsAttention(state: string): boolean {
  return grades[state] === "bad" || grades[state] === "warn"
}

/** Shows the state of a partner, or of one of its lists; with `link`, as a link to what to do. */
export function partnerState(name: string, link?: ProgressStyle["link"]): Html {
  const words = link ? link.handbook("incidents", sectionOf(name), name) : name
  return state(gradeOf(name), words)
}

/** Returns how grave a state of a partner or of a list is. */
export function gradeOf(name: string): Grade {
  return grades[name] ?? "off"
}
