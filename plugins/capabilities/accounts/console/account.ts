import { formatMoment, Problem } from "../../../../core/plugin.ts"
import {
  command,
  type Content,
  type Html,
  html,
  quoted,
  readOwnForm,
  redirectTo,
  state,
  time,
} from "../../../design/design.ts"
import {
  isProgram,
  mayChange,
  queryOf,
  reasonOf,
  respond,
  sessionOf,
  tokenField,
  type Visit,
} from "../../../service/console/page.ts"
import { listGrants } from "../grants.ts"
import { listAccounts } from "../list-accounts.ts"
import { listSessions } from "../session-list.ts"
import { grantTable, mostShown, sessionTable } from "./access-tables.ts"
import { type Action, actions, type Form } from "./account-actions.ts"

/** Shows an account with its sessions and grants, and forms to change it; or asks to confirm a change. */
export async function showAccount(visit: Visit): Promise<Response> {
  const name = visit.params["name"] ?? ""
  const action = actions.get(queryOf(visit, "confirm"))
  return action?.effect === undefined || !mayChange(visit)
    ? await respondAccount(visit, name)
    : confirm(visit, name, action)
}

/** Changes an account, and shows it again. */
export async function changeAccount(visit: Visit): Promise<Response> {
  const name = visit.params["name"] ?? ""
  const form = await readOwnForm(visit.request, sessionOf(visit))
  const key = form.get("action") ?? ""
  const action = actions.get(key)
  try {
    if (!action) throw new Problem("invalid_body", "There is no such action. Nothing was changed.")
    await action.run(visit.internals, name, form)
  } catch (error) {
    return await respondAccount(visit, name, reasonOf(error))
  }
  return redirectTo(`/console/accounts/${encodeURIComponent(name)}?done=${key}`)
}

/** Asks before something is cut off. The fields of the action are in the page's URL. */
function confirm(visit: Visit, name: string, action: Action): Response {
  const form: Form = new Map(new URL(visit.request.url).searchParams)
  const back = `/console/accounts/${encodeURIComponent(name)}`
  const fields = ["organization", "event", "session"].flatMap((field) => {
    const value = form.get(field)
    return value === undefined ? [] : [{ field, value }]
  })
  return respond(visit, {
    title: `${action.label}?`,
    current: "/console/accounts",
    main: html`
      <dl class="facts">
        <dt>account</dt>
        <dd>${name}</dd>
        ${fields.map(({ field, value }) =>
          html`
            <dt>${field}</dt>
            <dd><code>${value}</code></dd>
          `
        )}
      </dl>
      <p>${action.effect}</p>
      <form class="row" method="post" action="${back}">
        ${tokenField(visit)}
        ${fields.map(({ field, value }) =>
          html`
            <input type="hidden" name="${field}" value="${value}">
          `
        )}
        <button class="danger" name="action" value="${form.get("confirm")}">${action.label}</button>
        <a href="${back}">Cancel</a>
      </form>
      ${command(action.command(quoted(name), form))}
    `,
  })
}

async function respondAccount(visit: Visit, name: string, refusal?: string): Promise<Response> {
  const { internals: { readable, plan }, site: { link, sections } } = visit
  const account = (await listAccounts(readable)).find(({ username }) => username === name)
  if (!account) throw new Problem("not_found", `There is no account ${name}.`)
  const { now } = sessionOf(visit)
  const [sessions, grants, aboutSessions, end] = await Promise.all([
    listSessions(readable, { username: name, idle: plan.session.idle, most: mostShown + 1 }),
    listGrants(readable, name),
    sections("account", visit, name),
    sections("account-end", visit, name),
  ])
  const { role, disabled, lastLogIn, lastPoll } = account
  const isOperator = mayChange(visit)
  const audit = link.audit("account", name, "audit")
  return respond(visit, {
    title: `Account ${name}`,
    current: "/console/accounts",
    ...refusal !== undefined && { status: 400 },
    main: html`
      ${outcome(visit, refusal)}
      <dl class="facts">
        <dt>Role</dt>
        <dd>${role}${isProgram(role) && link.has("/partners/:name") &&
          html`, ${link.partner(name, "how it is doing")}`}</dd>
        <dt>State</dt>
        <dd>${disabled ? state("off", "disabled") : state("good", "enabled")}</dd>
        <dt>Last log-in</dt>
        <dd>${time(lastLogIn, now)}</dd>
        <dt>Last request</dt>
        <dd>${time(lastPoll, now)}${audit && html`, ${audit}`}</dd>
      </dl>
      <section aria-labelledby="sessions">
        <h2 id="sessions">Sessions</h2>
        ${sessionTable(
          sessions,
          { now, username: name },
          isOperator && {
            column: "Change",
            cell: (session) =>
              session.state === "live"
                ? confirmLink("end-session", "End", { session: session.id })
                : "",
          },
        )}
        ${isOperator && account.sessions > 0 && html`
          <p>${confirmLink("end-sessions", "End all sessions")}</p>
        `}
        ${aboutSessions}
      </section>
      <section aria-labelledby="grants">
        <h2 id="grants">Grants</h2>
        ${grantTable(
          grants,
          { now, link },
          isOperator && {
            column: "Change",
            cell: (grant) => confirmLink("withdraw", "Withdraw", { [grant.target]: grant.name }),
          },
        )}
        ${isOperator && isProgram(role) && [
          grantForm(visit, name, now),
          ...await sections("choices", visit, undefined),
        ]}
      </section>
      ${isOperator && passwordForm(visit, name, account.sessions)}
      ${isOperator && html`
        <section aria-labelledby="state-title">
          <h2 id="state-title">${disabled ? "Enable" : "Disable"}</h2>
          ${disabled ? enableForm(visit, name) : html`<p>${confirmLink("disable", "Disable")}</p>`}
        </section>
      `}
      ${end}
    `,
  })
}

