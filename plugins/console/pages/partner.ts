import { type Operations, Problem } from "../../../core/plugin.ts"
import { type Content, type Html, html } from "../html.ts"
import { link, partnerState } from "../links.ts"
import { command, duration, number, quoted, state, table, time } from "../parts.ts"
import { plot } from "../plot.ts"
import { respond, sessionOf, type Visit } from "../reader.ts"
import { explanation } from "./explanation.ts"
import { grantTable, sessionTable } from "./access-tables.ts"

type Report = Awaited<ReturnType<Operations["partner"]>>

/** Shows how a partner is doing, why, and what to do. */
export async function showPartner(visit: Visit): Promise<Response> {
  const name = visit.params["name"] ?? ""
  const { operations } = visit.host
  const { now } = sessionOf(visit)
  const [report, sessions, grants, limits] = await Promise.all([
    operations.partner(name),
    operations.sessions(name),
    operations.grants(name),
    operations.limits(name),
  ]).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 400
      ? new Problem("not_found", error.message)
      : error
  })
  return respond(visit, {
    title: `Partner ${name}`,
    entry: "/console",
    refresh: 10,
    main: html`
      <section id="health" data-live aria-label="Health">
        <p>${partnerState(report.health.state)}
        ${report.health.since !== null && html`
          since ${time(report.health.since, now)}
        `}</p>
        ${report.sentences.map((sentence) => html`<p>${sentence}</p>`)}
        <p>${link.account(name)}: sessions, grants, password ·
        <a href="/console/audit?account=${encodeURIComponent(name)}">Audit</a></p>
        ${command(`partners ${quoted(name)}`)}
      </section>
      ${listSection(report, now)}
      ${hourSection(report)}
      ${errorSection(report, now)}
      <section id="access" data-live aria-labelledby="access-title">
        <h2 id="access-title">Access</h2>
        ${sessionTable(sessions, now)}
        ${grantTable(grants, now)}
        ${limitList(limits)}
      </section>
      ${await explanation(visit, name)}
    `,
  })
}

function listSection({ lists }: Report, now: number): Html {
  return html`
    <section id="lists" data-live aria-labelledby="lists-title">
      <h2 id="lists-title">What it reads</h2>
      ${table(
        "Lists, the worst first",
        [
          "Event",
          "List",
          ...progressColumns,
        ],
        lists.map((list) => listCells(list, now)),
        "It has read nothing.",
      )}
    </section>
  `
}

/** The columns about a list from its state on. */
export const progressColumns = [
  "State",
  { name: "Behind by", isNumber: true },
  "Last poll",
  { name: "Every (recommended)", isNumber: true },
  "Last walk completed",
  "Applied until",
  { name: "Records sent", isNumber: true },
  "Deletions",
  "Last error",
] as const

/** Returns the cells of `progressColumns`. */
export function progressCells(list: Report["lists"][number], now: number): Content[] {
  const { lag, actualInterval, pollInterval, lastError } = list
  const none = html`<span class="quiet">–</span>`
  return [
    html`${partnerState(list.state)}${
      !list.hasGrant && list.eventId !== null &&
      html`
        <span class="quiet">no grant</span>
      `
    }`,
    lag > 0 ? duration(lag) : none,
    time(list.lastPoll, now),
    pollInterval === null
      ? none
      : html`${actualInterval === null ? "–" : duration(actualInterval)} (${
        duration(pollInterval)
      })`,
    time(list.walkCompleted, now),
    time(list.acknowledged, now),
    number(list.records),
    deletionCell(list),
    lastError === null
      ? none
      : html`${lastError.status} ${lastError.code} ${time(lastError.at, now)}, ${
        link.request(lastError.requestId)
      }`,
  ]
}

/** Says how many deletions wait, and when the list of deletions gets a 410. */
function deletionCell(
  { deletionsWaiting, moreDeletionsWaiting, daysUntilResync: days }: Report["lists"][number],
): Content {
  if (days === null) return html`<span class="quiet">–</span>`
  const left = Math.max(0, Math.floor(days))
  return [
    deletionsWaiting > 0 && html`
      ${number(deletionsWaiting)}${moreDeletionsWaiting && "+"} to fetch,
    `,
    days < 7 ? state(days <= 0 ? "bad" : "warn", `410 in ${left} days`) : `410 in ${left} days`,
  ]
}

function listCells(list: Report["lists"][number], now: number): Content[] {
  return [
    list.eventId === null
      ? html`<span class="quiet">all events</span>`
      : link.event(list.eventId, list.eventName),
    html`<code>${list.prefix}</code> ${list.list}`,
    ...progressCells(list, now),
  ]
}

function hourSection({ hours, at }: Report): Html {
  const anHour = 3600
  const last = at - at % anHour
  const byHour = new Map(hours.map((each) => [each.hour, each]))
  // Hours without a request are missing: they count as none.
  const day = 24 * anHour
  const first = Math.max(Math.min(hours[0]?.hour ?? last, last - day), last - 7 * day)
  const all = Array.from(
    { length: (last - first) / anHour + 1 },
    (_, index) => first + index * anHour,
  )
  return html`
    <section id="timeline" data-live aria-labelledby="timeline-title">
      <h2 id="timeline-title">The last week</h2>
      ${hours.length === 0 ? html`<p class="quiet">No request.</p>` : html`
        <div class="plots">
          ${plot(
            "Polls, completed walks and errors per hour",
            ["Polls", "Errors", "Walks"],
            all.map((hour) => {
              const counts = byHour.get(hour)
              return [hour, counts?.polls ?? 0, counts?.errors ?? 0, counts?.walks ?? 0]
            }),
          )}
          ${plot(
            "Furthest behind the clock in each hour, in minutes",
            ["Minutes"],
            all.map((hour) => {
              const lag = byHour.get(hour)?.lag ?? null
              return [hour, lag === null ? null : Math.round(lag / 6) / 10]
            }),
          )}
          ${plot(
            "Records sent per hour",
            ["Records"],
            all.map((hour) => [hour, byHour.get(hour)?.records ?? 0]),
          )}
        </div>
      `}
    </section>
  `
}

function errorSection({ errors }: Report, now: number): Html {
  return html`
    <section id="errors" data-live aria-labelledby="errors-title">
      <h2 id="errors-title">Errors of the last week</h2>
      ${table(
        "By code and endpoint, with what to do",
        [
          "Error",
          "Endpoint",
          "What to do",
          { name: "Count", isNumber: true },
          "First",
          "Last",
          "Last request",
        ],
        errors.map((error) => [
          state(error.status >= 500 ? "bad" : "warn", `${error.status} ${error.code}`),
          error.route === null ? "" : html`<code>${error.route}</code>`,
          html`<span class="why">${error.advice}</span>`,
          number(error.count),
          time(error.first, now),
          time(error.last, now),
          link.request(error.lastRequestId),
        ]),
        "There were none.",
      )}
    </section>
  `
}

function limitList(limits: Awaited<ReturnType<Operations["limits"]>>): Html {
  const { burst, quota, concurrent, pollInterval, isOwn } = limits
  return html`
    <h3>Limits${isOwn ? ", its own" : ", those of all accounts"}</h3>
    <dl class="facts">
      <dt>Per second and family</dt>
      <dd>${number(burst)} requests</dd>
      <dt>Per hour and family</dt>
      <dd>${number(quota)} requests</dd>
      <dt>At the same time</dt>
      <dd>${number(concurrent)} requests</dd>
      ${pollInterval !== null && html`
        <dt>Between polls</dt>
        <dd>${duration(pollInterval)}, of a running event</dd>
      `}
    </dl>
  `
}
