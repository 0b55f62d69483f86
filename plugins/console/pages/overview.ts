import type { Operations } from "../../../core/plugin.ts"
import { type Content, type Html, html } from "../html.ts"
import { link, partnerState } from "../links.ts"
import { duration, number, state, table, time } from "../parts.ts"
import { plot } from "../plot.ts"
import { queryOf, respond, sessionOf, type Visit } from "../reader.ts"
import { instanceTable } from "./instance-table.ts"
import { nodeTable } from "./node-table.ts"

type Partner = Awaited<ReturnType<Operations["partners"]>>[number]
type ErrorGroup = Awaited<ReturnType<Operations["errors"]>>[number]

/** Minutes that the plots show. */
const shownMinutes = 60
const aDay = 86_400

/** Shows the state of all partners and of the service, the worst first. */
export async function showOverview(visit: Visit): Promise<Response> {
  const { operations } = visit.host
  const { now } = sessionOf(visit)
  const [partners, traffic, errors, instances, ending] = await Promise.all([
    operations.partners(),
    operations.traffic(shownMinutes),
    operations.errors({ since: now - aDay }),
    operations.instances(),
    operations.endingSessions(),
  ])
  return respond(visit, {
    title: "Overview",
    entry: "/console",
    refresh: 10,
    main: html`
      ${refusedReload(visit)}
      ${endingSessions(ending, now)}
      ${partnerSection(visit, partners)}
      <section id="traffic" data-live aria-labelledby="traffic-title">
        <h2 id="traffic-title">The last hour</h2>
        <div class="plots">
          ${plot(
            "Requests per minute",
            ["Requests", "Errors"],
            traffic.map(({ minute, requests, errors }) => [minute, requests, errors]),
          )}
          ${plot(
            "Changes per minute",
            ["Changes"],
            traffic.map(({ minute, changes }) => [minute, changes]),
          )}
        </div>
      </section>
      ${errorSection(errors, now)}
      ${serviceSection(visit, instances)}
    `,
  })
}

function refusedReload(visit: Visit): Html {
  const { lastReload } = visit.host.status()
  const { now } = sessionOf(visit)
  return html`
    <div id="reload" data-live>${lastReload?.result === "refused" && html`
      <div class="message bad">
        <p>${state("bad", "The last reload was refused")} ${time(
          lastReload.at,
          now,
        )}. The configuration
        before it stays in force: <a href="/console/configuration">Configuration</a></p>
        <pre tabindex="0">${lastReload.reason}</pre>
      </div>
    `}</div>
  `
}

/** Warns of the programs that get 401 soon. */
function endingSessions(
  ending: Awaited<ReturnType<Operations["endingSessions"]>>,
  now: number,
): Html {
  return html`
    <div id="ending" data-live>${ending.map(({ username, ends }) =>
      html`
        <p class="message warn">${state("warn", "A session ends")} ${time(
          ends,
          now,
        )}: that of the program
        of ${link.account(
          username,
        )}. <code>event-export account session ${username} --replace</code> opens
        another.</p>
      `
    )}</div>
  `
}

function partnerSection(visit: Visit, partners: readonly Partner[]): Html {
  const wanted = queryOf(visit, "state")
  const search = queryOf(visit, "q").toLowerCase()
  const { now } = sessionOf(visit)
  const shown = partners.filter((partner) =>
    (wanted === "" || partner.state === wanted) && partner.account.includes(search)
  )
  return html`
    <section id="partners" data-live aria-label="Partners">
      ${counts(partners, wanted)}
      ${table(
        wanted === "" ? "Partners, the worst first" : `Partners: ${wanted}`,
        [
          "Partner",
          "State",
          "Why",
          "Since",
          "Last poll",
          { name: "Behind by", isNumber: true },
          { name: "Deletions to fetch", isNumber: true },
          { name: "Days until 410", isNumber: true },
          "Sessions end",
        ],
        shown.map((partner) => partnerCells(partner, now)),
        "There is no such partner.",
      )}
    </section>
  `
}

/** Shows how many partners are in each state, as links to those. */
function counts(partners: readonly Partner[], wanted: string): Html {
  const byState = Map.groupBy(partners, ({ state }) => state)
  return html`
    <ul class="counts">
      <li><a href="/console"${wanted === "" && html`
        aria-current="true"
      `}>
        <b>${partners.length}</b> partners</a></li>
      ${[...byState].map(([name, same]) =>
        html`
          <li><a href="/console?state=${encodeURIComponent(name)}"${wanted === name && html`
            aria-current="true"
          `}><b>${same.length}</b> ${partnerState(name)}</a></li>
        `
      )}
    </ul>
  `
}

function partnerCells(partner: Partner, now: number): Content[] {
  const { deletionsWaiting, moreDeletionsWaiting, daysUntilResync: days, sessionEnds } = partner
  return [
    link.partner(partner.account),
    partnerState(partner.state),
    html`<span class="why">${partner.reason}</span>`,
    partner.since === null ? "" : time(partner.since, now),
    time(partner.lastPoll, now),
    partner.lag > 0 ? duration(partner.lag) : html`<span class="quiet">–</span>`,
    deletionsWaiting === 0
      ? html`<span class="quiet">–</span>`
      : html`${number(deletionsWaiting)}${moreDeletionsWaiting && "+"}`,
    days === null
      ? html`<span class="quiet">–</span>`
      : days < 7
      ? state(days <= 0 ? "bad" : "warn", Math.max(0, Math.floor(days)))
      : Math.floor(days),
    sessionEnds === null ? html`<span class="quiet">none</span>` : time(sessionEnds, now),
  ]
}

function errorSection(errors: readonly ErrorGroup[], now: number): Html {
  return html`
    <section id="errors" data-live aria-labelledby="errors-title">
      <h2 id="errors-title">Errors of the last day</h2>
      ${table(
        "By code, partner and endpoint, the latest first",
        [
          "Error",
          "Partner",
          "Endpoint",
          { name: "Count", isNumber: true },
          "First",
          "Last",
          "Last request",
        ],
        errors.slice(0, 50).map((error) => [
          state(error.status >= 500 ? "bad" : "warn", `${error.status} ${error.code}`),
          error.account === null
            ? html`<span class="quiet">nobody</span>`
            : link.partner(error.account),
          error.route === null ? "" : html`<code>${error.route}</code>`,
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

function serviceSection(
  visit: Visit,
  instances: Awaited<ReturnType<Operations["instances"]>>,
): Html {
  const { config, since, database, nodes } = visit.host.status()
  const { now } = sessionOf(visit)
  return html`
    <section id="service" data-live aria-labelledby="service-title">
      <h2 id="service-title">Service</h2>
      <dl class="facts">
        <dt>Configuration</dt>
        <dd><code>${config.file}</code>, hash <code>${config.hash}</code>, since ${time(
          since,
          now,
        )}</dd>
        <dt>Database</dt>
        <dd>${database}</dd>
      </dl>
      ${instanceTable(instances, now)}
      ${nodes && nodeTable(nodes)}
    </section>
  `
}
