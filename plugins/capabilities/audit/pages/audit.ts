import { csv, formatMoment } from "../../../../core/plugin.ts"
import {
  command,
  type Content,
  type Html,
  html,
  moment,
  number,
  pathCode,
  quoted,
  state,
  table,
} from "../../../design/design.ts"
import {
  type Hit,
  queryOf,
  reasonOf,
  respond,
  sessionOf,
  type Visit,
} from "../../../service/console/page.ts"
import { readFilter } from "../audit-filter.ts"
import { type AuditFilter, type AuditRow, listAudit } from "../audit-log.ts"

/** The filters of the page's URL, with their labels. They are the flags of the command as well. */
const filters = {
  account: "Account",
  event: "Event id",
  request: "Request id",
  status: "Status, such as 404 or 4xx",
  address: "Address",
  action: "Action, such as list or grant",
  actor: "Operator who changed it",
  since: "From the day (UTC)",
  until: "To the day (UTC)",
} as const

type FilterName = keyof typeof filters
const names = Object.keys(filters) as FilterName[]

/** Entries on a page, and in a file. */
const most = { page: 100, file: 10_000 }

/** Shows the entries of the audit log that match the filters, the newest first. */
export async function showAudit(visit: Visit): Promise<Response> {
  const { now } = sessionOf(visit)
  const { searchParams } = new URL(visit.request.url)
  const filled = filledIn(visit)
  let rows: readonly AuditRow[] = []
  let refusal: string | undefined
  try {
    rows = (await listAudit(visit.internals.readable, filterOf(visit, most.page))).toReversed()
  } catch (error) {
    refusal = reasonOf(error)
  }
  const query = new URLSearchParams(filled)
  const flags = [...query].map(([name, value]) => `--${name} ${quoted(value)}`)
  const last = rows.at(-1)
  const older = new URLSearchParams(query)
  if (last) older.set("before", `${last.at}.${last.seq}`)
  return respond(visit, {
    title: "Audit",
    current: "/console/audit",
    ...refusal !== undefined && { status: 400 },
    main: html`
      ${refusal && html`<p class="message bad" role="alert">${refusal}</p>`}
      <details class="filters" ${refusal !== undefined && html`
        open
      `}>
        <summary>Filter</summary>
        <form class="fields" method="get" action="/console/audit">
          <div class="columns tight">
      ${names.map((name) =>
        html`
          <div><label for="${name}">${filters[name]}</label>
          <input id="${name}" name="${name}" value="${filled[name] ??
            ""}" autocapitalize="none"${(name === "since" || name === "until") && html`
            type="date"
          `}></div>
        `
      )}</div>
          <button class="main">Search</button>
        </form>
      </details>
      ${chosen(query)}
      ${table(
        `${rows.length} entries, the newest first`,
        [
          "Time",
          "Result",
          "Account",
          "What",
          { name: "Records", isNumber: true },
          "Address",
          "Request",
        ],
        rows.map((row) => cellsOf(row, { visit, now })),
        "No entry matches.",
      )}
      <p>${rows.length === most.page && html`
        <a href="/console/audit?${String(older)}">Older entries</a> ·
      `}
      ${searchParams.has("before") && html`
        <a href="/console/audit?${String(query)}">Newest entries</a> ·
      `}
      <a href="/console/audit.csv?${String(query)}" download>Download as CSV</a>, up to ${number(
        most.file,
      )} entries</p>
      ${command(["audit", ...flags].join(" "))}
    `,
  })
}

/** Shows the filters that are chosen, each as a link to the page without it. */
function chosen(query: URLSearchParams): Html | undefined {
  if (query.size === 0) return undefined
  return html`
    <ul class="chosen">${[...query].map(([name, value]) => {
      const others = new URLSearchParams(query)
      others.delete(name)
      return html`
        <li><a href="/console/audit?${String(others)}"><span class="quiet">${name}</span> ${value}
        <span aria-hidden="true">✕</span><span class="unseen">: leave out</span></a></li>
      `
    })}</ul>
  `
}

/** Finds the request with an id. */
export async function findRequests(visit: Visit, text: string): Promise<readonly Hit[]> {
  if (!/^[\x21-\x7e]{3,191}$/.test(text)) return []
  const rows = await listAudit(visit.internals.readable, { request: text, limit: 20 })
  const [last] = rows
  if (!last) return []
  const { account, at } = last
  return [{
    kind: "Request",
    name: html`<code>${text}</code>`,
    path: `/audit?request=${encodeURIComponent(text)}`,
    about: html`${account ?? "nobody"}, ${moment(at, sessionOf(visit).now)}`,
  }]
}

/** Sends the same entries as CSV. */
export async function sendAudit(visit: Visit): Promise<Response> {
  const rows = (await listAudit(visit.internals.readable, filterOf(visit, most.file))).toReversed()
  const columns = [
    "at",
    "account",
    "action",
    "route",
    "event_id",
    "since",
    "sent",
    "status",
    "code",
    "milliseconds",
    "address",
    "request_id",
    "actor",
    "detail",
  ] as const
  const [, ...others] = columns
  const lines = rows.map((row) => [formatMoment(row.at), ...others.map((name) => row[name])])
  return new Response(csv([columns, ...lines]), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="audit.csv"',
      "cache-control": "no-store",
    },
  })
}

function cellsOf(
  row: AuditRow,
  { visit: { site }, now }: { readonly visit: Visit; readonly now: number },
): Content[] {
  const { account, actor, action, route, event_id: event, detail, status, code } = row
  const link = (name: FilterName, value: string | null) => {
    if (value === null || value === "") return html`<span class="quiet">–</span>`
    const address = `/console/audit?${name}=${encodeURIComponent(value)}`
    return value.length > 15
      ? html`<a class="long-name" href="${address}">${value}</a>`
      : html`<a href="${address}">${value}</a>`
  }
  const what = actor === null
    ? html`${action === "list" ? pathCode(route ?? "") : action}${
      event && html`
        of ${site.link.event(event, html`<code>${event.slice(0, 8)}</code>`)}
      `
    }${
      row.since !== null && html`
        <span class="quiet">since=${row.since}</span>
      `
    }${
      detail !== null && html`
        <span class="quiet">token only for ${detail}</span>
      `
    }`
    : html`${action} by ${link("actor", actor)}: ${detail}`
  return [
    moment(row.at, now),
    actor !== null
      ? code ? state("bad", code) : state("good", "done")
      : html`${state(status >= 500 ? "bad" : status >= 400 ? "warn" : "good", status)} ${
        code && html`<span class="quiet whole">${code}</span>`
      }`,
    link("account", account),
    html`<span class="why">${what}</span>`,
    actor === null ? number(row.sent) : "",
    link("address", row.address),
    site.link.request(row.request_id),
  ]
}

/** Returns the filters that are filled in. */
function filledIn(visit: Visit): Partial<Record<FilterName, string>> {
  const filters = names.map((name) => [name, queryOf(visit, name)] as const)
  return Object.fromEntries(filters.filter(([, value]) => value !== ""))
}

/** @throws {UserError} if a filter is not a status or not a day. */
function filterOf(visit: Visit, limit: number): AuditFilter {
  const [at, seq] = queryOf(visit, "before").split(".").map(Number)
  return {
    ...readFilter(filledIn(visit)),
    ...Number.isInteger(at) && Number.isInteger(seq) ? { before: { at, seq } as never } : {},
    limit,
  }
}
