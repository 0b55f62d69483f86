import { findAccount } from "../../../core/accounts.ts"
import { UserError } from "../../../core/capability.ts"
import {
  command,
  type Content,
  html,
  quoted,
  readOwnForm,
  redirectTo,
} from "../../design/design.ts"
import {
  type Addition,
  isProgram,
  mayChange,
  respond,
  sessionOf,
  type Visit,
} from "../../service/console/page.ts"
import { addForm, receiverTable } from "./receiver-table.ts"
import { addReceiver, challengeReceiver, listReceivers, most, removeReceiver } from "./receivers.ts"
import { rulesOf } from "./settings.ts"

/** What the console says of receivers of pings. */
export const pages: readonly Addition[] = [
  { kind: "section", place: "partner", order: 60, render: showState },
  { kind: "section", place: "account", order: 30, render: showReceivers },
  { kind: "page", method: "POST", path: "/accounts/:name/pings", show: add },
  { kind: "page", method: "POST", path: "/accounts/:name/pings/change", show: change },
]

/** Shows the receivers of a partner that has some, beside how it polls. */
async function showState(visit: Visit, name: string): Promise<Content> {
  const { id } = await findAccount(visit.internals.readable.writer, name)
  const receivers = await listReceivers(visit.internals.readable, { accountId: id })
  return receivers.length > 0 && html`
    <section aria-labelledby="pings-title">
      <h2 id="pings-title">Pings</h2>
      ${receiverTable(receivers, {
        caption: "Receivers",
        empty: "",
        caller: sessionOf(visit),
        action: false,
        offered: [],
      })}
      <p><a href="${pathOf(name)}#pings">Change them</a></p>
    </section>
  `
}

async function showReceivers(visit: Visit, name: string): Promise<Content> {
  const { readable } = visit.internals
  const { id, role } = await findAccount(readable.writer, name)
  if (!isProgram(role)) return undefined
  const receivers = await listReceivers(readable, { accountId: id })
  return html`
    <h3 id="pings">Receivers of pings</h3>
    ${receiverTable(receivers, {
      caption: "URLs that are told when to poll",
      empty: "It has registered none.",
      caller: sessionOf(visit),
      action: mayChange(visit) && `${pathOf(name)}/pings/change`,
      offered: ["challenge", "remove"],
    })}
    ${mayChange(visit) && receivers.length < most.receivers && html`
      ${addForm(sessionOf(visit), `${pathOf(name)}/pings`)}
      ${command(`ping add ${quoted(name)} URL`)}
    `}
    ${command(`ping list ${quoted(name)}`)}
  `
}

/** Registers a URL for a partner, and shows its secret: only this response has it. */
async function add(visit: Visit): Promise<Response> {
  const name = visit.params["name"] ?? ""
  const form = await readOwnForm(visit.request, sessionOf(visit))
  const { database, plan, author } = visit.internals
  const account = await findAccount(database.writer, name)
  const { receiver, secret } = await addReceiver(database, (form.get("url") ?? "").trim(), {
    account,
    by: author,
    rules: rulesOf(plan),
  })
  return respond(visit, {
    title: `A receiver of ${name}`,
    current: "/console/accounts",
    status: 201,
    main: html`
      <p class="message good" role="status">${new URL(receiver.url)
        .host} gets a challenge within seconds.</p>
      <p>This page is shown once: send the secret to the partner like a password.</p>
      <pre tabindex="0" class="lines"><code data-copy>${secret}</code></pre>
      <p><a href="${pathOf(name)}#pings">Back to the account</a></p>
    `,
  })
}

async function change(visit: Visit): Promise<Response> {
  const name = visit.params["name"] ?? ""
  const form = await readOwnForm(visit.request, sessionOf(visit))
  const { database, author } = visit.internals
  const acting = { account: await findAccount(database.writer, name), by: author }
  const id = form.get("id") ?? ""
  const action = form.get("action")
  if (action === "challenge") await challengeReceiver(database, id, acting)
  else if (action === "remove") await removeReceiver(database, id, acting)
  else throw new UserError("Choose what to change. Nothing was changed.")
  return redirectTo(`${pathOf(name)}#pings`)
}

function pathOf(name: string): string {
  return `/console/accounts/${encodeURIComponent(name)}`
}
