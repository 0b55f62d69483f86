import {
  type Content,
  duration,
  type Html,
  html,
  number,
  queryOf,
  sessionOf,
  state,
  table,
  time,
  type Visit,
} from "../../../service/console/page.ts"
import { listPartners } from "../list-partners.ts"
import { readMutesOf } from "../mutes.ts"
import type { PartnerHealth } from "../partner-health.ts"
import { type Look, mutedMark, partnerState } from "./progress.ts"

/** Shows how each partner is doing, the worst first. */
export async function showPartners(visit: Visit): Promise<Html> {
  const { inside: { readable, plan }, site: { link } } = visit
  const readMutes = await readMutesOf(plan)
  const partners = await listPartners(readable, { retention: plan.polling.retention, readMutes })
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
        shown.map((partner) => partnerCells(partner, { link, now })),
        "There is no such partner.",
      )}
    </section>
  `
}

/** Shows how many partners are in each state, as links to those. */
function counts(partners: readonly PartnerHealth[], wanted: string): Html {
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

function partnerCells(partner: PartnerHealth, { link, now }: Look): Content[] {
  const { deletionsWaiting, moreDeletionsWaiting, daysUntilResync: days, sessionEnds } = partner
  return [
    link.partner(partner.account),
    html`${partnerState(partner.state)}${mutedMark(partner)}`,
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
