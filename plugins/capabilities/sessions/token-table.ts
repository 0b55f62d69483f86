import type { Session } from "../../../core/plugin.ts"
import { type Html, html, table, time, tokenField } from "../../design/design.ts"
import type { Token } from "./tokens.ts"

/** Shows tokens, each with a form that revokes it if there is an `action`: the path that takes it from the caller. */
export function tokenTable(
  tokens: readonly Token[],
  { caption, empty, caller, action }: {
    readonly caption: string
    readonly empty: string
    readonly caller: Session
    readonly action: string | false
  },
): Html {
  const { now } = caller
  return table(
    caption,
    ["Name", "Token", "Only for", "Ends", "Made", "Last used", "From", ...action ? ["Change"] : []],
    tokens.map(({ id, name, ...token }) => [
      name,
      html`<code>${id.slice(0, 8)}</code>`,
      token.scope?.replaceAll(" ", ", ") ?? "",
      time(token.expires, now),
      time(token.created, now),
      time(token.used, now),
      token.address ?? "",
      ...action
        ? [html`
          <details>
            <summary>Revoke<span class="unseen"> ${name}</span>…</summary>
            <form method="post" action="${action}">
              ${tokenField(caller)}
              <p>The program that uses it gets 401 from now on.</p>
              <button class="danger" name="id" value="${id}">Revoke the token</button>
            </form>
          </details>
        `]
        : [],
    ]),
    empty,
  )
}
