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

/** How to show progress: the links to pages, and the current time. */
export interface ProgressStyle {
  readonly link: Visit["site"]["link"]
  readonly now: number
}

/** The columns about a list, beginning with its state, that partners see too. */
export const pollColumns = [
  "State",
  "Last poll",
  { name: "Every (advised)", isNumber: true },
  "Sent until",
] as const

/** The columns about a list, beginning with its state, for operators. */
export const progressColumns = [
  ...pollColumns,
  "Applied until",
  "Deletions",
] as const

/** The content of an empty cell. */
export const none: Html = html`<span class="quiet none">–</span>`

/** Returns the cells of `pollColumns`. */
export function pollCells(
  list: ListHealth,
  { link, now }: Partial<ProgressStyle> & Pick<ProgressStyle, "now">,
): Content[] {
  const { lag, actualInterval, pollInterval } = list
  return [
    html`${partnerState(list.state, link)}${lag > 0 && lagWords(list)}`,
    time(list.lastPoll, now),
    pollInterval === null
      ? none
      : html`${actualInterval === null ? "–" : duration(actualInterval)} (${
        duration(pollInterval)
      })`,
    time(list.covered, now),
  ]
}

/** Returns the cells of `progressColumns`. */
export function progressCells(list: ListHealth, { link, now }: ProgressStyle): Content[] {
  const { lastError, lastPoll } = list
  const [state, ...others] = pollCells(list, { link, now })
  const error = lastError && lastError.at > (lastPoll ?? 0) && html`
    <br><span class="quiet"><span class="whole">${lastError.status} ${lastError.code}</span>
    ${time(lastError.at, now)}</span>
  `
  return [
    html`${state}${error}`,
    ...others,
    time(list.acknowledged, now),
    deletionCell(list),
  ]
}

function lagWords({ state, lag, hasGrant }: ListHealth): Content {
  const words = `${state === "behind" ? "" : "behind "}by ${duration(lag)}`
  return hasGrant && html`
    <span class="whole">${words}</span>
  `
}

/** A 410 is announced this many days ahead. */
const shownDays = 30

/** Shows how many deletions wait, and when the list will get a 410, if that is soon. */
function deletionCell(
  { deletionsWaiting, moreDeletionsWaiting, daysUntilResync: days }: ListHealth,
): Content {
  const left = Math.max(0, Math.floor(days ?? 0))
  const isSoon = days !== null && days < shownDays
  if (deletionsWaiting === 0 && !isSoon) return none
  return [
    deletionsWaiting > 0 && html`
      <span class="whole">${number(deletionsWaiting)}${moreDeletionsWaiting && "+"} to fetch</span>
    `,
    isSoon && state(days <= 0 ? "bad" : days < 7 ? "warn" : "off", `410 in ${left} days`),
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

/** Returns true for states that need attention. */
export function needsAttention(state: string): boolean {
  return grades[state] === "bad" || grades[state] === "warn"
}

/** Shows the state of a partner or of one of its lists; with `link`, as a link to what to do. */
export function partnerState(name: string, link?: ProgressStyle["link"]): Html {
  const words = link ? link.handbook("incidents", sectionOf(name), name) : name
  return state(gradeOf(name), words)
}

/** Returns the severity of a state of a partner or a list. */
export function gradeOf(name: string): Grade {
  return grades[name] ?? "off"
}
