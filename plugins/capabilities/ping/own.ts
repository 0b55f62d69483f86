import { UserError } from "../../../core/capability.ts"
import { Problem } from "../../../core/plugin.ts"
import { type Content, html, readOwnForm, redirectTo } from "../../design/design.ts"
import { type OwnAddition, type OwnVisit, queryOf, respondMe } from "../../documents/me/page.ts"
import { addForm, receiverTable } from "./receiver-table.ts"
import {
  type Acting,
  addReceiver,
  challengeReceiver,
  confirmReceiver,
  listOwnReceivers,
  most,
  removeReceiver,
  renewSecret,
} from "./receivers.ts"
import { rulesOf } from "./settings.ts"

/** The section in which accounts see and change their receivers of pings. */
export const own: readonly OwnAddition[] = [
  { kind: "section", order: 60, id: "pings", title: "Your receivers of pings", render: show },
  { kind: "form", path: "/pings", submit: add },
  { kind: "form", path: "/pings/change", submit: change },
]

/** The page's messages after a change. */
const done: Readonly<Record<string, string>> = {
  challenge: "The challenge is sent within seconds.",
  confirm: "The receiver is on.",
  remove: "The receiver is removed.",
}

async function show(visit: OwnVisit): Promise<Content> {
  const { internals: { readable }, caller } = visit
  const { role } = caller.account
  if (role !== "partner" && role !== "service") return undefined
  const receivers = await listOwnReceivers(readable, caller).catch((error: unknown) => {
    if (error instanceof Problem && error.code === "not_with_a_token") return error
    throw error
  })
  if (receivers instanceof Problem) return html`<p class="message">${receivers.message}</p>`
  const key = queryOf(visit, "pinged")
  const said = Object.hasOwn(done, key) && done[key]
  return html`
    ${said && html`<p class="message good" role="status">${said}</p>`}
    <p>A ping tells your program that a list has changed, so that it polls at once. Keep your scheduled poll.</p>
    ${receiverTable(receivers, {
      caption: "Receivers",
      empty: "You have registered none.",
      caller,
      action: "/docs/me/pings/change",
      offered: ["challenge", "confirm", "secret", "remove"],
      isOwn: true,
    })}
    ${receivers.length < most.receivers && addForm(caller, "/docs/me/pings")}
  `
}

/** Registers a URL, and shows its secret, which no other response contains. */
async function add(visit: OwnVisit): Promise<Response> {
  const form = await readOwnForm(visit.request, visit.caller)
  const { database, plan } = visit.internals
  const { receiver, secret } = await addReceiver(database, (form.get("url") ?? "").trim(), {
    ...actingOf(visit),
    rules: rulesOf(plan),
  })
  return respondSecret(visit, {
    title: "A receiver of pings",
    text: `${new URL(receiver.url).host} gets a challenge within seconds.`,
    secret,
  })
}

async function change(visit: OwnVisit): Promise<Response> {
  const form = await readOwnForm(visit.request, visit.caller)
  const { database, plan: { session: { secrets } } } = visit.internals
  const id = form.get("id") ?? ""
  const action = form.get("action") ?? ""
  if (action === "secret") {
    const secret = await renewSecret(database, id, actingOf(visit))
    const text = "It signs from now on, and the secret before it for 24 hours as well."
    return respondSecret(visit, { title: "A new secret", text, secret })
  }
  if (action === "challenge") await challengeReceiver(database, id, actingOf(visit))
  else if (action === "remove") await removeReceiver(database, id, actingOf(visit))
  else if (action === "confirm") {
    const challenge = form.get("challenge") ?? ""
    await confirmReceiver(database, id, { ...actingOf(visit), challenge, secrets })
  } else throw new UserError("Choose what to change. Nothing was changed.")
  return redirectTo(`/docs/me?pinged=${action}#pings`)
}

function respondSecret(
  visit: OwnVisit,
  { title, text, secret }: Readonly<Record<"title" | "text" | "secret", string>>,
): Response {
  return respondMe(visit, {
    title,
    status: 201,
    main: html`
      <p class="message good"
        role="status">This page is shown once: keep the secret like a password. ${text}</p>
      <pre tabindex="0" class="lines"><code data-copy>${secret}</code></pre>
      <p><a href="/docs/me#pings">Back to your account</a></p>
    `,
  })
}

function actingOf({ caller, internals: { author } }: OwnVisit): Acting {
  return { account: caller.account, by: author, caller }
}
