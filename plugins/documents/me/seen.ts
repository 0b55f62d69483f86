import { html, time } from "../../design/design.ts"
import { type Part, renderParts, type Section } from "./page.ts"

/** Tells the caller what operators see of them. */
export function seen(parts: readonly Part[]): Section {
  return {
    kind: "section",
    order: 80,
    id: "seen",
    title: "What the operator sees of you",
    async render(visit) {
      const { caller: { account: { username, role }, expires, now } } = visit
      const all = await renderParts(visit, parts, "seen")
      return html`
        <ul>
        <li>Your account: its name ${username}, its role ${role}, what it may read, and when it was last used. Your
        session, which ends ${time(expires, now)}. Never your password or a token.</li>
        ${all.map((part) => html`<li>${part}</li>`)}
        </ul>
      `
    },
  }
}
