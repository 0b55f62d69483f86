import { type Html, html } from "./html.ts"
import { type Grade, state } from "./parts.ts"

/** Links to the pages about things, and to entries of the audit log. */
export const link = {
  partner: (name: string, words = name): Html =>
    html`<a href="/console/partners/${encodeURIComponent(name)}">${words}</a>`,
  account: (name: string): Html =>
    html`<a href="/console/accounts/${encodeURIComponent(name)}">${name}</a>`,
  event: (id: string, name: string | null): Html =>
    html`<a href="/console/events/${encodeURIComponent(id)}">${name ?? id}</a>`,
  request: (id: string | null): Html =>
    id === null || id === ""
      ? html`<span class="quiet">–</span>`
      : html`<a href="/console/audit?request=${encodeURIComponent(id)}"><code>${
        id.length > 12 ? `${id.slice(0, 8)}…` : id
      }</code></a>`,
}

const grades: Readonly<Record<string, Grade>> = {
  "locked out": "bad",
  stuck: "bad",
  silent: "bad",
  behind: "warn",
  "never polled": "off",
  unread: "off",
  "in sync": "good",
  disabled: "off",
}

/** Shows the state of a partner, or of one of its lists. */
export function partnerState(name: string): Html {
  return state(grades[name] ?? "off", name)
}
