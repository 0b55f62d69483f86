import { type Content, html, table, time } from "../../design/design.ts"
import type { OwnAddition, OwnVisit } from "../../documents/me/page.ts"
import { listSessions } from "./session-list.ts"

/** What an account is shown of its sessions. */
export const own: readonly OwnAddition[] = [{ kind: "seen", order: 20, render: showSessions }]

/** The most sessions that are shown. */
const mostSessions = 20

async function showSessions({ internals: { readable, plan }, caller }: OwnVisit): Promise<Content> {
  const { account: { username }, now } = caller
  const { idle } = plan.session
  const sessions = await listSessions(readable, { username, idle, isRunning: true })
  const live = sessions.filter(({ state }) => state === "live")
  return html`
    Your sessions and tokens: when each began, was last used and ends or ended, and from which addresses you logged in and
    used it last, for 90 days after its end.
    ${table(
      `Valid now: ${live.length}`,
      ["Began", "Last used", "Ends"],
      live.slice(0, mostSessions).map(({ began, used, ends }) => [
        time(began, now),
        time(used, now),
        time(ends, now),
      ]),
    )}
    ${live.length > mostSessions &&
      html`<p>${live.length - mostSessions} more end before these.</p>`}
  `
}
