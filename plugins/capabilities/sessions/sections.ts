import {
  type Addition,
  command,
  type Html,
  html,
  quoted,
  sessionOf,
  state,
  time,
  type Visit,
} from "../../service/console/page.ts"
import { listExpiring } from "./expiring.ts"

const aWeek = 7 * 86_400

/** The sessions that are named. */
const most = 10

/** What the console says of the sessions of unattended programs. */
export const sections: readonly Addition[] = [
  { kind: "section", place: "overview", order: 10, render: showEnding },
  { kind: "section", place: "account", order: 10, render: (_, name) => commandsFor(name) },
]

/** Warns of the programs that get 401 soon. */
async function showEnding(visit: Visit): Promise<Html> {
  const ending = await listExpiring(visit.inside.readable, aWeek)
  const { now } = sessionOf(visit)
  const { link } = visit.site
  return html`
    <section id="ending" data-live aria-label="Sessions that end">
      ${ending.length > 0 && html`
        <details class="message warn" ${ending.length < 3 && html`
          open
        `}>
          <summary>${state(
            "warn",
            ending.length === 1 ? "A session ends" : `${ending.length} sessions end`,
          )}
          within a week: programs get 401 then</summary>
          <ul>${ending.slice(0, most).map(({ username, ends }) =>
            html`
              <li>${link.account(username)} ${time(ends, now)}</li>
            `
          )}</ul>
          ${ending.length > most && html`<p>${ending.length - most} more end after these.</p>`}
          <p><code>event-export account session NAME --replace</code> opens another.</p>
        </details>
      `}
    </section>
  `
}

function commandsFor(username: string): Html {
  return html`
    ${command(`account sessions ${quoted(username)}`)}
    <p class="command">A session for an unattended program is opened on the server:
    <code>event-export account session ${quoted(username)} --cookie-jar FILE --replace</code></p>
  `
}
