import { type Content, copiedId, html, number, state, table, time } from "../../../design/design.ts"
import {
  oncePerVisit,
  type OwnAddition,
  type OwnVisit,
  queryOf,
} from "../../../documents/me/page.ts"
import { adviceFor } from "../advice.ts"
import { groupsOf } from "../alike.ts"
import type { ListHealth } from "../list-health.ts"
import { showLists } from "../pages/lists.ts"
import { none, partnerState, pollCells, pollColumns } from "../pages/progress.ts"
import { describeOwn } from "../sentences.ts"
import { type OwnReport, readOwn } from "./read-own.ts"

const aDay = 86_400

/** The sections that tell an account how it is doing. */
export const own: readonly OwnAddition[] = [
  { kind: "section", order: 10, id: "state", title: "How you are doing", render: showState },
  { kind: "section", order: 15, id: "lists", title: "What you read", render: showOwnLists },
  { kind: "section", order: 20, id: "errors", title: "Your last errors", render: showErrors },
  { kind: "seen", order: 10, render: showSeen },
]

const report = oncePerVisit(({ internals: { readable, plan }, caller, ip: address }: OwnVisit) =>
  readOwn(readable, caller.account, { retention: plan.polling.retention, address })
)

async function showState(visit: OwnVisit): Promise<Content> {
  const known = await report(visit)
  if (!known) return undefined
  const [first, ...others] = describeOwn(known)
  const advice = others.pop()
  return html`
    <p class="lead">${partnerState(known.health.state)} ${first}</p>
    <p class="message">${advice}</p>
    ${others.length > 0 && html`<ul>${others.map((sentence) => html`<li>${sentence}</li>`)}</ul>`}
  `
}

async function showOwnLists(visit: OwnVisit): Promise<Content> {
  const known = await report(visit)
  if (!known) return undefined
  const { lists, at } = known
  return showLists(lists, {
    caption: "Lists, worst first",
    column: "Event",
    key: ({ eventId, kind }) => eventId ?? kind,
    show: eventOf,
    columns: [...pollColumns, "410 at the earliest"],
    cells: (list) => [...pollCells(list, { now: at }), resyncCell(list, at)],
    all: queryOf(visit, "lists") === "all" ? undefined : "/docs/me?lists=all#lists",
    empty: "You have read no list yet.",
  })
}

function eventOf({ eventId, eventName, kind }: ListHealth): Content {
  if (eventId !== null) return eventName ?? html`<code>${eventId}</code>`
  return html`<span class="quiet">${
    kind === "other" ? "all events" : "events you may not read"
  }</span>`
}

function resyncCell({ daysUntilResync: days }: ListHealth, now: number): Content {
  if (days === null) return none
  return days <= 0 ? state("bad", "now") : time(now + days * aDay, now)
}

/** Number of days whose errors are shown. */
const shownDays = 7

async function showErrors(visit: OwnVisit): Promise<Content> {
  const known = await report(visit)
  if (!known) return undefined
  const { lists, at } = known
  const errors = lists.flatMap((list) =>
    list.lastError && at - list.lastError.at < shownDays * aDay ? [{ list, ...list.lastError }] : []
  ).toSorted((a, b) => b.at - a.at)
  const alike = groupsOf(
    errors,
    ({ status, code, parameters }) => `${status} ${code} ${parameters}`,
  )
  return table(
    `The latest error of each list, ${shownDays} days back`,
    ["Error", "What to do", { name: "Lists", isNumber: true }, "Last list", "When", "Request id"],
    alike.map((same) => {
      const [{ list, ...error }] = same
      return [
        html`${
          state(error.status >= 500 ? "bad" : "warn", error.status)
        } <a href="/problems/${error.code}">${error.code}</a>`,
        html`<span class="why">${adviceFor(error).partner}</span>`,
        number(same.length),
        html`${list.list} of ${eventOf(list)}`,
        time(error.at, at),
        copiedId(error.requestId),
      ]
    }),
    "There were none.",
  )
}

async function showSeen(visit: OwnVisit): Promise<Content> {
  const known: OwnReport | undefined = await report(visit)
  if (!known) return undefined
  const { health: { lastRequest: last }, at } = known
  return html`
    How you are doing, as above. ${last &&
      html`Where your last request for a list came from: ${last.address}, ${time(last.at, at)}.`}
  `
}
