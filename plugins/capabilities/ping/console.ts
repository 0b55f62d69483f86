import { findAccount } from "../../../core/accounts.ts"
import { UserError } from "../../../core/capability.ts"
import {
  command,
  type Content,
  foldedSection,
  html,
  quoted,
  readOwnForm,
  redirectTo,
  state,
  table,
  time,
} from "../../design/design.ts"
import {
  type Addition,
  isProgram,
  mayChange,
  respond,
  sessionOf,
  type Visit,
} from "../../service/console/page.ts"
import { tellOf } from "./reasons.ts"
import { addForm, receiverTable } from "./receiver-table.ts"
import {
  addReceiver,
  challengeReceiver,
  listReceivers,
  most,
  type RegisteredReceiver,
  removeReceiver,
} from "./receivers.ts"
import { rulesOf } from "./settings.ts"

/** The console's additions about receivers of pings. */
export const pages: readonly Addition[] = [
  { kind: "section", place: "overview", order: 25, render: showFailing },
  { kind: "section", place: "partner", order: 60, render: showState },
  { kind: "section", place: "account", order: 30, render: showReceivers },
  { kind: "page", method: "POST", path: "/accounts/:name/pings", show: add },
  { kind: "page", method: "POST", path: "/accounts/:name/pings/change", show: change },
]

const aWeek = 7 * 86_400

/** The most failing receivers on the overview. The command lists all. */
const mostFailing = 6

/** Shows whose receivers fail or were turned off in the last week. */
async function showFailing(visit: Visit): Promise<Content> {
  const { now } = sessionOf(visit)
  const failed = await listReceivers(visit.internals.readable, { failed: now - aWeek })
  const rest = failed.length - mostFailing
  return html`
    <section id="receivers" data-live aria-label="Receivers of pings">
      ${failed.length > 0 && table(
        "Receivers of pings that fail: their partners poll on, only later",
        ["Partner", "Receiver", "State", "Why", "Last success"],
        failed.slice(0, mostFailing).map((receiver) => {
          const { word, grade, what, advice } = tellOf(receiver)
          return [
            visit.site.link.partner(receiver.username),
            html`<code>${new URL(receiver.url).host}</code>`,
            state(grade, word),
            html`<span class="why">${what} ${advice}</span>`,
            time(receiver.last_sent, now),
          ]
        }),
      )}
      ${rest > 0 && html`<p>${rest} more: <code>event-export ping list</code></p>`}
    </section>
  `
}

function isFailing(receiver: RegisteredReceiver): boolean {
  return ["warn", "bad"].includes(tellOf(receiver).grade)
}

/** Shows a partner's receivers, if it has any, beside how it polls. */
async function showState(visit: Visit, name: string): Promise<Content> {
  const { id } = await findAccount(visit.internals.readable.writer, name)
  const receivers = await listReceivers(visit.internals.readable, { accountId: id })
  if (receivers.length === 0) return undefined
  const failing = receivers.filter(isFailing).length
  return foldedSection("pings", "Pings", {
    about: failing > 0 ? `${failing} of ${receivers.length} fail` : `${receivers.length} on`,
    isOpen: failing > 0,
    content: html`
      ${receiverTable(receivers, {
        caption: "Receivers",
        empty: "",
        caller: sessionOf(visit),
        action: false,
        offered: [],
      })}
      <p><a href="${pathOf(name)}#pings">Change them</a></p>
    `,
  })
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

/** Registers a URL for a partner, and shows its secret, which no other response contains. */
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
