import { findAccount } from "../../../../core/accounts.ts"
import { UserError } from "../../../../core/capability.ts"
import { Problem } from "../../../../core/plugin.ts"
import {
  command,
  type Html,
  html,
  quoted,
  readOwnForm,
  redirectTo,
} from "../../../design/design.ts"
import {
  type Addition,
  mayChange,
  respond,
  sessionOf,
  tokenField,
  type Visit,
} from "../../../service/console/page.ts"
import { removeAccount, renameAccount } from "../change-names.ts"
import { type AccountMentions, describePlaces, namedIn, whyNeeded } from "../named-in.ts"

/** Forms to rename and to remove an account. */
export const namePages: readonly Addition[] = [
  { kind: "section", place: "account-end", order: 10, render: showForms },
  { kind: "page", method: "GET", path: "/accounts/:name/remove", show: confirmRemoval },
  { kind: "page", method: "POST", path: "/accounts/:name/remove", show: remove },
  { kind: "page", method: "POST", path: "/accounts/:name/rename", show: rename },
]

function showForms(visit: Visit, name: string): Html | undefined {
  if (!mayChange(visit)) return undefined
  const places = placesOf(visit, name)
  const todo = describePlaces(places, "the new name")
  return html`
    <section aria-labelledby="rename-title">
      <h2 id="rename-title">Rename</h2>
      <form class="fields narrow" method="post" action="${pathOf(name)}/rename">
        ${tokenField(visit)}
        <p class="hint">Sessions and grants stay; the log-in needs the new name. The audit log
        finds entries by both. ${todo}</p>
        <label for="new-name">New user name</label>
        <input id="new-name" name="to" required maxlength="100" pattern="[a-z0-9][a-z0-9._@\\-]*"
          autocomplete="off" autocapitalize="none">
        <button class="main">Rename</button>
      </form>
      ${command(`account rename ${quoted(name)} NEW`)}
    </section>
    <section aria-labelledby="remove-title">
      <h2 id="remove-title">Remove</h2>
      <p><a class="button" href="${pathOf(name)}/remove">Remove the account</a></p>
    </section>
  `
}

/** Asks before an account is removed. */
async function confirmRemoval(visit: Visit): Promise<Response> {
  const name = visit.params["name"] ?? ""
  await findAccount(visit.internals.readable.writer, name).catch((error: unknown) => {
    throw error instanceof UserError ? new Problem("not_found", error.message) : error
  })
  const needed = whyNeeded(placesOf(visit, name), name)
  return respond(visit, {
    title: `Remove ${name}?`,
    current: "/console/accounts",
    main: html`
      <p>Its sessions, grants and sync state go for good; a program that uses it gets 401. The audit log
      and the ledger keep its name.</p>
      ${needed !== undefined && html`<p class="message warn">${needed}</p>`}
      ${needed === undefined && mayChange(visit) && html`
        <form class="fields" method="post" action="${pathOf(name)}/remove">
          ${tokenField(visit)}
          <p><input id="force" name="force" value="yes" type="checkbox">
          <label for="force">Even if it has live sessions</label></p>
          <button class="danger">Remove</button>
        </form>
      `}
      <p><a href="${pathOf(name)}">Back to the account</a></p>
      ${command(`account remove ${quoted(name)}`)}
    `,
  })
}

async function remove(visit: Visit): Promise<Response> {
  const name = visit.params["name"] ?? ""
  const form = await readOwnForm(visit.request, sessionOf(visit))
  const { database, author } = visit.internals
  if (name === author.actor) {
    throw new UserError("This is your own account: another operator can remove it.")
  }
  const needed = whyNeeded(placesOf(visit, name), name)
  if (needed !== undefined) throw new UserError(needed)
  await removeAccount(database, name, { force: form.get("force") === "yes" }, author)
  return redirectTo("/console/accounts")
}

async function rename(visit: Visit): Promise<Response> {
  const name = visit.params["name"] ?? ""
  const form = await readOwnForm(visit.request, sessionOf(visit))
  const { database, author } = visit.internals
  const to = form.get("to")?.trim() ?? ""
  await renameAccount(database, name, to, author)
  return redirectTo(`${pathOf(to)}?done=rename`)
}

function placesOf({ internals: { plan } }: Visit, name: string): AccountMentions {
  return namedIn(plan, name)
}

function pathOf(name: string): string {
  return `/console/accounts/${encodeURIComponent(name)}`
}
