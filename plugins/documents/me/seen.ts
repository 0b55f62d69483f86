import { html, time } from "../../design/design.ts"
import type { OwnItem, OwnSection } from "./page.ts"

/** Tells the caller what operators see of them. */
export function seen(parts: readonly OwnItem[]): OwnSection {
  return {
    kind: "section",
    order: 80,
    id: "seen",
    title: "What the operator can see",
    async render(visit) {
      const { caller: { account: { username, role }, expires, now } } = visit
      const sorted = parts.toSorted((a, b) => a.order - b.order)
      const all = await Promise.all(sorted.map((part) => part.render(visit)))
      return html`
        <ul>
        <li>Your account: its name ${username}, its role ${role}, what it may read, and when it was last used. Your
        session, which ends ${time(expires, now)}. Never your password or a token.</li>
        ${all.map((part) => part !== undefined && html`<li>${part}</li>`)}
        </ul>
      `
    },
  }
}
