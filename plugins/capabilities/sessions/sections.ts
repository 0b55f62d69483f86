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
    <div id="ending" data-live>${ending.map(({ username, ends }) =>
      html`
        <p class="message warn">${state("warn", "A session ends")} ${time(
          ends,
          now,
        )}: that of the program
        of ${link.account(
          username,
        )}. <code>event-export account session ${username} --replace</code> opens
        another.</p>
      `
    )}</div>
  `
}

function commandsFor(username: string): Html {
  return html`
    ${command(`account sessions ${quoted(username)}`)}
    <p class="command">A session for an unattended program is opened on the server:
    <code>event-export account session ${quoted(username)} --cookie-jar FILE --replace</code></p>
  `
}
