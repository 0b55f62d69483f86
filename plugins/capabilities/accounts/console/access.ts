import type { Plan } from "../../../../core/capability.ts"
import { duration, foldedSection, type Html, html, number } from "../../../design/design.ts"
import { sessionOf, type Visit } from "../../../service/console/page.ts"
import { listGrants } from "../grants.ts"
import { listSessions } from "../session-list.ts"
import { grantTable, mostShown, sessionTable } from "./access-tables.ts"

/** Shows the sessions, the grants and the limits of a partner. */
export async function showAccess(visit: Visit, username: string): Promise<Html> {
  const { now } = sessionOf(visit)
  const { readable, plan } = visit.internals
  const [sessions, grants] = await Promise.all([
    listSessions(readable, { username, idle: plan.session.idle, most: mostShown + 1 }),
    listGrants(readable, username),
  ])
  const [tokens = 0, live = 0] = [true, false].map((isToken) =>
    sessions.filter((each) => each.state === "live" && each.isToken === isToken).length
  )
  const counts = [
    countOf(live, "session"),
    tokens > 0 && countOf(tokens, "token"),
    countOf(grants.length, "grant"),
  ]
  return foldedSection("access", "Access", {
    about: [...counts, "limits"].filter(Boolean).join(", "),
    content: [
      sessionTable(sessions, { now, username }),
      grantTable(grants, { now, link: visit.site.link }),
      limitList(plan, username),
    ],
  })
}

function countOf(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? "" : "s"}`
}

function limitList({ limits, accounts }: Plan, username: string): Html {
  const account = Object.hasOwn(accounts, username) ? accounts[username] : undefined
  const pollInterval = account?.poll_interval
  return html`
    <h3>Limits${account ? " of this account" : " of all accounts"}</h3>
    <dl class="facts">
      <dt>Per second and family</dt>
      <dd>${number(account?.burst ?? limits.burst)} requests</dd>
      <dt>Per hour and family</dt>
      <dd>${number(account?.quota ?? limits.quota)} requests</dd>
      <dt>At the same time</dt>
      <dd>${number(account?.concurrent ?? limits.concurrent)} requests</dd>
      ${pollInterval !== undefined && html`
        <dt>Between polls</dt>
        <dd>${duration(pollInterval)}, of a running event</dd>
      `}
    </dl>
  `
}
