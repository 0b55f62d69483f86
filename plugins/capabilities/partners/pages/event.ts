import { Problem } from "../../../../core/plugin.ts"
import {
  html,
  number,
  queryOf,
  respond,
  sessionOf,
  table,
  time,
  type Visit,
} from "../../../service/console/page.ts"
import { worstLists } from "../definitions.ts"
import { findReaders } from "../list-health.ts"
import { findEvent } from "../list-events.ts"
import { progressCells, progressColumns } from "./progress.ts"

/** Lists on the page, unless all are asked for. */
const most = 200

/** Shows who reads an event, in which families, and how far each one is. */
export async function showEvent(visit: Visit): Promise<Response> {
  const id = (visit.params["event"] ?? "").toLowerCase()
  const { inside: { readable, plan }, site: { link, sections } } = visit
  const { now } = sessionOf(visit)
  const event = await findEvent(readable, id)
  if (!event) throw new Problem("not_found", `There is no event ${id}.`)
  const [readers, after] = await Promise.all([
    findReaders(readable, id, { retention: plan.polling.retention }),
    sections("event", visit, id),
  ])
  const isWhole = readers.length <= most || queryOf(visit, "lists") === "all"
  const shown = isWhole
    ? readers
    : readers.toSorted((a, b) => worstLists.indexOf(a.state) - worstLists.indexOf(b.state))
      .slice(0, most)
  const audit = link.audit("event", id, "Audit")
  return respond(visit, {
    title: event.name,
    entry: "/console/events",
    refresh: 10,
    main: html`
      <p>Event <code data-copy>${id}</code> of ${event.organization}, ${event.status}, starts
      ${time(event.starts, now)}.${audit && html`
        ${audit}
      `}</p>
      <section id="readers" data-live aria-labelledby="readers-title">
        <h2 id="readers-title">Who reads it, and how far they are</h2>
        ${table(
          isWhole
            ? "By account, family and list"
            : html`The worst ${most} of ${number(readers.length)} lists`,
          ["Account", "List", ...progressColumns],
          shown.map((list) => [
            list.role === "operator" || list.role === "viewer"
              ? link.account(list.account)
              : link.partner(list.account),
            html`<code>${list.prefix}</code> ${list.list}`,
            ...progressCells(list, { link, now }),
          ]),
          "Nobody has read it.",
        )}
        ${!isWhole && html`
          <p><a href="/console/events/${id}?lists=all">All lists</a></p>
        `}
      </section>
      ${after}
    `,
  })
}
