import type { Status } from "../../../../core/plugin.ts"
import type { Visit } from "../addition.ts"
import { type Content, type Html, html } from "../../../design/design.ts"
import { duration, moment, state, table, time } from "../../../design/design.ts"
import { respond, sessionOf } from "../reader.ts"

/** Shows problems first, then the sections of capabilities and the state of the service. */
export async function showOverview(visit: Visit): Promise<Response> {
  const [trouble, sections, service] = await Promise.all([
    visit.site.sections("trouble", visit, undefined),
    visit.site.sections("overview", visit, undefined),
    showService(visit),
  ])
  return respond(visit, {
    title: "Overview",
    current: "/console",
    refresh: 10,
    main: html`
      <section id="trouble" data-live aria-label="Trouble">${ownTrouble(visit)}${trouble}</section>
      ${sections}
      ${service}
    `,
  })
}

/** Shows what is wrong with the service, as seen by this process. */
function ownTrouble(visit: Visit): Content {
  const { lastReload, nodes = [] } = visit.host.status()
  const { now } = sessionOf(visit)
  return [
    lastReload?.result === "refused" && html`
      <div class="message bad">
        <p>${state("bad", "The last reload was refused")} ${moment(
          lastReload.at,
          now,
        )}. The configuration
        before it stays in force: <a href="/console/configuration">Configuration</a>,
        ${visit.site.link.handbook("incidents", "refused-reload", "what to do")}</p>
        <pre tabindex="0">${lastReload.reason}</pre>
      </div>
    `,
    nodes.filter(({ role }) => role === "away").map(({ name, problem }) =>
      html`<p class="message bad">${state("bad", `${name} does not answer`)}: ${problem}</p>`
    ),
    nodes.filter(({ role, stale }) => stale && role !== "away").map(({ name, behind }) =>
      html`<p class="message warn">${state("warn", `${name} is not read from`)}: it is behind${
        behind !== null && ` by ${duration(behind)}`
      }.</p>`
    ),
  ]
}

async function showService(visit: Visit): Promise<Html> {
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
      ${await visit.site.sections("service", visit, undefined)}
      ${nodes && nodeTable(nodes)}
    </section>
  `
}

type Node = NonNullable<Status["nodes"]>[number]

/** Shows the database's servers as seen by this process. */
function nodeTable(nodes: readonly Node[]): Html {
  return table(
    "Database servers",
    ["Server", "Role", { name: "Behind by", isNumber: true }, "In its group"],
    nodes.map(cellsOf),
  )
}

function cellsOf({ name, role, problem, behind, stale, member }: Node): Content[] {
  return [
    html`<code>${name}</code>`,
    role === "away"
      ? html`${state("bad", "away")} <span class="why">${problem}</span>`
      : stale
      ? state("warn", `${role}, not read from`)
      : state("good", role),
    behind === null
      ? html`<span class="quiet">–</span>`
      : stale
      ? state("warn", duration(behind))
      : duration(behind),
    member === null ? html`<span class="quiet">–</span>` : member,
  ]
}
