import { type Operations, Problem } from "../../../core/plugin.ts"
import { readOwnForm } from "../forms.ts"
import { redirectTo } from "../frame.ts"
import { html } from "../html.ts"
import { command, exact, quoted, state, table, time } from "../parts.ts"
import { queryOf, respond, sessionOf, tokenField, type Visit } from "../reader.ts"

type Form = ReadonlyMap<string, string>
type Target = Parameters<Operations["withdraw"]>[1]

/** A change of an account, as a form asks for it. */
interface Action {
  /** What the button says. */
  readonly label: string
  /** What has been done, for the page after it. */
  readonly done: string
  /** What it cuts off, if it does: it has to be confirmed on a page of its own. */
  readonly effect?: string
  /** The arguments of the same command. */
  readonly command: (name: string, form: Form) => string
  readonly run: (operations: Operations, name: string, form: Form) => Promise<unknown>
}

const actions: Readonly<Record<string, Action>> = {
  password: {
    label: "Change the password",
    done: "The password is changed, and all sessions have ended.",
    command: (name) => `account passwd ${name}`,
    run: (operations, name, form) => operations.setPassword(name, form.get("password") ?? ""),
  },
  disable: {
    label: "Disable",
    done: "The account is disabled.",
    effect: "It cannot log in any more, and all its sessions end.",
    command: (name) => `account disable ${name}`,
    run: (operations, name) => operations.disable(name),
  },
  enable: {
    label: "Enable",
    done: "The account may log in again.",
    command: (name) => `account disable ${name} --undo`,
    run: (operations, name) => operations.disable(name, { undo: true }),
  },
  grant: {
    label: "Grant",
    done: "The grant counts from the next request on.",
    command: (name, form) =>
      [`access grant ${name}`, targetFlag(form), ...limitFlags(form)].join(" "),
    run: (operations, name, form) => operations.grant(name, targetOf(form), limitsOf(form)),
  },
  withdraw: {
    label: "Withdraw",
    done: "The grant is withdrawn.",
    effect: "From its next request on, it gets 404 for the events of this grant.",
    command: (name, form) => `access withdraw ${name} ${targetFlag(form)}`,
    run: (operations, name, form) => operations.withdraw(name, targetOf(form)),
  },
}

/** Shows an account with its sessions and grants, and forms to change it; or asks to confirm a change. */
export async function showAccount(visit: Visit): Promise<Response> {
  const name = visit.params["name"] ?? ""
  const confirmed = actions[queryOf(visit, "confirm")]
  return confirmed ? confirm(visit, name, confirmed) : await respondAccount(visit, name)
}

/** Changes an account, and shows it again. */
export async function changeAccount(visit: Visit): Promise<Response> {
  const name = visit.params["name"] ?? ""
  const form = await readOwnForm(visit.request, sessionOf(visit))
  const key = form.get("action") ?? ""
  const action = Object.hasOwn(actions, key) ? actions[key] : undefined
  try {
    if (!action) throw new Problem("invalid_body", "There is no such action. Nothing was changed.")
    await action.run(visit.host.operations, name, form)
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return await respondAccount(visit, name, error.message)
  }
  return redirectTo(`/console/accounts/${encodeURIComponent(name)}?done=${key}`)
}

function confirm(visit: Visit, name: string, action: Action): Response {
  const { searchParams } = new URL(visit.request.url)
  const form: Form = new Map(searchParams)
  const back = `/console/accounts/${encodeURIComponent(name)}`
  const hidden = ["organization", "event", "session"].flatMap((field) => {
    const value = form.get(field)
    return value === undefined ? [] : html`<input type="hidden" name="${field}" value="${value}">`
  })
  return respond(visit, {
    title: `${action.label}: ${name}`,
    entry: "/console/accounts",
    main: html`<p>${
      [...form].filter(([key]) => key !== "confirm").map(([key, value]) =>
        html`
          ${key} <code>${value}</code>.
        `
      )
    }${action.effect}</p>
<form class="row" method="post" action="${back}">
${tokenField(visit)}${hidden}
<button class="danger" name="action" value="${form.get("confirm")}">${action.label}</button>
<a href="${back}">Cancel</a>
</form>
${command(action.command(quoted(name), form))}`,
  })
}

