import { Problem } from "../../../core/plugin.ts"
import { html } from "../html.ts"
import { link } from "../links.ts"
import { command, exact, number, quoted, table, time } from "../parts.ts"
import { queryOf, respond, sessionOf, type Visit } from "../reader.ts"
import { progressCells, progressColumns } from "./partner.ts"

const aDay = 86_400

/** Shows who reads an event, in which families, how far each one is, and who read it on a day. */
export async function showEvent(visit: Visit): Promise<Response> {
  const id = (visit.params["event"] ?? "").toLowerCase()
  const { operations } = visit.host
  const { now } = sessionOf(visit)
  const given = queryOf(visit, "day")
  const yesterday = exact(now - aDay).slice(0, 10)
  const day = /^\d{4}-\d\d-\d\d$/.test(given) && Date.parse(given) >= 0 ? given : yesterday
  const since = Date.parse(day) / 1000
  const [event] = await operations.events(id, 1)
  if (event?.id !== id) throw new Problem("not_found", `There is no event ${id}.`)
  const [readers, reads] = await Promise.all([
    operations.readers(id),
    operations.reads(id, { since, until: since + aDay }),
  ])
  return respond(visit, {
    title: event.name,
    entry: "/console/events",
    refresh: 10,
    main: html`
      <p>Event <code>${id}</code> of ${event.organization}, ${event.status}, starts
      ${time(event.starts, now)}. <a href="/console/audit?event=${id}">Audit</a></p>
      <section id="readers" data-live aria-labelledby="readers-title">
        <h2 id="readers-title">Who reads it, and how far they are</h2>
        ${table(
          "By account, family and list",
          [
            "Account",
            "List",
            ...progressColumns,
          ],
          readers.map((list) => [
            list.role === "operator" ? link.account(list.account) : link.partner(list.account),
            html`<code>${list.prefix}</code> ${list.list}`,
            ...progressCells(list, now),
          ]),
          "Nobody has read it.",
        )}
      </section>
      <section aria-labelledby="day-title">
        <h2 id="day-title">Who read it on ${day}${day === yesterday && " (yesterday)"}</h2>
        <form class="fields row" method="get">
          <div><label for="day">Day (UTC)</label>
          <input id="day" name="day" type="date" value="${day}"></div>
          <button>Show</button>
        </form>
        ${table(
          `Requests on ${day}`,
          [
            "Account",
            "Endpoint",
            { name: "Requests", isNumber: true },
            { name: "Errors", isNumber: true },
            { name: "Records", isNumber: true },
            "First",
            "Last",
          ],
          reads.map((read) => [
            read.account === null
              ? html`<span class="quiet">nobody</span>`
              : link.account(read.account),
            html`<code>${read.route}</code>`,
            number(read.requests),
            number(read.errors),
            number(read.records),
            time(read.first, now),
            time(read.last, now),
          ]),
          "Nobody.",
        )}
        ${command(`audit --event ${quoted(id)} --since ${day} --until ${day}`)}
      </section>
    `,
  })
}
