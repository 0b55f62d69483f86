import { UserError } from "../../../../core/capability.ts"
import { Problem } from "../../../../core/plugin.ts"
import { command, type Html, html, pathCode, prose, quoted, table } from "../../../design/design.ts"
import { queryOf, respond, sessionOf, type Visit } from "../../../service/console/page.ts"
import { findPartner } from "../find-partner.ts"
import { knowsErrors } from "../list-errors.ts"
import type { PartnerReport } from "../partner-report.ts"
import { showLists } from "./lists.ts"
import { partnerState, progressCells, progressColumns, type ProgressStyle } from "./progress.ts"
import { errorState, occurrenceCells, occurrenceColumns } from "./errors.ts"

/** Shows how a partner is doing, why, and what to do. */
export async function showPartner(visit: Visit): Promise<Response> {
  const name = visit.params["name"] ?? ""
  const { internals: { readable, plan }, site: { link, sections } } = visit
  const look = { link, now: sessionOf(visit).now }
  const { retention } = plan.polling
  const [report, after] = await Promise.all([
    findPartner(readable, name, { retention, plan }),
    sections("partner", visit, name),
  ]).catch((error: unknown) => {
    throw error instanceof UserError ? new Problem("not_found", error.message) : error
  })
  const audit = link.audit("account", name, "Audit")
  return respond(visit, {
    title: `Partner ${name}`,
    current: "/console",
    refresh: 10,
    main: html`
      <section id="health" data-live aria-label="Health">
        ${told(report, look)}
        <div class="beside">
          <p>${link.account(name)}: sessions, grants, password${audit && html`
            · ${audit}
          `}</p>
          ${command(`partners ${quoted(name)}`)}
        </div>
      </section>
      ${listSection(visit, report, look)}
      ${knowsErrors(readable) && errorSection(report, look)}
      ${after}
    `,
  })
}

/** Shows the sentences: first how the partner is doing and what to do, then the others. */
function told({ sentences, health }: PartnerReport, { link, now }: ProgressStyle): Html {
  const [first, ...others] = sentences
  const last = others.pop()
  return html`
    <p class="lead">${partnerState(health.state, link)} ${prose(first ?? "", now)}</p>
    ${last && html`<p class="message">${prose(last, now)}</p>`}
    <ul class="about">${others.map((sentence) => html`<li>${prose(sentence, now)}</li>`)}</ul>
  `
}

function listSection(visit: Visit, { health, lists }: PartnerReport, look: ProgressStyle): Html {
  const path = `/console/partners/${encodeURIComponent(health.account)}`
  return html`
    <section id="lists" data-live aria-labelledby="lists-title">
      <h2 id="lists-title">What it reads</h2>
      ${showLists(lists, {
        caption: "Lists, worst first",
        column: "Event",
        key: ({ eventId, kind }) => eventId ?? kind,
        show: ({ eventId, eventName, kind }) =>
          eventId === null
            ? html`<span class="quiet">${
              kind === "other" ? "all events" : "events it may not read"
            }</span>`
            : look.link.event(eventId, eventName),
        all: queryOf(visit, "lists") === "all" ? undefined : `${path}?lists=all`,
        empty: "It has read nothing.",
        columns: progressColumns,
        cells: (list) => progressCells(list, look),
      })}
    </section>
  `
}

function errorSection({ errors }: PartnerReport, { link, now }: ProgressStyle): Html {
  return html`
    <section id="errors" data-live aria-labelledby="errors-title">
      <h2 id="errors-title">Errors of the last week</h2>
      ${errors.length === 0 ? html`<p class="quiet">There were none.</p>` : table(
        "By code and endpoint, with what to do",
        ["Error", "Endpoint", "What to do", ...occurrenceColumns],
        errors.map((error) => [
          errorState(error, link),
          error.route === null ? "" : pathCode(error.route),
          html`<span class="why">${prose(error.advice, now)}</span>`,
          ...occurrenceCells(error, { link, now }),
        ]),
      )}
    </section>
  `
}
