import {
  type Content,
  duration,
  fold,
  type Html,
  html,
  nameList,
  prose,
  table,
  type TableColumn,
  time,
} from "../../../design/design.ts"
import { queryOf, sessionOf, type Visit } from "../../../service/console/page.ts"
import { listPartners } from "../list-partners.ts"
import type { PartnerHealth } from "../partner-health.ts"
import { needsAttention, partnerState, type ProgressStyle } from "./progress.ts"

/** The most partners in full per page. */
const most = 30

/** The overview that a request asks for. */
interface Wanted {
  readonly state: string
  readonly search: string
  /** A key of `orders`, with a leading `-` if reversed; empty to fold the partners that are well. */
  readonly sort: string
  /** The first is 1. */
  readonly page: number
}

/** The orders of partners, by their names in the page's URL. */
const orders: Readonly<Record<string, (a: PartnerHealth, b: PartnerHealth) => number>> = {
  // The input is sorted by state, worst first.
  state: () => 0,
  name: (a, b) => a.account < b.account ? -1 : 1,
  poll: (a, b) => (a.lastPoll ?? 0) - (b.lastPoll ?? 0),
  lag: (a, b) => b.lag - a.lag,
}

/** Descending orders. */
const isFalling: ReadonlySet<string> = new Set(["state", "lag"])

/**
 * Shows how each partner is doing: first those in trouble, with the others folded away; or, if a state, a text or an
 * order is requested, all that match, page by page.
 */
export async function showPartners(visit: Visit): Promise<Html> {
  const { internals: { readable, plan }, site: { link } } = visit
  const { retention } = plan.polling
  const partners = await listPartners(readable, { retention, isBrief: true })
  const wanted = wantedBy(visit)
  const look = { link, now: sessionOf(visit).now }
  const isFolded = wanted.state === "" && wanted.search === "" && wanted.sort === ""
  return html`
    <section id="partners" data-live aria-label="Partners">
      <div class="bar">
        ${counts(partners, wanted)}
        ${filterForm(wanted)}
      </div>
      ${isFolded ? folded(partners, wanted, look) : listed(partners, wanted, look)}
    </section>
  `
}

function wantedBy(visit: Visit): Wanted {
  const sort = queryOf(visit, "sort")
  const page = Number(queryOf(visit, "page"))
  return {
    state: queryOf(visit, "state"),
    search: queryOf(visit, "q").toLowerCase().slice(0, 200),
    sort: Object.hasOwn(orders, sort.replace(/^-/, "")) ? sort : "",
    page: Number.isInteger(page) && page > 0 ? page : 1,
  }
}

/** Returns the URL of an overview. */
function addressOf({ state, search, sort, page }: Partial<Wanted>): string {
  const query = new URLSearchParams({
    ...state && { state },
    ...search && { q: search },
    ...sort && { sort },
    ...page !== undefined && page > 1 && { page: String(page) },
  })
  return query.size > 0 ? `/console?${String(query)}` : "/console"
}

/** Shows how many partners are in each state, with a link to them. */
function counts(partners: readonly PartnerHealth[], wanted: Wanted): Html {
  const chip = (name: string, count: number, words: Content) =>
    html`
      <li><a href="${addressOf({ state: name })}"${wanted.state === name && html`
        aria-current="true"
      `}><b>${count}</b> ${words}</a></li>
    `
  return html`
    <ul class="counts">
      ${chip("", partners.length, "partners")}
      ${[...Map.groupBy(partners, ({ state }) => state)].map(([name, same]) =>
        chip(name, same.length, partnerState(name))
      )}
    </ul>
  `
}

function filterForm({ state, search, sort }: Wanted): Html {
  const kept = { state, sort }
  return html`
    <form class="filter" action="/console">
      ${Object.entries(kept).map(([name, value]) =>
        value !== "" && html`<input type="hidden" name="${name}" value="${value}">`
      )}
      <input name="q" value="${search}" aria-label="Part of a partner's name" placeholder="Part of a name"
        autocapitalize="none" autocomplete="off">
      <button>Filter</button>
    </form>
  `
}

