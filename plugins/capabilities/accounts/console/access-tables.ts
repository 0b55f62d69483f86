import {
  command,
  type Content,
  type Html,
  html,
  quoted,
  shortId,
  state,
  table,
  type TableColumn,
  time,
} from "../../../design/design.ts"
import type { Visit } from "../../../service/console/page.ts"
import type { GrantListing } from "../grants.ts"
import type { SessionSummary } from "../session-list.ts"

/** A further column, such as a link to change a row. */
interface More<Row> {
  readonly column: string | TableColumn
  readonly cell: (row: Row) => Content
}

/** The sessions of an account that are shown: one more says that there are more. */
export const mostShown = 50

/** Shows the sessions of an account: those that are live, and why the others ended. */
export function sessionTable(
  sessions: readonly SessionSummary[],
  { now, username }: { readonly now: number; readonly username: string },
  more?: More<SessionSummary> | false,
): Html {
  const shown = table(
    "Sessions and tokens, with those that ended in the last 90 days",
    ["Session", "State", "Ends", "Began", "Last used", ...more ? [more.column] : []],
    sessions.slice(0, mostShown).map((session) => [
      html`<code>${session.id.slice(0, 8)}</code>${session.isToken && " token"}`,
      sessionState(session, now),
      time(session.ends, now),
      time(session.began, now),
      time(session.used, now),
      ...more ? [more.cell(session)] : [],
    ]),
    "It has no session.",
  )
  if (sessions.length <= mostShown) return shown
  return html`
    ${shown}
    <p>There are more, which end or have ended before these:</p>
    ${command(`account sessions ${quoted(username)}`)}
  `
}

function sessionState({ state: name, replaced, ends, began }: SessionSummary, now: number): Html {
  if (name !== "live") return state("off", name)
  if (replaced) return state("good", "live, replaced")
  // People log in each day: only longer sessions are worth a warning.
  const isEnding = ends - began > 86_400 && ends - now < 7 * 86_400
  return isEnding ? state("warn", "live, ends soon") : state("good", "live")
}

/** Shows the grants of an account, with those that have ended. */
export function grantTable(
  grants: readonly GrantListing[],
  { now, link }: { readonly now: number; readonly link: Visit["site"]["link"] },
  more?: More<GrantListing> | false,
): Html {
  return table(
    "Grants: what it may read",
    ["Grant on", "Until", "From", ...more ? [more.column] : []],
    grants.map((grant) => [
      html`${grant.target} ${
        grant.target === "event"
          ? link.event(grant.name, shortId(grant.name))
          : html`<code>${grant.name}</code>`
      }`,
      grant.ends === null
        ? html`<span class="quiet">no end</span>`
        : grant.ends <= now
        ? html`${state("warn", "ended")} ${time(grant.ends, now)}`
        : time(grant.ends, now),
      grant.networks?.join(", ") ?? html`<span class="quiet">anywhere</span>`,
      ...more ? [more.cell(grant)] : [],
    ]),
    "It may read nothing.",
  )
}