/** Says what the last form has done, or why it was refused. */
function outcome(visit: Visit, refusal: string | undefined): Content {
  if (refusal !== undefined) return html`<p class="message bad" role="alert">${refusal}</p>`
  const key = queryOf(visit, "done")
  if (key === "rename") {
    return html`<p class="message good" role="status">The account has this name now.</p>`
  }
  const done = key === "add" ? "The account is added." : actions.get(key)?.done
  return done && html`<p class="message good" role="status">${done}</p>`
}

function confirmLink(
  action: string,
  label: string,
  fields: Readonly<Record<string, string>> = {},
): Html {
  const query = new URLSearchParams({ confirm: action, ...fields })
  const [about] = Object.values(fields)
  return html`<a href="?${String(query)}">${label}${
    about && html`<span class="unseen"> ${about}</span>`
  }…</a>`
}

function grantForm(visit: Visit, name: string, now: number): Html {
  const year = formatMoment(now).slice(0, 4)
  return html`
    <form class="fields" method="post">
      ${tokenField(visit)}
      <h3>Grant access</h3>
      <p class="hint">To all events of an organization, or to one event. A second grant on the same
      replaces the first.</p>
      <div class="columns">
        <div><label for="organization">Organization</label>
        <input id="organization" name="organization" list="organizations" autocomplete="off"
          autocapitalize="none"></div>
        <div><label for="event">or event id</label>
        <input id="event" name="event" list="events" autocomplete="off" autocapitalize="none"></div>
        <div><label for="until">Last day (UTC), if any</label>
        <input id="until" name="until" type="date"></div>
        <div><label for="from">Only from networks, if any</label>
        <input id="from" name="from" placeholder="192.0.2.0/24, 2001:db8::/32"></div>
      </div>
      <button class="main" name="action" value="grant">Grant</button>
      ${command(`access grant ${quoted(name)} --organization SLUG --until ${year}-12-31`)}
    </form>
  `
}

/** Has the account's name in a hidden field: otherwise, password managers would fill in the operator's own. */
function passwordForm(visit: Visit, name: string, sessions: number): Html {
  return html`
    <section aria-labelledby="password-title">
      <h2 id="password-title">Password</h2>
      <form class="fields narrow" method="post">
        ${tokenField(visit)}
        <input name="username" value="${name}" autocomplete="username" readonly hidden>
        <label for="password">New password, at least 12 characters</label>
        <input id="password" name="password" type="password" required minlength="12"
          maxlength="1000" autocomplete="new-password">
        <p><input id="sure" name="sure" value="yes" type="checkbox" required>
        <label for="sure">I know that this ends all its sessions (${sessions} live)</label></p>
        <button class="danger" name="action" value="password">Change the password</button>
      </form>
      ${command(`account passwd ${quoted(name)}`)}
    </section>
  `
}

function enableForm(visit: Visit, name: string): Html {
  return html`
    <form method="post">
      ${tokenField(visit)}
      <p>It can log in again then.</p>
      <button class="main" name="action" value="enable">Enable</button>
    </form>
    ${command(`account disable ${quoted(name)} --undo`)}
  `
}
