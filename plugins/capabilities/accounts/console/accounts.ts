import * as v from "valibot"
import { username as validUsername } from "../../../../core/plugin.ts"
import { UserError } from "../../../../core/capability.ts"
import {
  command,
  type Content,
  fold,
  type Html,
  html,
  nameList,
  number,
  readOwnForm,
  redirectTo,
  state,
  table,
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
import { createAccount } from "../change-account.ts"
import { wrongName } from "../change-names.ts"
import { listAccounts } from "../list-accounts.ts"
import { hashNewPassword } from "../hash-new-password.ts"

const roles = ["partner", "service", "operator", "viewer"] as const

/** Accounts that are shown in full. */
const most = 30

/** Adds an account. */
export async function addAccount(visit: Visit): Promise<Response> {
  const form = await readOwnForm(visit.request, sessionOf(visit))
  const [username = "", password = ""] = [form.get("username")?.trim(), form.get("password")]
  const role = roles.find((each) => each === form.get("role"))
  try {
    if (!role) throw new UserError("Choose a role.")
    if (!v.is(validUsername, username)) throw new UserError(wrongName)
    const { database, author, plan } = visit.internals
    const kind = plan.session.passwords
    const passwordHash = await hashNewPassword(password, { username, kind })
    await createAccount(database, { username, role, passwordHash }, author)
  } catch (error) {
    return await showAccounts(visit, { refusal: reasonOf(error), username })
  }
  return redirectTo(`/console/accounts/${encodeURIComponent(username)}?done=add`)
}

/** Shows all accounts, and a form to add one; and why it was refused, if it was. */
export async function showAccounts(
  visit: Visit,
  { refusal, username = "" }: { readonly refusal?: string; readonly username?: string } = {},
): Promise<Response> {
  const { now } = sessionOf(visit)
  const accounts = await listAccounts(visit.internals.readable)
  const isWhole = accounts.length <= most || queryOf(visit, "accounts") === "all"
  return respond(visit, {
    title: "Accounts",
    current: "/console/accounts",
    ...refusal !== undefined && { status: 400 },
    main: html`${refusal && html`<p class="message bad" role="alert">${refusal}</p>`}
${isWhole ? accountTable(`${accounts.length} accounts`, accounts, now) : folded(accounts, now)}
${mayChange(visit) && addForm(visit, username)}`,
  })
}

type Account = Awaited<ReturnType<typeof listAccounts>>[number]

/** Shows programs without a session, which cannot read, and the names of all others by what they may do. */
function folded(accounts: readonly Account[], now: number): Content {
  const groups = Map.groupBy(accounts, ({ role, disabled, sessions }) => {
    const isIdle = isProgram(role) && sessions === 0
    return disabled ? "disabled" : isIdle ? "without a session" : role
  })
  const idle = groups.get("without a session") ?? []
  const about = `${idle.length} of ${accounts.length} accounts have no session: they read nothing`
  groups.set("without a session", idle.slice(most))
  return [
    idle.length > 0 && accountTable(`${about} until they log in`, idle.slice(0, most), now),
    (["without a session", ...roles, "disabled"] as const).map((name) => {
      const names = groups.get(name)?.map(linkTo) ?? []
      return names.length > 0 && fold(name, names.length, nameList(names))
    }),
    html`<p><a href="/console/accounts?accounts=all">All accounts in full</a></p>`,
  ]
}

function accountTable(caption: string, accounts: readonly Account[], now: number): Html {
  return table(
    caption,
    [
      "Name",
      "Role",
      "State",
      { name: "Live sessions", isNumber: true },
      "Last log-in",
      "Last request",
    ],
    accounts.map((account) => [
      linkTo(account),
      account.role,
      account.disabled ? state("off", "disabled") : state("good", "enabled"),
      number(account.sessions),
      time(account.lastLogIn, now),
      time(account.lastPoll, now),
    ]),
  )
}

function linkTo({ username }: Account): Html {
  return html`<a href="/console/accounts/${encodeURIComponent(username)}">${username}</a>`
}

function addForm(visit: Visit, username: string): Html {
  return html`<section aria-labelledby="add">
<h2 id="add">Add an account</h2>
<form class="fields narrow" method="post" action="/console/accounts">
${tokenField(visit)}
<label for="username">User name</label>
<input id="username" name="username" required maxlength="100" pattern="[a-z0-9][a-z0-9._@\\-]*" autocomplete="username" autocapitalize="none" value="${username}">
<label for="role">Role</label>
<select id="role" name="role">
<option value="partner">partner: reads what it has grants for</option>
<option value="service">service: the service user of a customer</option>
<option value="operator">operator: sees and changes everything here</option>
<option value="viewer">viewer: sees everything here, and changes nothing</option>
</select>
<label for="password">Password, at least 12 characters</label>
<input id="password" name="password" type="password" required minlength="12" maxlength="1000" autocomplete="new-password">
<button class="main">Add</button>
</form>
${command("account add NAME --role partner")}
</section>`
}
