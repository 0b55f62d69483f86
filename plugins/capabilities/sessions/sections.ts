import { findAccount } from "../../../core/accounts.ts"
import { partnerUrl, UserError } from "../../../core/capability.ts"
import { formatMoment } from "../../../core/plugin.ts"
import {
  command,
  type Html,
  html,
  quoted,
  readOwnForm,
  redirectTo,
  state,
  time,
} from "../../design/design.ts"
import {
  type Addition,
  isProgram,
  mayChange,
  respond,
  sessionOf,
  tokenField,
  type Visit,
} from "../../service/console/page.ts"
import { cookieFile } from "./cookie-jar.ts"
import { listExpiring } from "./expiring.ts"
import { openSession, parseDuration } from "./open-session.ts"
import { tokenTable } from "./token-table.ts"
import { listTokens, revokeToken } from "./tokens.ts"

const aDay = 86_400
const aWeek = 7 * aDay

/** Days of a new session of a program, unless the form has another number. */
const usualDays = 30

/** The most sessions that are named. */
const most = 10

/** What the console says of the sessions of unattended programs. */
export const sections: readonly Addition[] = [
  { kind: "section", place: "overview", order: 10, render: showEnding },
  { kind: "section", place: "account", order: 10, render: showOpening },
  { kind: "section", place: "account", order: 20, render: showTokens },
  { kind: "page", method: "POST", path: "/accounts/:name/token", show: endToken },
  { kind: "page", method: "POST", path: "/accounts/:name/session", show: showOpened },
]

/** Warns of the programs that get 401 soon. */
async function showEnding(visit: Visit): Promise<Html> {
  const ending = await listExpiring(visit.internals.readable, aWeek)
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
          <ul>${ending.slice(0, most).map(({ username, ends, lasting }) =>
            html`
              <li>${link.account(username)} ${time(ends, now)}${lasting ? ", a token" : ""}</li>
            `
          )}</ul>
          ${ending.length > most && html`<p>${ending.length - most} more end after these.</p>`}
          <p><code>event-export account session NAME --replace</code> opens another.
          Partners make their tokens.</p>
        </details>
      `}
    </section>
  `
}

/** Shows a form to open a session for a program. People log in themselves, with their own names. */
async function showOpening(visit: Visit, username: string): Promise<Html> {
  const { role } = await findAccount(visit.internals.readable.writer, username)
  return html`
    ${command(`account sessions ${quoted(username)}`)}
    ${mayChange(visit) && isProgram(role) && html`
      <details>
        <summary>Open a session for an unattended program</summary>
        <form class="fields narrow" method="post" action="${pathOf(username)}/session">
          ${tokenField(visit)}
          <label for="session-lifetime">Days until it ends</label>
          <input id="session-lifetime" name="days" type="number" min="1" max="366" value="${usualDays}" required>
          <label for="session-replace">Its other sessions</label>
          <select id="session-replace" name="replace">
            <option value="">stay</option>
            <option value="1d">end in a day</option>
            <option value="1h">end in an hour</option>
            <option value="now">end now</option>
          </select>
          <button class="main">Open a session</button>
        </form>
        ${command(`account session ${quoted(username)} --cookie-jar FILE --lifetime ${usualDays}d`)}
      </details>
    `}
  `
}

/** Lists the tokens that the account's owner has made, and lets operators revoke them. */
async function showTokens(visit: Visit, username: string): Promise<Html> {
  const { readable } = visit.internals
  const { id, role } = await findAccount(readable.writer, username)
  if (!isProgram(role)) return html``
  const tokens = await listTokens(readable, { accountId: id })
  return html`
    <h3 id="tokens">Tokens that it has made</h3>
    ${tokenTable(tokens, {
      caption: "Tokens: sessions that last until their end, or until they are revoked",
      empty: "It has made none.",
      caller: sessionOf(visit),
      action: mayChange(visit) && `${pathOf(username)}/token`,
    })}
    ${command(`account tokens ${quoted(username)}`)}
  `
}

/** Revokes a token, and shows the account again. */
async function endToken(visit: Visit): Promise<Response> {
  const form = await readOwnForm(visit.request, sessionOf(visit))
  const { database, author } = visit.internals
  const { username } = await revokeToken(database, form.get("id") ?? "", author)
  return redirectTo(`${pathOf(username)}#tokens`)
}

/** Opens a session, and shows its token: only this response has it. */
async function showOpened(visit: Visit): Promise<Response> {
  const name = visit.params["name"] ?? ""
  const form = await readOwnForm(visit.request, sessionOf(visit))
  const { database, plan, author } = visit.internals
  const { role } = await findAccount(database.writer, name)
  if (!isProgram(role)) {
    throw new UserError(
      "People log in themselves. A session is opened only for a program's account.",
    )
  }
  const lifetime = parseDuration(`${form.get("days") ?? ""}d`)
  const replace = form.get("replace") ?? ""
  const { token, cookie, expires, replaced } = await openSession(database, name, {
    settings: { ...plan.session, lifetime },
    replaceAfter: replace === "" ? undefined : replace === "now" ? 0 : parseDuration(replace),
    by: author,
  })
  const host = new URL(partnerUrl(plan.server)).hostname
  const file = cookieFile({ header: cookie, host, expires })
  return respond(visit, {
    title: `A session of ${name}`,
    current: "/console/accounts",
    main: html`
      <p class="message good" role="status">It is open until ${formatMoment(
        expires,
      )}.${replaced > 0 && html`
        It replaces ${replaced}.
      `}</p>
      <p>This page is shown once: save the cookie file, or copy the token, and send it like a password.
      A person who has it reads what ${name} may read.</p>
      <p><a class="button" download="${name}-cookies.txt"
        href="data:text/plain;charset=utf-8,${encodeURIComponent(file)}">Save the cookie file</a>
        <span class="quiet">for <code>curl -b FILE</code></span></p>
      <p>Token, for <code>Authorization: Bearer</code>:</p>
      <pre tabindex="0" class="lines"><code data-copy>${token}</code></pre>
      <p><a href="${pathOf(name)}">Back to the account</a></p>
    `,
  })
}

function pathOf(username: string): string {
  return `/console/accounts/${encodeURIComponent(username)}`
}
