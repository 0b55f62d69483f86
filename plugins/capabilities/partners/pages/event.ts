import { Problem } from "../../../../core/plugin.ts"
import { html, time } from "../../../design/design.ts"
import {
  isProgram,
  queryOf,
  respond,
  sessionOf,
  type Visit,
} from "../../../service/console/page.ts"
import { findReaders } from "../list-health.ts"
import { findEvent } from "../list-events.ts"
import { showLists } from "./lists.ts"
import { progressCells, progressColumns } from "./progress.ts"

/** Shows who reads an event, in which families, and how far each one is. */
export async function showEvent(visit: Visit): Promise<Response> {
  const id = (visit.params["event"] ?? "").toLowerCase()
  const { internals: { readable, plan }, site: { link, sections } } = visit
  const { now } = sessionOf(visit)
  const event = await findEvent(readable, id)
  if (!event) throw new Problem("not_found", `There is no event ${id}.`)
  const [readers, after] = await Promise.all([
    findReaders(readable, id, { retention: plan.polling.retention }),
    sections("event", visit, id),
  ])
  const audit = link.audit("event", id, "Audit")
  return respond(visit, {
    title: event.name,
    current: "/console/events",
    refresh: 10,
    main: html`
      <p>Event <code data-copy>${id}</code> of ${event.organization}, ${event.status}, starts
      ${time(event.starts, now)}.${audit && html`
        ${audit}
      `}</p>
      <section id="readers" data-live aria-labelledby="readers-title">
        <h2 id="readers-title">Who reads it, and how far they are</h2>
        ${showLists(readers, {
          caption: "By account, family and list",
          column: "Account",
          key: ({ account }) => account,
          show: ({ role, account }) =>
            isProgram(role) ? link.partner(account) : link.account(account),
          all: queryOf(visit, "lists") === "all" ? undefined : `/console/events/${id}?lists=all`,
          empty: "Nobody has read it.",
          columns: progressColumns,
          cells: (list) => progressCells(list, { link, now }),
        })}
      </section>
      ${after}
    `,
  })
}
