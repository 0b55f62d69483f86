import { type Html, html, plot } from "../../../design/design.ts"
import { queryOf, type Visit } from "../../../service/console/page.ts"
import type { PartnerReport } from "../partner-report.ts"

/** What the plots show: the last days, in steps of some hours. A step must divide a day. */
const spans = {
  day: { name: "day", days: 1, step: 1 },
  week: { name: "week", days: 7, step: 1 },
  month: { name: "month", days: 30, step: 6 },
} as const

type Span = (typeof spans)[keyof typeof spans]
type Hour = PartnerReport["hours"][number]

/** Returns the span that a visit is for: a week if it does not say. */
export function spanOf(visit: Visit): Span {
  const name = queryOf(visit, "span")
  return Object.values(spans).find((span) => span.name === name) ?? spans.week
}

/** Shows what a partner did in each hour, or in a few hours together. */
export function hourSection(
  { health: { account }, hours, at }: PartnerReport,
  span: Span,
): Html {
  const step = span.step * 3600
  const last = at - at % step
  // Hours without a request are missing: they count as none. A week begins with the first request, but not today.
  const least = last - 24 * 3600
  const first = Math.max(Math.min(hours[0]?.hour ?? last, least), last - span.days * 24 * 3600)
  const byStep = Map.groupBy(hours, ({ hour }) => hour - hour % step)
  const begin = first - first % step
  const all = Array.from({ length: (last - begin) / step + 1 }, (_, index) => {
    const time = begin + index * step
    return { time, ...sumOf(byStep.get(time) ?? []) }
  })
  const per = span.step === 1 ? "per hour" : `per ${span.step} hours`
  const address = `/console/partners/${encodeURIComponent(account)}`
  return html`
    <section id="timeline" data-live aria-labelledby="timeline-title">
      <div class="beside"><h2 id="timeline-title">The last ${span.name}</h2>
      <p class="zoom">${Object.values(spans).map(({ name }) =>
        html`
          <a href="${address}?span=${name}#timeline" ${name === span.name &&
            html`
              aria-current="true"
            `}>${name}</a>
        `
      )}</p></div>
      ${hours.length === 0 ? html`<p class="quiet">No request.</p>` : html`
        <div class="plots">
          ${plot(
            `What it did ${per}`,
            ["Polls", "Errors", "Walks"],
            all.map(({ time, polls, errors, walks }) => [time, polls, errors, walks]),
          )}
          ${plot(
            `Furthest behind ${per}, in minutes`,
            ["Minutes"],
            all.map(({ time, lag }) => [time, lag === null ? null : Math.round(lag / 6) / 10]),
          )}
          ${plot(
            `Records sent ${per}`,
            ["Records"],
            all.map(({ time, records }) => [time, records]),
          )}
        </div>
      `}
    </section>
  `
}

function sumOf(hours: readonly Hour[]): Omit<Hour, "hour"> {
  const sum = (count: "polls" | "walks" | "errors" | "records") =>
    hours.reduce((total, hour) => total + hour[count], 0)
  const lags = hours.flatMap(({ lag }) => lag ?? [])
  return {
    polls: sum("polls"),
    walks: sum("walks"),
    errors: sum("errors"),
    records: sum("records"),
    lag: lags.length === 0 ? null : Math.max(...lags),
  }
}
