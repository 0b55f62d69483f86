import {
  type Content,
  type Html,
  html,
  state,
  table,
  time,
  tokenField,
} from "../../design/design.ts"
import type { Session } from "../../../core/plugin.ts"
import { nextAttemptOf, tellOf } from "./reasons.ts"
import { type RegisteredReceiver, shownUrl } from "./receivers.ts"
import { longestUrl } from "./tables.ts"

/** A change that a form makes to a receiver. */
type Change = "challenge" | "confirm" | "secret" | "remove"

/** The buttons of a form, by the change it makes. */
const changes: Readonly<Record<Change, Html>> = {
  challenge: html`
    <button name="action" value="challenge">Send a challenge</button>
  `,
  confirm: html`
    <label>The challenge that came there <input name="challenge" maxlength="200" autocomplete="off"></label>
    <button name="action" value="confirm">Confirm by hand</button>
  `,
  secret: html`
    <button name="action" value="secret">Make a new secret</button>
  `,
  remove: html`
    <button class="danger" name="action" value="remove">Remove the receiver</button>
  `,
}

/** Shows receivers. With `action`, the path to post to, each has a form for these changes. */
export function receiverTable(
  receivers: readonly RegisteredReceiver[],
  { caption, empty, caller, action, offered, isOwn = false }: {
    readonly caption: string
    readonly empty: string
    readonly caller: Session
    readonly action: string | false
    readonly offered: readonly Change[]
    /** True for the account that registered them: it sees whole URLs. */
    readonly isOwn?: boolean
  },
): Html {
  const { now } = caller
  const isForViewer = caller.account.role === "viewer"
  const form = (receiver: RegisteredReceiver, action: string): Content =>
    html`
      <details>
        <summary>Change<span class="unseen"> ${new URL(receiver.url).host}</span>…</summary>
        <form method="post" action="${action}">
          ${tokenField(caller)}
          <input type="hidden" name="id" value="${receiver.id}">
          ${offered.map((each) =>
            (each !== "confirm" || receiver.state === "unconfirmed") && changes[each]
          )}
        </form>
      </details>
    `
  return table(
    caption,
    [
      ...["Receiver", "URL", "State", "Last success", "Last answer"],
      ...action ? ["Change"] : [],
    ],
    receivers.map((receiver) => {
      const { word, grade, what, advice } = tellOf(receiver)
      const next = nextAttemptOf(receiver, now)
      return [
        html`<code>${receiver.id.slice(0, 8)}</code>`,
        html`<code class="url">${
          isOwn ? receiver.url : shownUrl(receiver.url, { isForViewer })
        }</code>`,
        html`<span class="why">${state(grade, word)} ${what} ${advice}${
          next !== null && html`
            Next attempt: ${time(next, now)}.
          `
        }</span>`,
        time(receiver.last_sent, now),
        receiver.last_status ?? receiver.last_error ?? "",
        ...action ? [form(receiver, action)] : [],
      ]
    }),
    empty,
  )
}

/** Returns the form that registers a URL, posted to the path `action`. */
export function addForm(caller: Session, action: string): Html {
  return html`
    <details>
      <summary>Register a receiver</summary>
      <form class="fields" method="post" action="${action}">
        ${tokenField(caller)}
        <label for="ping-url">URL</label>
        <input id="ping-url" name="url" type="url" required maxlength="${longestUrl}" autocomplete="off"
          placeholder="https://">
        <button class="main">Register</button>
      </form>
    </details>
  `
}
