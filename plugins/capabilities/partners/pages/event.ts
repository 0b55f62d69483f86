import { Problem } from "../../../../core/plugin.ts"
import { html, respond, sessionOf, table, time, type Visit } from "../../../service/console/page.ts"
import { findReaders } from "../list-health.ts"
import { listEvents } from "../list-events.ts"
import { progressCells, progressColumns } from "./progress.ts"

/** Shows who reads an event, in which families, and how far each one is. */
export async function showEvent(visit: Visit): Promise<Response> {
  const id = (visit.params["event"] ?? "").toLowerCase()
  const { inside: { readable, plan }, site: { link, sections } } = visit
  const { now } = sessionOf(visit)
  const [event] = await listEvents(readable, { search: id, limit: 1 })
  if (event?.id !== id) throw new Problem("not_found", `There is no event ${id}.`)
  const [readers, after] = await Promise.all([
    findReaders(readable, id, { retention: plan.polling.retention }),
    sections("event", visit, id),
  ])
  const audit = link.audit("event", id, "Audit")
  return respond(visit, {
    title: event.name,
    entry: "/console/events",
    refresh: 10,
    main: html`
      <p>Event <code>${id}</code> of ${event.organization}, ${event.status}, starts
      ${time(event.starts, now)}.${audit && html`
        ${audit}
      `}</p>
      <section id="readers" data-live aria-labelledby="readers-title">
        <h2 id="readers-title">Who reads it, and how far they are</h2>
        ${table(
          "By account, family and list",
          ["Account", "List", ...progressColumns],
          readers.map((list) => [
            list.role === "operator" ? link.account(list.account) : link.partner(list.account),
            html`<code>${list.prefix}</code> ${list.list}`,
            ...progressCells(list, { link, now }),
          ]),
          "Nobody has read it.",
        )}
      </section>
      ${after}
    `,
  })
}