async function respondAccount(visit: Visit, name: string, refusal?: string): Promise<Response> {
  const { operations } = visit.host
  const account = (await operations.accounts()).find(({ username }) => username === name)
  if (!account) throw new Problem("not_found", `There is no account ${name}.`)
  const { now } = sessionOf(visit)
  const grants = await operations.grants(name)
  const done = actions[queryOf(visit, "done")]?.done ??
    (queryOf(visit, "done") === "add" ? "The account is added. A grant lets it read." : undefined)
  return respond(visit, {
    title: `Account ${name}`,
    entry: "/console/accounts",
    ...refusal !== undefined && { status: 400 },
    main: html`
      ${refusal === undefined
        ? done && html`<p class="message good" role="status">${done}</p>`
        : html`<p class="message bad" role="alert">${refusal}</p>`}
      <p>${account.role}, ${account.disabled
        ? state("off", "disabled")
        : state("good", "enabled")}; last log-in ${time(
          account.lastLogIn,
          now,
        )}, last request ${time(account.lastPoll, now)}.
      ${account.role !== "operator" && html`
        <a href="/console/partners/${encodeURIComponent(name)}">Health</a> ·
      `}
      <a href="/console/audit?account=${encodeURIComponent(name)}">Audit</a></p>
      <section aria-labelledby="grants">
      <h2 id="grants">Grants</h2>
      ${table(
        "What it may read",
        ["Grant on", "Until", "From", "Change"],
        grants.map((grant) => [
          html`${grant.target} <code>${grant.name}</code>`,
          grant.ends === null
            ? html`<span class="quiet">no end</span>`
            : grant.ends <= now
            ? html`${state("warn", "ended")} ${time(grant.ends, now)}`
            : time(grant.ends, now),
          grant.networks?.join(", ") ?? html`<span class="quiet">anywhere</span>`,
          html`
            <a
              href="?confirm=withdraw&amp;${grant.target}=${encodeURIComponent(
                grant.name,
              )}">Withdraw<span class="hidden"> ${grant.name}</span>…</a>
          `,
        ]),
        "It may read nothing.",
      )}
      <form class="fields" method="post">
      ${tokenField(visit)}
      <h3>Grant access</h3>
      <p class="hint">To all events of an organization, or to one event. A second grant on the same replaces the first.</p>
      <div class="columns">
      <div><label for="organization">Organization</label><input id="organization" name="organization" autocapitalize="none"></div>
      <div><label for="event">or event id</label><input id="event" name="event" autocapitalize="none"></div>
      <div><label for="until">Last day (UTC), if any</label><input id="until" name="until" type="date"></div>
      <div><label for="from">Only from networks, if any</label><input id="from" name="from" placeholder="192.0.2.0/24, 2001:db8::/32"></div>
      </div>
      <button class="main" name="action" value="grant">Grant</button>
      ${command(
        `access grant ${quoted(name)} --organization SLUG --until ${exact(now).slice(0, 4)}-12-31`,
      )}
      </form>
      </section>
      <section aria-labelledby="password-title">
        <h2 id="password-title">Password</h2>
        <form class="fields narrow" method="post">
      ${tokenField(visit)}
      <label for="password">New password, at least 12 characters</label>
      <input id="password" name="password" type="password" required minlength="12" maxlength="1000" autocomplete="new-password">
      <p><input id="sure" type="checkbox" required> <label for="sure">End all its sessions${account
            .sessions > 0 && `, ${account.sessions} of which are live`}</label></p>
      <button class="danger" name="action" value="password">Change the password</button>
      ${command(`account passwd ${quoted(name)}`)}
        </form>
      </section>
      <section aria-labelledby="state-title">
      <h2 id="state-title">${account.disabled ? "Enable" : "Disable"}</h2>
      ${account.disabled
        ? html`<form method="post">${tokenField(visit)}
<p>It can log in again then.</p>
<button class="main" name="action" value="enable">Enable</button>
${command(`account disable ${quoted(name)} --undo`)}</form>`
        : html`<p><a class="button danger" href="?confirm=disable">Disable…</a></p>`}
      </section>
    `,
  })
}

/** @throws {Problem} unless the form names an organization or an event. */
function targetOf(form: Form): Target {
  const [organization = "", event = ""] = [form.get("organization"), form.get("event")]
    .map((each) => each?.trim())
  if ((organization === "") === (event === "")) {
    throw new Problem("invalid_body", "Name an organization or an event. Nothing was changed.")
  }
  return event === "" ? { organization } : { event: event.toLowerCase() }
}

function targetFlag(form: Form): string {
  const event = form.get("event")
  return event
    ? `--event ${quoted(event)}`
    : `--organization ${quoted(form.get("organization") ?? "")}`
}

/** @throws {Problem} if the day is none. */
function limitsOf(form: Form): { ends?: number; networks?: readonly string[] } {
  const [until = "", from = ""] = [form.get("until"), form.get("from")]
  const start = Date.parse(until) / 1000
  if (until !== "" && !(/^\d{4}-\d\d-\d\d$/.test(until) && Number.isFinite(start))) {
    throw new Problem(
      "invalid_body",
      `${until} is not a day: write 2030-01-31. Nothing was changed.`,
    )
  }
  const networks = from.split(/[\s,]+/).filter(Boolean)
  return {
    // The end of that day.
    ...until === "" ? {} : { ends: start + 86_400 },
    ...networks.length === 0 ? {} : { networks },
  }
}

function limitFlags(form: Form): string[] {
  const until = form.get("until")
  const networks = (form.get("from") ?? "").split(/[\s,]+/).filter(Boolean)
  return [...until ? [`--until ${until}`] : [], ...networks.map((each) => `--from ${quoted(each)}`)]
}
