import { UserError } from "../../../../core/capability.ts"
import { Problem } from "../../../../core/plugin.ts"
import {
  command,
  type Content,
  type Html,
  html,
  moment,
  plot,
  quoted,
  respond,
  sessionOf,
  table,
  type Visit,
} from "../../../service/console/page.ts"
import { findPartner } from "../find-partner.ts"
import { knowsErrors } from "../list-errors.ts"
import { readMutesOf } from "../mutes.ts"
import type { PartnerReport } from "../partner-report.ts"
import { type Look, mutedMark, partnerState, progressCells, progressColumns } from "./progress.ts"
import { errorState, occurrenceCells, occurrenceColumns } from "./errors.ts"

/** Shows how a partner is doing, why, and what to do. */
export async function showPartner(visit: Visit): Promise<Response> {
  const name = visit.params["name"] ?? ""
  const { inside: { readable, plan }, site: { link, sections } } = visit
  const look = { link, now: sessionOf(visit).now }
  const { now } = look
  const readMutes = await readMutesOf(plan)
  const [report, head, after] = await Promise.all([
    findPartner(readable, name, { retention: plan.polling.retention, readMutes }),
    sections("partner-head", visit, name),
    sections("partner", visit, name),
  ]).catch((error: unknown) => {
    throw error instanceof UserError ? new Problem("not_found", error.message) : error
  })
  const audit = link.audit("account", name, "Audit")
  return respond(visit, {
    title: `Partner ${name}`,
    entry: "/console",
    refresh: 10,
    main: html`
      <section id="health" data-live aria-label="Health">
        <p>${partnerState(report.health.state, link)}${mutedMark(report.health)}
        ${report.health.since !== null && html`
          since ${moment(report.health.since, now)}
        `}</p>
        ${told(report)}
        <p>${link.account(name)}: sessions, grants, password${audit && html`
          · ${audit}
        `}</p>
        ${command(`partners ${quoted(name)}`)}
      </section>
      ${head}
      ${listSection(report, look)}
      ${hourSection(report)}
      ${knowsErrors(readable) && errorSection(report, look)}
      ${after}
    `,
  })
}

/** Shows the sentences: how it is doing and what to do first, then the others. */
function told({ sentences }: PartnerReport): Html {
  const [first, ...others] = sentences
  const last = others.pop()
  return html`
    <p class="lead">${first}</p>
    ${last && html`<p class="message">${last}</p>`}
    <ul class="about">${others.map((sentence) => html`<li>${sentence}</li>`)}</ul>
  `
}

function listSection({ lists }: PartnerReport, look: Look): Html {
  return html`
    <section id="lists" data-live aria-labelledby="lists-title">
      <h2 id="lists-title">What it reads</h2>
      ${table(
        "Lists, the worst first",
        ["Event", "List", ...progressColumns],
        lists.map((list) => listCells(list, look)),
        "It has read nothing.",
      )}
    </section>
  `
}

function listCells(list: PartnerReport["lists"][number], look: Look): Content[] {
  return [
    list.eventId === null
      ? html`<span class="quiet">${
        list.kind === "other" ? "all events" : "events it may not read"
      }</span>`
      : look.link.event(list.eventId, list.eventName),
    html`<code>${list.prefix}</code> ${list.list}`,
    ...progressCells(list, look),
  ]
}

function hourSection({ hours, at }: PartnerReport): Html {
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

function errorSection({ errors }: PartnerReport, { link, now }: Look): Html {
  return html`
    <section id="errors" data-live aria-labelledby="errors-title">
      <h2 id="errors-title">Errors of the last week</h2>
      ${table(
        "By code and endpoint, with what to do",
        ["Error", "Endpoint", "What to do", ...occurrenceColumns],
        errors.map((error) => [
          errorState(error, link),
          error.route === null ? "" : html`<code>${error.route}</code>`,
          html`<span class="why">${error.advice}</span>`,
          ...occurrenceCells(error, { link, now }),
        ]),
        "There were none.",
      )}
    </section>
  `
}
