import { listSessions } from "../../../../core/accounts.ts"
import type { Plan } from "../../../../core/capability.ts"
import { duration, type Html, html, number } from "../../../design/design.ts"
import { sessionOf, type Visit } from "../../../service/console/page.ts"
import { listGrants } from "../grants.ts"
import { grantTable, mostShown, sessionTable } from "./access-tables.ts"

/** Shows the sessions, the grants and the limits of a partner. */
export async function showAccess(visit: Visit, username: string): Promise<Html> {
  const { now } = sessionOf(visit)
  const { readable, plan } = visit.internals
  const [sessions, grants] = await Promise.all([
    listSessions(readable, { username, idle: plan.session.idle, most: mostShown + 1 }),
    listGrants(readable, username),
  ])
  return html`
    <section id="access" data-live aria-labelledby="access-title">
      <h2 id="access-title">Access</h2>
      ${sessionTable(sessions, { now, username })}
      ${grantTable(grants, { now, link: visit.site.link })}
      ${limitList(plan, username)}
    </section>
  `
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