/** Shows the partners that need attention in full, and only the names of the others. */
function folded(partners: readonly PartnerHealth[], wanted: Wanted, look: ProgressStyle): Content {
  const wrong = partners.filter(({ state }) => needsAttention(state))
  const others = Map.groupBy(
    partners.filter(({ state }) => !needsAttention(state)),
    ({ state }) => state,
  )
  const rest = wrong.length - most
  return [
    wrong.length > 0
      ? partnerTable(`${wrong.length} of ${partners.length} need attention`, wrong, wanted, look)
      : partners.length > 0 &&
        html`<p class="well"><span aria-hidden="true">✓</span> No partner needs attention.</p>`,
    rest > 0 &&
    html`<p class="steps"><a href="${
      addressOf({ sort: "state", page: 2 })
    }">${rest} more that need attention</a></p>`,
    html`<div class="folds">${
      [...others].map(([name, same]) => foldNames(partnerState(name), same, look))
    }</div>`,
  ]
}

/** Shows the names of partners, with links to their pages. */
function foldNames(title: Html, partners: readonly PartnerHealth[], { link }: ProgressStyle): Html {
  const sorted = partners.toSorted(orders["name"])
  return fold(title, sorted.length, nameList(sorted.map(({ account }) => link.partner(account))))
}

/** Shows a page of the partners that match. */
function listed(partners: readonly PartnerHealth[], wanted: Wanted, look: ProgressStyle): Content {
  const key = wanted.sort.replace(/^-/, "")
  const found = partners
    .filter(({ state, account }) =>
      (wanted.state === "" || state === wanted.state) && account.includes(wanted.search)
    )
    .toSorted(orders[key] ?? orders["state"])
  if (wanted.sort.startsWith("-")) found.reverse()
  const first = (wanted.page - 1) * most
  const shown = found.slice(first, first + most)
  const about = wanted.search === "" ? "" : ` with “${wanted.search}” in their names`
  const span = found.length > most ? `${first + 1} to ${first + shown.length} of ` : ""
  const step = (page: number, words: string) => {
    const exists = page >= 1 && (page - 1) * most < found.length
    return exists && html`<a href="${addressOf({ ...wanted, page })}">${words}</a>`
  }
  return [
    partnerTable(`${span}${found.length} partners${about}`, shown, wanted, look),
    html`<p class="steps">${step(wanted.page - 1, "← Previous")} ${
      step(wanted.page + 1, "Next →")
    }</p>`,
  ]
}

function partnerTable(
  caption: string,
  partners: readonly PartnerHealth[],
  wanted: Wanted,
  look: ProgressStyle,
): Html {
  const sorted = wanted.sort === "" ? "state" : wanted.sort
  const column = (name: string, key: string): TableColumn => {
    const isThis = sorted.replace(/^-/, "") === key
    const isReversed = sorted === `-${key}`
    const link = addressOf({ ...wanted, page: 1, sort: isThis && !isReversed ? `-${key}` : key })
    const isDown = isFalling.has(key) !== isReversed
    return { name, link, sorted: isThis && (isDown ? "descending" : "ascending") }
  }
  return table(
    caption,
    [
      column("Partner", "name"),
      column("State", "state"),
      "Why",
      "Since",
      column("Last poll", "poll"),
      { ...column("Behind by", "lag"), isNumber: true },
    ],
    partners.slice(0, most).map((partner) => partnerCells(partner, look)),
    "There is no such partner.",
  )
}

function partnerCells(partner: PartnerHealth, { link, now }: ProgressStyle): Content[] {
  const { lag, since } = partner
  return [
    link.partner(partner.account),
    partnerState(partner.state),
    html`<span class="why">${prose(partner.reason, now)}</span>`,
    since === null ? "" : time(since, now),
    time(partner.lastPoll, now),
    lag > 0 && duration(lag),
  ]
}
