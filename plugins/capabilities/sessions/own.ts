import { longestScope } from "../../../core/accounts.ts"
import { Problem } from "../../../core/plugin.ts"
import {
  codeFigure,
  type Content,
  html,
  readOwnForm,
  redirectTo,
  time,
  tokenField,
} from "../../design/design.ts"
import { type OwnAddition, type OwnVisit, queryOf, respondMe } from "../../documents/me/page.ts"
import { longestName } from "./tables.ts"
import { tokenTable } from "./token-table.ts"
import { createToken, listOwnTokens, revokeOwnToken } from "./tokens.ts"
import { assertMayMake, readTokenRequest } from "./token-request.ts"

const aDay = 86_400

/** What an account is shown of its tokens. */
export const own: readonly OwnAddition[] = [
  { kind: "section", order: 50, id: "tokens", title: "Your tokens", render: showTokens },
  { kind: "form", path: "/tokens", submit: makeToken },
  { kind: "form", path: "/tokens/revoke", submit: revoke },
]

async function showTokens(visit: OwnVisit): Promise<Content> {
  const { internals: { readable }, caller } = visit
  const tokens = await listOwnTokens(readable, caller).catch((error: unknown) => {
    if (error instanceof Problem && error.code === "not_with_a_token") return error
    throw error
  })
  if (tokens instanceof Problem) return html`<p class="message">${tokens.message}</p>`
  const longest = longestDaysOf(visit)
  const done = queryOf(visit, "revoked") !== ""
  return html`
    ${done && html`<p class="message good" role="status">The token is revoked.</p>`}
    <p>A token is for one program. It outlasts your session, and reads what you may read.</p>
    ${tokenTable(tokens, {
      caption: "Valid tokens",
      empty: "You have made none.",
      caller,
      action: "/docs/me/tokens/revoke",
    })}
    ${longest > 0 && html`
      <details${tokens.length === 0 && html`
        open
      `}>
        <summary>Make a token</summary>
        <form class="fields narrow" method="post" action="/docs/me/tokens">
          ${tokenField(caller)}
          <label for="token-name">Name of the program</label>
          <input id="token-name" name="name" required maxlength="${longestName}" autocomplete="off">
          <label for="token-days">Days until it ends</label>
          <input id="token-days" name="days" type="number" min="1" max="${longest}" required
            value="${Math.min(30, longest)}">
          <label for="token-scope">Only for (leave it empty for all that you may read)</label>
          <input id="token-scope" name="scope" maxlength="${longestScope}" autocomplete="off"
            placeholder="family:/connector-b/v1 list:guests">
          <button class="main">Make a token</button>
        </form>
        </details>
    `}
  `
}

/** Makes a token, and shows it: only this response has it. */
async function makeToken(visit: OwnVisit): Promise<Response> {
  const { request, caller, internals: { database, author }, catalogue: { server, families } } =
    visit
  const path = families[0] === undefined ? "/session" : `${families[0]}/events`
  const form = await readOwnForm(request, caller)
  const scope = (form.get("scope") ?? "").trim()
  const most = longestDaysOf(visit)
  const days = Number(form.get("days"))
  assertMayMake(caller, most * aDay)
  if (!(days >= 1 && days <= most)) {
    throw new Problem("invalid_body", `Give 1 to ${most} days. Nothing was made.`)
  }
  const wanted = readTokenRequest({
    name: (form.get("name") ?? "").trim(),
    lifetime: days * aDay,
    ...scope !== "" && { scope },
  }, most * aDay)
  const { name, token, expires } = await createToken(database, wanted, { caller, by: author })
  return respondMe(visit, {
    title: `Token ${name}`,
    status: 201,
    main: html`
      <p class="message good"
        role="status">This page is shown once: keep the token like a password. It ends
      ${time(expires, caller.now)}.</p>
      <pre tabindex="0" class="lines"><code data-copy>${token}</code></pre>
      <p>Send it with each request, in place of a log-in:</p>
      ${codeFigure(`TOKEN=${token}\ncurl -H "Authorization: Bearer $TOKEN" ${server}${path}`, {
        syntax: "sh",
        label: "Shell",
      })}
      <p><a href="/docs/me#tokens">Back to your account</a></p>
    `,
  })
}

async function revoke(
  { request, caller, internals: { database, author } }: OwnVisit,
): Promise<Response> {
  const form = await readOwnForm(request, caller)
  await revokeOwnToken(database, form.get("id") ?? "", { caller, by: author })
  return redirectTo("/docs/me?revoked=1#tokens")
}

/** Returns the most days of a token; 0 if the caller may make none. */
function longestDaysOf({ internals: { plan }, caller: { account: { role } } }: OwnVisit): number {
  const found = plan.plugins.find(({ plugin }) => plugin.name === "session")?.settings
  const { longest_days = 0 } = (found ?? {}) as { readonly longest_days?: number }
  return role === "partner" || role === "service" ? longest_days : 0
}
