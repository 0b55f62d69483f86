import { formatMoment } from "../../../../core/plugin.ts"
import { command, type Html, html, number, quoted, table, time } from "../../../design/design.ts"
import { queryOf, sessionOf, type Visit } from "../../../service/console/page.ts"
import { listReads } from "../list-reads.ts"

const aDay = 86_400

/** Shows who read an event on a day. */
export async function showReads(visit: Visit, id: string): Promise<Html> {
  const { now } = sessionOf(visit)
  const { link } = visit.site
  const wanted = queryOf(visit, "day")
  const yesterday = formatMoment(now - aDay).slice(0, 10)
  const day = /^\d{4}-\d\d-\d\d$/.test(wanted) && Date.parse(wanted) >= 0 ? wanted : yesterday
  const since = Date.parse(day) / 1000
  const reads = await listReads(visit.internals.readable, id, { since, until: since + aDay })
  return html`
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
  `
}
