import { html, number, table, time } from "../../../design/design.ts"
import {
  type Hit,
  mostHits,
  queryOf,
  respond,
  sessionOf,
  type Visit,
} from "../../../service/console/page.ts"
import { listEvents } from "../list-events.ts"

/** The most events on the page. */
const most = 200

/** Shows the events, most recently read first. */
export async function showEvents(visit: Visit): Promise<Response> {
  const search = queryOf(visit, "q")
  const { now } = sessionOf(visit)
  const events = await listEvents(visit.internals.readable, { search, limit: most })
  return respond(visit, {
    title: "Events",
    current: "/console/events",
    main: html`
      <form class="fields row" method="get" action="/console/events">
        <div><label for="q">Name, organization or id</label>
        <input id="q" name="q" value="${search}"></div>
        <button class="main">Search</button>
      </form>
      ${table(
        events.length === most
          ? `The first ${most} events, the last read first`
          : `${events.length} events, the last read first`,
        [
          "Event",
          "Organization",
          "Status",
          "Starts",
          { name: "Readers", isNumber: true },
          "Last poll",
        ],
        events.map((event) => [
          visit.site.link.event(event.id, event.name),
          event.organization,
          event.status,
          time(event.starts, now),
          number(event.readers),
          time(event.lastPoll, now),
        ]),
        "There is no such event.",
      )}
    `,
  })
}

/** Finds events by part of their name or id, or of their organization's name. */
export async function findEvents(visit: Visit, search: string): Promise<readonly Hit[]> {
  const { now } = sessionOf(visit)
  const events = await listEvents(visit.internals.readable, { search, limit: mostHits })
  return events.map(({ id, name, organization, status, starts }) => ({
    kind: "Event",
    name,
    path: `/events/${id}`,
    about: html`${organization}, ${status}, starts ${time(starts, now)}`,
  }))
}
